"""Wrong input ends in an error that names what was typed, never in a traceback; at least 500 cases, all made from the
declarations.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.bad_input import (
    CONTRADICTIONS,
    BadOption,
    bad_fields,
    bad_options,
    bad_plan_options,
    bad_texts,
    commands,
)
from tests.cli.conftest import simulate
from tests.command_line import Answer, Ictus
from tests.synthetic import Scenario, write_folder

from ictus.findings.registry import FINDINGS
from ictus.model.plan_options import PLAN_OPTIONS


def named(answer: Answer, option: str, value: str) -> bool:
    """Whether an error names the option, or shows the value as far as it can be shown."""
    said = " ".join(answer.err.split())
    shown = value.strip().replace("\x01", "")[:20]
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
    of_commands, of_plans, of_files = list(bad_options()), list(bad_plan_options()), list(bad_fields())
    assert len(of_commands) + len(of_plans) + len(of_files) + len(CONTRADICTIONS) >= 500
    assert {one.key for one, *_ in of_plans} == {one.key for one in PLAN_OPTIONS if one.kind not in ("on", "off")}
    assert len({one.command for one in of_commands}) > 10
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


def lines_of(one: BadOption, folder: Path) -> Iterator[str]:
    """The words of a command line."""
    required = [option for option in dict(commands())[one.command].params if option.param_type_name == "argument"]
    yield from one.command
    yield f"{one.option}={one.value}" if one.option.startswith("--") else f"{one.option}{one.value}"
    yield from (str(folder) for option in required if option.required)


def _named_commands() -> list[tuple[str, ...]]:
    return list(dict.fromkeys(one.command for one in bad_options()))


@pytest.mark.parametrize("command", _named_commands(), ids=" ".join)
def test_an_option_of_any_command(ictus: Ictus, tmp_path: Path, command: tuple[str, ...]) -> None:
    """What no number is is refused by the option's name."""
    folder = tmp_path / "camp"
    folder.mkdir()
    (folder / "campaign.json").write_text(json.dumps({"format": 1, "plan": {}}), "utf-8")
    failures = []
    for one in bad_options():
        if one.command == command:
            answer = ictus(*lines_of(one, folder))
            if failure := check_refused(answer, one.option, one.value, wrong=True):
                failures.append((one.option, one.value[:40], failure))
    assert failures == []


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that can be read."""
    return write_folder(tmp_path_factory.mktemp("small") / "camp", Scenario(operations=("bcast",), sizes=(8,)))


@pytest.mark.parametrize("option", ["strata", "adjust"])
def test_a_word_of_the_judgement_is_refused_before_anything_is_measured(ictus: Ictus, option: str) -> None:
    """It was measured for minutes first."""
    started = ("--launcher", "simulated", "-m", "mpich", "-n", "2", "-o", "new", f"--{option}", "hom")
    commands = [("check",), ("barriers", "impact", "--op", "bcast")]
    for command in commands[: 1 if option == "strata" else 2]:
        answer = ictus(*command, *started)
        assert (answer.code, option in answer.err, "hom" in answer.err) == (2, True, True)
        assert not Path("new").exists()


@pytest.mark.parametrize("command", dict.fromkeys(one.command for one in bad_texts()), ids=" ".join)
def test_a_text_of_any_command(
    ictus: Ictus, small: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused, or means something; there is no library here, so that nothing is measured. There is a file of
    that name.
    """
    monkeypatch.setenv("ICTUS_SEARCH", "added")
    folder = Path(shutil.copytree(small, "camp"))
    Path("(").write_text("")
    failures = []
    for one in bad_texts():
        if one.command == command:
            answer = ictus(*lines_of(one, folder))
            if failure := check_refused(answer, one.option, one.value, wrong=False):
                failures.append((one.option, failure))
    assert failures == []


@pytest.mark.parametrize("option", ["-n", "--sizes", "--platform", "--timeout", "--nrep"])
def test_an_option_of_a_study_of_a_paper(ictus: Ictus, option: str) -> None:
    """Whatever the study does with the value before it measures; `-n x` was a traceback."""
    failures = []
    for finding in FINDINGS:
        answer = ictus("study", finding.name, "--quick", f"{option}=(" if option.startswith("--") else f"{option}(")
        if failure := check_refused(answer, option, "(", wrong=True):
            failures.append((finding.name, failure))
    assert failures == []
