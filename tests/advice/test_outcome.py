"""What is said of each end of the circle, and the proof in the program from made-up launches."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.advice.made_up import ADVICE, CALL, FAST, PLACE, SLOW, advice, launches
from tests.page_text import read_aloud

from ictus.advice.calls import CallAside, CostlyCalls
from ictus.advice.command import next_advice
from ictus.advice.outcome import (
    AdvisedCall,
    CallState,
    aside_sentence,
    call_row,
    evidence_sentence,
    headline,
    sentences,
    to_do,
)
from ictus.advice.page import advice_page
from ictus.advice.proof import launch_line, proven
from ictus.advice.tables import advice_table
from ictus.advice.trial import AdvisedProgram, contradiction_in, is_counted
from ictus.model import redirect_variables
from ictus.model.algorithm import Setting
from ictus.model.library import Installation
from ictus.programs.launch_pairs import draw_pairs
from ictus.programs.profile.analysis import AwaitedRank
from ictus.programs.request import ProgramRequest
from ictus.render.terminal import lines
from ictus.stats.verdict import VerdictKind

CHECKED = {
    (CallState.HOLDS,): "Nothing to gain: 70.0% of the time is in MPI calls, and the calls that matter keep every",
    (CallState.HOLDS, CallState.NO_REMEDY): "No remedy was found: 70.0%",
    (CallState.HOLDS, CallState.BY_HAND): "Only the program's author can improve it: 70.0%",
    (CallState.HOLDS, CallState.UNDECIDED): "No gain is found: 70.0%",
    (CallState.HOLDS, CallState.NOT_REACHED): "No gain is proven yet: 70.0%",
    (CallState.REMEDIED,): "No gain is proven yet: 70.0%",
    (CallState.HOLDS, CallState.NOT_IN_FORCE): "No gain is proven: 70.0%",
    (): "Nothing to gain: 70.0% of the time is in MPI calls, and no call that can be improved takes 1% or more of it.",
}


@pytest.mark.parametrize("states", CHECKED, ids=str)
def test_each_end_without_a_proof_has_its_sentence(states: tuple[CallState, ...]) -> None:
    """That there is nothing to gain is said only where every guideline that matters was decided and holds."""
    assert headline(advice(*states)).startswith(CHECKED[states])
    assert to_do(advice(*states)) == ()


def test_the_sentence_names_the_share_of_mpi_that_of_waiting_and_for_whom() -> None:
    """Whatever the answer is, where it is known; of several late ranks the worst, with its part."""
    costly = CostlyCalls((), (), mpi_share=0.52, least=0.01, waiting_share=0.51, most_awaited=AwaitedRank(3, 0.5))
    mpi = "52.0% of the time is in MPI calls, 51.0% waiting for rank 3"
    assert headline(replace(advice(), costly=costly)) == (
        f"Nothing to gain: {mpi}, and no call that can be improved takes 1% or more of it besides waiting."
    )
    held = replace(advice(CallState.HOLDS), costly=replace(costly, calls=(CALL,)))
    assert headline(held) == f"Nothing to gain: {mpi}, and the calls that matter keep every guideline that was checked."
    assert headline(replace(ADVICE, costly=costly)).endswith(f". {mpi}.")
    several = replace(costly, most_awaited=AwaitedRank(3, 0.3))
    assert "51.0% waiting for late processes, most for rank 3 (30.0%), and" in headline(replace(held, costly=several))
    unknown = replace(costly, waiting_share=None, most_awaited=None)
    assert headline(replace(held, costly=unknown)).startswith("Nothing to gain: 52.0% of the time is in MPI calls, and")


def test_the_page_speaks_of_pairs_only_where_there_were_some() -> None:
    """It said that the program was launched with a remedy where none was found."""
    pairs = "launched in pairs, once with the remedy"
    assert pairs in advice_page(ADVICE, "")
    for states in CHECKED:
        assert pairs not in advice_page(advice(*states), "")


def test_what_is_left_aside_says_how_much_of_it_is_waiting() -> None:
    """That no remedy could gain."""
    assert aside_sentence(CallAside("Gatherv", 0.35, "a reason", 0.3)) == (
        "Gatherv, 35.0% of the time, 30.0% waiting: a reason"
    )


def test_where_no_call_was_counted_nothing_is_known() -> None:
    """That is no program without a gain: it may call MPI by other functions."""
    found = advice(mpi_share=None)
    assert headline(found) == (
        "Nothing is known of the program's calls: it called MPI_Init and none of the functions that are counted."
    )
    assert "no time passed" in headline(replace(found, elapsed_s=0.0))


def test_advice_says_what_it_rests_on() -> None:
    """Pairs of launches prove a gain, checks that there is none; a kept profile only chooses the calls."""
    profile = " The profile of 2026-01-01 says which calls matter, and not how fast they are now."
    pairs = "Evidence: side by side, launches of the program in pairs, with a remedy and as it is."
    assert evidence_sentence(ADVICE) == pairs + profile
    checks = "Evidence: side by side, checks of its calls, both sides in the same launches."
    assert evidence_sentence(advice(CallState.HOLDS)) == checks + profile
    assert evidence_sentence(advice()) == "Evidence: no call was checked." + profile
    assert "launches of the program in pairs, with a remedy and as it is" in advice_page(ADVICE, "ictus advise")


def test_a_program_that_runs_faster_is_told_with_its_interval() -> None:
    """Twice as fast in 8 pairs: the ratio is that of the medians to three digits, its interval around it."""
    (one,) = ADVICE.remedies
    assert one.gains
    assert one.run.ratio == pytest.approx(0.5, abs=0.02)
    assert one.run.ratio_low is not None
    assert one.run.ratio_high is not None
    assert one.run.ratio_low < 0.5 < one.run.ratio_high
    assert headline(ADVICE).startswith(f"The program runs faster: run time {one.run.ratio:.3f} of what it was (95 %: ")
    assert to_do(ADVICE) == ("env A=1 mpiexec ./solver",)


def test_a_remedy_without_a_gain_in_the_program_is_not_advised() -> None:
    """The same run times on both sides, in another order: the calls are faster, the program is not."""
    found = advice(CallState.REMEDIED, run=(SLOW, SLOW[::-1]))
    assert not found.remedies[0].gains
    assert headline(found).startswith("No gain is proven: confirmed remedies tried in the program: 1; the time inside")
    assert to_do(found) == ()


def test_without_counted_calls_the_run_time_stands_alone() -> None:
    """A redirect profile takes calls before they could be counted."""
    run, calls = proven({PLACE: launches(FAST, SLOW, calls=None)})[PLACE]
    assert run.verdict.kind is VerdictKind.FASTER
    assert calls is None


def test_calls_are_counted_where_no_redirect_profile_takes_them() -> None:
    """And the line that launches the program says how: by variables and words of the launcher, or through exec."""
    installation = Installation("mine", "openmpi", "5.0", Path("/mpi/bin/mpicxx"), Path("/mpi/bin/mpiexec"))
    file = Path("/home/solver")
    own = AdvisedProgram(
        file, ProgramRequest(("solver", "a b"), None, 4, {"B": "2"}, True, "mpiexec"), installation, file
    )
    forced, redirected = (
        Setting({"A": "1"}, ("--word",)),
        Setting({redirect_variables.PROFILE: "/p", "LD_PRELOAD": "/r.so"}),
    )
    assert is_counted(forced)
    assert not is_counted(redirected)
    assert launch_line(forced, own) == "env B=2 A=1 mpiexec --word -n 4 /home/solver 'a b'"
    line = "ictus exec --redirect /p -m mine -n 4 --env B=2 -- /home/solver 'a b'"
    assert launch_line(redirected, own) == line


def test_remedies_are_judged_together() -> None:
    """Two remedies of 8 pairs: each p-value is adjusted for both."""
    other = type(PLACE)("bcast", 4, "byte", "")
    alone = proven({PLACE: launches(FAST, SLOW)})[PLACE][0]
    both = proven({PLACE: launches(FAST, SLOW), other: launches(SLOW, SLOW[::-1])})
    assert alone.p_value == alone.p_adjusted == both[PLACE][0].p_value
    assert both[PLACE][0].p_adjusted == pytest.approx(2 * (alone.p_value or 1.0))
    assert proven({}) == {}


def test_pairs_are_compared_by_their_number_however_they_were_launched() -> None:
    """The signed ranks are of differences within pairs: shuffled launches give the same."""
    own = launches(FAST, SLOW)
    assert proven({PLACE: own})[PLACE][0] == proven({PLACE: own[::-1]})[PLACE][0]


def test_a_warm_up_and_pairs_in_drawn_order_of_which_fewer_are_the_first() -> None:
    """Each pair has both sides; more pairs of one seed continue fewer; both orders come."""
    slots = draw_pairs(20, 7)
    assert [one.slot for one in slots] == list(range(42))
    assert {one.pair for one in slots} == set(range(-1, 20))
    assert all({a.remedied, b.remedied} == {True, False} for a, b in zip(slots[::2], slots[1::2], strict=True))
    assert {one.remedied for one in slots[::2]} == {True, False}
    assert draw_pairs(6, 7) == slots[:14]


def test_the_page_has_advice_proof_calls_and_what_was_left_aside() -> None:
    """And says in its first sentence what the terminal says."""
    page = read_aloud(advice_page(ADVICE, "ictus advise -- ./solver"))
    for text in (
        headline(ADVICE),
        "env A=1 mpiexec ./solver",
        "sendrecv, 8.0% of the time: it is not a collective",
        *sentences(ADVICE),
    ):
        assert text in page
    assert "What to do" not in advice_page(advice(CallState.HOLDS), "")


def test_calls_of_one_size_are_told_apart_in_any_width() -> None:
    """By the datatype alone, where that is all that differs: the other columns give way first."""
    place = replace(PLACE, datatype="long")
    both = [AdvisedCall(one, CallState.HOLDS) for one in (CALL, replace(CALL, place=place))]
    shown = [str(line) for line in lines(advice_table([call_row(one) for one in both]), 80)]
    assert ("datatype" in shown[1], "operator" in shown[1]) == (True, False)
    assert ["double" in line for line in shown[2:4]] == [True, False]
    assert ["long" in line for line in shown[2:4]] == [False, True]
    alone = [str(line) for line in lines(advice_table([call_row(both[0])]), 80)]
    assert "datatype" not in alone[1]


def test_a_variable_that_is_removed_is_removed_in_the_line_that_launches() -> None:
    """From the shell by `env -u`; one that only --env gave is not given."""
    installation = Installation("mine", "openmpi", "5.0", Path("/mpi/bin/mpicxx"), Path("/mpi/bin/mpiexec"))
    file = Path("/home/solver")
    own = AdvisedProgram(
        file, ProgramRequest(("solver",), None, 4, {"B": "2", "C": "3"}, True, "mpiexec"), installation, file
    )
    line = launch_line(Setting({"A": "unset", "B": "unset"}), own)
    assert line == "env -u A C=3 mpiexec -n 4 /home/solver"


def test_a_plugin_is_named_where_its_profile_is_used() -> None:
    """As an option of `ictus exec`, which looks at its content; a profile alone runs no program."""
    installation = Installation("mine", "openmpi", "5.0", Path("/mpi/bin/mpicxx"), Path("/mpi/bin/mpiexec"))
    request = ProgramRequest(("solver",), None, 4, {}, True, "mpiexec")
    own = AdvisedProgram(Path("/home/solver"), request, installation, Path("/counter"))
    setting = Setting({redirect_variables.PROFILE: "p", redirect_variables.PLUGINS: "/a.so:/b.so", "LD_PRELOAD": "/r"})
    line = launch_line(setting, own)
    assert line == "ictus exec --redirect p --plugin /a.so --plugin /b.so -m mine -n 4 -- /home/solver"


def test_the_programs_own_launches_may_contradict_a_remedy(tmp_path: Path) -> None:
    """A control variable that is not as the remedy makes it, or no rerouted call; else nothing speaks against it."""
    setting = Setting({"A": "unset"}, expected={"a": "0"})
    assert "there is no cvars.json" in contradiction_in(tmp_path, setting, 0)
    (tmp_path / "cvars.json").write_text('{"format": 1, "cvars": {"a": "7"}}')
    assert contradiction_in(tmp_path, setting, 0) == "control variable a was '7' where '0' was asked for"
    (tmp_path / "cvars.json").write_text('{"format": 1, "cvars": {"a": "0"}}')
    assert not contradiction_in(tmp_path, setting, 0)
    rerouting = Setting({redirect_variables.PROFILE: "p"})
    assert contradiction_in(tmp_path, rerouting, 0) == "no call of the program was rerouted"
    assert not contradiction_in(tmp_path, rerouting, 3)


def test_a_remedy_that_no_time_was_left_to_try_needs_a_larger_budget() -> None:
    """The next command has it; it went on to the profile, which says nothing new."""
    found = replace(advice(CallState.REMEDIED), proof_budget_s=1680.0)
    assert next_advice(found, Path("a"), ["-m", "mpich"], ["./solver"]) == (
        "ictus advise -m mpich -o a --time-budget 28min -- ./solver"
    )
    assert next_advice(replace(found, proof_budget_s=None), Path("a"), [], []) == "ictus profile show a/profile"
