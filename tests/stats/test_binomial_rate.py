"""Rates judged against promises."""

from math import comb

import pytest

from ictus.stats.binomial_rate import rate


def tail(hits, trials, chance):
    """P(Binomial >= hits), summed."""
    return sum(comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(hits, trials + 1))


def test_p_and_interval_agree_with_binomial_sums():
    """Clopper and Pearson's limits are the rates at which so many or more, so many or fewer, have 2.5 %."""
    found = rate(9, 100, "at most", 0.05)
    assert found.p_value == pytest.approx(tail(9, 100, 0.05), rel=1e-10)
    assert tail(9, 100, found.low) == pytest.approx(0.025, rel=1e-6)
    assert 1 - tail(10, 100, found.high) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize(
    ("hits", "side", "promised", "holds"),
    [(50, "at most", 0.05, True), (80, "at most", 0.05, False), (0, "at most", 0.05, True),
     (800, "at least", 0.8, True), (700, "at least", 0.8, False), (1000, "at least", 0.8, True),
     (950, "exactly", 0.95, True), (990, "exactly", 0.95, False)],
)  # fmt: skip
def test_a_promise_breaks_only_on_its_wrong_side(hits, side, promised, holds):
    """Of 1,000 trials."""
    assert rate(hits, 1000, side, promised).holds is holds


def test_text_gives_rate_interval_promise_and_judgement():
    """Pinned whole."""
    assert str(rate(80, 1000, "at most", 0.05)) == (
        "80 of 1000 = 8.0% [6.4%, 9.9%], promised at most 5.0%: BROKEN (p = 3.5e-05)"
    )


@pytest.mark.parametrize(("hits", "trials"), [(1, 0), (3, 2), (-1, 2)])
def test_impossible_counts_are_refused(hits, trials):
    """No trials, or more hits than trials."""
    with pytest.raises(ValueError, match="is not a rate"):
        rate(hits, trials, "at most", 0.05)
