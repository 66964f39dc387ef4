"""Windows: shares, medians, and the size that is recommended."""

from itertools import pairwise

import pytest

from ictus.studies.window_size.analysis import WindowLaunch, WindowSweep, advise, points, sizes_around
from ictus.studies.window_size.tables import advice_sentences


def launches(*shares: float, window_s: float, median_s: float | None = 3e-6) -> list[WindowLaunch]:
    """Launches of 100 samples with these shares of late ones."""
    return [WindowLaunch(window_s, 100, 100 - round(100 * one), round(100 * one), 0, median_s) for one in shares]


def test_a_share_is_that_of_all_launches_and_says_how_far_they_differ() -> None:
    """10 and 30 of 100 are 20 %, from 10 to 30 %."""
    (found,) = points(launches(0.1, 0.3, window_s=1e-5))
    assert (found.share, found.least_share, found.most_share) == pytest.approx((0.2, 0.1, 0.3))
    assert (found.invalid, found.late, found.attempted, found.launches) == (40, 40, 200, 2)
    assert found.latency is not None
    assert found.latency.median == 3e-6


def test_the_smallest_window_is_taken_whose_longer_ones_will_do_as_well() -> None:
    """20 us does by luck what 30 us does not: it is not taken."""
    shares = {1e-5: 0.5, 2e-5: 0.0, 3e-5: 0.04, 4e-5: 0.01, 8e-5: 0.0}
    found = points([one for size, share in shares.items() for one in launches(share, window_s=size)])
    advice = advise(found, 0.01)
    assert advice.window_s == 4e-5
    assert advice.shorter is found[2]
    assert advise(found, 0.04).window_s == 2e-5
    assert advise(found, 0.5).shorter is None


def test_none_is_taken_where_none_will_do() -> None:
    """The least share is told instead; and a sample that is never valid has no latency."""
    found = points([*launches(0.2, window_s=1e-5), *launches(1.0, window_s=2e-5, median_s=None)])
    advice = advise(found, 0.01)
    assert (advice.window_s, advice.share) == (None, pytest.approx(0.2))
    assert found[1].latency is None
    with pytest.raises(ValueError, match="measured"):
        advise([], 0.01)


@pytest.mark.parametrize(
    ("median_s", "said"),
    [
        (3e-6, " Its latency is the same as behind the longest window."),
        (3.3e-6, " Its latency is 10 % longer than behind the longest window."),
        (2.4e-6, " Its latency is 20 % shorter than behind the longest window."),
    ],
)
def test_the_latency_beside_the_longest_window_is_said_in_words(median_s: float, said: str) -> None:
    """Not `1 times`."""
    found = points([*launches(0.0, window_s=2e-5, median_s=median_s), *launches(0.0, window_s=8e-5)])
    case = {"operation": "bcast", "size_bytes": 8, "n": 2}
    (sentence,) = advice_sentences([WindowSweep("mpich", case, found, advise(found, 0.01))], 0.01)
    assert sentence.endswith(f"no shorter window was measured.{said}")
    longest = WindowSweep("mpich", case, found[1:], advise(found[1:], 0.01))
    assert "longest window" not in advice_sentences([longest], 0.01)[0]


def test_sizes_reach_from_below_the_shortest_to_far_above_the_longest_latency() -> None:
    """0.7 and 10 times; about 1.5 times apart, and never more than asked for."""
    sizes = sizes_around(10e-6, 10e-6)
    assert (sizes[0], sizes[-1]) == (7e-6, 1e-4)
    assert all(1.2 < b / a < 1.8 for a, b in pairwise(sizes))
    assert len(sizes_around(1e-6, 1e-2)) == 12
