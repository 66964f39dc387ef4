"""Compares campaigns through a control: a library that all of them measured in turn with the one under test.

A campaign is one state of the machine: log x = library + state(campaign) + own(campaign, library) + launch. The
difference d of the mean logarithms of the library and of the control has no state any more, so that d of one side less
d of the other is the logarithm of the ratio A/B. What a state does to one library alone stays in it (`own`).

- One campaign a side: Welch's variances of the four groups of launches, Satterthwaite's degrees of freedom (F. E.
  Satterthwaite 1946, An approximate distribution of estimates of variance components). `own` cannot be seen, so this is
  an interval and no verdict (comparison/evidence.py).
- Where campaigns repeat one another (several of a side, or earlier ones of a history): the campaign is the unit, and
  the spread of d between them, which holds `own` and launches together, is the error: Student's test with the variance
  pooled over both sides and the history, of which each has a mean of its own.

Both assume normal values of d; the mean logarithms of several launches are nearly so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p, nan, sqrt

import numpy as np
import scipy

from ictus.stats import verdict as verdicts
from ictus.stats.arrays import FloatArray
from ictus.stats.compare import CaseComparison, comparison_of
from ictus.stats.evidence import Evidence
from ictus.stats.planning import CHANCE, STEPS
from ictus.stats.verdict import KINDS, UNIT_CAMPAIGN, UNIT_LAUNCH, CaseRules, VerdictKind, judge
from ictus.stats.welch_test import WELCH


@dataclass(frozen=True)
class ControlledSide:
    """One case on one side: for each campaign the launch medians of the library and of the control, seconds, free of
    NaN, each of shape (launches,).
    """

    library: tuple[FloatArray, ...]
    control: tuple[FloatArray, ...]


@dataclass(frozen=True)
class ControlledShift:
    """The logarithm of the ratio A/B through the control, its standard error, and the degrees of freedom of that."""

    shift: float
    error: float
    degrees: float
    n_a: int
    """Launches of the library, or campaigns."""
    n_b: int
    unit: str

    def limits(self, level: float) -> tuple[float, float]:
        """The interval at 1 - `level`."""
        reach = float(scipy.special.stdtrit(self.degrees, 1 - level / 2)) * self.error
        return self.shift - reach, self.shift + reach

    def both_sides(self) -> float:
        """The two-sided p-value."""
        return 2 * float(scipy.special.stdtr(self.degrees, -abs(self.shift) / self.error))

    def below(self) -> float:
        """P(T <= t): the one-sided p-value for A being faster."""
        return float(scipy.special.stdtr(self.degrees, self.shift / self.error))


def controlled_shift(
    a: ControlledSide, b: ControlledSide, history: ControlledSide | None = None
) -> ControlledShift | str:
    """The shift of one case, or the reason why there is none. Formulas at the head of this file; `history` has earlier
    campaigns of the case, which only show how far campaigns spread. Where it is given that spread counts: a case of
    which it has one campaign or none is not judged by launches instead.
    """
    every = (a, b) if history is None else (a, b, history)
    groups = [launches_s for side in every for group in (side.library, side.control) for launches_s in group]
    if any(not (np.isfinite(group) & (group > 0)).all() for group in groups):
        return "a launch has a time that has no ratio"
    if min(group.size for group in groups) < 1:
        return "no launch with a valid sample in one of the campaigns"
    sides = [
        np.array([np.log(x).mean() - np.log(c).mean() for x, c in zip(side.library, side.control, strict=True)])
        for side in every
        if side.library
    ]
    shift = float(sides[0].mean() - sides[1].mean())
    degrees = float(sum(side.size - 1 for side in sides))
    if degrees > 0:
        variance = sum(float(((side - side.mean()) ** 2).sum()) for side in sides) / degrees
        error = sqrt(variance * (1 / sides[0].size + 1 / sides[1].size))
        controlled = ControlledShift(shift, error, degrees, sides[0].size, sides[1].size, UNIT_CAMPAIGN)
    elif history is not None:
        return "the history has no two campaigns with this case"
    else:
        if min(group.size for group in groups) < 2:
            return "two launches of the library and of the control in each campaign are needed"
        parts = np.array([np.log(group).var(ddof=1) / group.size for group in groups])
        total, degrees_each = float(parts.sum()), np.array([group.size - 1 for group in groups])
        degrees = total**2 / float((parts**2 / degrees_each).sum()) if total > 0 else nan
        controlled = ControlledShift(shift, sqrt(total), degrees, a.library[0].size, b.library[0].size, UNIT_LAUNCH)
    return controlled if controlled.error > 0 else f"the {verdicts.plural(controlled.unit)} do not vary"


def through_control(
    sides: Sequence[tuple[ControlledSide, ControlledSide]],
    *,
    level: float,
    adjust: str,
    equivalence: float,
    history: Sequence[ControlledSide] | None = None,
) -> list[CaseComparison]:
    """One row per case, all judged together as in `compare_cases`: the ratio A/B through the control. `history` has
    earlier campaigns of each case.

    `UsageError` as in `compare_cases`.
    """
    rules = CaseRules(False, WELCH.name, adjust, level, equivalence).resolve()
    earlier = [None] * len(sides) if history is None else history
    shifts_or_reasons = [controlled_shift(a, b, past) for (a, b), past in zip(sides, earlier, strict=True)]
    shifts = [None if isinstance(shift, str) else shift for shift in shifts_or_reasons]
    evidence = _evidence(sides, shifts, level)
    judgement = judge(evidence, rules)
    n_tests = int((~np.isnan(evidence.p_value)).sum())
    n_rejected = int((judgement.p_adjusted <= level).sum())
    alone = level / rules.adjustment.divisor(n_tests, n_rejected) if n_tests else level
    rows = []
    for index, shift in enumerate(shifts_or_reasons):
        kind = KINDS[judgement.codes[index]]
        if isinstance(shift, str):
            verdict = verdicts.not_comparable(shift)
        elif kind is VerdictKind.UNDECIDED:
            verdict = verdicts.undecided(
                more_needed(shift, level=level, alone=alone, equivalence=equivalence), shift.unit
            )
        else:
            verdict = verdicts.decided(kind, equivalence if judgement.inside[index] else None, equivalence)
        unit = UNIT_LAUNCH if isinstance(shift, str) else shift.unit
        rows.append(comparison_of(evidence, index, judgement.p_adjusted, verdict, unit))
    return rows


def more_needed(shift: ControlledShift, *, level: float, alone: float, equivalence: float) -> int | None:
    """About how many more launches (or campaigns) of each side would decide the case with a chance of 80 %, if the
    shift is as it seems; None for more than 1,000.

    The standard error falls with the square root of their number, the degrees of freedom grow with it. `alone` is the
    part of the level that adjustment leaves for this case.
    """
    n = min(shift.n_a, shift.n_b)
    growth = (n + STEPS) / n
    error, degrees = shift.error / np.sqrt(growth), shift.degrees * growth
    reject = scipy.special.stdtrit(degrees, 1 - alone / 2) * error
    inner = np.maximum(log1p(equivalence) - scipy.special.stdtrit(degrees, 1 - level / 2) * error, 0.0)
    differs = scipy.special.ndtr((abs(shift.shift) - reject) / error) + scipy.special.ndtr(
        (-abs(shift.shift) - reject) / error
    )
    same = scipy.special.ndtr((inner - shift.shift) / error) - scipy.special.ndtr((-inner - shift.shift) / error)
    enough = np.flatnonzero(np.maximum(differs, same) >= CHANCE)
    return int(STEPS[enough[0]]) if enough.size else None


def _evidence(
    sides: Sequence[tuple[ControlledSide, ControlledSide]], shifts: Sequence[ControlledShift | None], level: float
) -> Evidence:
    """Columns for the judgement; NaN for a case without a shift."""

    def column(values: Sequence[float]) -> FloatArray:
        return np.array(values, dtype=np.float64)

    limits = [(nan, nan) if shift is None else shift.limits(level) for shift in shifts]
    less = column([nan if shift is None else shift.below() for shift in shifts])
    greater = column([nan if shift is None else 1 - shift.below() for shift in shifts])
    both = column([nan if shift is None else shift.both_sides()
                   for shift in shifts])  # fmt: skip
    medians = [[_median(side.library) for side in pair] for pair in sides]
    return Evidence(
        n_a=np.array([0 if shift is None else shift.n_a for shift in shifts], dtype=np.int64),
        n_b=np.array([0 if shift is None else shift.n_b for shift in shifts], dtype=np.int64),
        median_a=column([a for a, _ in medians]),
        median_b=column([b for _, b in medians]),
        shift=column([nan if shift is None else shift.shift for shift in shifts]),
        shift_low=column([low for low, _ in limits]),
        shift_high=column([high for _, high in limits]),
        reached=np.ones(len(shifts)),
        spread=np.full(len(shifts), nan),
        p_value=both,
        p_less=less,
        p_greater=greater,
        smallest_p=np.zeros(len(shifts)),
    )


def _median(campaigns: Sequence[FloatArray]) -> float:
    """Of the launch medians of all campaigns; NaN without any."""
    every = np.concatenate(campaigns)
    return float(np.median(every)) if every.size else nan
