"""Steady stores are looked at as `ictus history` does, and raise no more false alarms than it states."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from tests.history.steady_store import LONGEST, RATE, SteadyStore, alarm_years, changes_seen, days_until, last_off
from tests.page_tables import PageTable, campaigns
from tools.marked_page import table

from ictus.histories.false_alarms import FalseAlarms
from ictus.stats.adjust import holm
from ictus.stats.binomial_rate import rate
from ictus.stats.change_points import change_points, deviation

ALARMS = PageTable("history-alarms", "how-to/history.md", "history/test_steady_store.py")
POWER = PageTable("history-power", "how-to/history.md", "history/test_steady_store.py")


def test_looks_are_those_of_the_history() -> None:
    """Look after look at eight series of 60 campaigns, some with a change: the first change that `change_points` finds,
    and whether the last value of a whole store is called off its level.
    """
    random = np.random.default_rng(2)
    values = random.standard_normal((8, 60))
    values[4:, 30:] += np.array([[1.5], [2.0], [3.0], [6.0]])
    allowed = FalseAlarms(0.9, {"one": 20.0}, {"one": 8})
    times = np.exp(0.02 * values)
    seen = changes_seen(times, allowed)
    first = [next((n for n in range(2, 61) if change_points(row[:n], alarms=allowed.alarms)), None) for row in times]
    assert [int(row.argmax()) + 1 if row.any() else None for row in seen] == first
    assert sum(one is not None for one in first) >= 3
    off = last_off(np.log(times), allowed)
    for n in range(6, 61):
        p_values = np.array([deviation(row[:n], ()).p_value for row in times], dtype=float)
        assert off[:, n - 1].any() == bool(allowed.adjusted_last(float(holm(p_values).min())) <= allowed.rate)


@pytest.mark.parametrize(("cases", "shared", "stores"), [(10, 0.0, 600), (10, 0.8, 600), (200, 0.0, 40)])
def test_a_steady_store_has_no_more_false_alarms_than_stated(cases: int, shared: float, stores: int) -> None:
    """Two years of weekly campaigns, 10 and 200 cases, that depend on one another or do not: years with any alarm."""
    store = SteadyStore(cases, campaigns_a_year=52, shared=shared)
    found = alarm_years(store, stores, 2, np.random.default_rng(4))
    held = rate(found.either, found.years, "at most", RATE)
    assert held.holds, held
    assert found.either <= found.changes + found.last


def test_a_large_change_is_seen_within_days() -> None:
    """20 % at a scatter of 2 %, of one of 200 cases measured daily: the first campaign is off its level."""
    seen, said = days_until(SteadyStore(200), 0.02, 0.2, np.random.default_rng(5))
    assert (seen <= 6, said) == (True, 1)


SEED = 7
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


@pytest.mark.long
def test_years_of_steady_stores_have_as_few_false_alarms_as_stated() -> None:
    """From the first campaign on; of long tails nothing is promised."""
    rows, broken = [], []
    for number, (values, store, years, stores) in enumerate(STORES):
        found = alarm_years(store, campaigns(stores), years, np.random.default_rng((SEED, number)))
        held = rate(found.either, found.years, "at most", RATE)
        promised = store.freedom is None
        broken += [held] if promised and not held.holds else []
        rows.append(
            (
                store.cases,
                store.campaigns_a_year,
                "the first" if years == 1 else f"the first {years}",
                values,
                f"{100 * found.changes / found.years:.1f} %",
                f"{100 * found.last / found.years:.1f} %",
                str(held) if promised else f"{100 * held.share:.1f} %, nothing is promised",
            )
        )
    head = ("cases", "campaigns a year", "years", "values", "false changes", "last campaigns", "years with either")
    ALARMS.show(table(head, rows, numbers_from=4))
    assert broken == []


def days(found: Sequence[int]) -> tuple[str, str]:
    """Median and nine of ten."""
    ordered = sorted(found)
    at = (ordered[len(ordered) // 2], ordered[int(0.9 * len(ordered))])
    return tuple(f"more than {LONGEST}" if one > LONGEST else str(one) for one in at)


@pytest.mark.long
def test_the_larger_a_change_the_sooner_it_is_seen() -> None:
    """Of 200 histories each, by the scatter of their campaigns."""
    rows, medians = [], {}
    for cases, scatter, shift in product((10, 200), (0.02, 0.05), (0.05, 0.1, 0.2)):
        random = np.random.default_rng((SEED, cases, round(1e4 * scatter), round(1e4 * shift)))
        seen, said = zip(
            *(days_until(SteadyStore(cases), scatter, shift, random) for _ in range(campaigns(200))), strict=True
        )
        never = sum(one > LONGEST for one in seen) / len(seen)
        shares = (f"{100 * share:g} %" for share in (scatter, shift))
        rows.append((cases, *shares, *days(seen), f"{100 * never:.1f} %", *days(said)))
        medians.setdefault((cases, scatter), []).append(float(np.median(seen)))
    head = (
        *("cases", "scatter", "shift", "change seen after, median", "90 % within", "never in 100"),
        *("anything said after, median", "90 % within"),
    )
    POWER.show(table(head, rows, numbers_from=0))
    assert all(one == sorted(one, reverse=True) and one[-1] <= 7 for one in medians.values())
