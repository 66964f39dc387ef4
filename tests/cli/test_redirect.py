"""`ictus redirect` and `ictus exec --redirect`: what is refused before anything is built, and profiles converted."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.command_line import Ictus
from tests.programs.test_pgmpi import GIVEN

from ictus.launch.process import PassedStreams
from ictus.model.errors import MeasurementError
from ictus.model.job import Outcome
from ictus.model.library import Installation
from ictus.programs.redirect import command as compare, gain
from ictus.programs.redirect.gain import printed_time
from ictus.programs.redirect.launch import RedirectedProgram
from ictus.programs.redirect.profile import parse_profile
from ictus.programs.request import ProgramRequest
from ictus.store.redirect import RedirectReport

if TYPE_CHECKING:
    from collections.abc import Callable

PROFILE = "ictus-redirect 1\ngather 2 1 4096 gather_as_allgather\nreduce_scatter 2 1 8 reduce_scatter_as_allreduce\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("exec", "--redirect", "none.txt", "--", "/bin/true"), "profile 'none.txt' cannot be read: No such file"),
        (("exec", "--redirect", "bad.txt", "--", "/bin/true"), "bad.txt, line 2: unknown operation 'gathre'"),
        (("exec", "--redirect", "good.txt", "--log", "x", "--", "/bin/true"), "--redirect leaves barriers alone"),
        (("exec", "--redirect", "good.txt", "--procsync", "none", "--", "/bin/true"), "without --procsync and --log"),
        (("exec", "--redirect", "good.txt", "--", "./nothing"), "program './nothing' does not exist"),
        (("exec", "--redirect", "bad.prf", "--", "/bin/true"), "bad.prf, line 5: the number of processes '0' is not"),
        (("exec", "--redirect", "empty", "--", "/bin/true"), "there is no *.prf in 'empty'"),
        (("exec", "--redirect", "theirs", "--", "./nothing"), "program './nothing' does not exist"),
        (("redirect", "compare", "--", "/bin/true"), "a profile and a program; for example: ictus redirect compare"),
        (("redirect", "compare", "--redirect", "good.txt"), "a profile and a program"),
        (("redirect", "convert", "none.txt", "out"), "profile 'none.txt' cannot be read"),
        (("redirect", "convert", "good.txt", "bad.txt"), "'bad.txt' exists: choose another name"),
        (("redirect", "convert", "empty", "out"), "there is no *.prf in 'empty'"),
    ],
)
def test_what_cannot_be_is_refused_by_its_option(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Exit code 2 and one line, before a library is looked for, built or launched."""
    Path("good.txt").write_text(PROFILE)
    Path("bad.txt").write_text(PROFILE.replace("gather ", "gathre ", 1))
    Path("bad.prf").write_text(GIVEN.replace("4 # processes", "0"))
    Path("empty").mkdir()
    Path("theirs").mkdir()
    Path("theirs/allgather.prf").write_text(GIVEN)
    answer = ictus(*words)
    assert answer.code == 2
    assert said in answer.err


def test_a_profile_goes_to_pgmpitunelib_and_back(ictus: Ictus) -> None:
    """A folder of files a number of processes; what has no counterpart is said; the rest comes back in whole blocks."""
    Path("ours.txt").write_text(PROFILE)
    answer = ictus("redirect", "convert", "ours.txt", "theirs")
    assert answer.code == 0, answer.err
    assert "PGMPITuneLib has no reduce_scatter_as_allreduce" in answer.err
    assert [str(file) for file in Path("theirs").rglob("*.prf")] == ["theirs/2/gather.prf"]
    assert Path("theirs/2/gather.prf").read_text().splitlines()[1:] == ["MPI_Gather", "2", "1", *_range_of_gather()]
    assert ictus("redirect", "convert", "theirs/2", "back.txt").code == 0
    (back,) = parse_profile(Path("back.txt").read_text()).reroutes
    assert (back.operation, back.n, back.from_bytes, back.to_bytes) == ("gather", 2, 2, 4096)


def _range_of_gather() -> list[str]:
    """1 to 4096 bytes of two blocks are blocks of 1 to 2048 bytes."""
    return ["1 gather_as_allgather", "1", "1 2048 1"]


def test_a_profile_of_pgmpitunelib_is_read(ictus: Ictus) -> None:
    """A single file, told by its first line."""
    Path("p.prf").write_text(GIVEN)
    assert ictus("redirect", "convert", "p.prf", "ours.txt").code == 0
    assert len(parse_profile(Path("ours.txt").read_text()).reroutes) == 4


def test_the_program_says_its_time() -> None:
    """The last number behind the text; none, or no time, ends the comparison."""
    output = "step_s = 0.1\nloop_s = 0.25\nloop_s: 1.5e-3 s\n"
    assert printed_time(output, "loop_s") == 1.5e-3
    for bad, text in ((output, "total"), ("loop_s = -1", "loop_s"), ("loop_s = nan", "loop_s"), ("t = ..", "t")):
        with pytest.raises(MeasurementError):
            printed_time(bad, text)


def launches(seconds: "Callable[[bool], float]") -> "Callable[..., object]":
    """In the place of launches: a program that says these seconds, rerouted or not."""
    asked: list[bool] = []

    def launch(ready: RedirectedProgram, passed: PassedStreams, *, reroutes: bool = True) -> object:
        asked.append(reroutes)
        assert passed.output is not None
        with open(passed.output, "w", closefd=False) as said:
            said.write(f"loop_s = {seconds(reroutes) * (1 + 0.01 * (len(asked) % 7))}\n")
        outcome = Outcome(("x",), {}, 0, 9.0)
        return outcome, _report() if reroutes else None, ()

    return launch


def _report() -> RedirectReport:
    return RedirectReport(
        state="finalised", profile="faster.txt", measured_on="", library_version="MPI", n_ranks=2, limit_bytes=64,
        scratch_bytes=8, calls=50, rerouted=40, operations=(), reroutes=(), warnings=(),
    )  # fmt: skip


def test_of_a_program_without_a_seen_call_no_number_of_calls_is_told() -> None:
    """It called MPI_Init, and may call what cannot be rerouted."""
    unseen = _report().model_copy(update={"calls": 0, "rerouted": 0})
    assert list(unseen.lines()) == [
        "Nothing is known of the program's calls: it called none of the functions that can be rerouted."
    ]


@pytest.mark.parametrize(("faster", "verdict"), [(0.5, "faster"), (2.0, "slower")])
def test_the_gain_comes_out_as_it_was_put_in(
    ictus: Ictus, monkeypatch: pytest.MonkeyPatch, faster: float, verdict: str
) -> None:
    """A program that takes half as long, or twice, when its calls are rerouted; every launch is kept as it is over."""
    Path("p.txt").write_text(PROFILE)
    found = Installation("mpich", "mpich", "5.0", Path("/mpicc"), Path("/mpiexec"))
    request = ProgramRequest(("/bin/true",), None, 2, {}, True, "mpiexec")
    ready = RedirectedProgram(Path("/bin/true"), request, Path("p.txt"), found, Path("/lib.so"))
    monkeypatch.setattr(compare, "prepare_redirect", lambda *_words, **_more: ready)
    monkeypatch.setattr(gain, "launch_redirected", launches(lambda reroutes: faster if reroutes else 1.0))
    words = ("--redirect", "p.txt", "--launches", "12", "--time", "loop_s", "--seed", "3", "-o", "kept.csv")
    answer = ictus("redirect", "compare", *words, "--", "/bin/true")
    assert answer.code == 0, answer.err
    assert "Rerouted 40 of 50 calls" in answer.out
    assert verdict in answer.out
    kept = Path("kept.csv").read_text().splitlines()
    assert kept[0] == "pair,rerouted,time_s,calls_rerouted"
    assert len(kept) == 1 + 2 * 12
    firsts = [line.split(",")[1] for line in kept[1::2]]
    assert {"True", "False"} == set(firsts), "in an order that is drawn"
    again = ictus("redirect", "compare", *words, "--", "/bin/true")
    assert again.code == 2
    assert "kept.csv' exists" in again.err
