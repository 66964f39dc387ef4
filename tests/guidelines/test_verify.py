"""From medians to verdicts: each kind of guideline broken and kept, and what is missing said so."""

from dataclasses import replace
from math import comb, exp, log, nan

import numpy as np
import pytest
from tests.guidelines.measurements import GL1, GL2, GL3, HERE, drawn, joined, measured, series

from ictus.guidelines.check.words import mode_sentences
from ictus.guidelines.judgement import Options, make_options
from ictus.guidelines.measured import GuidelineMedians, LaunchModes, MeasuredReroute, SizeSeries, rerouted
from ictus.guidelines.question import repeated
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.guidelines.verify import unconfirmed, verify
from ictus.model.call import BASIC
from ictus.model.errors import UsageError
from ictus.model.spec import Spec

US = 1e-6


def gathers(left: list[float], right: list[float]) -> GuidelineMedians:
    """GL3 at one size."""
    return measured({"gather": [series(64, left)], "gather_as_allgather": [series(64, right)]})


@pytest.mark.parametrize("test", ["signed-rank", "rank-sum", "kolmogorov-smirnov"])
def test_a_slower_call_violates_and_a_faster_one_does_not(test: str) -> None:
    """The direction is the same for every test: only the left side's being slower is a violation."""
    slow, fast = drawn(10 * US, 10, seed=1), drawn(5 * US, 10, seed=2)
    (violated,) = verify([GL3], gathers(slow, fast), Options(test=test))
    assert violated.state is State.VIOLATED
    assert violated.ratio == pytest.approx(2, rel=0.05)
    assert violated.ratio_low is not None
    assert violated.ratio_high is not None
    assert violated.ratio_low < 2 < violated.ratio_high
    assert violated.loss_s == pytest.approx(5 * US, rel=0.05)
    (kept,) = verify([GL3], gathers(fast, slow), Options(test=test))
    assert kept.state is State.HOLDS
    assert kept.p_value == pytest.approx(1, abs=0.01)
    assert kept.loss_s == 0


@pytest.mark.parametrize("test", ["signed-rank", "rank-sum", "kolmogorov-smirnov"])
@pytest.mark.parametrize(("ratio", "state"), [(1.03, State.HOLDS), (1.08, State.VIOLATED)])
def test_only_the_mockup_that_a_call_is_made_has_a_tolerance(test: str, ratio: float, state: State) -> None:
    """3 % are forgiven where the call is that mock-up and a decision, at that size, and 8 % are not. The ratio that is
    told is of the times as they were.
    """
    found = gathers(drawn(10 * US * ratio, 20, seed=1, spread=1e-3), drawn(10 * US, 20, seed=2, spread=1e-3))

    def judged(line: MeasuredReroute, tolerance: float = 0.05) -> GuidelineVerdict:
        (one,) = verify([GL3], rerouted(found, {HERE: [line]}), Options(test=test, tolerance=tolerance))
        assert one.ratio == pytest.approx(ratio, rel=2e-3)
        return one

    itself = MeasuredReroute("gather", 1, 64, "gather_as_allgather")
    assert judged(itself).state is state
    assert judged(itself).reason == "the call is rerouted to it, and may be up to 5 % slower"
    assert judged(itself, tolerance=0).state is State.VIOLATED
    for changes in ({"from_bytes": 65, "to_bytes": 128}, {"mockup": "gather_as_reduce"}, {"operation": "scatter"}):
        other = judged(replace(itself, **changes))
        assert (other.state, other.reason) == (State.VIOLATED, "")


@pytest.mark.parametrize(
    ("test", "smallest"),
    [("signed-rank", 2**-8), ("rank-sum", 1 / comb(16, 8)), ("kolmogorov-smirnov", 1 / comb(16, 8))],
)
def test_p_is_one_sided(test: str, smallest: float) -> None:
    """Eight against eight, all slower: one sign pattern of 2^8, one arrangement of C(16, 8); and Holm over two rows."""
    slow, fast = [10 * US + i * 1e-9 for i in range(8)], [5 * US + i * i * 1e-9 for i in range(8)]
    both = joined(gathers(slow, fast), measured_elsewhere(fast, slow))
    found, other = verify([GL3], both, Options(test=test))
    assert found.p_value == pytest.approx(smallest)
    assert found.p_adjusted == pytest.approx(2 * smallest)
    assert other.p_adjusted == pytest.approx(1)


def measured_elsewhere(left: list[float], right: list[float]) -> GuidelineMedians:
    """The same in another library."""
    place = Configuration("openmpi", "default", 4)
    return measured({"gather": [series(64, left)], "gather_as_allgather": [series(64, right)]}, place)


def test_pairs_are_of_the_same_launch() -> None:
    """A call always 5 % slower than its mock-up, in launches that differ by 100 %: pairs see it, unpaired ranks not."""
    launches = np.linspace(1, 2, 10) * 10 * US
    pair = gathers(list(1.05 * launches), list(launches))
    assert verify([GL3], pair, Options())[0].state is State.VIOLATED
    assert verify([GL3], pair, Options(test="rank-sum"))[0].state is State.HOLDS


def test_a_launch_that_one_side_lacks_is_dropped_for_this_pair() -> None:
    """Launch 3 has no median on the right, launch 5 NaN on the left: eight pairs of ten, each of one launch."""
    times = [(10 + i) * US for i in range(10)]
    left = series(64, [nan if i == 5 else time for i, time in enumerate(times)])
    right = SizeSeries(64, 64, 1, {i: time / 1.5 for i, time in enumerate(times) if i != 3})
    (found,) = verify([GL3], measured({"gather": [left], "gather_as_allgather": [right]}))
    assert found.n_launches == 8
    assert found.ratio == pytest.approx(1.5)
    assert found.p_value == pytest.approx(2**-8)


@pytest.mark.parametrize(
    ("times", "reason"),
    [([], "no pair of launches"), ([nan] * 10, "no pair of launches"), ([0.0] * 10, "time of 0"), ([-1.0] * 10, "-1")],
)
def test_a_side_without_valid_data_is_not_comparable(times: list[float], reason: str) -> None:
    """And does not count in the family."""
    empty = gathers(drawn(10 * US, 10, seed=1), times)
    (found,) = verify([GL3], empty)
    assert found.state is State.NOT_COMPARABLE
    assert reason in found.reason
    assert (found.p_value, found.ratio, found.loss_s) == (None, None, None)
    other = measured_elsewhere(drawn(10 * US, 10, seed=1), drawn(5 * US, 10, seed=2))
    _, alone = verify([GL3], joined(empty, other))
    assert alone.p_adjusted == alone.p_value


def test_too_few_launches_cannot_decide() -> None:
    """Four pairs can never pass 5 %, five can; 2^-5 x 2 cannot."""
    slow, fast = drawn(10 * US, 5, seed=1), drawn(5 * US, 5, seed=2)
    (four,) = verify([GL3], gathers(slow[:4], fast[:4]))
    assert four.state is State.CANNOT_DECIDE
    assert four.reason == "at least 5 launches decide one of 1 tests"
    assert verify([GL3], gathers(slow, fast))[0].state is State.VIOLATED
    both = joined(gathers(slow, fast), measured_elsewhere(slow, fast))
    two = verify([GL3], both)
    assert {one.state for one in two} == {State.CANNOT_DECIDE}
    assert two[0].reason == "at least 6 launches decide one of 2 tests"
    assert {one.state for one in verify([GL3], both, Options(adjust="none"))} == {State.VIOLATED}


def test_monotony_compares_adjacent_sizes() -> None:
    """8 B slower than 16 B, and nothing else: 4 against 16 is not asked."""
    times = {4: 5 * US, 8: 9 * US, 16: 6 * US, 32: 7 * US}
    found = verify([GL1], measured({"bcast": [series(n, drawn(t, 12, seed=n)) for n, t in times.items()]}))
    assert [(one.size_bytes, one.right_size_bytes, one.state) for one in found] == [
        (4, 8, State.HOLDS),
        (8, 16, State.VIOLATED),
        (16, 32, State.HOLDS),
    ]
    assert found[1].ratio == pytest.approx(1.5, rel=0.05)


def bcasts(launches: int = 20) -> GuidelineMedians:
    """At 4 KiB three calls of 1.5 KiB would take 6 us instead of 10."""
    times = {0: 1, 1024: 1.95, 1500: 2, 2048: 4, 4096: 10}
    return measured({"bcast": [series(n, drawn(t * US, launches, seed=n, spread=1e-4)) for n, t in times.items()]})


def test_split_predicts_the_largest_part_only() -> None:
    """m_j = 4096: 2 x 4 = 8 < 10, and 3 x 2 = 6 is better still, but 2048 is the larger part. 2048: 2 x 1.95 = 3.9 is
    not 5 % less than 4, and 2 x 2 = 4 is not less at all; the row shows the nearer of both.
    """
    found = verify([GL2], bcasts())
    assert [(one.size_bytes, one.right_size_bytes, one.times, one.state) for one in found] == [
        (1500, 1024, 2, State.HOLDS),
        (2048, 1024, 2, State.HOLDS),
        (4096, 2048, 2, State.PREDICTED),
    ]
    assert found[2].ratio == pytest.approx(10 / 8, rel=1e-3)
    assert found[2].loss_s == pytest.approx(2 * US, rel=1e-2)
    assert all(one.p_value is None and not one.confirmed for one in found)
    assert unconfirmed(found) == found[2:]


def test_split_tolerance_decides_what_is_marginal() -> None:
    """3.8 against 4 is 5.3 % less time: a gain of 1.0526, within 6 % and outside of 5 %."""
    times = {1024: 1.9, 2048: 4.0}
    marginal = measured({"bcast": [series(n, [t * US] * 20) for n, t in times.items()]})
    assert verify([GL2], marginal, Options(tolerance=0.06))[0].state is State.HOLDS
    assert verify([GL2], marginal, Options(tolerance=0.05))[0].state is State.PREDICTED


def test_split_counts_calls_by_what_is_really_moved() -> None:
    """16 blocks: 1,000 B are 16 x 63 = 1,008, so that two calls move the 2,016 B that three were needed for by size."""
    sizes = [series(1000, [US] * 20, moved=1008, step=16), series(2016, [3 * US] * 20, moved=2016, step=16)]
    (found,) = verify([GL2], measured({"bcast": sizes}))
    assert found.times == 2
    assert found.state is State.PREDICTED


def test_a_prediction_is_confirmed_or_refuted_by_calls_in_a_row() -> None:
    """Of their own launches: 20 pairs, all faster or all slower; the family is this one test."""
    split = repeated(Spec("bcast"), 2)
    whole = series(4096, drawn(10 * US, 20, seed=7))
    faster = measured({"bcast": [whole], split: [series(2048, drawn(8 * US, 20, seed=8))]})
    (*_, found) = verify([GL2], bcasts(), confirmations=[faster])
    assert (found.state, found.confirmed) == (State.VIOLATED, True)
    assert found.ratio == pytest.approx(10 / 8, rel=0.05)
    assert found.p_adjusted == found.p_value == pytest.approx(2**-20)
    slower = measured({"bcast": [whole], split: [series(2048, drawn(12 * US, 20, seed=8))]})
    (*_, found) = verify([GL2], bcasts(), confirmations=[slower])
    assert (found.state, found.confirmed) == (State.REFUTED, True)
    assert unconfirmed([found]) == ()


def test_a_confirmation_without_data_leaves_the_prediction() -> None:
    """It is still to be measured, and why is said."""
    lost = measured(
        {"bcast": [series(4096, drawn(10 * US, 20, seed=7))], repeated(Spec("bcast"), 2): [series(2048, [])]}
    )
    (*_, found) = verify([GL2], bcasts(), confirmations=[lost])
    assert (found.state, found.confirmed) == (State.PREDICTED, False)
    assert "no pair of launches" in found.reason
    again = measured(
        {"bcast": lost.sizes(HERE, Spec("bcast"), BASIC), repeated(Spec("bcast"), 2): [series(2048, [US] * 20)]}
    )
    (*_, found) = verify([GL2], bcasts(), confirmations=[lost, again, lost])
    assert (found.state, found.confirmed) == (State.VIOLATED, True)


def test_sizes_that_the_right_side_merged_are_found_where_they_are_moved() -> None:
    """Four blocks of 1 B stand for 1, 2 and 4 B: the left side's 3 B are held against the right side's 4 B, its 5 B
    against nothing.
    """
    left = [series(3, drawn(9 * US, 12, seed=1)), series(5, drawn(9 * US, 12, seed=1))]
    right = [series(4, drawn(5 * US, 12, seed=2), moved=4, step=4)]
    (found,) = verify([GL3], measured({"gather": left, "gather_as_allgather": right}))
    assert (found.size_bytes, found.right_size_bytes, found.state) == (3, 4, State.VIOLATED)


def test_nothing_measured_nothing_said() -> None:
    """Rules whose operations were not planned have no row."""
    assert verify([GL1, GL2, GL3], GuidelineMedians({})) == ()
    assert verify([GL3], bcasts()) == ()


def test_order_is_that_of_rules_places_and_sizes() -> None:
    """Rows of tests and rows of medians come back each in its place."""
    found = verify([GL2, GL1], bcasts())
    assert [one.rule.name for one in found] == ["GL2"] * 3 + ["GL1"] * 4
    assert {one.place for one in found} == {HERE}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"test": "welch"}, "test 'welch'.*signed-rank, rank-sum, kolmogorov-smirnov"),
        ({"adjust": "sidak"}, "adjust='sidak'"),
        ({"level": 1.0}, r"level=1\.0"),
        ({"tolerance": -0.1}, r"tolerance=-0\.1"),
        ({"tolerance": nan}, "tolerance=nan"),
    ],
)
def test_options_say_what_is_allowed(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_options(**wrong)  # type: ignore[arg-type]


def test_ratio_is_of_pairs() -> None:
    """Hodges-Lehmann of log ratios: of ratios 1, 2, 4 the middle of the six Walsh averages, (ln 2 + ln 2) / 2."""
    (found,) = verify([GL3], gathers([1 * US, 2 * US, 4 * US], [1 * US] * 3))
    assert found.ratio == pytest.approx(exp(log(2)))
    assert (found.ratio_low, found.ratio_high) == (None, None)


def test_a_loss_has_the_interval_of_its_differences() -> None:
    """Six pairs: the exact interval at 5 % goes from the smallest difference to the largest (2 of 2^6 below 5 %); its
    middle is the median of all means of two, 3.5 of 1 to 6. Five pairs have none.
    """
    fast = [5 * US + i * US for i in range(6)]
    (found,) = verify([GL3], gathers([time + (i + 1) * US for i, time in enumerate(fast)], fast), Options())
    assert [found.difference_low_s, found.loss_s, found.difference_high_s] == pytest.approx([1 * US, 3.5 * US, 6 * US])
    (few,) = verify([GL3], gathers([time + US for time in fast[:5]], fast[:5]), Options())
    assert (few.difference_low_s, few.difference_high_s) == (None, None)
    assert few.loss_s == pytest.approx(US)
    (unpaired,) = verify([GL3], gathers([9 * US] * 8, [7 * US] * 8), Options(test="rank-sum"))
    assert unpaired.difference_low_s == pytest.approx(2 * US)


NEAR_OR_FAR = LaunchModes({i: i % 2 for i in range(20)}, ("cores 27 ns apart", "cores 492 ns apart"))


def test_a_violation_in_one_mode_of_the_machine_is_one_and_says_in_which() -> None:
    """The call is slower than its mock-up when cores are far, and faster when they are near: all 20 launches together
    show nothing.
    """
    factors = [0.7 if i % 2 == 0 else 1.4 for i in range(20)]
    left, right = drawn(10 * US, 20, seed=1), drawn(10 * US, 20, seed=2)
    found = replace(gathers([time * own for time, own in zip(left, factors, strict=True)], right), modes=NEAR_OR_FAR)
    (one,) = verify([GL3], found)
    assert one.state is State.VIOLATED
    assert [(mode.mode, mode.name, mode.state, mode.n_launches) for mode in one.by_mode] == [
        (1, "cores 27 ns apart", State.HOLDS, 10),
        (2, "cores 492 ns apart", State.VIOLATED, 10),
    ]
    assert [mode.ratio for mode in one.by_mode] == pytest.approx([0.7, 1.4], rel=0.05)
    (said,) = mode_sentences([one])
    assert "holds with cores 27 ns apart (0.69" in said
    assert "violated with cores 492 ns apart (1.4" in said
    (regardless,) = verify([GL3], found, make_options(strata="off"))
    assert (regardless.state, regardless.by_mode) == (State.HOLDS, ())
    with pytest.raises(UsageError, match="--strata"):
        make_options(strata="mode")


@pytest.mark.parametrize("test", ["signed-rank", "rank-sum"])
def test_a_ratio_alike_in_all_modes_is_judged_once(test: str) -> None:
    """Both sides are three times as slow when cores are far; 10 % between them is found in both modes together."""
    slow = [3.0 if i % 2 else 1.0 for i in range(20)]
    left, right = drawn(11 * US, 20, seed=1), drawn(10 * US, 20, seed=2)
    sides = [[time * own for time, own in zip(times, slow, strict=True)] for times in (left, right)]
    (one,) = verify([GL3], replace(gathers(*sides), modes=NEAR_OR_FAR), Options(test=test))
    assert (one.state, one.by_mode) == (State.VIOLATED, ())
    assert one.ratio == pytest.approx(1.1, rel=0.02)
    (regardless,) = verify([GL3], gathers(*sides), Options(test=test))
    assert one.p_value is not None
    assert regardless.p_value is not None
    assert one.p_value < 1e-5
    assert (regardless.p_value > 1e-3) == (test == "rank-sum"), "between launches modes hide it"


def test_stars_mark_the_adjusted_p_value_of_what_is_violated() -> None:
    """Eight launches of which all are slower: p is 2^-8, three stars or two of one test, none of twenty by Holm's
    rule, where nothing is violated; `ictus compare` has the same meaning.
    """
    sizes = [8 * 2**power for power in range(20)]
    slow, fast = drawn(12 * US, 8, seed=1), drawn(10 * US, 8, seed=2)
    sides = {"gather": [series(size, fast if size > 8 else slow) for size in sizes]}
    other = {"gather_as_allgather": [series(size, fast) for size in sizes]}
    first, *_ = verify([GL3], measured({**sides, **other}), Options())
    (alone,) = verify(
        [GL3], measured({"gather": sides["gather"][:1], "gather_as_allgather": other["gather_as_allgather"][:1]})
    )
    assert (alone.p_value, alone.p_adjusted) == (2**-8, 2**-8)
    assert (alone.state, alone.stars) == (State.VIOLATED, "**")
    assert first.p_value == alone.p_value
    assert first.p_adjusted is not None
    assert first.p_adjusted > 0.05
    assert (first.state, first.stars) != (State.VIOLATED, "**")
    assert first.stars == ""
