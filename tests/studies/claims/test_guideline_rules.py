"""The rules of the claims about guidelines, remedies, overlap and sparse exchanges: see test_rules.py."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.stats
from tests.studies.overlap.test_overlap import TIME, US, parsed, run

from ictus.guidelines.verdict import State
from ictus.stats.claim_rules import Seen, no_longer_rules, sign_rule
from ictus.studies.guidelines.study import MARGIN, judge_verdicts
from ictus.studies.overlap.claims import (
    Versus,
    against_blocking,
    against_no_tests,
    versus,
    with_thread,
    work_against_time,
)
from ictus.studies.overlap.record import OverlapLaunch
from ictus.studies.remedies.study import RemedyRow, because, judge_remedies
from ictus.studies.sparse_exchange.study import NEIGHBOUR, Exchange, judge_way, set_up_of


def verdicts(*found: tuple[State, float | None, float | None]) -> list[Any]:
    """State, adjusted p and the upper limit of the ratio."""
    return [SimpleNamespace(state=state, p_adjusted=p, ratio_high=high) for state, p, high in found]


def test_guidelines_are_refuted_only_where_all_are_shown_to_be_kept() -> None:
    """A ratio that may be 5 % or more, or is unknown, leaves it open; a side without data says nothing."""
    kept, broken = (State.HOLDS, 1.0, 1.01), (State.VIOLATED, 0.01, 1.4)
    empty: tuple[State, None, None] = (State.NOT_COMPARABLE, None, None)
    assert judge_verdicts(verdicts(kept, broken)).seen is Seen.HOLDS
    assert judge_verdicts(verdicts(kept, broken)).p_value == 0.01
    assert judge_verdicts(verdicts(kept, empty)).seen is Seen.DOES_NOT_HOLD
    for other in ((State.HOLDS, 0.3, MARGIN), (State.CANNOT_DECIDE, 0.3, None), (State.PREDICTED, None, None)):
        assert judge_verdicts(verdicts(kept, other)).seen is Seen.CANNOT_BE_SEEN
    assert judge_verdicts(verdicts(empty)).seen is judge_verdicts([]).seen is Seen.CANNOT_BE_SEEN


REMEDY = RemedyRow(
    mpi="a", n=2, operation="bcast", size_bytes=8, guidelines=("GL10",), race="decided", winner="bcast=ring",
    before_s=2e-6, after_s=1e-6, instead_s=1e-6, ratio=0.5, ratio_low=0.4, ratio_high=0.6, p_adjusted=0.03,
    result="confirmed",
)  # fmt: skip


def test_remedies_of_several_libraries_are_adjusted_for_all() -> None:
    """3 % of one library are 6 % of two. What was not tried to its end refutes nothing."""
    none = REMEDY.model_copy(update={"mpi": "b", "winner": None, "result": "nothing-better", "p_adjusted": None})
    assert judge_remedies([REMEDY]).seen is Seen.HOLDS
    assert judge_remedies([REMEDY, none]).seen is Seen.CANNOT_BE_SEEN
    assert judge_remedies([REMEDY, none]).p_value == pytest.approx(0.06)
    assert judge_remedies([none]).seen is Seen.DOES_NOT_HOLD
    for change in ({"race": "budget"}, {"result": "unconfirmed"}, {"result": "not-faster", "ratio_low": 0.9}):
        assert judge_remedies([none.model_copy(update=change)]).seen is Seen.CANNOT_BE_SEEN
    alike = {"result": "not-faster", "ratio_low": 0.97}
    assert judge_remedies([none.model_copy(update=alike)]).seen is Seen.DOES_NOT_HOLD
    assert judge_remedies([]).seen is Seen.CANNOT_BE_SEEN
    assert "there is nothing to mend" in because([])
    late = none.model_copy(update={"result": "no-time"})
    assert because([late, none]).endswith("1 not tried, as the time budget ended, 1 for which nothing better was found")


def test_times_of_a_launch_are_compared_with_each_other() -> None:
    """T_b 100 us; without tests 50 are left, with them 30: both claims, by the definition of the overhead."""
    tested = {**TIME, "test": 5 * US, "wait": 20 * US}
    launch = parsed(run(1, "time", None, TIME, 100 * US), run(2, "time", 16384, tested, 100 * US))
    (blocking,), (alone,) = (versus([launch] * 8, times) for times in (against_blocking, against_no_tests))
    assert (blocking.longer_s[0], blocking.shorter_s[0]) == pytest.approx((100 * US, 30 * US))
    assert (alone.longer_s[0], alone.shorter_s[0]) == pytest.approx((50 * US, 30 * US))
    assert blocking.intervals_bytes == alone.intervals_bytes == (16384,)
    assert alone.ruling == sign_rule(8, 0)
    assert replace(alone, longer_s=alone.shorter_s, shorter_s=alone.longer_s).ruling.seen is Seen.DOES_NOT_HOLD
    assert versus([parsed(run(1, "time", None, TIME, 100 * US), thread="own")], against_no_tests) == ()
    assert versus([parsed(run(1, "time", 16384, tested, 100 * US))], against_no_tests) == ()


def test_stolen_time_is_compared_where_a_thread_steals_it() -> None:
    """30 of 130 us of a computation: by time 50 us are left over, by work 80."""
    stolen = {**TIME, "compute": 130 * US}
    runs = (run(1, "time", None, TIME, 100 * US), run(2, "work", None, stolen, 100 * US))
    (found,) = versus([parsed(*runs, thread="own"), parsed(*runs)], work_against_time, "own")
    assert (found.longer_s, found.shorter_s) == (pytest.approx((80 * US,)), pytest.approx((50 * US,)))
    assert versus([parsed(*runs)], work_against_time, "own") == ()


def test_a_thread_steals_what_is_not_taken_without_it() -> None:
    """By hand: of 130 us of a computation 30 are stolen with the thread, 10 by what else runs; launch by launch. A
    launch without one beside it says nothing.
    """

    def launch(thread: str, stolen_us: float, number: int, n_ranks: int = 2) -> OverlapLaunch:
        worked = {**TIME, "compute": (100 + stolen_us) * US}
        runs = (run(1, "time", None, TIME, 100 * US), run(2, "work", None, worked, 100 * US))
        alone = parsed(*runs, thread=thread)
        return replace(alone, number=number, setting=replace(alone.setting, n_ranks=n_ranks))

    beside = [launch(thread, taken, number) for number in range(6) for thread, taken in (("own", 30), ("none", 10))]
    (found,) = with_thread([*beside, launch("own", 0, 9)])
    assert (found.longer_s, found.shorter_s) == (pytest.approx((30 * US,) * 6), pytest.approx((10 * US,) * 6))
    assert found.ruling.seen is Seen.HOLDS
    assert with_thread([launch("own", 30, 0), launch("none", 10, 1)]) == ()
    assert with_thread([launch("own", 30, 0), launch("none", 10, 0, n_ranks=4)]) == ()
    more = [launch(thread, 0, 0, n_ranks=4) for thread in ("own", "none")]
    (several,) = with_thread([*beside, *more])
    assert several.longer_s == pytest.approx((30 * US,) * 6 + (0,), abs=1e-12)


def test_the_ratio_of_two_overheads_is_the_median_of_the_launches() -> None:
    """Not the ratio of medians: 1/2, 1/4 and 1/8."""
    found = Versus("a", "iallreduce", 8, "time", (4,), (2.0, 4.0, 800.0), (1.0, 1.0, 100.0))
    assert found.ratio == pytest.approx(0.25)


def exchange(way: str, size: int, set_up: float, call: float) -> Exchange:
    """Ten launches that scatter by 10 %."""
    scatter = 1 + 0.01 * np.arange(10)
    return Exchange("a", way, size, set_up * scatter, call * scatter[::-1])


@pytest.mark.parametrize(
    ("set_up", "calls", "seen"),
    [
        (0.1, (1.0, 1.5), Seen.HOLDS),
        (10.0, (1.0, 1.0), Seen.DOES_NOT_HOLD),
        (0.1, (1.0, 3.0), Seen.DOES_NOT_HOLD),
        (0.1, (0.1, 1.99), Seen.CANNOT_BE_SEEN),
    ],
)
def test_a_schedule_has_to_be_made_faster_and_take_comparable_times(
    set_up: float, calls: tuple[float, float], seen: Seen
) -> None:
    """Both, at every size."""
    theirs = [exchange(NEIGHBOUR, 8, 1.0, 1.0), exchange(NEIGHBOUR, 64, 1.0, 1.0)]
    ours = [exchange("direct", 8, set_up, calls[0]), exchange("direct", 64, set_up, calls[1])]
    if seen is Seen.CANNOT_BE_SEEN:
        ours[1] = replace(ours[1], call_s=ours[1].call_s * np.where(np.arange(10) % 2, 1.1, 1 / 1.1))
    assert judge_way(theirs, ours).seen is seen


def test_no_longer_is_scipys_signed_rank_test() -> None:
    """Of the logarithms of the ratios, against the margin."""
    ones = np.exp(0.01 * np.arange(1, 11))
    (found,) = no_longer_rules(ones[np.newaxis], np.ones((1, 10)), 2.0)
    logs = np.log(ones) - np.log(2)
    assert found.p_value == pytest.approx(scipy.stats.wilcoxon(logs, alternative="less").pvalue)
    assert found.against == pytest.approx(scipy.stats.wilcoxon(logs, alternative="greater").pvalue)


def test_all_that_is_made_before_the_first_call_counts() -> None:
    """The schedule and its datatypes."""
    assert set_up_of("schedule=2e-06,datatypes=1e-05") == pytest.approx(1.2e-5)
    assert np.isnan(set_up_of(""))
