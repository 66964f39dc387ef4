"""Our algorithm against the best other one that takes no longer: settings are chosen by half of the trials and judged
by the other half, so that neither side is the winner of its own noise. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ictus.findings.contenders import is_ours
from ictus.findings.rules import Ruling, sign_rule

TOLERANCE = 1.1
"""A setting keeps to a time if it takes no more than this many times as long, in the median."""


@dataclass(frozen=True)
class Trials:
    """What a setting came to, trial by trial; seconds."""

    elapsed_s: Sequence[float]
    error_s: Sequence[float]


@dataclass(frozen=True)
class Match:
    """Our best setting against the best other one at one time."""

    place: str
    budget_s: float
    ours: str
    other: str
    ours_s: tuple[float, ...]
    """Errors of the trials that judge."""
    other_s: tuple[float, ...]

    @property
    def nearer(self) -> int:
        """Trials in which ours errs less."""
        return sum(a < b for a, b in zip(self.ours_s, self.other_s, strict=True))

    @property
    def ruling(self) -> Ruling:
        """Whether ours errs less, trial by trial; ties are left out."""
        return sign_rule(self.nearer, sum(a > b for a, b in zip(self.ours_s, self.other_s, strict=True)))

    @property
    def ratio(self) -> float:
        """How many times the other errs as much, in the median."""
        return median(self.other_s) / median(self.ours_s) if median(self.ours_s) else float("inf")

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "place": self.place,
            "budget_s": self.budget_s,
            "ours": self.ours,
            "other": self.other,
            "ours_s": median(self.ours_s),
            "other_s": median(self.other_s),
            "ratio": self.ratio,
            "nearer": self.nearer,
            "trials": len(self.ours_s),
        }


def match(place: str, settings: Mapping[str, Trials], budget_s: float) -> Match | None:
    """At that time; None where one side has no setting that keeps to it. Every other trial chooses, from the first on;
    the rest judge.
    """
    fitting = {name: one for name, one in settings.items() if median(one.elapsed_s[::2]) <= TOLERANCE * budget_s}
    sides = [[name for name in fitting if is_ours(name) is own] for own in (True, False)]
    if not all(sides):
        return None
    ours, other = (min(side, key=lambda name: median(fitting[name].error_s[::2])) for side in sides)
    return Match(place, budget_s, ours, other, *(tuple(fitting[name].error_s[1::2]) for name in (ours, other)))
