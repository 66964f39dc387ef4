"""What is said of A relative to B: a kind for machines, a text for people. `judgement.py` decides which.

Significance stars as the papers print them.
"""

from dataclasses import dataclass
from enum import Enum

from ictus.stats.planning import MOST_LAUNCHES


class VerdictKind(str, Enum):
    """What is said of A relative to B; machines gate on this."""

    FASTER = "faster"
    SLOWER = "slower"
    DISTRIBUTIONS = "distributions-differ"
    """Proven to differ somehow, and not which is faster: only by a test of any difference."""
    SAME = "same"
    UNDECIDED = "undecided"
    CANNOT_DECIDE = "cannot-decide"
    NOT_COMPARABLE = "not-comparable"


KINDS = tuple(VerdictKind)
DIFFERENT = (VerdictKind.FASTER, VerdictKind.SLOWER)


@dataclass(frozen=True)
class Verdict:
    """A word for machines, a text for people."""

    kind: VerdictKind
    text: str
    within: float | None = None
    """The margin X where the interval lies inside it, as a ratio (0.05 for 5 %)."""
    more_launches: int | None = None
    """About how many more launches per side would decide it; None where it is decided or takes more than 1,000."""
    at_least: bool = False
    """`more_launches` is the least that the test needs at all: too little is known of the spread to say more."""
    needed: int | None = None
    """Launches per side below which the test can never decide it, where that stands in the way."""


def decided(kind: VerdictKind, within: float | None, margin: float) -> Verdict:
    """`faster`, `slower`, `distributions differ` (with the margin, if the interval is inside) or `same within X %`."""
    if kind is VerdictKind.SAME:
        return Verdict(kind, f"same within {percent(margin)}", within=margin)
    word = kind.value.replace("-", " ")
    return Verdict(kind, word if within is None else f"{word}, within {percent(within)}", within=within)


def undecided(more: int | None) -> Verdict:
    """`undecided: about N more launches`; None stands for more than 1,000."""
    if more is None:
        return Verdict(VerdictKind.UNDECIDED, f"undecided: more than {MOST_LAUNCHES} more launches")
    return Verdict(
        VerdictKind.UNDECIDED, f"undecided: about {more} more launch{'' if more == 1 else 'es'}", more_launches=more
    )


def cannot_decide(n_a: int, n_b: int, needed: int, more: int | None, *, at_least: bool = False) -> Verdict:
    """The number of launches, not the data, stands in the way. `at_least`: `more` is only the least that it takes."""
    launches = f"{n_a} launch{'' if n_a == 1 else 'es'}" if n_a == n_b else f"{n_a} and {n_b} launches"
    text = f"cannot decide: {launches} can never reach the level after adjustment; at least {needed} needed"
    return Verdict(VerdictKind.CANNOT_DECIDE, text, more_launches=more, at_least=at_least, needed=needed)


def not_comparable(reason: str) -> Verdict:
    """A side has no data, or the test no meaning for it: NA, never a number."""
    return Verdict(VerdictKind.NOT_COMPARABLE, f"NA: {reason}")


def percent(share: float) -> str:
    """A ratio as people write it: 0.05 as `5 %`."""
    return f"{100 * share:.4g} %"


LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Largest p of each mark, strictest first (papers/mpi-benchmarking-revisited, section 6.2)."""


def stars(p_value: float | None) -> str:
    """`***` for p <= 0.001, `**` for p <= 0.01, `*` for p <= 0.05, nothing otherwise or where there is no p (None,
    NaN).
    """
    if p_value is None:
        return ""
    return next((mark for largest, mark in LEVELS if p_value <= largest), "")
