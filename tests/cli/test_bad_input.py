"""Wrong input ends in an error that names what was typed, never in a traceback; at least 500 cases, all made from the
declarations.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.bad_input import (
    CONTRADICTIONS,
    FREE,
    BadWord,
    bad_fields,
    bad_plan_options,
    bad_words,
    commands,
)
from tests.cli.conftest import simulate
from tests.command_line import Answer, Ictus, run_ictus
from tests.studies.claims.known import CLAIMS
from tests.synthetic import Scenario, write_folder

from ictus.model.plan_options import PLAN_OPTIONS


def named(answer: Answer, option: str, value: str) -> bool:
    """Whether an error names the option, or shows the value as far as it can be shown."""
    said = " ".join(answer.err.split())
    shown = value.strip().replace("\x01", "\N{REPLACEMENT CHARACTER}")[:20]
    return option in said or option.lstrip("-").replace("-", "_") in said or bool(shown and shown in said)


def check_refused(answer: Answer, option: str, value: str, *, wrong: bool) -> str | None:
    """What is wrong with the answer; None where nothing is. An exception that nobody caught never comes this far."""
    if answer.code == 0:
        return "accepted" if wrong else None
    if answer.code not in (2, 3) or "Traceback" in answer.err:
        return f"exit code {answer.code}: {answer.err[-300:]}"
    if wrong and not named(answer, option, value):
        return f"does not name it: {answer.err[:300]}"
    return None


def test_there_are_at_least_500_cases() -> None:
    """Every option of every command and every field of a plan are among them."""
    of_commands = [one for words, _ in commands() for one in bad_words(words)]
    of_plans, of_files = list(bad_plan_options()), list(bad_fields())
    assert len(of_commands) >= 4000
    assert len(of_plans) + len(of_files) + len(CONTRADICTIONS) >= 500
    assert {one.key for one, *_ in of_plans} == {one.key for one in PLAN_OPTIONS if one.kind not in ("on", "off")}
    assert check_refused(Answer("", "", 0), "--n", "x", wrong=True) == "accepted"
    assert check_refused(Answer("", "ictus: no", 2), "--seed", "x1", wrong=True) is not None
    assert check_refused(Answer("", "Traceback", 3), "--seed", "x1", wrong=False) is not None


DRY = ("run", "--dry-run", "--launcher", "simulated")
"""Looks for no library: that takes a second."""


@pytest.mark.parametrize("key", [one.key for one in PLAN_OPTIONS if one.kind not in ("on", "off")])
def test_an_option_of_a_campaign(ictus: Ictus, key: str) -> None:
    """`ictus run --dry-run`: what is wrong beyond doubt is refused by name, the rest is refused or means something."""
    failures = []
    for option, value, wrong in bad_plan_options():
        if option.key == key:
            name = max(option.names, key=len)
            answer = ictus(*DRY, "-o", "x", f"{name}={value}" if name.startswith("--") else f"{name}{value}")
            if failure := check_refused(answer, name, value, wrong=wrong):
                failures.append((value[:40], failure))
    assert failures == []


def test_a_field_of_a_plan_file(ictus: Ictus) -> None:
    """Every field with every kind of value that TOML has, by the same way."""
    failures = []
    for field, value in bad_fields():
        Path("plan.toml").write_text(f"{field} = {value}\n", "utf-8")
        answer = ictus(*DRY, "plan.toml", "-o", "x")
        if failure := check_refused(
            answer, field, value, wrong=value in ("[[1]]", "{a = {b = [1]}}") and field != "env"
        ):
            failures.append((field, value, failure))
    assert failures == []


@pytest.mark.parametrize("text", CONTRADICTIONS)
def test_a_plan_file_that_contradicts_itself(ictus: Ictus, text: str) -> None:
    """The file is named, or one of the fields."""
    Path("plan.toml").write_text(f"{text}\n", "utf-8")
    answer = ictus(*DRY, "plan.toml", "-o", "x")
    assert answer.code in (2, 3), answer
    assert any(one in answer.err for one in ("plan", *(line.partition(" =")[0] for line in text.splitlines()), "size"))
    assert "Traceback" not in answer.err


DEEP = {
    "a list": b"[" * 100_000,
    "an object": b'{"a":' * 100_000,
    "digits": b'{"format": 1, "seed": ' + b"9" * 5000 + b"}",
    "latin-1": '{"format": 1, "created": "é"}'.encode("latin-1"),
    "null": b'{"format": 1, "plan": null}',
    "a BOM": b"\xef\xbb\xbf{}",
}


@pytest.mark.parametrize("name", ["campaign.json", "schedule.json", "journal.jsonl"])
@pytest.mark.parametrize("content", DEEP)
def test_a_file_that_nobody_wrote_so(ictus: Ictus, tmp_path: Path, name: str, content: str) -> None:
    """Deep, long, in another encoding: one message that names the file."""
    folder = simulate(ictus, tmp_path, "camp", {}, "--launches", "1")
    (folder / name).write_bytes(DEEP[content] + b"\n" + (DEEP[content] if name.endswith("l") else b""))
    for command in ("show", "verify"):
        answer = ictus(command, folder)
        assert answer.code in (1, 2, 3)
        assert name in answer.err + answer.out
        assert "Traceback" not in answer.err


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that can be read."""
    few = Scenario(operations=("bcast",), sizes=(8,), launches=2, nrep=20)  # read again for a thousand words
    return write_folder(tmp_path_factory.mktemp("small") / "camp", few)


@pytest.mark.parametrize("option", ["strata", "adjust"])
def test_a_word_of_the_judgement_is_refused_before_anything_is_measured(ictus: Ictus, option: str) -> None:
    """It was measured for minutes first."""
    started = ("--launcher", "simulated", "-m", "mpich", "-n", "2", "-o", "new", f"--{option}", "hom")
    commands = [("check",), ("barriers", "impact", "--op", "bcast")]
    for command in commands[: 1 if option == "strata" else 2]:
        answer = ictus(*command, *started)
        assert (answer.code, option in answer.err, "hom" in answer.err) == (2, True, True)
        assert not Path("new").exists()


@pytest.fixture
def quick(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """The command line without what takes time: it is made once, not for every call. No library is here, and whoever
    starts a process has begun to build or to measure; only modules are loaded by a shell.
    """
    monkeypatch.setenv("ICTUS_SEARCH", "added")
    monkeypatch.setenv("ICTUS_STATE", str(tmp_path / "state"))
    started = subprocess.Popen.__init__

    def start(self: Any, words: Any, *more: Any, **options: Any) -> None:
        assert words[0] == "bash", f"started {words}"
        started(self, words, *more, **options)

    monkeypatch.setattr(subprocess.Popen, "__init__", start)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return run_ictus


def fill(folder: Path, small: Path) -> None:
    """What the command lines of `bad_words` name, and nothing else."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(small, folder / "camp")
    (folder / "afolder").mkdir()
    (folder / "afile").write_text("x")


def refused(one: BadWord, answer: Answer, right: Answer) -> str | None:
    """What is wrong with the answer to a wrong word, beside that to the same line without it; None: nothing."""
    if answer.code not in (0, 1, 2):
        return f"exit code {answer.code}: {answer.err[:200]}"
    says = answer.err if one.name.startswith("-") else one.name  # of an argument the value is enough
    if one.never and (answer.code != 2 or one.name not in says):
        return f"exit code {answer.code}, does not name it: {answer.err[:200]}"
    if (answer.code, answer.err) == (right.code, right.err):  # nobody looked at it before a library was looked for
        return None if one.is_path or one.name in FREE or "no MPI found" not in right.err else "refused too late"
    return None if answer.code != 2 or named(answer, one.name, one.value) else f"does not name it: {answer.err[:200]}"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(words, marks=pytest.mark.figures if words == ("plot",) else (), id=" ".join(words))
        for words in dict.fromkeys(words for words, _ in commands())
    ],
)
def test_a_word_of_any_command(quick: Callable[..., Answer], small: Path, command: tuple[str, ...]) -> None:
    """Each option and each argument: a wrong value is refused by name with exit code 2, before a library is looked for
    or a process is started, and nothing is left behind. `ictus study sync-cost -n x` was a traceback, bytes that are no
    UTF-8 were one for 24 options, and `ictus profile run` left a folder.
    """
    failures = []
    here = Path.cwd()
    fill(here, small)
    first, *others = bad_words(command)
    right = quick(*first.line)
    for one in others:
        fill(here, small) if {path.name for path in here.iterdir()} != {"camp", "afolder", "afile"} else None
        answer = quick(*one.line)
        failure = refused(one, answer, right)
        left = {path.name for path in here.iterdir()} - {"camp", "afolder", "afile"}
        if failure is None and answer.code == 2 and left:
            failure = f"left {left}"
        if failure is not None:
            failures.append(f"{one.name}, {one.what}: {failure}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("option", ["-n", "--sizes", "--platform", "--timeout", "--nrep"])
def test_an_option_of_a_study_of_a_paper(ictus: Ictus, option: str) -> None:
    """Whatever the study does with the value before it measures; `-n x` was a traceback."""
    failures = []
    for finding in CLAIMS:
        answer = ictus("study", finding.name, "--quick", f"{option}=(" if option.startswith("--") else f"{option}(")
        if failure := check_refused(answer, option, "(", wrong=True):
            failures.append((finding.name, failure))
    assert failures == []
