"""Stores in which nothing changes, or one case does once: how often does `ictus history` raise a false alarm, how
soon does it see a change?
"""

from dataclasses import dataclass

import numpy as np
import scipy

from ictus.histories.false_alarms import RATE, FalseAlarms
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.change_points import FEWEST, FEWEST_BEFORE, change_points, deviation
from ictus.stats.false_alarms import largest_p
from ictus.stats.rank_sum_tail import critical_sums

DAILY = 365
_ROWS = 1000
"""Series that are simulated at a time."""
BEFORE, LONGEST = 100, 100
NEAR = 10
"""A change that is found within so many campaigns of the true one is that one."""


@dataclass(frozen=True)
class SteadyStore:
    """A store in which nothing ever changes."""

    cases: int
    campaigns_a_year: int = DAILY
    shared: float = 0.0
    """Part of the variance between campaigns that all cases have in common."""
    freedom: float | None = None
    """Degrees of freedom of Student's distribution of the values; None: they are normal."""

    @property
    def allowed(self) -> FalseAlarms:
        """What `ictus history` allows it by itself."""
        return FalseAlarms(RATE, {"one": float(self.campaigns_a_year)}, {"one": self.cases})

    def values(self, random: np.random.Generator, stores: int, campaigns: int) -> FloatArray:
        """Logarithms, shape (stores, cases, campaigns)."""
        shape = (stores, self.cases, campaigns)
        if self.freedom is not None:
            return np.asarray(random.standard_t(self.freedom, shape))
        own = random.standard_normal(shape)
        common = random.standard_normal((stores, 1, campaigns))
        return np.asarray(np.sqrt(self.shared) * common + np.sqrt(1 - self.shared) * own)


@dataclass(frozen=True)
class AlarmYears:
    """Years of stores, and in how many an alarm was raised."""

    years: int
    changes: int
    """With a change of level."""
    last: int
    """With a last campaign off its level."""
    either: int


def alarm_years(store: SteadyStore, stores: int, years: int, random: np.random.Generator) -> AlarmYears:
    """`stores` that begin empty and are looked at after every campaign of `years`."""
    each = max(1, _ROWS // store.cases)
    kinds: list[list[BoolArray]] = [[], []]
    for begin in range(0, stores, each):
        values = store.values(random, min(each, stores - begin), years * store.campaigns_a_year)
        rows = values.reshape(-1, values.shape[-1])
        for kind, looks in zip(kinds, (changes_seen(rows, store.allowed), last_off(rows, store.allowed)), strict=True):
            of_store = looks.reshape(*values.shape).any(axis=1)
            kind.append(of_store.reshape(len(values), years, store.campaigns_a_year).any(axis=2))
    changes, last = (np.concatenate(kind) for kind in kinds)
    return AlarmYears(changes.size, int(changes.sum()), int(last.sum()), int((changes | last).sum()))


def changes_seen(values: FloatArray, allowed: FalseAlarms) -> BoolArray:
    """For rows of values, whether the look after each value sees a change for the first time: `change_points` of every
    beginning of every row, with one comparison for each pair of values.
    """
    rows, size = values.shape
    ranks = values.argsort(axis=1).argsort(axis=1).astype(np.int16)
    sums = np.zeros((rows, size), dtype=np.int32)  # of the first k values: pairs with a larger one before a later one
    seen, found = np.zeros(rows, dtype=np.bool_), np.zeros((rows, size), dtype=np.bool_)
    for last in range(1, size):
        sums[:, :last] += np.cumsum(ranks[:, :last] > ranks[:, last : last + 1], axis=1, dtype=np.int32)
        n = last + 1
        if n < 2 * FEWEST:
            continue
        before = np.arange(FEWEST, n - FEWEST + 1)
        low = critical_sums(n, FEWEST, largest_p(allowed.alarms) / 2).astype(np.int32)
        high = (before * (n - before) - low).astype(np.int32)
        own = sums[:, FEWEST - 1 : n - FEWEST]
        hit = ((own <= low) | (own >= high)).any(axis=1)
        found[:, last] = hit & ~seen
        seen |= hit
    return found


def last_off(values: FloatArray, allowed: FalseAlarms) -> BoolArray:
    """For rows of values, whether each value is called off its level: the smallest p-value of a campaign decides
    whether Holm's adjustment of it rejects anything.
    """
    n = np.arange(values.shape[1])
    total, squares = (np.cumsum(part, axis=1) - part for part in (values, values**2))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        error = np.sqrt((squares - n * mean**2) / (n - 1) * (1 + 1 / n))
        t = np.abs(values - mean) / error
    level = allowed.rate / 2 / sum(allowed.campaigns_a_year.values()) / sum(allowed.cases.values())
    limits = scipy.stats.t.isf(level / 2, np.maximum(n - 1, 1))
    return np.asarray((n >= FEWEST_BEFORE) & (t >= limits))


def days_until(store: SteadyStore, scatter: float, shift: float, random: np.random.Generator) -> tuple[int, int]:
    """Campaigns of the new level of one case until its change is seen, and until that or its last campaign is called
    off its level; `LONGEST` + 1: not before.
    """
    values = np.exp(random.normal(0.0, scatter, BEFORE + LONGEST))
    values[BEFORE:] *= 1 + shift
    said = LONGEST + 1
    for known in range(1, LONGEST + 1):
        found = change_points(values[: BEFORE + known], alarms=store.allowed.alarms)
        last = deviation(values[: BEFORE + known], found)
        off = last.p_value is not None and store.allowed.adjusted_last(min(1.0, last.p_value * store.cases)) <= RATE
        seen = any(abs(one.index - BEFORE) <= NEAR for one in found)
        if seen or off:
            said = min(said, known)
        if seen:
            return known, said
    return LONGEST + 1, said
