"""Guidelines judged again with a remedy in force: which of them, at which sizes, and against what."""

from dataclasses import replace

import numpy as np
import pytest
from tests.tuning.confirming import BROKEN, CELL, OTHER, OWN, PLACE, RULE, fresh

from ictus.guidelines.judgement import Options
from ictus.guidelines.measured import MeasuredReroute, rerouted
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.spec import Spec
from ictus.tuning.candidates import Candidate, Way
from ictus.tuning.outcome import Remedy, remedied
from ictus.tuning.rechecking import judged_again

MONOTONY = replace(
    BROKEN, rule=Rule("GL1", Kind.MONOTONY, Source.PAPER, Spec("bcast"), Spec("bcast")), right_size_bytes=128
)  # fmt: skip
SPLIT = replace(
    BROKEN, rule=Rule("GL2", Kind.SPLIT, Source.PAPER, Spec("bcast"), Spec("bcast")), right_size_bytes=32, times=2
)  # fmt: skip


def even(time_s: float) -> dict[int, float]:
    """Launches that all take the same."""
    return dict.fromkeys(range(20), time_s)


def again(
    candidate: Candidate, broken: GuidelineVerdict, times: dict[tuple[Configuration, str, int], float]
) -> list[tuple[int, str]]:
    """Size of the other side and state, of each verdict on a call that the program's author makes."""
    other = Remedy(CELL, candidate, (broken,))
    found = judged_again(other, fresh({key: even(time) for key, time in times.items()}, other), Options())
    return [(one.right_size_bytes, one.state.value) for one in found]


def test_the_guideline_is_judged_at_the_call_s_own_size_and_without_adjustment() -> None:
    """Slower by a p of 0.02, which an adjustment over ten sizes would forgive; what other sizes break is not its
    fault.
    """
    after = remedied(PLACE)
    signs = [-1 if rank in (13, 16, 19) else 1 for rank in range(1, 21)]  # of 20 pairs
    times: dict[tuple[Configuration, str, int], dict[int, float]] = {}
    for size in (64, *range(101, 110)):
        right = 2e-6 if size == 64 else 9e-6 if size < 109 else 1e-6
        times[after, "bcast", size] = even(2e-6)
        times[after, RULE.right, size] = {
            i: right * (float(np.exp(-0.001 * (i + 1) * signs[i])) if size == 64 else 1.0) for i in range(20)
        }
    found = judged_again(Remedy(CELL, OWN, (BROKEN,)), fresh(times), Options())
    assert [(one.size_bytes, one.state) for one in found] == [(64, State.VIOLATED)]
    assert 0.005 < (found[0].p_adjusted or 0) < 0.05


@pytest.mark.parametrize(
    ("candidate", "broken", "found"),
    [
        (OTHER, BROKEN, []),
        (replace(OTHER, name="other", operation=Spec("other")), BROKEN, [(64, "violated")]),
        (OTHER, MONOTONY, [(128, "violated")]),
        (Candidate(Way.PADDING, "bcast of 128 B", Spec("bcast"), 128), MONOTONY, []),
        (Candidate(Way.PADDING, "bcast of 256 B", Spec("bcast"), 256), MONOTONY, [(128, "holds")]),
    ],
)
def test_only_what_a_guideline_names_is_not_compared_with_it(
    candidate: Candidate, broken: GuidelineVerdict, found: list[tuple[int, str]]
) -> None:
    """A mock-up that the guideline names, or the next size, would be compared with itself; another mock-up, or a larger
    size, has to keep it. The call's other sizes stay what they are.
    """
    times = {
        (PLACE, "bcast", 64): 3e-6,
        (PLACE, "bcast", 128): 1e-6,
        (PLACE, "bcast", 256): 0.5e-6,
        (PLACE, RULE.right, 64): 1.5e-6,
        (PLACE, "other", 64): 2e-6,
    }
    assert again(candidate, broken, times) == found


def test_the_other_call_stands_in_the_place_of_the_call() -> None:
    """3 us were slower than the next size, the mock-up's 0.5 us are not."""
    times = {(PLACE, "bcast", 64): 3e-6, (PLACE, "bcast", 128): 1e-6, (PLACE, OTHER.operation, 64): 0.5e-6}
    assert again(OTHER, MONOTONY, times) == [(128, "holds")]


def test_a_split_into_other_parts_is_asked_about_too() -> None:
    """Two calls of 32 B are no faster now, four of 16 B would be: that is no guideline kept."""
    after = remedied(PLACE)
    times = {(after, "bcast", 64): even(3e-6), (after, "bcast", 32): even(2.9e-6), (after, "bcast", 16): even(0.5e-6)}
    found = judged_again(Remedy(CELL, OWN, (SPLIT,)), fresh(times), Options())
    assert [(one.right_size_bytes, one.times, one.state) for one in found] == [(16, 4, State.PREDICTED)]


def test_only_the_call_that_is_rerouted_to_has_a_tolerance() -> None:
    """3 % slower than the mock-up that the guideline names, with the redirect library in front of that and without:
    what deciding costs, or an algorithm that is worse.
    """
    after = remedied(PLACE)
    times = {
        (after, "bcast", 64): even(2.06e-6),
        (after, RULE.right, 64): even(2e-6),
        (PLACE, RULE.right, 64): even(2e-6),
    }
    other = replace(OTHER, name="other", operation=Spec("other"))
    held, broken = [State.HOLDS] * 2, [State.VIOLATED] * 2
    for candidate, tolerance, states in ((OTHER, 0.05, held), (OTHER, 0, broken), (other, 0.05, broken)):
        remedy = Remedy(CELL, candidate, (BROKEN,))
        launches = fresh(times)
        lines = [MeasuredReroute("bcast", 64, 64, str(candidate.operation))]
        launches = replace(launches, measured=rerouted(launches.measured, {after: lines}))
        found = judged_again(remedy, launches, Options(tolerance=tolerance))
        assert [one.state for one in found] == states
        assert [one.ratio for one in found] == [pytest.approx(1.03)] * 2
    (own,) = judged_again(Remedy(CELL, OWN, (BROKEN,)), fresh(times), Options())
    assert own.state is State.VIOLATED
