"""Findings about when ranks arrive at a call: what a start that leaves them apart does to the times that each rank
reads from its own clock.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil, log2
from typing import Any

from ictus.comparison.case_titles import processes
from ictus.comparison.rows import ComparisonRow
from ictus.findings.finding import MASSIVE_SCALE, REVISITED, FindingResult, PaperFinding, quick_or
from ictus.findings.material import CampaignMaterial
from ictus.findings.members.factors import DIFFERENT, Shows, judge_factor
from ictus.findings.rules import Ruling, sign_rule, together
from ictus.model.quantity import format_size
from ictus.model.reduction import Reduction
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure, launches_point
from ictus.render.page import Legend, Panel
from ictus.render.table import records
from ictus.stats.verdict import VerdictKind
from ictus.store.campaign import Campaign, load
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.local_and_global.analysis import MATTERS, TimesRow, times_rows
from ictus.studies.local_and_global.tables import COLUMNS, times_table

BARRIER, WINDOW, LINEAR = "barrier(library)", "window", "barrier(linear)"
ROOT_FIRST, ROOT_LAST = "arrival(ascending", "arrival(descending"
"""How these starts begin: how far apart ranks arrive follows."""
LOCAL = CampaignMaterial(partial(load, reduction=Reduction("max")))
"""Of each sample the longest time that a rank reads from its own clock, also where clocks are synchronised."""


def more_apart(after_barrier: TimesRow, in_windows: TimesRow) -> tuple[int, int]:
    """Launches in which the makespan exceeds the longest local time by more after a barrier than in windows, a
    hundredth or more, and those in which it does not.
    """
    shared = after_barrier.launches.keys() & in_windows.launches.keys()
    times = [[one.launches[slot] for one in (after_barrier, in_windows)] for slot in shared]
    ratios = [[one.global_s / one.local_s for one in pair] for pair in times]
    ups = sum(barrier > (1 + MATTERS) * window for barrier, window in ratios)
    return ups, len(ratios) - ups


def pairs_of(rows: Sequence[TimesRow]) -> list[tuple[TimesRow, TimesRow]]:
    """Of each library and case: after the barrier, and in windows."""
    groups: dict[tuple[Any, ...], dict[str, TimesRow]] = {}
    for row in rows:
        case = tuple((name, value) for name, value in row.case.items() if name != "procsync")
        groups.setdefault((row.mpi, case), {})[_start(row)] = row
    return [(own[BARRIER], own[WINDOW]) for own in groups.values() if {BARRIER, WINDOW} <= own.keys()]


def _start(row: TimesRow) -> str:
    return start_label(str(row.case["procsync"]))


def _local_global(campaign: Campaign) -> FindingResult:
    rows = times_rows(campaign)
    pairs = pairs_of(rows)
    counts = [more_apart(*pair) for pair in pairs]
    rulings: list[Ruling] = [sign_rule(*one) for one in counts]
    barrier, window = max(
        pairs, key=lambda pair: pair[0].found.ratio.ratio / pair[1].found.ratio.ratio, default=(rows[0], rows[0])
    )
    ups, launches = sum(one for one, _ in counts), sum(map(sum, counts))
    because = (
        f"in {ups} of {launches} launches and sizes the makespan exceeds the longest local time by more after the "
        f"barrier than in windows; most in {barrier.mpi} at {format_size(int(barrier.case['size_bytes']))}: "
        f"{barrier.found.ratio.ratio:.3g} times against {window.found.ratio.ratio:.3g} times"
    )
    legend = Legend((BARRIER, WINDOW))
    return FindingResult(
        together(rulings),
        because,
        (times_table(rows),),
        tuple(records(rows, COLUMNS)),
        _panels(rows, legend),
        legend,
    )


def _panels(rows: Sequence[TimesRow], legend: Legend) -> tuple[Panel, ...]:
    """Of each library the local times after both starts, then the global ones."""
    panels = []
    for mpi, n in dict.fromkeys((row.mpi, int(row.case["n"])) for row in rows):
        for title in ("local times", "global times"):
            own = [row for row in rows if (row.mpi, row.case["n"]) == (mpi, n) and _start(row) in legend.labels]
            lines = [
                LatencySeries(start, index, tuple(_point(row, title) for row in own if _start(row) == start))
                for index, start in enumerate(legend.labels)
                if any(_start(row) == start for row in own)
            ]
            svg = latency_figure(lines, f"{title} against size, {mpi}", what="time")
            panels.append(Panel(title, f"{mpi}, {processes(n)}", svg))
    return tuple(panels)


def _point(row: TimesRow, title: str) -> LatencyPoint:
    times = [one.local_s if title == "local times" else one.global_s for one in row.launches.values()]
    return launches_point(int(row.case["size_bytes"]), times)


def is_faster_after(start: str, than: Sequence[str]) -> Shows:
    """Whether calls are proven to take less after one start than after another of `than`; starts are named by how
    they begin.
    """

    def shows(row: ComparisonRow) -> bool:
        sides = (row.a, row.b) if row.outcome == VerdictKind.FASTER.value else (row.b, row.a)
        faster, slower = (start_label(side) for side in sides)
        return row.outcome in DIFFERENT[:2] and faster.startswith(start) and slower.startswith(tuple(than))

    return shows


def _with_others(values: Mapping[str, Any]) -> str | None:
    """One rank arrives with itself."""
    return None if int(str(values["n"]).split(",")[0]) > 1 else "one process has no other to arrive with; use -n 2"


def _arrivals(n_processes: int) -> Mapping[str, Any]:
    """As far apart as the steps of a tree of so many processes, 2 µs for each: a broadcast takes as long."""
    spread = f"{2 * ceil(log2(n_processes))}us" if n_processes > 1 else "2us"
    return {"procsync": [WINDOW, f"{ROOT_FIRST},size={spread})", f"{ROOT_LAST},size={spread})"]}


def _among_late_messages(n_processes: int) -> Mapping[str, Any]:
    """With the paper's number of samples: on a platform nearly half of the broadcasts to 64 processes have a message
    that is late by more than a broadcast takes, so that medians of 200 lie now in one hump, now in the other.
    """
    return {**_arrivals(n_processes), "nrep": 1000}


FINDINGS = (
    PaperFinding(
        "local-global",
        "After a barrier that leaves ranks apart, local times tell less than a call takes on the global clock; in "
        "windows both agree.",
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
        _with_others,
        simulated="64",
    ),
    PaperFinding(
        "skew-bcast",
        "A broadcast looks longer where the root arrives last, and shorter where the others do.",
        f"{MASSIVE_SCALE}, Fig. 2",
        "rank tests of the longest local times of all cases together (Holm, 5 %), against windows: longer where the "
        "root comes last and shorter where it comes first, both; refuted where every case is decided and one of the "
        "two is seen in none",
        quick_or(
            {"sizes": "8,1Ki", "launches": 12, "nrep": 200},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
            op="bcast",
            n=2,
            **_arrivals(2),
        ),
        judge_factor("procsync", is_faster_after(WINDOW, [ROOT_LAST]), is_faster_after(ROOT_FIRST, [WINDOW])),
        _with_others,
        material=LOCAL,
        simulated="64",
        when_simulated=_among_late_messages,
    ),
    PaperFinding(
        "linear-barrier",
        "A linear barrier, which ranks leave in the order in which a linear broadcast serves them, hides part of it.",
        f"{MASSIVE_SCALE}, Fig. 3",
        "rank tests of the longest local times of all cases together (Holm, 5 %): shorter after the linear barrier "
        "than in windows or after a dissemination barrier; refuted where every case is shown to be the same within 5 % "
        "or longer",
        quick_or(
            {"sizes": "8,1Ki", "launches": 12, "nrep": 200},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
            op="bcast_as_sends",
            n=2,
            procsync=[LINEAR, "barrier(dissemination)", WINDOW],
        ),
        judge_factor("procsync", is_faster_after(LINEAR, ["barrier(dissemination)", WINDOW])),
        _with_others,
        material=LOCAL,
        simulated="64",
    ),
)
