"""The claim that local times tell less than a call takes where ranks arrive apart."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_size
from ictus.model.reduction import Reduction
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure, launches_point
from ictus.render.page import Legend, Panel
from ictus.render.table import records
from ictus.stats.claim_rules import Ruling, sign_rule, together
from ictus.store.campaign import Campaign, load
from ictus.studies.claim import REVISITED, Claim, ClaimResult, one_process, quick_or
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.local_and_global.analysis import MATTERS, TimesRow, times_rows
from ictus.studies.local_and_global.tables import COLUMNS, times_table

BARRIER, WINDOW, LINEAR = "barrier(library)", "window", "barrier(linear)"
ROOT_FIRST, ROOT_LAST = "arrival(ascending", "arrival(descending"
"""How these starts begin: how far apart ranks arrive follows."""
LOCAL = partial(load, reduction=Reduction("max"))
"""Of each sample the longest time that a rank reads from its own clock, also where clocks are synchronised."""


def more_apart(after_barrier: TimesRow, in_windows: TimesRow) -> tuple[int, int]:
    """Launches in which the makespan exceeds the longest local time by more after a barrier than in windows, a
    hundredth or more, and those in which it does not.
    """
    shared = after_barrier.launches.keys() & in_windows.launches.keys()
    times = [[times_row.launches[slot] for times_row in (after_barrier, in_windows)] for slot in shared]
    ratios = [[launch.global_s / launch.local_s for launch in pair] for pair in times]
    ups = sum(barrier > (1 + MATTERS) * window for barrier, window in ratios)
    return ups, len(ratios) - ups


def pairs_of(rows: Sequence[TimesRow]) -> list[tuple[TimesRow, TimesRow]]:
    """Of each library and case: after the barrier, and in windows."""
    groups: dict[tuple[Any, ...], dict[str, TimesRow]] = {}
    for row in rows:
        case = tuple((name, value) for name, value in row.case.items() if name != "procsync")
        groups.setdefault((row.mpi, case), {})[_start(row)] = row
    return [(group[BARRIER], group[WINDOW]) for group in groups.values() if {BARRIER, WINDOW} <= group.keys()]


def _start(row: TimesRow) -> str:
    return start_label(str(row.case["procsync"]))


def _local_global(campaign: Campaign) -> ClaimResult:
    rows = times_rows(campaign)
    pairs = pairs_of(rows)
    counts = [more_apart(*pair) for pair in pairs]
    rulings: list[Ruling] = [sign_rule(*count) for count in counts]
    barrier, window = max(
        pairs, key=lambda pair: pair[0].summary.ratio.ratio / pair[1].summary.ratio.ratio, default=(rows[0], rows[0])
    )
    ups, launches = sum(n_up for n_up, _ in counts), sum(map(sum, counts))
    because = (
        f"in {ups} of {launches} launches and sizes the makespan exceeds the longest local time by more after the "
        f"barrier than in windows; most in {barrier.mpi} at {format_size(int(barrier.case['size_bytes']))}: "
        f"{barrier.summary.ratio.ratio:.3g} times against {window.summary.ratio.ratio:.3g} times"
    )
    legend = Legend((BARRIER, WINDOW))
    return ClaimResult(
        together(rulings),
        because,
        (times_table(rows),),
        records(rows, COLUMNS),
        _panels(rows, legend),
        legend,
    )


def _panels(rows: Sequence[TimesRow], legend: Legend) -> tuple[Panel, ...]:
    """Of each library the local times after both starts, then the global ones."""
    panels = []
    for mpi, n in dict.fromkeys((row.mpi, int(row.case["n"])) for row in rows):
        for title in ("local times", "global times"):
            of_panel = [row for row in rows if (row.mpi, row.case["n"]) == (mpi, n) and _start(row) in legend.labels]
            lines = [
                LatencySeries(start, index, tuple(_point(row, title) for row in of_panel if _start(row) == start))
                for index, start in enumerate(legend.labels)
                if any(_start(row) == start for row in of_panel)
            ]
            svg = latency_figure(lines, f"{title} against size, {mpi}", what="time")
            panels.append(Panel(title, f"{mpi}, {processes(n)}", svg))
    return tuple(panels)


def _point(row: TimesRow, title: str) -> LatencyPoint:
    times = [launch.local_s if title == "local times" else launch.global_s for launch in row.launches.values()]
    return launches_point(int(row.case["size_bytes"]), times)


CLAIMS = (
    Claim(
        "local-global",
        "After a barrier, local times tell less of what a call takes on the global clock than in windows.",
        f"{REVISITED}, Fig. 9",
        "sign test over launches of each size: makespan over longest local time, after the barrier at least 1 % above "
        "that in windows (Holm, 5 %); refuted where it is shown to be less in every case",
        quick_or(
            {"sizes": "8,1Ki,32Ki", "launches": 10, "nrep": 200},
            {"sizes": "8,64,512,4Ki,32Ki", "launches": 30, "nrep": 1000},
            op="allreduce",
            n=2,
            procsync=f"{BARRIER},{WINDOW}",
        ),
        _local_global,
        one_process,
        least_percent=100 * MATTERS,
        simulated="64",
    ),
)
