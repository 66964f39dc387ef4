"""A/A campaigns on real ranks in planted modes: one library against itself, half of whose launches are slow.

Whether a launch is slow is drawn for each by itself, as the machine would. In a slow one libictus-delay makes every
broadcast and allreduce longer by 2 us, and the round trip of a cache line in its launch.json, which nobody can plant in
the machine, is ten times the measured one. Modes that the machine has by itself come on top, and are counted. What is
called different is a false alarm, within modes as regardless of them. Some two minutes of an idle machine; campaigns
are kept in build/calibration/modes, and an interrupted run goes on with the rest.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.calibration.false_alarms import DIFFERENT, LEVEL
from tests.calibration.series import BUILD, Bench, bench, measure
from tests.page_tables import PageTable, campaigns

import ictus
from ictus.comparison.modes import machine_modes
from ictus.engine.attempt import Execute
from ictus.model.design import Design, Slot
from ictus.model.job import Outcome
from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.compare import STRATA

FOLDER = "modes"
A, B = "a", "b"
PLAN = {"op": "bcast,allreduce", "sizes": "8,4Ki"}
DELAY = "MPI_Bcast=2000,MPI_Allreduce=2000"
FARTHER = 10.0
TABLE = PageTable("real-modes", "studies/statistics-study.md", "calibration/test_real_modes.py")
_DRAW = 7919


@dataclass(frozen=True)
class PlantedModes:
    """One library under two labels, whose launches are slow by chance."""

    plain: Bench
    slow: Bench

    def execute(self, design: Design) -> Execute:
        """Slow launches are delayed, and their probes say so."""
        usual, delayed = self.plain.execute(design), self.slow.execute(design)

        def run(slot: Slot, folder: Path) -> Outcome:
            if not is_slow(design.plan.seed, slot.slot):
                return usual(slot, folder)
            outcome = delayed(slot, folder)
            plant(folder / "launch.json")
            return outcome

        return run


def is_slow(seed: int | None, slot: int) -> bool:
    """Drawn for each launch by itself."""
    return bool(np.random.default_rng((_DRAW, seed or 0, slot)).random() < 0.5)


def plant(path: Path) -> None:
    """Neighbours farther apart than was measured, in every probe of a launch that has any."""
    if not path.exists():
        return
    document = json.loads(path.read_text("utf-8"))
    for probe in (document.get("machine") or {}).get("probes", []):
        for name in ("line_round_trip_s", "block_round_trip_s"):
            extent = probe.get(name) or {}
            probe[name] = {key: None if value is None else FARTHER * value for key, value in extent.items()}
    path.write_text(json.dumps(document), "utf-8")


@dataclass(frozen=True)
class StrataOutcome:
    """All campaigns, judged in one way."""

    strata: str
    alarms: Rate
    """Campaigns with any case called different."""
    covered: int
    """Intervals that hold the true ratio of 1."""
    intervals: int
    width: float
    """Median of the intervals' half-widths."""


def judged(names: Sequence[str], strata: str) -> StrataOutcome:
    """Each campaign a family of its own."""
    alarms, covered, widths = 0, 0, list[float]()
    for name in names:
        rows = ictus.compare(ictus.load(BUILD / FOLDER / name), A, B, level=LEVEL, strata=strata).rows
        alarms += any(row.outcome in DIFFERENT for row in rows)
        limits = [(row.result.ratio_low, row.result.ratio_high) for row in rows]
        known = [(low, high) for low, high in limits if low is not None and high is not None]
        covered += sum(low <= 1 <= high for low, high in known)
        widths += [(high / low) ** 0.5 - 1 for low, high in known]
    return StrataOutcome(
        strata, rate(alarms, len(names), "at most", LEVEL), covered, len(widths), float(np.median(widths))
    )


def measured(n: int) -> list[str]:
    """The campaigns by name, measured as far as they are not there."""
    plain, slow = bench((A, B)), bench((A, B), {A: DELAY, B: DELAY})
    parts = [plain.part(f"{number:03}", {**PLAN, "seed": number + 1}) for number in range(n)]
    measure(FOLDER, parts, PlantedModes(plain, slow).execute)
    return [part.name for part in parts]


def table(names: Sequence[str], judgements: Sequence[StrataOutcome]) -> list[str]:
    """In Markdown, with a sentence on the modes that probes showed."""
    modes = [len(machine_modes(ictus.load(BUILD / FOLDER / name)).modes) for name in names]
    own = sum(number > 2 for number in modes)
    lines = [
        f"{len(names)} campaigns of MPICH against itself, 10 launches a side of two ranks, 4 cases; probes showed",
        f"{min(modes)} to {max(modes)} modes in each, more than the two planted ones in {own}.",
        "",
        "| compared | campaigns with a false alarm | intervals that hold the ratio 1 | half-width, median |",
        "| --- | --- | --- | ---: |",
    ]
    for one in judgements:
        name = "within modes" if one.strata == STRATA[0] else "regardless of modes"
        lines.append(f"| {name} | {one.alarms} | {one.covered} of {one.intervals} | {one.width:.1%} |")
    return lines


@pytest.mark.long
@pytest.mark.mpi
def test_within_planted_modes_nothing_is_called_different_too_often() -> None:
    """15 campaigns; within modes the intervals are narrower, because they do not hold the modes' difference."""
    names = measured(campaigns(15))
    within, regardless = judgements = [judged(names, strata) for strata in STRATA]
    TABLE.show("\n".join(table(names, judgements)))
    assert within.alarms.holds
    assert regardless.alarms.holds
    assert within.width < regardless.width
