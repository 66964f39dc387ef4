"""The time budget of advice: a check that does not fit into the rest is not begun, or ended after its first launches;
the command that continues has a budget with room for it.
"""

import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from tests.advice.made_up import ADVICE, CALL, FAST, PLACE, SLOW, advice, profile
from tests.tuning.test_tune_tables import tuned

from ictus.advice.budget import BudgetEnded, BudgetWatch, tuned_within
from ictus.advice.circle import advised
from ictus.advice.command import next_advice
from ictus.advice.outcome import CallState
from ictus.engine import event
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.verdict import State
from ictus.model.algorithm import Setting
from ictus.model.design import Slot
from ictus.model.spec import Spec
from ictus.programs.profile.tables import profile_sentence
from ictus.tuning.candidates import Candidate, Way
from ictus.tuning.outcome import Confirmation, Remedy, Result, Tuning

SLOT = Slot(slot=3, block=1, mpi="mpich", n=2, seed=1, cases=(0,))


def accepted(done: int, left_s: float | None) -> event.LaunchAccepted:
    """A launch of 20."""
    return event.LaunchAccepted(SLOT, Path("x"), 3.0, False, None, event.Progress(done, 20, left_s))


def test_a_check_ends_as_soon_as_two_launches_show_that_it_does_not_fit() -> None:
    """Of a minute 6 s are spent: 54 s are left, and 18 launches of 3.1 s take longer. The first launch may be slow."""
    seen: list[event.Event] = []
    watch = BudgetWatch(seen.append, lambda: 54.0)
    events = [event.LaunchStarted(SLOT, 1, event.Progress(0, 20, None)), accepted(1, 900.0), accepted(2, 53.9)]
    for one in events:
        watch(one)
    with pytest.raises(BudgetEnded) as ended:
        watch(accepted(2, 55.8))
    assert ended.value.left_s == 55.8
    assert seen == [*events, accepted(2, 55.8)]
    watch(accepted(20, 55.8))  # nothing is left to save


def test_the_next_command_has_a_budget_with_room_for_the_rest() -> None:
    """60 s are spent of 600, and 400 s are missing: checks may take half of 2 x 460 s, whole minutes."""
    late = replace(advice(CallState.HOLDS, CallState.NOT_REACHED), missing_s=400.0)
    words = shlex.split(next_advice(late, Path("out"), ("--mpi", "mpich", "-n", "4"), ("./a b", "-x")))
    assert words == shlex.split("ictus advise --mpi mpich -n 4 -o out --time-budget 16min -- './a b' -x")
    assert late.larger_budget_s == 920.0
    assert replace(late, missing_s=0.0).larger_budget_s == 1200.0


def test_without_anything_missing_the_profile_is_next() -> None:
    """It says what the program's time goes to."""
    unmended = replace(ADVICE, remedies=())
    assert unmended.larger_budget_s is None
    assert next_advice(unmended, Path("out"), (), ("./a",)) == "ictus profile show out/profile"


def test_a_remedy_that_makes_the_program_faster_is_next() -> None:
    """The line that launches the program with it, without the words before it."""
    gaining = advice(CallState.REMEDIED, run=(FAST, SLOW))
    (remedy,) = gaining.remedies
    line = "env A=1 mpiexec ./solver"
    gaining = replace(gaining, remedies=(replace(remedy, use=("rules: a file", f"{PLACE.text}: {line}")),))
    assert next_advice(gaining, Path("out"), (), ("./a",)) == line
    losing = advice(CallState.REMEDIED, run=(SLOW, FAST))
    assert next_advice(losing, Path("out"), (), ("./a",)) == "ictus profile show out/profile"


def tuning(ended: str, budget_s: float) -> Tuning:
    """That of one call, whose race ended so."""
    own = tuned("allreduce", CALL.size_bytes, ended)
    return Tuning("chk", "2026-01-01T00:00:00+00:00", "1.0", (own,), (), (), (), (), 60.0, budget_s, ())


@pytest.mark.parametrize(
    ("ended", "room_s", "budgets"),
    [
        ("budget", 270.0, [None]),
        ("no time", 270.001, [None]),
        ("budget", 900.0, [None, 900.0]),
        ("no time", 900.0, [None, 900.0]),
        ("decided", 900.0, [None]),
    ],
)
def test_a_larger_budget_goes_on_with_a_tuning_that_the_smaller_one_cut_short(
    ended: str, room_s: float, budgets: list[float | None]
) -> None:
    """Of 270 s. The same command again computes the same room; a race that was decided is not raced again."""
    given: list[float | None] = []

    def tune(budget_s: float | None) -> Tuning:
        given.append(budget_s)
        return tuning(ended, budget_s or 270.0)

    assert tuned_within(room_s, tune, has_begun=True).budget_s == (budgets[-1] or 270.0)
    assert given == budgets
    assert tuned_within(room_s, tune, has_begun=False).budget_s == room_s


@pytest.mark.parametrize(("ended", "state"), [("budget", CallState.NOT_REACHED), ("decided", CallState.NO_REMEDY)])
def test_a_call_whose_race_the_budget_ended_is_not_said_to_have_no_remedy(ended: str, state: CallState) -> None:
    """The next command then has a larger budget."""
    broken = SimpleNamespace(rule=SimpleNamespace(name="GL12"), state=State.VIOLATED, size_bytes=CALL.size_bytes)
    checked = cast("CheckResult", SimpleNamespace(verdicts=(broken,)))
    assert advised(CALL, checked, tuning(ended, 270.0)).state is state


@pytest.mark.parametrize(("settings", "state"), [({}, CallState.BY_HAND), ({"mpich": Setting()}, CallState.REMEDIED)])
def test_a_mockup_that_no_file_puts_in_force_is_for_the_programs_author(
    settings: dict[str, Setting], state: CallState
) -> None:
    """It was said that the budget had ended before the answer, after 2 of 25 minutes: there was nothing to launch."""
    broken = SimpleNamespace(rule=SimpleNamespace(name="GL12"), state=State.VIOLATED, size_bytes=CALL.size_bytes)
    checked = cast("CheckResult", SimpleNamespace(verdicts=(broken,)))
    plain = tuned("bcast", CALL.size_bytes, "decided")
    mockup = Candidate(Way.MOCKUP, "bcast_as_sends", Spec("bcast_as_sends"), CALL.size_bytes)
    seen = Confirmation(Remedy(plain.cell, mockup, ()), Result.CONFIRMED)
    found = replace(
        tuning("decided", 270.0), cells=(replace(plain, winner=mockup, confirmation=seen),), settings=settings
    )
    assert advised(CALL, checked, found).state is state


@pytest.mark.parametrize(("n", "said"), [(1, "800 calls of 1 process in"), (2, "800 calls of 2 processes together in")])
def test_a_profile_says_whose_calls_it_counts(n: int, said: str) -> None:
    """Two processes that call 400 times each."""
    assert profile_sentence(replace(profile({"calls": 800}), n_ranks=n)).startswith(said)
