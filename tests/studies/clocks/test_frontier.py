"""The Pareto frontier of time against error."""

from itertools import product

from tests.clock_documents import accuracy

from ictus.studies.clock_pareto.analysis import frontier, points
from ictus.studies.clocks.errors import summarise
from ictus.studies.clocks.record import ClocksStudy


def dominated(pair, others):
    """The definition: some other is at most equal in both and smaller in one."""
    return any(o[0] <= pair[0] and o[1] <= pair[1] and o != pair for o in others)


def test_a_point_on_the_frontier_is_beaten_by_none() -> None:
    """Times 1, 2, 3, 4 with errors 9, 9, 5, 7: the second costs more for the same, the fourth more for less."""
    assert frontier([(1, 9), (2, 9), (3, 5), (4, 7)]) == (True, False, True, False)


def test_equal_points_share_the_frontier() -> None:
    """Neither beats the other; of two with one time the better one alone is on it."""
    assert frontier([(1, 5), (1, 5), (1, 6)]) == (True, True, False)


def test_the_frontier_is_what_its_definition_says() -> None:
    """All 729 ways to place three points on a grid of three by three, order and repeats included."""
    places = list(product(range(3), range(3)))
    for pairs in product(places, repeat=3):
        assert frontier(pairs) == tuple(not dominated(pair, pairs) for pair in pairs)


def test_points_are_medians_at_the_chosen_wait_and_sorted_by_time() -> None:
    """The quick one errs by 8 us, the slow one by 1: both are on the frontier; a slower and worse one is not."""
    entries = [
        ("slow", 2.0, 200, [[0, 0.5], [0, 1]], None),
        ("quick", 0.1, 20, [[0, 1], [0, -8]], None),
        ("worse", 3.0, 300, [[0, 0.1], [0, 9]], None),
    ]
    made = points(summarise(ClocksStudy.parse(accuracy(2, (0, 5), entries), "test").runs), 5)
    assert [(p.algorithm, round(p.error_s * 1e6), p.on_frontier) for p in made] == [
        ("quick", 8, True),
        ("slow", 1, True),
        ("worse", 9, False),
    ]
    assert points(summarise(ClocksStudy.parse(accuracy(2, (0, 5), entries), "test").runs), 7) == ()
