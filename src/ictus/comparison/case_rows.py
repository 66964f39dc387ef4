"""The rows of each library's cases, from the launches of a campaign."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import ALGORITHM, DERIVED, IDENTITY, LIBRARY
from ictus.comparison.matching import medians
from ictus.model.call import n_together
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.volume import window_messages
from ictus.stats.median import median_interval
from ictus.store.campaign import Campaign


def case_rows(campaign: Campaign, confidence: float = 0.95) -> Iterator[CaseRow]:
    """One row per library and case that any launch measured: libraries and variants in the order of the plan, cases in
    theirs.
    """
    frame = medians(campaign).with_columns(
        _place(LIBRARY, campaign.labels).alias("place"), _place(ALGORITHM, campaign.variants).alias("variant")
    )
    order = ("case_id", "variant", "place")
    rejected = _rejected(campaign)
    for group in frame.sort(*order, "launch").partition_by(*order, maintain_order=True):
        yield _row(
            group,
            campaign.summary,
            confidence,
            sum(rejected.get(key, 0) for key in group.select("slot", "case_id").iter_rows()),
        )


def _place(name: str, values: Sequence[str]) -> pl.Expr:
    """Where a value stands in its order; behind all where it has no place."""
    order = {value: index for index, value in enumerate(values)}
    return pl.col(name).replace_strict(order, default=len(order), return_dtype=pl.Int64)


def _rejected(campaign: Campaign) -> dict[tuple[int, ...], int]:
    """By slot and case: how many samples the launch that counts rejected."""
    return {
        (launch.slot.slot, case.case_id): case.rejected
        for launch in campaign.launches
        if launch.accepted
        for case in launch.record.cases
    }


def _row(group: pl.DataFrame, summary: str, confidence: float, rejected: int) -> CaseRow:
    """The row of one library's launches of one case."""
    first: dict[str, Any] = group.row(0, named=True)
    values = group["value"].drop_nulls().to_numpy()
    attempted, valid, late, long, outliers = (
        int(group[name].sum()) for name in ("attempted", "valid", "late", "long", "outliers")
    )
    interval = median_interval(values, confidence) if values.size else None
    return CaseRow(
        mpi=first[LIBRARY],
        case={name: first[name] for name in (*IDENTITY, *DERIVED)},
        n_launches=values.size,
        median_s=interval.median if interval else None,
        low_s=interval.low if interval else None,
        high_s=interval.high if interval else None,
        min_s=float(values.min()) if values.size else None,
        max_s=float(values.max()) if values.size else None,
        attempted=attempted,
        valid=valid,
        late=late,
        long=long,
        rejected=rejected,
        outlier_share=outliers / valid if valid else None,
        start_skew_s=_median(group["start_skew"]),
        clock_bound_s=_largest(group["clock_bound"]),
        metric=first["metric"],
        summary=summary,
        too_few=first["too_few"],
        heap_matters=first["heap_matters"],
        messages=_messages(first),
    )


def _messages(case: Mapping[str, Any]) -> int:
    """Messages of one call of one group of processes; 0 of an operation that only a later version knows."""
    registries = Registries.load()
    try:
        operation, comm = (registries.check(factor, case[factor]) for factor in ("operation", "comm"))
    except UsageError:
        return 0
    return window_messages(operation, n_together(comm, case["n"], registries))


def _median(column: pl.Series) -> float | None:
    numbers = column.drop_nulls().to_numpy()
    return float(np.median(numbers)) if numbers.size else None


def _largest(column: pl.Series) -> float | None:
    numbers = column.drop_nulls().to_numpy()
    return float(numbers.max()) if numbers.size else None
