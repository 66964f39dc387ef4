"""`python -m tools.history_study`: how often `ictus history` raises a false alarm, and how soon it sees a change.

Writes the two tables of history.md; some minutes on an idle core.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from tools.marked_page import Marks, table

from ictus.history.false_alarms import RATE, FalseAlarms
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.binomial_rate import rate
from ictus.stats.change_points import FEWEST, FEWEST_BEFORE, change_points, deviation
from ictus.stats.false_alarms import largest_p
from ictus.stats.rank_sum_tail import critical_sums

PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "history.md"
SEED = 7
DAILY = 365
_ROWS = 1000
"""Series that are simulated at a time."""
BEFORE, LONGEST, HISTORIES = 100, 100, 200
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


ALARMS = Marks("history-alarms", "python -m tools.history_study")
ALARM_HEAD = (
    *("cases", "campaigns a year", "years", "values"),
    *("false changes", "last campaigns", "years with either"),
)
STORES: tuple[tuple[str, SteadyStore, int, int], ...] = (
    ("independent", SteadyStore(10), 2, 500),
    ("independent", SteadyStore(200), 1, 300),
    ("80 % of the variance shared", SteadyStore(10, shared=0.8), 2, 300),
    ("80 % of the variance shared", SteadyStore(200, shared=0.8), 1, 100),
    ("independent", SteadyStore(10, 52), 4, 2000),
    ("independent", SteadyStore(200, 52), 2, 500),
    ("long tails, Student's t with 4 degrees of freedom", SteadyStore(10, freedom=4), 1, 200),
)
"""What values are like, the store, the years of each from its first campaign on, and how many are simulated."""


def alarm_rows() -> Iterator[tuple[str, ...]]:
    """One row a kind of store."""
    for number, (values, store, years, stores) in enumerate(STORES):
        found = alarm_years(store, stores, years, np.random.default_rng((SEED, number)))
        yield (
            str(store.cases),
            str(store.campaigns_a_year),
            "the first" if years == 1 else f"the first {years}",
            values,
            f"{100 * found.changes / found.years:.1f} %",
            f"{100 * found.last / found.years:.1f} %",
            str(rate(found.either, found.years, "at most", RATE))
            if store.freedom is None
            else f"{100 * found.either / found.years:.1f} %, nothing is promised",
        )


POWER = Marks("history-power", "python -m tools.history_study")
POWER_HEAD = (
    *("cases", "scatter", "shift", "change seen after, median", "90 % within", "never in 100"),
    *("anything said after, median", "90 % within"),
)


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


def power_rows() -> Iterator[tuple[str, ...]]:
    """One row a store, scatter and shift."""
    for cases in (10, 200):
        for scatter in (0.02, 0.05):
            for shift in (0.05, 0.1, 0.2):
                random = np.random.default_rng((SEED, cases, round(1e4 * scatter), round(1e4 * shift)))
                found = [days_until(SteadyStore(cases), scatter, shift, random) for _ in range(HISTORIES)]
                seen, said = (sorted(column) for column in zip(*found, strict=True))
                never = sum(one > LONGEST for one in seen) / HISTORIES
                yield (
                    str(cases),
                    *(f"{100 * share:g} %" for share in (scatter, shift)),
                    _days(seen[HISTORIES // 2]),
                    _days(seen[int(0.9 * HISTORIES)]),
                    f"{100 * never:.1f} %",
                    _days(said[HISTORIES // 2]),
                    _days(said[int(0.9 * HISTORIES)]),
                )


def _days(campaigns: int) -> str:
    return f"more than {LONGEST}" if campaigns > LONGEST else str(campaigns)


if __name__ == "__main__":
    POWER.write(PAGE, table(POWER_HEAD, list(power_rows()), numbers_from=0))
    ALARMS.write(PAGE, table(ALARM_HEAD, list(alarm_rows()), numbers_from=4))
