"""Claims about the synchronisation of clocks: how near, for how long, at what cost.

A synchronisation is the trial: each algorithm synchronises again and again, and those of one repeat are held against
each other. What is said is about the clocks that were measured.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ictus.model.quantity import format_duration
from ictus.render.page import Legend, Panel
from ictus.stats.claim_rules import Ruling, sign_rule
from ictus.studies.claim import REVISITED, Claim, ClaimResult, most_processes, one_number, quick_or
from ictus.studies.clock_pareto.analysis import points
from ictus.studies.clock_pareto.figures import pareto_panels
from ictus.studies.clocks.accuracy import SynchronisationRun
from ictus.studies.clocks.errors import AlgorithmSummary, largest, shown_waits, summarise
from ictus.studies.clocks.figures import growth_panels, legend_of, rank_panels, scaling_panels
from ictus.studies.clocks.label import label, seconds
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.tables import overview

OFFSETS, LINEAR, TREE = "skampi", "jk(fitpoints=20)", "hca3(fitpoints=20,span=0s,slope_test=off)"
"""Offsets only; offsets and drifts, rank after rank; the same in a tree, of as many exchanges."""
Value = Callable[[SynchronisationRun], float]
Judge = Callable[[ClocksStudy], tuple[Ruling, str]]
Panels = Callable[[ClocksStudy, Sequence[AlgorithmSummary], Legend], tuple[Panel, ...]]


def error_at(place: int) -> Value:
    """The largest error over ranks at the first (0) or the last (-1) wait, seconds."""
    return lambda run: largest(run.steps[place].error_s)


def elapsed(run: SynchronisationRun) -> float:
    """How long it took, seconds."""
    return run.elapsed_s


def by_repeat(runs: Sequence[SynchronisationRun], name: str, n_ranks: int, value: Value) -> list[float]:
    """A value of each synchronisation by that algorithm, in the order of repeats."""
    own = [run for run in runs if run.name == name and run.n_ranks == n_ranks]
    return [value(run) for run in own]


def larger(a: Sequence[float], b: Sequence[float]) -> Ruling:
    """Whether `a` is above `b`, repeat by repeat; ties are left out."""
    pairs = list(zip(a, b, strict=True))
    return sign_rule(sum(x > y for x, y in pairs), sum(x < y for x, y in pairs))


def both_larger(
    first: tuple[Sequence[float], Sequence[float]], other: tuple[Sequence[float], Sequence[float]]
) -> Ruling:
    """Whether `a` is above `b` in both of two respects. Where one of them is chance alone, both happen in at most half
    of the repeats.
    """
    hits = [x > y and v > w for x, y, v, w in zip(*first, *other, strict=True)]
    return sign_rule(sum(hits), len(hits) - sum(hits))


def _most(study: ClocksStudy) -> int:
    return max(run.n_ranks for run in study.runs)


def contrast(more: str, less: str, value: Value, what: str) -> Judge:
    """Whether one algorithm has the larger value than another, with the most processes."""

    def judge(study: ClocksStudy) -> tuple[Ruling, str]:
        a, b = (by_repeat(study.runs, name, _most(study), value) for name in (more, less))
        ups = sum(x > y for x, y in zip(a, b, strict=True))
        said = (
            f"{what.format(wait=seconds(_last(study)))} is larger with {short(more)} than with {short(less)} in {ups} "
            f"of {len(a)} repeats: {format_duration(_middle(a))} against {format_duration(_middle(b))} in the median"
        )
        return larger(a, b), said

    return judge


def short(name: str) -> str:
    """The algorithm without its settings."""
    return name.partition("(")[0]


def _last(study: ClocksStudy) -> float:
    return study.accuracy[0].waits_s[-1]


def _middle(values: Sequence[float]) -> float:
    return float(np.median(values))


def _pareto(study: ClocksStudy) -> tuple[Ruling, str]:
    n = _most(study)
    errors = [by_repeat(study.runs, name, n, error_at(-1)) for name in (OFFSETS, TREE)]
    times = [by_repeat(study.runs, name, n, elapsed) for name in (TREE, OFFSETS)]
    said = (
        f"{short(OFFSETS)} takes {format_duration(_middle(times[1]))} and errs by "
        f"{format_duration(_middle(errors[0]))} {seconds(_last(study))} later, {short(TREE)} takes "
        f"{format_duration(_middle(times[0]))} and errs by "
        f"{format_duration(_middle(errors[1]))}"
    )
    return both_larger((errors[0], errors[1]), (times[0], times[1])), said


def _scaling(study: ClocksStudy) -> tuple[Ruling, str]:
    numbers = sorted({run.n_ranks for run in study.runs})
    few, many = numbers[0], numbers[-1]
    grown = {}
    for name in (LINEAR, TREE):
        first, last = (by_repeat(study.runs, name, n, elapsed) for n in (few, many))
        grown[name] = [b / a for a, b in zip(first, last, strict=True)]
    said = (
        f"from {few} to {many} processes {short(LINEAR)} takes {_middle(grown[LINEAR]):.3g} times as long, "
        f"{short(TREE)} {_middle(grown[TREE]):.3g} times"
    )
    return larger(grown[LINEAR], grown[TREE]), said


def _few(values: Mapping[str, Any]) -> str | None:
    """Of two processes a line and a tree are the same."""
    if most_processes(values) >= 4:
        return None
    return "two processes are one pair, so that a line of ranks and a tree are the same; --platform flat -n 4,64"


def _no_growth(values: Mapping[str, Any]) -> str | None:
    return one_number(values) or _few(values)


def _growth(study: ClocksStudy, summaries: Sequence[AlgorithmSummary], legend: Legend) -> tuple[Panel, ...]:
    return growth_panels(summaries, study.runs, legend)


def _over_ranks(study: ClocksStudy, summaries: Sequence[AlgorithmSummary], legend: Legend) -> tuple[Panel, ...]:
    return rank_panels(study.runs, study.accuracy[0].waits_s[:1], legend) or growth_panels(
        summaries, study.runs, legend
    )


def _cost(study: ClocksStudy, summaries: Sequence[AlgorithmSummary], legend: Legend) -> tuple[Panel, ...]:
    barriers = {launches.setting.n_ranks: launches.barrier_s for launches in study.accuracy}
    return pareto_panels(points(summaries, _last(study)), _last(study), barriers, legend, label)


def _over_processes(study: ClocksStudy, _: Sequence[AlgorithmSummary], legend: Legend) -> tuple[Panel, ...]:
    return scaling_panels(study.runs, legend)


def _judged(judge: Judge, panels: Panels) -> Callable[[ClocksStudy], ClaimResult]:
    def judged(study: ClocksStudy) -> ClaimResult:
        ruling, because = judge(study)
        summaries = summarise(study.runs)
        table = overview(summaries, shown_waits(study.accuracy[0].waits_s))
        rows = tuple(
            {"algorithm": summary.algorithm, "n": summary.n_ranks, "elapsed_s": summary.elapsed_s,
             "errors": [vars(error) for error in summary.errors]}
            for summary in summaries
        )  # fmt: skip
        legend = legend_of(study.runs)
        return ClaimResult(ruling, because, (table,), rows, panels(study, summaries, legend), legend)

    return judged


DRIFT = "clocks drift by some 20 ppm, which offsets alone do not tell"
_SIGNS = "sign test over repeats (5 %); clocks are skewed by known drifts of some 20 ppm"


def _synchronisation(
    name: str,
    claim: str,
    figures: str,
    judge: Judge,
    panels: Panels,
    *,
    rule: str,
    algorithms: tuple[str, ...],
    hidden: Callable[[Mapping[str, Any]], str | None] = lambda _: None,
    simulated: str = "64",
    planted: str = "",
) -> Claim:
    plan = quick_or(
        {"repeats": 8, "waits_s": (0.0, 1.0)},
        {"repeats": 10, "waits_s": (0.0, 1.0, 5.0, 10.0, 20.0)},
        n=2,
        clock="skewed(drift=20ppm)",
        clocksync=algorithms,
    )
    return Claim(
        name,
        claim,
        f"{REVISITED}, {figures}",
        rule,
        plan,
        _judged(judge, panels),
        hidden,
        planted=planted,
        simulated=simulated,
    )


CLAIMS = (
    _synchronisation(
        "sync-accuracy",
        "Directly after synchronising, clocks of which only offsets were measured err less than those of Jones and "
        "Koenig.",
        "Fig. 6",
        contrast(LINEAR, OFFSETS, error_at(0), "the largest error directly after synchronising"),
        _over_ranks,
        rule=f"largest errors over ranks of JK against SKaMPI: {_SIGNS}",
        algorithms=(OFFSETS, LINEAR),
    ),
    _synchronisation(
        "sync-drift",
        "Seconds later, clocks of which only offsets were measured err more than those whose drift was learnt.",
        "Fig. 7, 33-37",
        contrast(OFFSETS, TREE, error_at(-1), "the largest error {wait} after synchronising"),
        _growth,
        planted=DRIFT,
        rule=f"largest errors over ranks of SKaMPI against HCA3: {_SIGNS}",
        algorithms=(OFFSETS, TREE),
    ),
    _synchronisation(
        "sync-pareto",
        "Accuracy that lasts costs time: what is quicker errs more.",
        "Fig. 8",
        _pareto,
        _cost,
        planted=DRIFT,
        rule=f"repeats in which SKaMPI is quicker and errs more than HCA3, more than half: {_SIGNS}",
        algorithms=(OFFSETS, TREE),
    ),
    _synchronisation(
        "sync-cost",
        "Learning drifts rank after rank takes longer than in a tree.",
        "Fig. 8",
        contrast(LINEAR, TREE, elapsed, "the time of synchronising"),
        _cost,
        rule=f"times of JK against HCA3 with as many fit points: {_SIGNS}",
        algorithms=(LINEAR, TREE),
        hidden=_few,
    ),
    _synchronisation(
        "sync-scaling",
        "The time of synchronising rank after rank grows faster with the processes than that of a tree.",
        "Fig. 8",
        _scaling,
        _over_processes,
        rule=f"growth of JK against that of HCA3, from the fewest to the most processes: {_SIGNS}",
        algorithms=(LINEAR, TREE),
        hidden=_no_growth,
        simulated="4,64",
    ),
)
