"""The study of false alarms simulates what `ictus history` does, and its small runs keep what is stated."""

import numpy as np
import pytest
from tools.history_study import RATE, SteadyStore, alarm_years, changes_seen, days_until, last_off

from ictus.history.false_alarms import FalseAlarms
from ictus.stats.adjust import holm
from ictus.stats.binomial_rate import rate
from ictus.stats.change_points import change_points, deviation


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
