"""An option that a command does not have: one line says what to type instead, or where it exists."""

from pathlib import Path

import pytest
from tests.command_line import Ictus
from tests.synthetic import Scenario, write_folder


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (
            "network --quick",
            "no option --quick; commands that have it: reproduce, study, barriers impact; `ictus network --help`",
        ),
        ("clocks accuracy -a hca3", "no option -a, here it is --clocksync; `ictus clocks accuracy --help` lists all"),
        ("run --time-bugdet 1s", "no option --time-bugdet, did you mean '--time-budget'? `ictus run --help` lists all"),
        ("run --ranks 4", "no option --ranks, here it is -n; `ictus run --help` lists all"),
        ("clocks pareto --time-budget 1s", "no option --time-budget, here it is --budget; "),
        ("list --zzz", "no option --zzz; `ictus list --help` lists all"),
    ],
)
def test_the_hint_is_one_line(ictus: Ictus, words: str, hint: str) -> None:
    """Exit code 2, nothing on standard output."""
    answer = ictus(*words.split())
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"ictus: {hint}")
    assert answer.err.count("\n") == 1


LONG = "x" * 200_000


@pytest.mark.parametrize(
    "words",
    [
        (LONG,),
        (f"--{LONG}",),
        (f"-{LONG}",),
        ("run", f"--{LONG}"),
        ("run", f"-{LONG}"),
        ("clocks", LONG),
        ("run", "--launches", LONG),
        ("run", "--seed", LONG),
        ("run", f"--dry-run={LONG}"),
        ("show", "a", LONG),
        ("help", LONG),
        ("import", LONG, "x"),
        ("study", LONG),
        ("list", LONG),
    ],
    ids=lambda words: " ".join(word[:12] for word in words),
)
def test_a_word_of_200_kilobytes_is_not_echoed_whole(ictus: Ictus, words: tuple[str, ...]) -> None:
    """Whoever refuses it, ours or the parser of words."""
    answer = ictus(*words)
    assert (answer.code, answer.out) == (2, "")
    assert len(answer.err) < 2_000
    assert len(max(answer.err.split(), key=len)) < 400


@pytest.mark.parametrize(("by", "guess"), [("WRONG", ";"), ("procsink", ", did you mean 'procsync'?")])
def test_an_unknown_factor_is_answered_by_what_varies(ictus: Ictus, by: str, guess: str) -> None:
    """In this campaign: two libraries, two ways to start."""
    write_folder(Path("camp"), Scenario(procsyncs=("window", "barrier")))
    answer = ictus("compare", "camp", "--by", by)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"ictus: unknown factor '{by}' to compare by{guess} what varies in 'camp': mpi, procsync\n"
