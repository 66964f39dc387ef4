"""The false alarms of a whole history: one rate a year is stated, and what a case and campaign may have follows.

Two kinds of alarms are raised, a change of level and a last campaign that is off its level; each may have half of the
rate. Every case that is looked at after every campaign is a test: `tests_a_year` of them are made. The rates of all
tests add up, however cases depend on one another (Bonferroni), and looks at one series are counted by the rate at which
they raise alarms (`stats.false_alarms`), not each as if it were a series of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ictus.model.instant import instant
from ictus.stats.false_alarms import alarms_per_value

RATE = 0.05
"""False alarms in a year of a whole history, if nothing is asked for: one in 20 years."""
_KINDS = 2
_DAY, _YEAR = timedelta(days=1), timedelta(days=365.25)


@dataclass(frozen=True)
class FalseAlarms:
    """What is stated, and the tests that share it."""

    rate: float
    """At most so many false alarms in a year of the whole history."""
    campaigns_a_year: Mapping[str, float]
    """By machine."""
    cases: Mapping[str, int]
    """By machine: series that are looked at after each of its campaigns."""
    assumed: bool = False
    """Whether a pace is none that was seen: campaigns of less than a day show none."""

    @property
    def tests_a_year(self) -> float:
        """Cases and campaigns of a year, over all machines."""
        return sum(self.campaigns_a_year[machine] * n for machine, n in self.cases.items())

    @property
    def alarms(self) -> float:
        """False changes that one series may have for each further campaign."""
        return self.rate / _KINDS / self.tests_a_year

    def adjusted_change(self, p_value: float) -> float:
        """The p-value of a split, adjusted over all cases, all campaigns of a year and both kinds of alarms."""
        return min(1.0, _KINDS * self.tests_a_year * alarms_per_value(p_value))

    def adjusted_last(self, p_holm: float) -> float:
        """The p-value of a last campaign, already adjusted over its cases, adjusted over the campaigns of a year and
        both kinds of alarms.
        """
        return min(1.0, _KINDS * sum(self.campaigns_a_year.values()) * p_holm)

    def as_object(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "a_year": self.rate,
            "campaigns_a_year": {machine: round(pace, 2) for machine, pace in self.campaigns_a_year.items()},
            "tests_a_year": round(self.tests_a_year, 2),
        }


def campaigns_a_year(created: Iterable[str]) -> float:
    """How often a machine is measured, from the beginnings of its campaigns: how many there were in the last year. A
    history of less than a year is continued at its mean pace; a single campaign counts as one a year. Campaigns of less
    than a day count as those of a day: seconds between two of them are no pace at which anybody measures for a year.
    """
    times = _instants(created)
    recent = [time for time in times if time > times[-1] - _YEAR]
    if len(recent) < len(times) or len(recent) == 1:
        return float(len(recent))
    return (len(recent) - 1) * (_YEAR / max(_DAY, recent[-1] - recent[0]))


def shows_pace(created: Iterable[str]) -> bool:
    """Whether the campaigns of a machine span a day, or there is but one."""
    times = _instants(created)
    return len(times) == 1 or times[-1] - times[0] >= _DAY


def _instants(created: Iterable[str]) -> list[datetime]:
    return sorted({instant(text) for text in created})
