"""The running median of a campaign's last case: whoever watches sees what is measured, and whether it is steady."""

from collections.abc import Sequence
from statistics import median

import polars as pl

from ictus.engine.event import CaseSoFar
from ictus.model.case import Case
from ictus.model.design import Slot


class RunningMedian:
    """Of every kind of launch (library, variant, processes) the launch medians of the last case of the plan, as far as
    this run made them.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = {case.case_id: case for case in cases}
        self._medians: dict[tuple[str, str, int], list[float]] = {}

    def add(self, slot: Slot, summary: pl.DataFrame) -> CaseSoFar | None:
        """The median of all such launches, now that there is this one. None where a launch has no case, or its last one
        no valid sample.
        """
        if not slot.cases:
            return None
        case = self._cases[max(slot.cases)]  # the order is shuffled; numbers are those of the plan
        median_s = dict(zip(summary["case_id"].to_list(), summary["median"].to_list(), strict=True)).get(case.case_id)
        medians = self._medians.setdefault((slot.mpi, slot.algorithm, case.case_id), [])
        medians += [] if median_s is None else [median_s]
        return CaseSoFar(case, median(medians)) if medians else None
