"""The effects of a remedy: medians of fresh launches before and after, tested by ranks; calls that it slows down
although it is not for them; and the remedies that are responsible for what the second check finds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, isfinite

import numpy as np

from ictus.guidelines.explain import parts_of
from ictus.guidelines.measured import LaunchModes, SizeSeries
from ictus.guidelines.rule import Kind, Rule
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.quantity import format_size
from ictus.model.spec import Spec
from ictus.stats.adjust import holm
from ictus.stats.evidence import Evidence, SamplePair, gather, sample_pair
from ictus.stats.modes import depends_on_side
from ictus.stats.registry import find_test
from ictus.tuning.candidates import Way
from ictus.tuning.outcome import Call, FreshLaunches, Remedy, Result, remedied


@dataclass(frozen=True)
class Sides:
    """The call with the remedy, and as it was: launch medians, those of one launch side by side where paired."""

    pair: SamplePair
    """`a` is after, `b` before; by modes of the machine."""
    paired: bool

    @cached_property
    def evidence(self) -> Evidence:
        """Of the one case, by ranks, within modes of the machine."""
        return gather([self.pair], find_test(None, paired=self.paired), _INTERVAL_LEVEL)

    @property
    def p_faster(self) -> float:
        """One-sided: that it is faster with the remedy."""
        return float(self.evidence.p_less[0])

    @property
    def smallest_p(self) -> float:
        """The least that the test could have said, one-sided."""
        return float(self.evidence.smallest_p[0]) / 2

    @property
    def ratios(self) -> tuple[float, float | None, float | None]:
        """After to before, with its 95 % interval; None where so few launches have none."""
        low, high = float(self.evidence.shift_low[0]), float(self.evidence.shift_high[0])
        limits = (exp(low), exp(high)) if isfinite(low) and isfinite(high) else (None, None)
        return (exp(float(self.evidence.shift[0])), *limits)


_INTERVAL_LEVEL = 0.05


def sides_of(remedy: Remedy, fresh: FreshLaunches) -> Sides | None:
    """None where one of them has no valid launch."""
    cell, candidate = remedy.cell, remedy.candidate
    paired = remedy in fresh.other_calls
    before = fresh.measured.at(cell.place, cell.operation, cell.layout, cell.size_bytes)
    if paired:
        after = fresh.measured.at(cell.place, candidate.operation, cell.layout, candidate.size_bytes)
    else:
        after = fresh.measured.at(remedied(cell.place), cell.operation, cell.layout, cell.size_bytes)
    if before is None or after is None:
        return None
    return compared(before, after, fresh.measured.modes, paired=paired)


def compared(before: SizeSeries, after: SizeSeries, modes: LaunchModes, *, paired: bool) -> Sides | None:
    """Their launch medians, within modes of the machine; None where one of them has no valid launch, or they have no
    mode in common. Modes that depend on the side are not taken out: the remedy may cause them.
    """
    a, b = ({key: time for key, time in series.medians_s.items() if np.isfinite(time) and time > 0}
            for series in (after, before))  # fmt: skip
    shared = sorted(a.keys() & b.keys())
    if paired:
        a, b = {key: a[key] for key in shared}, {key: b[key] for key in shared}
    mode_of = modes.of_launch
    strata = ([mode_of[key] for key in a], [mode_of[key] for key in b]) if mode_of else None
    if strata is not None and not paired and depends_on_side(np.array(strata[0]), np.array(strata[1])):
        strata = None
    pair = sample_pair(list(a.values()), list(b.values()), paired=paired, labels=("after", "before"), strata=strata)
    return None if pair.reason else Sides(pair, paired)


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Holm's adjustment."""
    return [float(p_value) for p_value in holm(np.array(p_values))] if p_values else []


Harm = Mapping[tuple[Configuration, Spec], tuple[Call, ...]]
"""By place and operation: the calls that are slower."""


def holds_for_the_program(remedy: Remedy) -> bool:
    """Whether every call is launched otherwise, and not those of its operation alone."""
    return remedy.candidate.way in (Way.REMOVAL, Way.SETTING, Way.PLACEMENT)


def harmed(remedies: Sequence[Remedy], fresh: FreshLaunches, level: float) -> Harm:
    """By place and operation that is launched otherwise: the calls that are slower so, but for those to be mended."""
    in_force = [remedy for remedy in remedies if remedy not in fresh.other_calls]
    mended = {(remedy.cell.place, remedy.cell.operation, remedy.cell.size_bytes) for remedy in in_force}
    launched = {(remedy.cell.place, remedy.cell.operation) for remedy in in_force}
    places = {remedy.cell.place for remedy in in_force if holds_for_the_program(remedy)}
    tests: list[tuple[tuple[Configuration, Spec], int, float]] = []
    for key, series in fresh.measured.series.items():
        if (key.configuration, key.operation) not in launched and key.configuration not in places:
            continue
        for before in series:
            after = fresh.measured.at(remedied(key.configuration), key.operation, key.layout, before.size_bytes)
            # The other way round: slower.
            side = None if after is None else compared(after, before, fresh.measured.modes, paired=False)
            if side is not None and (key.configuration, key.operation, before.size_bytes) not in mended:
                tests.append(((key.configuration, key.operation), before.size_bytes, side.p_faster))
    slower: dict[tuple[Configuration, Spec], tuple[Call, ...]] = {}
    together = adjusted([p_value for *_, p_value in tests])
    for (where, size_bytes, _), p_value in zip(tests, together, strict=True):
        if p_value <= level:
            slower[where] = (*slower.get(where, ()), (where[1], size_bytes))
    return slower


def harm_of(remedy: Remedy, harm: Harm) -> tuple[Call, ...]:
    """The slower calls that this remedy has to answer for."""
    configuration, operation = remedy.cell.place, remedy.cell.operation
    if not holds_for_the_program(remedy):
        return harm.get((configuration, operation), ())
    return tuple(call for (where, _), calls in harm.items() if where == configuration for call in calls)


_CLEAN = (State.HOLDS, State.REFUTED)

Blamed = Mapping[Remedy, tuple[Result, str]]
"""Remedies that are not to be written, with the reason."""


def blamed(remedies: Sequence[Remedy], before: Iterable[GuidelineVerdict], after: Iterable[GuidelineVerdict]) -> Blamed:
    """Remedies whose call still violates a guideline, or that a newly violated guideline concerns: those of its size,
    if there are any, else all of one of its calls. None is a removal (`remaining`).
    """
    broken_before = {_key(breach) for breach in before if breach.state is State.VIOLATED}
    after = list(after)
    reasons: dict[Remedy, tuple[Result, str]] = {}
    remedies = [kept_remedy for kept_remedy in remedies if not leaves_the_library(kept_remedy)]
    for remedy in remedies:
        wrong = [_unclean(broken, after) for broken in remedy.violated]
        texts = [text for text in wrong if text]
        if texts:
            reasons[remedy] = (Result.STILL_VIOLATED, "; ".join(texts))
    for verdict in after:
        if verdict.state is not State.VIOLATED or _key(verdict) in broken_before:
            continue
        touched = [kept_remedy for kept_remedy in remedies if touches(kept_remedy, verdict)]
        sizes = (verdict.size_bytes, verdict.right_size_bytes)
        narrow = [
            kept_remedy
            for kept_remedy in touched
            if kept_remedy.cell.size_bytes in sizes and not holds_for_the_program(kept_remedy)
        ]
        for kept_remedy in narrow or touched:
            reasons.setdefault(
                kept_remedy, (Result.BREAKS, f"{verdict.rule.name} at {format_size(verdict.size_bytes)}")
            )
    return reasons


def leaves_the_library(remedy: Remedy) -> bool:
    """Whether it takes away what the user forced, so that the library does what it does by itself."""
    return remedy.candidate.way is Way.REMOVAL


def remaining(remedies: Iterable[Remedy], after: Iterable[GuidelineVerdict]) -> dict[Remedy, str]:
    """For each removal what the library by itself violates, as a text."""
    wrong = [verdict for verdict in after if verdict.state is State.VIOLATED]
    violated = {remedy: [_where(each) for each in wrong if each.place.n == remedy.cell.place.n] for remedy in remedies}
    return {
        remedy: f"the library's own choice violates {_listed(texts)}"
        for remedy, texts in violated.items()
        if leaves_the_library(remedy) and texts
    }


_LISTED = 3
"""Violations that are named; of others the number."""


def _listed(texts: Sequence[str]) -> str:
    n_further = len(texts) - _LISTED
    return "; ".join(texts[:_LISTED]) + (f"; and {n_further} more" if n_further > 0 else "")


def _unclean(broken: GuidelineVerdict, after: Sequence[GuidelineVerdict]) -> str:
    """What is still wrong with a guideline after its remedy; empty if nothing is."""
    verdicts = [verdict for verdict in after if _key(verdict) == _key(broken)]
    if verdicts and all(verdict.state in _CLEAN for verdict in verdicts):
        return ""
    if not any(verdict.state is State.VIOLATED for verdict in verdicts):
        return f"{broken.rule.name} at {format_size(broken.size_bytes)} could not be decided"
    return _where(verdicts[0])


def _where(verdict: GuidelineVerdict) -> str:
    where = f"{verdict.rule.name} at {format_size(verdict.size_bytes)}"
    return where if verdict.ratio is None else f"{where}, ratio {verdict.ratio:.3f}"


def _key(verdict: GuidelineVerdict) -> tuple[Rule, int, int, int]:
    """Which question it answers. The parts that a split is compared with may be others each time."""
    return (
        verdict.rule,
        verdict.place.n,
        verdict.size_bytes,
        0 if verdict.kind is Kind.SPLIT else verdict.right_size_bytes,
    )


def touches(remedy: Remedy, verdict: GuidelineVerdict) -> bool:
    """Whether a call of the guideline may be another one with the remedy."""
    if holds_for_the_program(remedy):
        return True
    sides = (verdict.rule.left, verdict.rule.right)
    operations = {name for side in sides for name in (str(side), *parts_of(side))}
    return str(remedy.cell.operation) in operations
