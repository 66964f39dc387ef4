"""Verdicts of a growing campaign: cases are judged at its looks, and a verdict that was given stays.

At each look the open cases are compared by all launches so far, at the level that the look may spend (`looks.py`). A
case that is faster, slower or the same within the margin is decided; it keeps the numbers of that look, and its p-value
stays in the family that Holm's adjustment is over. So the chance of any false alarm is at most the level whatever the
number of looks, and wherever the campaign ends. An interval holds the true ratio at all looks together with the stated
confidence (repeated confidence intervals: C. Jennison and B. W. Turnbull 1989), which bounds false equivalence too.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ictus.model.errors import OptionError
from ictus.model.looks import Looks
from ictus.stats.arrays import FloatArray
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.looks import InterimLook
from ictus.stats.modes import DEPENDENT, Strata, independent
from ictus.stats.verdict import DIFFERENT, CaseRules, VerdictKind

DECIDED = (*DIFFERENT, VerdictKind.DISTRIBUTIONS, VerdictKind.SAME)
UNUSABLE = "bh"
"""The adjustment that looks cannot use: what it rejects at one look it may accept at the next."""


@dataclass(frozen=True)
class LookSample:
    """One case at one look: the launch medians of both sides, None for a launch without one."""

    a: Sequence[float | None] | FloatArray
    b: Sequence[float | None] | FloatArray
    strata: Strata | None = None
    """The mode of each launch; cases are compared within modes where these do not depend on the side."""


Samples = Callable[[int, Sequence[int]], Sequence[LookSample]]
"""(launches of each side, indices of cases) to the samples of these cases by no more than so many launches."""


@dataclass(frozen=True)
class SequentialResult:
    """One case, with the numbers of the look that decided it, else of the last look at it."""

    result: CaseComparison
    look: int
    """From 1."""
    launches: int
    """Launches of each side that the look is at; fewer may have been measured."""

    @property
    def decided(self) -> bool:
        """Whether it needs no more launches."""
        return self.result.verdict.kind in DECIDED


def follow(
    looks: Looks,
    launches: int,
    n_cases: int,
    samples: Samples,
    rules: CaseRules,
    *,
    labels: tuple[str, str] = ("a", "b"),
    forecast: bool = True,
) -> list[SequentialResult]:
    """Judge `n_cases` cases at all looks up to so many `launches` of each side; before the first, as if it were at it.
    A case whose launches have not become more since the look before is not judged again.

    Options as in `compare_cases`, `forecast` for what is open at the end. UsageError for an adjustment that may take
    rejections back.
    """
    if rules.adjust == UNUSABLE:
        raise OptionError(
            ("adjust", rules.adjust, "a campaign that grows needs holm or none: bh may take a verdict back")
        )

    def compared(
        drawn: Mapping[int, LookSample], number: int, others: Sequence[float], *, forecast: bool
    ) -> dict[int, CaseComparison]:
        strata = [sample.strata for sample in drawn.values() if sample.strata is not None]
        # Tested at 1 % at each look, one campaign in forty would be compared regardless of modes that chance dealt.
        within = len(strata) == len(drawn) and independent(strata, InterimLook(looks, number).nominal_level(DEPENDENT))
        results = compare_cases(
            [look_sample.a for look_sample in drawn.values()],
            [look_sample.b for look_sample in drawn.values()],
            rules,
            labels=labels,
            strata=strata if within else None,
            look=InterimLook(looks, number, tuple(others)),
            forecast=forecast,
        )
        return dict(zip(drawn, results, strict=True))

    results_by_case: dict[int, SequentialResult] = {}
    latest: dict[int, LookSample] = {}

    def p_values(but: Collection[int]) -> list[float]:
        return [
            value
            for case, sequential in results_by_case.items()
            if case not in but
            for value in _p_values(sequential.result)
        ]

    for number, at in enumerate(looks.until(launches) or (looks.first,), 1):
        open_cases = [
            case for case in range(n_cases) if case not in results_by_case or not results_by_case[case].decided
        ]
        drawn = dict(zip(open_cases, samples(at, open_cases), strict=True))
        fresh = {
            case: look_sample
            for case, look_sample in drawn.items()
            if case not in latest or _sizes(look_sample) != _sizes(latest[case])
        }
        latest |= fresh
        for case, result in compared(fresh, number, p_values(fresh), forecast=False).items() if fresh else ():
            results_by_case[case] = SequentialResult(result, number, at)
    for number in sorted(
        {sequential.look for sequential in results_by_case.values() if not sequential.decided and forecast}
    ):
        last = {
            case: latest[case]
            for case, sequential in results_by_case.items()
            if sequential.look == number and not sequential.decided
        }
        for case, result in compared(last, number, p_values(last), forecast=True).items():
            results_by_case[case] = replace(results_by_case[case], result=result)
    return [results_by_case[case] for case in range(n_cases)]


def _sizes(sample: LookSample) -> tuple[int, int]:
    return len(sample.a), len(sample.b)


def _p_values(result: CaseComparison) -> list[float]:
    """Of a case and its strata; those that could not be tested reject nothing, and count."""
    return [
        1.0 if p_value is None else p_value
        for p_value in (result.p_valid, *(part.p_valid for part in result.by_stratum))
    ]
