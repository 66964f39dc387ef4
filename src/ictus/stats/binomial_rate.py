"""Compares an observed rate with a promised one (false alarms, power, coverage).

The interval is that of Clopper and Pearson. The judgement is a binomial test: a promise is broken where so extreme a
count would occur in fewer than 1 % of repetitions if the promise held.
"""

from dataclasses import dataclass
from typing import Literal

import scipy

Side = Literal["at most", "at least", "exactly"]
DOUBT = 0.01
_BROKEN: dict[Side, Literal["greater", "less", "two-sided"]] = {
    "at most": "greater",
    "at least": "less",
    "exactly": "two-sided",
}


@dataclass(frozen=True)
class Rate:
    """`hits` of `trials`, with a 95 % interval and the p-value of the promise."""

    hits: int
    trials: int
    low: float
    high: float
    side: Side
    promised: float
    p_value: float

    @property
    def share(self) -> float:
        """Observed rate."""
        return self.hits / self.trials

    @property
    def holds(self) -> bool:
        """Whether the observation does not contradict the promise."""
        return self.p_value > DOUBT

    def __str__(self) -> str:
        kept = "kept" if self.holds else "BROKEN"
        return (
            f"{self.hits} of {self.trials} = {self.share:.1%} [{self.low:.1%}, {self.high:.1%}], "
            f"promised {self.side} {self.promised:.1%}: {kept} (p = {self.p_value:.2g})"
        )


def rate(hits: int, trials: int, side: Side, promised: float) -> Rate:
    """`hits` of `trials` against a promised rate in [0, 1]; `ValueError` when trials is 0 or hits are more than
    trials.
    """
    if trials < 1 or not 0 <= hits <= trials:
        raise ValueError(f"{hits} of {trials} is not a rate")
    test = scipy.stats.binomtest(hits, trials, promised, alternative=_BROKEN[side])
    interval = scipy.stats.binomtest(hits, trials).proportion_ci(confidence_level=0.95, method="exact")
    return Rate(hits, trials, float(interval.low), float(interval.high), side, promised, float(test.pvalue))
