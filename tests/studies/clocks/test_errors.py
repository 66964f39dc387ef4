"""Errors over ranks and repeats: every number here can be found in the head."""

import pytest
from tests.clock_documents import accuracy

from ictus.studies.clocks.errors import percentile_95, summarise
from ictus.studies.clocks.record import ClocksStudy


def summaries(*entries, waits=(0, 5), **more):
    """The summaries of a study of four ranks."""
    return summarise(ClocksStudy.parse(accuracy(4, waits, entries, **more), "test").runs)


def test_over_ranks_the_reference_is_left_out() -> None:
    """Ranks 1, 2, 3 err by 1, -4, 2 us: the largest is 4, the mean 7/3; with rank 0's zero it would be 7/4."""
    (one,) = summaries(("hca3", 0.25, 600, [[0, 1, -4, 2], [0, 3, 3, -3]], None))
    first, last = one.errors
    assert (first.max_s, first.mean_s) == pytest.approx((4e-6, 7e-6 / 3))
    assert (last.max_s, last.mean_s, last.p95_s) == pytest.approx((3e-6, 3e-6, 3e-6))
    assert (one.elapsed_s, one.messages, one.repeats) == (0.25, 600, 1)


def test_the_percentile_lies_between_two_ranks() -> None:
    """Of |errors| 0, 1, ..., 10 it is at place 0.95 * 10 = 9.5: half way from 9 to 10. Signs do not count."""
    assert percentile_95([0, -1, 2, -3, 4, -5, 6, -7, 8, -9, 10]) == pytest.approx(9.5)
    assert percentile_95([-5.0]) == 5.0
    assert percentile_95([]) == 0.0


def test_over_repeats_each_number_is_a_median() -> None:
    """Largest errors 2, 9 and 4 us have the median 4; times 1, 3, 2 s the median 2."""
    (one,) = summaries(
        ("hca3", 1.0, 10, [[0, 2, 0, 0]], None),
        ("hca3", 3.0, 30, [[0, 0, -9, 0]], None),
        ("hca3", 2.0, 20, [[0, 0, 0, 4]], None),
        waits=(5,),
    )
    assert (one.repeats, one.elapsed_s, one.messages) == (3, 2.0, 20)
    assert one.errors[0].max_s == pytest.approx(4e-6)


def test_a_violation_is_counted_for_each_rank_and_instant() -> None:
    """Bounds of 2 us: at 0 s errors 1, -3, 2 break one (2 is not beyond 2), at 5 s errors 3, 3, -3 break three."""
    (one,) = summaries(
        ("hull", 1.0, 10, [[0, 1, -3, 2], [0, 3, 3, -3]], [[0, 2, 2, 2], [0, 2, 2, 2]]),
    )
    assert [(error.beyond, error.bounded) for error in one.errors] == [(1, 3), (3, 3)]
    assert (one.beyond, one.bounded) == (4, 6)
    assert one.errors[0].bound_s == pytest.approx(2e-6)


def test_what_the_check_may_err_by_is_no_violation() -> None:
    """A ping-pong that knows the error to 0.5 us proves nothing of 2.4 against a bound of 2, but of 2.6 it does."""
    (one,) = summaries(("hull", 1.0, 10, [[None, 2.4, -2.6, 0]], [[0, 2, 2, 2]]), waits=(0,), truth="ping-pong")
    assert (one.beyond, one.bounded) == (1, 3)


def test_a_bound_that_one_rank_lacks_is_no_bound() -> None:
    """The clock as a whole is as good as its worst rank, and that one proves nothing."""
    (one,) = summaries(("hull", 1.0, 10, [[0, 1, 1, 1]], [[0, 2, None, 2]]), waits=(0,))
    assert one.errors[0].bound_s is None
    assert one.errors[0].bounded == 2


def test_ranks_that_were_not_checked_do_not_count() -> None:
    """A sample of the ranks: nulls stand for the others."""
    (one,) = summaries(("hca3", 1.0, 10, [[None, None, -4, None]], None), waits=(0,), truth="ping-pong")
    assert (one.errors[0].max_s, one.errors[0].mean_s) == pytest.approx((4e-6, 4e-6))


def test_a_single_rank_has_nothing_to_err_against() -> None:
    """No summary of errors, which would praise it with 0; what it took is known."""
    (one,) = summarise(ClocksStudy.parse(accuracy(1, (0,), [("hca3", 0.5, 0, [[0]], None)]), "test").runs)
    assert (one.errors, one.elapsed_s) == ((), 0.5)


def test_numbers_of_ranks_are_kept_apart() -> None:
    """Launches of 2 and 4 ranks in one file are two summaries of the same algorithm."""
    launches = [accuracy(n, (0,), [("hca3", 1.0, 10, [[0] + [n] * (n - 1)], None)]) for n in (2, 4)]
    made = summarise(ClocksStudy.parse({"format": 1, "study": "accuracy", "launches": launches}, "test").runs)
    assert [(one.n_ranks, round(one.errors[0].max_s * 1e6)) for one in made] == [(2, 2), (4, 4)]
