"""The claim that our clocks are nearer at equal time, judged by other worlds than those that chose the settings."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from ictus.render.page import Legend, Panel
from ictus.studies.claim import Claim, ClaimResult, quick_or
from ictus.studies.clock_accuracy.claims import short
from ictus.studies.clock_accuracy.contenders import within
from ictus.studies.clock_accuracy.equal_time import JUDGED_S, Match, SettingTrials, equal_time_result, match
from ictus.studies.clock_pareto.analysis import frontier
from ictus.studies.clock_pareto.figures import ParetoPoint, ParetoSeries, pareto_figure
from ictus.studies.sync_worlds.claims import HELD_OUT, NETWORKS
from ictus.studies.sync_worlds.material import WorldKind, WorldRun, Worlds

FRONTIER_BUDGETS_S = (0.005, 0.02)


def frontier_algorithms(plan: Mapping[str, Any], n: int) -> Sequence[str]:
    """Every setting of the plan that keeps to its longest time."""
    return within(n, plan["fitpoints"], plan["exchanges"], plan["budgets_s"])


def matches_of(data: Worlds, budgets_s: Sequence[float]) -> list[Match]:
    """One for each kind of world and each time that both sides can keep."""
    matches = []
    for world_kind, runs in data.runs.items():
        settings = {
            name: SettingTrials([run.elapsed_s for run in each], [world_run.at(JUDGED_S).max_s for world_run in each])
            for name, each in runs.items()
        }
        matches += [match(world_kind.title, settings, budget) for budget in budgets_s]
    return [comparison for comparison in matches if comparison is not None]


def _frontier(data: Worlds) -> ClaimResult:
    families = dict.fromkeys(short(name) for each in data.document.algorithms.values() for name in each)
    legend = Legend(tuple(families))
    panels = tuple(_frontier_panel(world_kind, runs, legend) for world_kind, runs in data.runs.items())
    return equal_time_result(
        matches_of(data, FRONTIER_BUDGETS_S), panels, legend, f" ({data.document.seeds} worlds each)"
    )


def _frontier_panel(world_kind: WorldKind, runs: Mapping[str, Sequence[WorldRun]], legend: Legend) -> Panel:
    """The paper's: error against time, all settings."""
    middle = {
        name: (median(run.elapsed_s for run in each), median(world_run.at(JUDGED_S).max_s for world_run in each))
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
    return Panel(
        "Error against time", world_kind.title, pareto_figure(series, None, what, f"{what}: {world_kind.title}")
    )


CLAIMS = (
    Claim(
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
            algorithms=frontier_algorithms,
        ),
        _frontier,
    ),
)
