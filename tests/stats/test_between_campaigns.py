"""The usual spread between campaigns: what two campaigns of one library differ by when nothing has changed."""

import numpy as np
import pytest
import scipy

from ictus.stats.between_campaigns import campaign_variance, usual_spread
from ictus.stats.binomial_rate import rate


def test_it_is_students_bound_of_the_difference_of_two_further_campaigns() -> None:
    """exp(t s sqrt 2) with the standard deviation of the logarithms; in whatever unit."""
    values = np.array([1.0, 1.1, 0.95, 1.2, 1.05])
    expected = np.exp(scipy.stats.t.ppf(0.975, 4) * np.log(values).std(ddof=1) * np.sqrt(2))
    for unit in (1.0, 1e-6):
        found = usual_spread(unit * values)
        assert found is not None
        assert (found.ratio, found.n_campaigns) == (pytest.approx(expected), 5)


@pytest.mark.parametrize("spread", [0.05, 0.2, 0.8])
@pytest.mark.parametrize("known", [3, 8])
def test_two_further_campaigns_lie_beyond_it_in_5_percent(spread: float, known: int) -> None:
    """Of simulated histories, each followed by two campaigns without a change."""
    random = np.random.default_rng(8)
    beyond, trials = 0, 1500
    for _ in range(trials):
        logs = spread * random.standard_normal(known + 2)
        found = usual_spread(np.exp(logs[:known]))
        assert found is not None
        beyond += abs(logs[-1] - logs[-2]) > np.log(found.ratio)
    assert rate(beyond, trials, "exactly", 0.05).holds


def test_a_level_that_changed_is_no_spread() -> None:
    """Twelve campaigns before an upgrade that doubles the time and twelve after: the scatter about both levels."""
    random = np.random.default_rng(9)
    logs = 0.02 * random.standard_normal(24)
    logs[12:] += np.log(2)
    found = usual_spread(np.exp(logs))
    parts = np.concatenate([part - part.mean() for part in (logs[:12], logs[12:])])
    expected = np.exp(scipy.stats.t.ppf(0.975, 22) * np.sqrt((parts**2).sum() / 22) * np.sqrt(2))
    assert found is not None
    assert found.ratio == pytest.approx(expected)
    assert found.ratio < 1.1


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 1.1]])
def test_fewer_than_three_campaigns_say_nothing(values: list[float]) -> None:
    """Two have one difference, and no spread of it."""
    assert usual_spread(values) is None


def test_impossible_times_are_errors() -> None:
    """As in a history."""
    with pytest.raises(ValueError, match="positive"):
        usual_spread([1.0, 0.0, 1.0])


def test_variance_is_parted_by_hand() -> None:
    """Campaigns of (0, 2), (4, 6) and (8, 10): means 1, 5, 9 about 5; between 2 (16 + 0 + 16) / 2 = 32, inside 6 / 3
    = 2. So 16 between, 2 inside 1, F is 16; the variance between is (32 - 2) / 2 = 15, a share of 15 / 17.
    """
    found = campaign_variance([[0, 2], [4, 6], [8, 10]])
    assert (found.f_ratio, found.inside, found.between, found.launches, found.degrees) == (16, 2, 15, 2, (2, 3))
    assert found.share == pytest.approx(15 / 17)
    chance = scipy.stats.f.cdf(16 / (1 + 2 * 0.2 / 0.8), 2, 3)
    assert found.p_share_at_most(0.2) == pytest.approx(chance)


def test_the_share_keeps_its_error_where_it_is_true() -> None:
    """Ten campaigns of five launches of which a fifth of the variance is between: it is called less in 5 % of 2,000."""
    random = np.random.default_rng(9)
    states, launches = random.normal(0, np.sqrt(0.2), (2000, 10, 1)), random.normal(0, np.sqrt(0.8), (2000, 10, 5))
    less = [campaign_variance(list(one)).p_share_at_most(0.2) <= 0.05 for one in states + launches]
    assert rate(sum(less), len(less), "exactly", 0.05).holds


def test_a_campaign_whose_launches_do_not_scatter_has_no_share_of_it() -> None:
    """All the variance is between; nothing is known of one campaign, or of single launches."""
    found = campaign_variance([[1, 1], [2, 2]])
    assert (found.share, found.p_share_at_most(0.2)) == (1.0, 1.0)
    for too_few in ([[1, 2]], [[1], [2]], [[1, 2], []]):
        with pytest.raises(ValueError, match="nothing is known"):
            campaign_variance(too_few)
