"""Findings about our own clock synchronisation: nearer at equal time, in simulated worlds and on real ranks.

Both are judged by other trials than those that chose the settings.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from ictus.findings.contenders import OURS, papers, within
from ictus.findings.equal_time import Match, Trials, match
from ictus.findings.finding import FindingResult, PaperFinding, quick_or
from ictus.findings.material import StudyMaterial
from ictus.findings.members.synchronisation import by_repeat, elapsed, error_at, short
from ictus.findings.members.worlds import HELD_OUT, NETWORKS
from ictus.findings.rules import Ruling, together_alike
from ictus.findings.worlds import Place, WorldRun, Worlds, WorldsMaterial
from ictus.model.quantity import format_duration
from ictus.render.page import Legend, Panel
from ictus.render.table import Block, Column, Table, Times
from ictus.studies.clock_accuracy.study import STUDY as ACCURACY
from ictus.studies.clock_pareto.analysis import frontier
from ictus.studies.clock_pareto.figures import ParetoPoint, ParetoSeries, pareto_figure
from ictus.studies.clocks.record import ClocksStudy

JUDGED_S = 5.0
"""After synchronising: errors count that far on."""
FRONTIER_BUDGETS_S = (0.005, 0.02)
REAL_BUDGETS_S = (0.005,)
REAL_TRIPS_S = (0.6e-6, 1.2e-6, 2.4e-6, 4e-6)
"""Round trips of two real ranks, from the quickest mode of a machine on: a setting for each keeps to the time."""


def frontier_algorithms(plan: Mapping[str, Any], n: int) -> Sequence[str]:
    """Every setting of the plan that keeps to its longest time."""
    return within(n, plan["fitpoints"], plan["exchanges"], plan["budgets_s"])


def real_algorithms(budgets_s: Sequence[float], exchanges: Sequence[int]) -> tuple[str, ...]:
    """For two ranks: ours with spans that fill a time, and the papers' with as many fit points as may keep to it."""
    found = [f"{OURS}(span={round(share * budget * 1e6)}us)" for budget in budgets_s for share in (0.7, 0.8, 0.9)]
    for budget in budgets_s:
        for each in exchanges:
            for points in sorted({int(budget / (each * trip)) for trip in REAL_TRIPS_S}):
                found += papers(points, each).values() if points >= 3 else ()
    return tuple(dict.fromkeys(found))


def matches_of(data: Worlds, budgets_s: Sequence[float]) -> list[Match]:
    """One for each kind of world and each time that both sides can keep."""
    found = []
    for place, runs in data.runs.items():
        settings = {
            name: Trials([one.elapsed_s for one in each], [one.at(JUDGED_S).max_s for one in each])
            for name, each in runs.items()
        }
        found += [match(place.title, settings, budget) for budget in budgets_s]
    return [one for one in found if one is not None]


def judge_matches(found: Sequence[Match]) -> Ruling:
    """Whether ours errs less everywhere."""
    return together_alike([one.ruling for one in found])


def _equal_time(found: Sequence[Match], panels: tuple[Panel, ...], legend: Legend | None, where: str) -> FindingResult:
    ratios = [one.ratio for one in found]
    if not found:
        said = "no setting keeps to the time on both sides"
    elif len(found) == 1:
        said = f"after as much time the best other algorithm errs {ratios[0]:.2g} times as much"
    else:
        said = (
            f"after as much time the best other algorithm errs {median(ratios):.2g} times as much in the median of "
            f"{len(found)} comparisons, {min(ratios):.2g} times in the least"
        )
    said += where
    rows = tuple(one.as_row() for one in found)
    return FindingResult(judge_matches(found), said, (match_table(found),), rows, panels, legend)


def match_table(found: Sequence[Match]) -> Table[Match]:
    """A row for each comparison."""
    column = Column[Match]
    columns = (
        column("place", "where", lambda one: one.place, "left"),
        column("budget_s", "time", lambda one: format_duration(one.budget_s)),
        column("ours_s", "ictus", lambda one: Times(median(one.ours_s)), "point"),
        column("other", "best other", lambda one: short(one.other), "left"),
        column("other_s", "its error", lambda one: Times(median(one.other_s)), "point"),
        column("ratio", "times as much", lambda one: f"{one.ratio:.2g}", "point"),
        column("nearer", "ictus nearer in", lambda one: f"{one.nearer} of {len(one.ours_s)}"),
    )
    note = f"Errors are the largest over ranks, {JUDGED_S:g} s after synchronising."
    return Table(columns, [Block("At equal time", "settings chosen by every other trial", found)], note=note)


def _frontier(data: Worlds) -> FindingResult:
    families = dict.fromkeys(short(name) for each in data.document.algorithms.values() for name in each)
    legend = Legend(tuple(families))
    panels = tuple(_frontier_panel(place, runs, legend) for place, runs in data.runs.items())
    return _equal_time(matches_of(data, FRONTIER_BUDGETS_S), panels, legend, f" ({data.document.seeds} worlds each)")


def _frontier_panel(place: Place, runs: Mapping[str, Sequence[WorldRun]], legend: Legend) -> Panel:
    """The paper's: error against time, all settings."""
    middle = {
        name: (median(one.elapsed_s for one in each), median(one.at(JUDGED_S).max_s for one in each))
        for name, each in runs.items()
    }
    best = dict(zip(middle, frontier(list(middle.values())), strict=True))
    series = [
        ParetoSeries(
            family,
            legend.index(family),
            tuple(ParetoPoint(name, *middle[name], best[name]) for name in middle if short(name) == family),
        )
        for family in legend.labels
    ]
    what = f"largest error over ranks, {JUDGED_S:g} s later"
    return Panel("Error against time", place.title, pareto_figure(series, None, what, f"{what}: {place.title}"))


def _real(study: ClocksStudy) -> FindingResult:
    settings = {
        name: Trials(by_repeat(study.runs, name, 2, elapsed), by_repeat(study.runs, name, 2, error_at(-1)))
        for name in dict.fromkeys(run.name for run in study.runs)
    }
    found = [one for budget in REAL_BUDGETS_S if (one := match("2 ranks", settings, budget)) is not None]
    return _equal_time(found, (), None, "")


FINDINGS = (
    PaperFinding(
        "sync-frontier",
        "After the same time of learning, the clocks of `ictus` err less than those of the best of the papers' "
        "algorithms.",
        "Ictus; the papers' algorithms: MPI benchmarking revisited (Hunold and Carpen-Amarie), sec. 4",
        f"sign test over worlds (5 %) {HELD_OUT}; settings chosen by other worlds; in every comparison",
        quick_or(
            {"networks": {"flat": NETWORKS["flat"]}, "n": "16", "fitpoints": (30, 100, 300), "exchanges": (10, 30)},
            {
                "networks": NETWORKS,
                "n": "64",
                "fitpoints": (10, 17, 30, 55, 100, 170, 300, 550),
                "exchanges": (10, 30, 100),
            },
            seeds=20,
            budgets_s=FRONTIER_BUDGETS_S,
        ),
        _frontier,
        material=WorldsMaterial(frontier_algorithms),
    ),
    PaperFinding(
        "sync-equal-time",
        "On two real ranks, after the same short time of learning, the clocks of `ictus` err less than those of the "
        "best of the papers' algorithms.",
        "Ictus; the papers' algorithms: MPI benchmarking revisited (Hunold and Carpen-Amarie), sec. 4",
        "sign test over repeats (5 %), settings chosen by other repeats; clocks are skewed by known drifts of some 20 "
        "ppm; in 5 ms",
        quick_or(
            {"repeats": 20, "clocksync": real_algorithms(REAL_BUDGETS_S, (10,))},
            {"repeats": 40, "clocksync": real_algorithms(REAL_BUDGETS_S, (10, 30, 100))},
            n=2,
            clock="skewed(drift=20ppm)",
            waits_s=(0.0, JUDGED_S),
        ),
        _real,
        material=StudyMaterial(ACCURACY),
    ),
)
