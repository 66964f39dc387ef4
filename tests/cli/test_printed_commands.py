"""Every command that Ictus prints can be typed: it is parsed here, and run. `run_ictus` parses those of all other tests
as well.
"""

import ast
import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command_line import Answer, Ictus, printed_commands, unknown_words
from tests.docs.pages import calls, inline_commands, refusal

SOURCES = Path(__file__).parents[2] / "src" / "ictus"
STARTED = ("--launcher", "simulated", "--scenario", "world.json")
ONE = ("run", *STARTED, "-m", "mpich", "-n", "2", "--sizes", "8,1Ki", "--nrep", "20", "--launches", "3")
BCAST = ("--op", "bcast")
FACTORS = {
    "env.OMPI_MCA_btl": (*BCAST, "--env", "OMPI_MCA_btl=self", "--env", "OMPI_MCA_btl=sm, self"),
    "launcher-options": (*BCAST, "--launcher-options", "--bind-to core", "--launcher-options", "--bind-to socket"),
    "core-flags": (*BCAST, "--core-flags=-O1", "--core-flags=-O3 -Wl,-z,now"),
    "map-by": (*BCAST, "--map-by", "core,node"),
    "heap": (*BCAST, "--heap", "kept,returned"),
    "procsync": (*BCAST, "--procsync", "window,barrier(library)"),
    "clocksync": (*BCAST, "--clocksync", "hca3,jk"),
    "in-place": ("--op", "allreduce", "--in-place", "no,yes"),
    "algorithm": (*BCAST, "--algorithm", "bcast=binomial,chain"),
}
"""What varies in a campaign of one library, as `--by` has it."""


@pytest.fixture(autouse=True)
def world(ictus: Ictus) -> None:
    """Another world than the usual one."""
    Path("world.json").write_text(json.dumps({"startup_s": 2e-6, "noise": 0.02}))


def follow(ictus: Ictus, answer: Answer) -> list[Answer]:
    """Run each command that an answer names, as it stands; all must do what they are named for."""
    answers = []
    for line in dict.fromkeys(printed_commands(answer)):
        for words in calls(line):
            done = ictus(*words)
            assert done.code in (0, 1), f"{line}: {done.err}"
            answers.append(done)
    return answers


@pytest.mark.few(4)
@pytest.mark.parametrize("factor", FACTORS)
def test_what_varies_is_compared_and_measured_on_by_the_printed_commands(ictus: Ictus, factor: str) -> None:
    """From the measurement to the comparison, to more launches of the same world; and to the gate of either side."""
    measured = ictus(*ONE, *FACTORS[factor], "-o", "a campaign")
    assert measured.code == 0, measured.err
    assert f"Next: ictus compare --by {factor} 'a campaign'" in measured.out
    *_, more = follow(ictus, measured)  # the comparison was named first, more launches in a sentence
    assert "launches are in a campaign" in more.out
    refused = ictus("compare", "a campaign", "--gate", "slower > 3 %")
    assert refused.code == 2
    assert len(follow(ictus, refused)) == 2


def recorded() -> str:
    """How the campaigns of this file began, as their folders have it: the path is right in any folder."""
    return shlex.join(("--launcher", "simulated", "--scenario", str(Path("world.json").absolute())))


def test_a_reader_of_a_simulated_campaign_can_measure_on(ictus: Ictus) -> None:
    """It was told no launcher and no world: the campaign says how it began. It continued in the usual world."""
    assert ictus(*ONE, *FACTORS["heap"], "-o", "camp").code == 0
    compared = ictus("compare", "camp")
    assert f"Next: ictus run camp --launches 6 {recorded()}\n" in compared.out
    (more,) = follow(ictus, compared)
    assert "scenario" not in more.err
    other = ictus("run", "camp", "--launches", "12", "--launcher", "simulated")
    assert f"began with {Path('world.json').absolute()} and continues with the usual world" in other.err
    typed = ictus("run", "camp", "--launches", "24", "--launcher", "simulated", "--scenario", "world.json")
    assert "continues with" not in typed.err


def test_a_campaign_of_which_nobody_recorded_how_it_began(ictus: Ictus) -> None:
    """Of an earlier version: its libraries say that there is one way."""
    assert ictus(*ONE, *FACTORS["heap"], "-o", "camp").code == 0
    begun("camp", None)
    assert "Next: ictus run camp --launches 6 --launcher simulated\n" in ictus("compare", "camp").out


def begun(folder: str, start: object) -> None:
    """Another record of how a campaign began, as a stranger could write it."""
    path = Path(folder, "campaign.json")
    document = json.loads(path.read_text("utf-8"))
    del document["checksum"]
    path.write_text(json.dumps({**document, "start": start}), "utf-8")


def test_what_a_folder_says_of_its_start_is_printed_and_never_used(ictus: Ictus) -> None:
    """A stranger's folder: its launcher runs nothing, and its scenario, which nobody could read to its end, is not
    opened. Whoever types the command that is shown names them.
    """
    assert ictus(*ONE, *FACTORS["heap"], "-o", "camp").code == 0
    os.mkfifo("pipe")
    begun("camp", {"launcher": "touch ran {program}", "scenario": str(Path("pipe").absolute())})
    shown = ictus("compare", "camp")
    assert f"--launcher 'touch ran {{program}}' --scenario {Path('pipe').absolute()}\n" in shown.out
    assert ictus("show", "camp").code == 0
    continued = ictus("run", "camp", "--launcher", "simulated")
    assert continued.code == 0, continued.err
    assert not Path("ran").exists()


def test_a_command_that_launches_starts_ranks_as_the_present_one(ictus: Ictus) -> None:
    """Only what was typed, and only where the other command has it."""
    words = ("check", *STARTED, "-m", "mpich", "-n", "4", "--sizes", "8", "--guidelines", "GL10", "--launches", "3",
             "--seed", "1")  # fmt: skip
    answer = ictus(*words, "--nrep", "20", "--step", "measure", "-o", "chk")
    assert f"`ictus check -o chk {shlex.join(STARTED)}` continues" in answer.err
    (continued,) = follow(ictus, answer)
    (more,) = follow(ictus, continued)
    assert f"Next: ictus check chk --launches 6 {shlex.join(STARTED)}" in continued.out
    assert "Next: ictus show chk\n" in more.out or f"--launches 12 {shlex.join(STARTED)}" in more.out
    predicted = ictus("nrep", *STARTED, "-m", "mpich", "-n", "2", "--sizes", "8", *BCAST, "-o", "pre")
    assert predicted.out.count("Next: ") == 1
    follow(ictus, predicted)


@pytest.mark.few(2)
@pytest.mark.parametrize("command", ["run", "check", "nrep", "lens", "procsync window"])
def test_what_is_not_complete_is_continued(ictus: Ictus, command: str) -> None:
    """Whatever command began it; a reader is told how."""
    sizes = ("-m", "mpich", "-n", "2", "--sizes", "8")
    own = {"check": ("--guidelines", "GL10", "--nrep", "20", "--launches", "3"), "nrep": BCAST}
    begun = ictus(*command.split(), *STARTED, *sizes, *own.get(command, (*BCAST, "--launches", "3")), "-o", "my camp")
    assert begun.code == 0, begun.err
    journal = Path("my camp/journal.jsonl")
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    last = max(place for place, line in enumerate(lines) if '"accepted"' in line)
    journal.write_text("".join(lines[:last]), "utf-8")
    shown = ictus("show", "my camp")
    assert f"`ictus run -o 'my camp' {recorded()}` continues it" in shown.err
    follow(ictus, shown)
    assert "continues it" not in ictus("show", "my camp").err


@pytest.mark.long
def test_what_decides_between_two_campaigns_can_be_typed(ictus: Ictus) -> None:
    """Campaigns with a control, and several without one: each command in its turn."""
    Path("world.json").write_text(json.dumps({"launch_spread": 0.05, "campaign_spread": 0.05, "noise": 0.02}))
    for name in ("now", "base"):
        assert ictus(*ONE, *BCAST, "-o", name).code == 0
    refused = ictus("compare", "now", "--baseline", "base", "--gate", "slower > 900 %")
    printed = printed_commands(refused)
    assert len(printed) == 4
    for line in printed:
        for words in calls(line):
            assert ictus(*words).code == 0, line
    assert printed[-1].endswith("--gate 'slower > 900 %'")
    assert ictus("check", "now").code == 2
    (begins,) = printed_commands(ictus("check", "now"))
    assert begins == "ictus check -o now-check"


def texts(tree: ast.AST) -> Iterator[str]:
    """Every text of a source; a value in one is `X`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_command_in_the_sources_exists() -> None:
    """Hints in errors, helps and docstrings, also those that no test provokes."""
    wrong = []
    for path in sorted(SOURCES.rglob("*.py")):
        source = path.read_text("utf-8")
        for text in texts(ast.parse(source)) if "`ictus " in source else ():
            for line in inline_commands(" ".join(text.split())):
                error = refusal(line)
                if isinstance(error, LookupError) or "no option" in str(error):
                    wrong.append(f"{path.relative_to(SOURCES)}: {line}: {error}")
    examples = ("`ictus profile ./application`", "`ictus clocks X X`")  # a program; a value
    assert [one for one in wrong if f"`{one.split(': ')[1]}`" not in examples] == []


def test_a_command_that_does_not_exist_is_found() -> None:
    """In what is printed next and in sentences."""
    text = "Next: ictus comprae x\nSee `ictus run --no-such x`, `ictus compare --by` and `ictus show FOLDER`.\n"
    assert [one.partition(":")[0] for one in unknown_words(Answer(text, "", 0))] == [
        "ictus comprae x",
        "ictus run --no-such x",
    ]


@pytest.mark.parametrize("by", ["launcher-options", "env.A_B", "map-by"])
def test_a_goal_by_a_setting_says_what_to_leave_out(ictus: Ictus, by: str) -> None:
    """In the words that were typed; hyphens became underscores, and the factor was unknown."""
    named = ictus(*ONE, *BCAST, "--pin", "cores,none", "--until", f"ratio 2 % by {by}", "-o", "x")
    assert named.code == 2
    assert re.search(rf"until 'ratio 2 % by {by}': settings .*; leave out 'by {by}'", named.err), named.err
