"""Stars as the papers print them."""

import pytest

from ictus.stats.verdict import stars


@pytest.mark.parametrize(
    ("p_value", "mark"),
    [(0.0, "***"), (0.001, "***"), (0.00101, "**"), (0.01, "**"), (0.0101, "*"), (0.05, "*"), (0.0501, ""), (1.0, "")],
)
def test_limits_belong_to_the_stricter_mark(p_value, mark):
    """At most 0.001, 0.01, 0.05."""
    assert stars(p_value) == mark


@pytest.mark.parametrize("p_value", [None, float("nan")])
def test_no_p_has_no_stars(p_value):
    """An untestable case is not significant."""
    assert stars(p_value) == ""
