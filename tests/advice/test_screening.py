"""Settings of the library that are tried in the program: which, in which order, what their launches say."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.advice.made_up import ADVICE, CALL, PLACE, advice, profile
from tests.advice.test_calls import found

from ictus.advice.calls import MESSAGES, CallPlace, CostlyCalls
from ictus.advice.command import next_advice
from ictus.advice.library_settings import collective_place, message_place, message_settings, silent
from ictus.advice.outcome import CallState, evidence_sentence, headline, sentences
from ictus.advice.page import advice_page
from ictus.advice.proving import ProgramLaunches, TriedSettings
from ictus.advice.request import AdviseRecord
from ictus.advice.screening import (
    ROUNDS,
    WORTH,
    LibrarySetting,
    ScreenedLaunch,
    Screening,
    TriedSetting,
    best_of,
    chosen,
    draw_rounds,
    tried_setting,
)
from ictus.advice.trial import AdvisedProgram, inside
from ictus.advice.tried import tried_row
from ictus.model.algorithm import Algorithm, Setting
from ictus.model.library import Installation
from ictus.mpi.flavours import flavour
from ictus.programs.request import ProgramRequest

MANY = tuple(LibrarySetting(name, Setting({"A": name})) for name in ("one", "two/2", "three"))
MESSAGE = CallPlace(MESSAGES, 4, "", "")


def test_each_round_has_each_setting_and_the_program_as_it_is_once() -> None:
    """In an order of its own: whoever always came first would have the cold caches. Names of folders are plain."""
    drawn = draw_rounds(MANY, 5)
    rounds = [[one.tried for one in drawn if one.round == number] for number in range(ROUNDS)]
    assert all(sorted(map(str, own)) == sorted(map(str, (None, *MANY))) for own in rounds)
    assert len({tuple(map(str, own)) for own in rounds}) > 1
    assert [one.slot for one in drawn] == list(range(ROUNDS * 4))
    assert {one.folder_name[5:] for one in drawn} == {"as-it-is", "one", "two_2", "three"}
    assert draw_rounds(MANY, 5) == drawn


def launched(setting: str, *times: float | None) -> list[ScreenedLaunch]:
    """A launch of each round."""
    return [
        ScreenedLaunch(round=number, setting=setting, run_s=run_s, reason="" if run_s else "it failed")
        for number, run_s in enumerate(times)
    ]


def test_a_setting_is_compared_with_the_launch_of_its_round() -> None:
    """A machine that grows slower from round to round is on both sides: 2/2, 2/4, 4/8 have the median 0.5."""
    launches = [*launched("", 2.0, 4.0, 8.0), *launched("fast", 2.0, 2.0, 4.0), *launched("bad", 1.0, None, 1.0)]
    fast = tried_setting(PLACE, "fast", launches)
    assert (fast.ratio, fast.reason, fast.is_worth_a_proof) == (0.5, "", True)
    bad = tried_setting(PLACE, "bad", launches)
    assert (bad.ratio, bad.reason, bad.is_worth_a_proof) == (None, "it failed", False)


def test_the_fastest_goes_on_where_its_gain_can_be_proven() -> None:
    """A ratio just below 1 is noise."""
    own = [TriedSetting(PLACE, name, ratio) for name, ratio in (("a", 0.9), ("b", 0.7), ("c", WORTH), ("d", None))]
    assert best_of(own) == own[1]
    assert best_of(own[2:]) is None


def test_what_was_begun_is_continued_whatever_the_budget_is_now(tmp_path: Path) -> None:
    """The first that there is room for; later the same."""
    assert chosen(MANY, tmp_path, 2) == MANY[:2]
    assert chosen(MANY, tmp_path, -1) == ()
    (tmp_path / Screening.FILE).write_text('{"format": 1, "settings": ["one", "three"]}')
    assert chosen(MANY, tmp_path, 0) == (MANY[0], MANY[2])


def test_limits_of_messages_are_tried_around_those_of_the_program_and_without_its_variable() -> None:
    """Four and sixteen times what it has; the user's own variable removed. None where the library shows none."""
    name = "OMPI_MCA_btl_sm_eager_limit"
    found_settings = message_settings("openmpi", {"btl_sm_eager_limit": "256"}, {name: "256", "B": "1"})
    assert [dict(one.setting.environment) for one in found_settings] == [
        {name: "unset"}, {name: "1024"}, {name: "4096"},
    ]  # fmt: skip
    assert found_settings[0].name == f"without {name}"
    assert found_settings[1].setting.expected == {"btl_sm_eager_limit": "1024"}
    cell, read = "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE", "MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD"
    both = message_settings("mpich", {cell: "8192", read: "-1"}, {})
    assert [one.name for one in both] == [f"{cell}=32768", f"{cell}=131072"]
    assert message_settings("openmpi", {}, {name: "256"}) == message_settings("simgrid", {}, {}) == ()


def test_a_program_is_not_made_to_print_what_its_library_does() -> None:
    """Algorithms of MPICH are forced together with a line for each call that gets another one: not in a program."""
    forced = flavour("mpich").use({"allreduce": Algorithm("ring", 3)})
    own = silent("mpich", forced)
    assert forced.environment.keys() - own.environment.keys() == {"MPIR_CVAR_COLLECTIVE_FALLBACK", "ICTUS_MARK_CALLS"}
    assert own.environment["MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"] == "ring"
    assert own.expected == forced.expected
    assert "I_MPI_DEBUG" not in silent("intelmpi", flavour("intelmpi").use({"bcast": Algorithm("3", 3)})).environment
    assert silent("none", forced) == forced


def test_settings_are_tried_where_a_twentieth_of_the_time_could_be_gained() -> None:
    """Messages with the waits that end them; a wait alone may end anything. The dearest collective without a remedy."""
    sendrecv, wait = {"operation": "Sendrecv", "share": 0.03}, {"operation": "Waitall", "share": 0.03, "n_ranks": 0}
    assert found(sendrecv, wait).messages_share == pytest.approx(0.06)
    assert found(wait, {"operation": "Wait of Iallreduce"}).messages_share == 0
    assert message_place(found(sendrecv, wait), 4) == MESSAGE
    assert message_place(found(sendrecv), 4) is None
    assert message_place(found(sendrecv, wait, least=0.07), 4) is None
    costly = found({"share": 0.3}, {"operation": "Bcast", "share": 0.2}, {"operation": "Iallreduce", "share": 0.4})
    allreduce, bcast = (next(one for one in costly.places if one.operation == name) for name in ("allreduce", "bcast"))
    assert collective_place(costly, costly.places) == allreduce
    assert collective_place(costly, [bcast]) == bcast
    assert collective_place(found({"share": 0.04}), costly.places) is None


def test_the_time_inside_messages_is_that_of_all_of_them() -> None:
    """Whatever their communicator is; of four processes."""
    rows = profile({"operation": "Sendrecv", "time_s": 2.0}, {"operation": "Wait", "time_s": 1.0, "n_ranks": 0}, {})
    assert inside(rows, MESSAGE) == pytest.approx(3.0 / 4)
    assert inside(rows, PLACE) == pytest.approx(1.0 / 4)


TRIED = (TriedSetting(MESSAGE, "limit=4", 0.99), TriedSetting(MESSAGE, "limit=16", None, "it failed"))


def test_that_settings_were_tried_in_vain_is_part_of_nothing_to_gain() -> None:
    """Where no call could be checked too: it said that no call could be improved."""
    nothing = "of 2 settings of the library none makes the program 5% faster."
    held = replace(advice(CallState.HOLDS), tried=TRIED)
    assert headline(held).endswith(f"the calls that matter keep every guideline that was checked, and {nothing}")
    alone = replace(advice(), tried=TRIED)
    assert headline(alone) == f"Nothing to gain: 70.0% of the time is in MPI calls, and {nothing}"
    assert "in turns, with settings of the library and as it is" in evidence_sentence(alone)
    (said,) = (one for one in sentences(alone) if one.startswith("Settings"))
    assert said == (
        "Settings of the library tried in the program for messages, 4 processes: 2; 1 failed, or were not in force; "
        "the fastest, limit=4: run time 0.990 of what it was."
    )
    assert tried_row(TRIED[1])["reason"] == "it failed"
    assert said[:40] in advice_page(alone, "ictus advise")


def test_a_setting_that_went_on_is_not_proven_by_its_tries() -> None:
    """The ratio of the tries is no proof."""
    found_advice = replace(ADVICE, tried=(TriedSetting(MESSAGE, "limit=4", 0.5),))
    assert any(
        "run time 0.500 of what it was, which these launches do not prove" in one for one in sentences(found_advice)
    )
    assert headline(found_advice) == headline(ADVICE)


def test_where_no_time_was_left_to_try_a_setting_the_answer_is_open() -> None:
    """It was said that there was nothing to gain; the next command has the larger budget."""
    late = replace(advice(CallState.HOLDS), settings_budget_s=700.0)
    assert headline(late).startswith("No gain is proven yet: 70.0%")
    proof = replace(advice(CallState.HOLDS), proof_budget_s=700.0, tried=(TriedSetting(MESSAGE, "limit=4", 0.5),))
    assert headline(proof).startswith("No gain is proven yet: 70.0%")
    contradicted = replace(proof, proof_budget_s=None)
    assert headline(contradicted).endswith("and a setting that was faster is not in force in pairs.")
    assert next_advice(late, Path("a"), [], ["./b"]) == "ictus advise -o a --time-budget 12min -- ./b"


def test_costly_calls_without_messages_have_none() -> None:
    """The default of a made-up profile."""
    assert CostlyCalls((CALL,), (), 0.5, 0.01).messages_share == 0


def test_the_settings_that_there_is_time_to_prove_are_proven_the_fastest_first(tmp_path: Path) -> None:
    """Of 100 s launches may take half: of a program of 2.5 s 9 pairs of one remedy; 4 of each of two are too few."""
    record = AdviseRecord(created="", program=("a",), library="mine", n=4, seed=1, budget_s=100.0)
    installation = Installation("mine", "openmpi", "5.0", Path("/mpi/bin/mpicxx"), Path("/mpi/bin/mpiexec"))
    program = AdvisedProgram(tmp_path, ProgramRequest(("a",), None, 4, {}, True, "mpiexec"), installation, tmp_path)
    tried = TriedSettings((), {MESSAGE: MANY[0], PLACE: MANY[1]}, (), None)
    launches = ProgramLaunches(tmp_path, record, program, profile({}), lambda: 0.0, lambda _: None)
    assert (tried.named(MESSAGE), tried.named(CallPlace("bcast", 4, "byte", ""))) == (
        ("messages, 4 processes: one",),
        (),
    )
    taken, late = launches.with_tried({}, tried)
    assert (taken, len(late)) == ({MESSAGE: MANY[0].setting}, 1)
    assert "no time to prove two/2 for allreduce of double by sum, 4 processes" in late[0]
    record = record.model_copy(update={"budget_s": 200.0})
    taken, late = replace(launches, record=record).with_tried({}, tried)
    assert (list(taken), late) == ([MESSAGE, PLACE], ())
