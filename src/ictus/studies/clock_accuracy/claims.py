"""Claims about the synchronisation of clocks: how near, for how long, at what cost.

A launch is the trial: in each, every algorithm synchronises, and of several repeats the median counts. What is said of
some algorithms against others is said of each pair of them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from ictus.model.quantity import format_duration
from ictus.render.page import Legend, Panel
from ictus.stats.claim_rules import Ruling, sign_rule, together_alike
from ictus.studies.claim import REVISITED, Claim, ClaimResult, most_processes, one_number, quick_or
from ictus.studies.clock_accuracy.contenders import papers
from ictus.studies.clock_pareto.analysis import points
from ictus.studies.clock_pareto.figures import pareto_panels
from ictus.studies.clocks.accuracy import SynchronisationRun
from ictus.studies.clocks.errors import AlgorithmSummary, largest, shown_waits, summarise
from ictus.studies.clocks.figures import growth_panels, legend_of, rank_panels, scaling_panels
from ictus.studies.clocks.label import label, seconds
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.tables import overview

_LEARNERS = papers(fitpoints=20, exchanges=100)
OFFSETS = ("skampi", "netgauge")
"""Offsets only."""
LINE, TREES = (_LEARNERS["jk"],), tuple(_LEARNERS[name] for name in ("hca", "hca2", "hca3"))
"""Offsets and drifts, rank after rank; the same in a tree, of as many exchanges."""
Value = Callable[[SynchronisationRun], float]
Judge = Callable[[ClocksStudy], tuple[Ruling, str]]
Panels = Callable[[ClocksStudy, Sequence[AlgorithmSummary], Legend], tuple[Panel, ...]]


def error_at(step_index: int) -> Value:
    """The largest error over ranks at the first (0) or the last (-1) wait, seconds."""
    return lambda run: largest(run.steps[step_index].error_s)


def elapsed(run: SynchronisationRun) -> float:
    """How long it took, seconds."""
    return run.elapsed_s


def by_launch(runs: Sequence[SynchronisationRun], name: str, n_ranks: int, value: Value) -> list[float]:
    """A value of each launch by that algorithm, in their order: the median of its repeats."""
    launches: dict[int, list[float]] = {}
    for run in runs:
        if run.name == name and run.n_ranks == n_ranks:
            launches.setdefault(run.launch, []).append(value(run))
    return [_middle(repeats) for _, repeats in sorted(launches.items())]


def larger(a: Sequence[float], b: Sequence[float]) -> Ruling:
    """Whether `a` is above `b`, launch by launch; ties are left out."""
    pairs = list(zip(a, b, strict=True))
    return sign_rule(sum(x > y for x, y in pairs), sum(x < y for x, y in pairs))


def both_larger(
    first: tuple[Sequence[float], Sequence[float]], second: tuple[Sequence[float], Sequence[float]]
) -> Ruling:
    """Whether `a` is above `b` in both of two respects. Where one of them is chance alone, both happen in at most half
    of the launches.
    """
    hits = [x > y and v > w for x, y, v, w in zip(*first, *second, strict=True)]
    return sign_rule(sum(hits), len(hits) - sum(hits))


def _most(study: ClocksStudy) -> int:
    return max(run.n_ranks for run in study.runs)


def contrast(greater: Sequence[str], less: Sequence[str], value: Value, what: str) -> Judge:
    """Whether each of some algorithms has the larger value than each of others, with the most processes."""

    def judge(study: ClocksStudy) -> tuple[Ruling, str]:
        values = {name: by_launch(study.runs, name, _most(study), value) for name in (*greater, *less)}
        pairs = [(a, b, _hits(values[a], values[b])) for a, b in product(greater, less)]
        a, b, fewest = min(pairs, key=lambda pair: pair[2])
        sentence = (
            f"{what.format(wait=seconds(_last(study)))} is larger with {short(a)} than with {short(b)} in {fewest} of "
            f"{len(values[a])} launches{_of(pairs)}: {format_duration(_middle(values[a]))} against "
            f"{format_duration(_middle(values[b]))} in the median"
        )
        return together_alike([larger(values[a], values[b]) for a, b, _ in pairs]), sentence

    return judge


def _hits(a: Sequence[float], b: Sequence[float]) -> int:
    return sum(x > y for x, y in zip(a, b, strict=True))


def _of(pairs: Sequence[object]) -> str:
    return f", the fewest of {len(pairs)} pairs" if len(pairs) > 1 else ""


def short(name: str) -> str:
    """The algorithm without its settings."""
    return name.partition("(")[0]


def _last(study: ClocksStudy) -> float:
    return study.accuracy[0].waits_s[-1]


def _middle(values: Sequence[float]) -> float:
    return float(np.median(values))


def _pareto(study: ClocksStudy) -> tuple[Ruling, str]:
    n = _most(study)
    errors, times = (
        {name: by_launch(study.runs, name, n, value) for name in (*OFFSETS, *TREES)}
        for value in (error_at(-1), elapsed)
    )
    pairs = list(product(OFFSETS, TREES))
    quick, slow = min(pairs, key=lambda pair: _middle(errors[pair[0]]) / _middle(errors[pair[1]]))
    sentence = (
        f"{short(quick)} takes {format_duration(_middle(times[quick]))} and errs by "
        f"{format_duration(_middle(errors[quick]))} {seconds(_last(study))} later, {short(slow)} takes "
        f"{format_duration(_middle(times[slow]))} and errs by {format_duration(_middle(errors[slow]))}, the nearest of "
        f"{len(pairs)} pairs"
    )
    return together_alike([both_larger((errors[a], errors[b]), (times[b], times[a])) for a, b in pairs]), sentence


def _scaling(study: ClocksStudy) -> tuple[Ruling, str]:
    numbers = sorted({run.n_ranks for run in study.runs})
    fewest, most = numbers[0], numbers[-1]
    grown = {}
    for name in (*LINE, *TREES):
        first, last = (by_launch(study.runs, name, n, elapsed) for n in (fewest, most))
        grown[name] = [b / a for a, b in zip(first, last, strict=True)]
    (line,) = LINE
    steepest = max(TREES, key=lambda name: _middle(grown[name]))
    sentence = (
        f"from {fewest} to {most} processes {short(line)} takes {_middle(grown[line]):.3g} times as long, "
        f"{short(steepest)} {_middle(grown[steepest]):.3g} times, the most of {len(TREES)} trees"
    )
    return together_alike([larger(grown[line], grown[name]) for name in TREES]), sentence


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
_SIGNS = "sign test over launches (5 %) of each pair; clocks are skewed by known drifts of some 20 ppm"


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
        {"launches": 8, "waits_s": (0.0, 1.0)},
        {"launches": 10, "repeats": 3, "waits_s": (0.0, 1.0, 5.0, 10.0, 20.0)},
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
        contrast(LINE, OFFSETS, error_at(0), "the largest error directly after synchronising"),
        _over_ranks,
        rule=f"largest errors over ranks of JK against SKaMPI and Netgauge: {_SIGNS}",
        algorithms=(*OFFSETS, *LINE),
    ),
    _synchronisation(
        "sync-drift",
        "Seconds later, clocks of which only offsets were measured err more than those whose drift was learnt.",
        "Fig. 7, 33-37",
        contrast(OFFSETS, (*LINE, *TREES), error_at(-1), "the largest error {wait} after synchronising"),
        _growth,
        planted=DRIFT,
        rule=f"largest errors over ranks of SKaMPI and Netgauge against JK, HCA, HCA2, HCA3: {_SIGNS}",
        algorithms=(*OFFSETS, *LINE, *TREES),
    ),
    _synchronisation(
        "sync-pareto",
        "Accuracy that lasts costs time: what is quicker errs more.",
        "Fig. 8",
        _pareto,
        _cost,
        planted=DRIFT,
        rule="launches in which SKaMPI or Netgauge is quicker and errs more than HCA, HCA2 or HCA3, more than half: "
        f"{_SIGNS}",
        algorithms=(*OFFSETS, *TREES),
    ),
    _synchronisation(
        "sync-cost",
        "Learning drifts rank after rank takes longer than in a tree.",
        "Fig. 8",
        contrast(LINE, TREES, elapsed, "the time of synchronising"),
        _cost,
        rule=f"times of JK against HCA, HCA2, HCA3 with as many exchanges: {_SIGNS}",
        algorithms=(*LINE, *TREES),
        hidden=_few,
    ),
    _synchronisation(
        "sync-scaling",
        "The time of synchronising rank after rank grows faster with the processes than that of a tree.",
        "Fig. 8",
        _scaling,
        _over_processes,
        rule=f"growth of JK against that of HCA, HCA2, HCA3, from the fewest to the most processes: {_SIGNS}",
        algorithms=(*LINE, *TREES),
        hidden=_no_growth,
        simulated="4,64",
    ),
)
