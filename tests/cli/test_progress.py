"""What is seen while a campaign runs: drawn between launches, plain off a terminal, honest about the time left."""

import io
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from ictus.engine import event
from ictus.model.case import expand
from ictus.model.design import Slot
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.render.progress import Display
from ictus.render.progress_line import LineState, left_text, line_text

SLOT = Slot(slot=3, block=1, mpi="mpich", n=2, seed=1, cases=(0,))


def shown(*events: event.Event, terminal: bool, width: int = 110) -> str:
    """What a display writes for these events."""
    written = io.StringIO()
    display = Display(
        Console(file=written, force_terminal=terminal, width=width, color_system=None, legacy_windows=False)
    )
    with display:
        for one in events:
            display(one)
    return written.getvalue()


def test_off_a_terminal_each_launch_is_a_plain_line() -> None:
    """Number, library, duration, time left; no control characters."""
    accepted = event.LaunchAccepted(SLOT, Path("x"), 2.25, False, 0.0, event.Progress(4, 20, 83.0))
    assert shown(event.LaunchStarted(SLOT, 1, event.Progress(3, 20, None)), accepted, terminal=False) == (
        "4/20 mpich n=2: 2.2 s; about 1 min 20 s left\n"
    )


def test_the_running_median_of_the_last_case_stands_in_the_line() -> None:
    """Off a terminal and in the bar, which fits into 80 columns with all its parts."""
    case = next(iter(expand(Plan.from_values({"op": "allreduce", "sizes": "64Ki"}), Registries.load()).cases))
    progress = event.Progress(14, 20, 83.0)
    accepted = event.LaunchAccepted(SLOT, Path("x"), 2.25, False, 0.0, progress, event.CaseSoFar(case, 12.3e-6))
    assert shown(accepted, terminal=False) == (
        "14/20 mpich n=2: 2.2 s; MPI_Allreduce 64 KiB 12.3 µs; about 1 min 20 s left\n"
    )
    text = shown(accepted, event.LaunchStarted(SLOT, 1, progress), terminal=True, width=80)
    line = next(one for one in text.replace("\r", "\n").splitlines() if "mpich, 2 processes" in one)
    _spinner, *words = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line).split()
    assert " ".join(words) == "mpich, 2 processes 14/20 MPI_Allreduce 64 KiB 12.3 µs about 1 min 20 s left"


def so_far(operation: str) -> event.CaseSoFar:
    """12.3 µs of an operation with 64 KiB."""
    plan = Plan.from_values({"op": operation, "sizes": "64Ki"})
    return event.CaseSoFar(next(iter(expand(plan, Registries.load()).cases)), 12.3e-6)


def test_the_number_beside_a_library_is_its_own() -> None:
    """Of another library nothing is said until it has a number; with one it is shown again."""
    progress = event.Progress(14, 20, 83.0)
    accepted = event.LaunchAccepted(SLOT, Path("x"), 2.25, False, 0.0, progress, so_far("alltoall"))
    other = replace(SLOT, mpi="openmpi")
    text = shown(
        *(accepted, event.LaunchStarted(other, 1, progress), event.LaunchStarted(SLOT, 1, progress)),
        terminal=True,
        width=80,
    )
    lines = [one for one in text.replace("\r", "\n").splitlines() if "processes" in one]
    of_other = [one for one in lines if "openmpi" in one]
    assert of_other
    assert not any("12.3" in one for one in of_other)
    assert "mpich, 2 processes 14/20 MPI_Alltoall 64 KiB 12.3 µs" in lines[-1]


@pytest.mark.parametrize("columns", [60, 80, 110])
@pytest.mark.parametrize(
    "what", ["openmpi, 8 processes", "the program with the remedy, MPI_Neighbor_alltoallw, 8 processes"]
)
def test_a_long_operation_is_shortened_and_the_numbers_stay(columns: int, what: str) -> None:
    """Launches, the size and its time, the time left."""
    state = LineState(what, event.Progress(14, 20, 83.0), so_far("neighbor_alltoallw"), 100.0)
    line = line_text(state, 100.0, columns).plain
    assert len(line) <= columns
    assert " 14/20 " in line
    assert line.endswith("about 1 min 20 s left")
    if columns > 60:
        assert "64 KiB 12.3 µs" in line


def test_the_line_moves_each_second_and_the_time_left_counts_down() -> None:
    """Before anything is known of the time, and where the guess was too short, it counts up."""
    known, new = (
        LineState("mpich, 2 processes", event.Progress(0, 20, left_s), None, 100.0) for left_s in (65.0, None)
    )
    assert [line_text(known, 100.0 + passed, 80).plain[2:] for passed in (0, 30, 60, 70)] == [
        "mpich, 2 processes 0/20 about 1 min left",
        "mpich, 2 processes 0/20 about 40 s left",
        "mpich, 2 processes 0/20 a few seconds left",
        "mpich, 2 processes 0/20 70 s",
    ]
    assert [line_text(new, 100.0 + passed, 80).plain[2:] for passed in (0, 1, 12)] == [
        f"mpich, 2 processes 0/20 {passed} s" for passed in (0, 1, 12)
    ]
    assert len({line_text(known, 100.0 + passed, 80).plain for passed in (1, 2, 3)}) == 3


def test_during_a_launch_a_terminal_is_drawn_again() -> None:
    """No event comes for more than a second, and there is another frame; off a terminal nothing is written."""
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=80, color_system=None, legacy_windows=False)
    with Display(console) as display:
        display(event.LaunchStarted(SLOT, 1, event.Progress(0, 20, None)))
        before = written.getvalue().count("mpich, 2 processes")
        time.sleep(1.5)
        assert written.getvalue().count("mpich, 2 processes") > before


def test_on_a_terminal_the_bar_names_the_launch_that_runs() -> None:
    """One line that is drawn anew; nothing of it is left at the end but cleared lines."""
    text = shown(event.LaunchStarted(SLOT, 2, event.Progress(3, 20, 50.0)), terminal=True)
    assert "mpich, 2 processes, try 2" in text
    assert "3/20" in text
    assert "about 50 s left" in text


def test_failures_and_disturbances_are_told_as_they_happen() -> None:
    """What failed and that it is tried again; what was disturbed and that it is measured again."""
    text = shown(
        event.LaunchFailed(
            "0003-mpich", "ended with exit code 1\nlong story", Path("aside"), 2, event.Progress(3, 20, None)
        ),
        event.LaunchContended(SLOT, Path("x"), 0.31, event.Progress(3, 20, None)),
        event.CampaignStarted(Path("camp"), True, event.Progress(3, 20, None), ("8 B is rounded up",)),
        terminal=False,
    )
    assert text.splitlines() == [
        "0003-mpich failed, tried again: ended with exit code 1",
        "0003-mpich: other processes used its cores for 31% of the time; measured again",
        "going on with camp: 3 of 20 launches are there",
        "note: 8 B is rounded up",
    ]


def test_contention_that_lasts_is_told_once_and_counted_at_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """After the one line nothing more is said of single launches."""
    progress = event.Progress(4, 20, 83.0)
    disturbed = event.LaunchAccepted(SLOT, Path("x"), 2.25, True, 0.3, progress)
    lasts = event.ContentionPersists(3, progress)
    text = shown(lasts, disturbed, lasts, disturbed, event.CampaignFinished(Path("x"), progress), terminal=False)
    assert text.count("others have used the cores in every try of 3 launches in a row") == 1
    assert text.splitlines()[-3:] == [
        "4/20 mpich n=2: 2.2 s; about 1 min 20 s left",
        "4/20 mpich n=2: 2.2 s; about 1 min 20 s left",
        "2 of 2 launches were disturbed in every try; they are kept and marked",
    ]
    assert capsys.readouterr().err == ""


def test_disturbed_launches_are_two_lines_however_many(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten launches, each disturbed in both tries: the first is told with its reason, then two counts."""
    progress = event.Progress(4, 20, 83.0)
    again, kept = (
        event.LaunchContended(SLOT, Path("x"), 0.31, progress),
        event.LaunchAccepted(SLOT, Path("x"), 2.25, True, 0.3, progress),
    )
    text = shown(*[again, kept] * 10, event.CampaignFinished(Path("x"), progress), terminal=False)
    told = [line for line in text.splitlines() if "4/20" not in line]
    assert len(told) == 3
    assert told[0] == "0003-mpich: other processes used its cores for 31% of the time; measured again"
    assert told[1] == "10 disturbed tries were measured again"
    assert told[2] == "10 of 10 launches were disturbed in every try; they are kept and marked"
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (3, "a few seconds left"),
        (44, "about 40 s left"),
        (83, "about 1 min 20 s left"),
        (120, "about 2 min left"),
        (1800, "about 30 min left"),
        (9000, "about 2.5 h left"),
    ],
)
def test_the_time_left_is_as_coarse_as_it_is_known(seconds: float | None, text: str) -> None:
    """Rounded to ten seconds, then to minutes, then to tenths of an hour."""
    assert left_text(seconds) == text
