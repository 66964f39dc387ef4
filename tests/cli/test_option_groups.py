"""Options are shown in groups: every option of every command has one, and help, manual and reference show the same."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.command_line import Ictus

from ictus.cli import option_groups
from ictus.cli.app import app
from ictus.cli.manual import manual_pages, roff
from ictus.cli.option_groups import FEW, GROUPS, PLAIN, group_of, grouped
from ictus.cli.reference import reference


def commands(command: Any, words: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its words after `ictus`."""
    yield words, command
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, f"{words} {name}".lstrip())


COMMANDS = dict(commands(app))


def options(command: Any) -> list[Any]:
    """Those that help shows."""
    context = command.make_context("ictus", [], resilient_parsing=True, help_option_names=["-h", "--help"])
    return [one for one in command.get_params(context) if one.param_type_name == "option" and not one.hidden]


def without_group() -> list[tuple[str, list[str]]]:
    """Options that nobody put into a group, with their command."""
    return [
        (words, one.opts)
        for words, command in COMMANDS.items()
        for one in options(command)
        if group_of(words, one) is None
    ]


def test_every_option_of_every_command_is_in_a_group() -> None:
    """A new option has to be put into one."""
    assert sum(len(options(command)) for command in COMMANDS.values()) > 500
    assert without_group() == []


def test_an_option_in_no_group_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above fails where one is missing; help shows the option all the same."""
    fewer = {name: group for name, group in option_groups._GROUP_OF.items() if name != "--up-to"}
    monkeypatch.setattr(option_groups, "_GROUP_OF", fewer)
    assert without_group() == [("dims", ["--up-to"])]
    monkeypatch.setattr(option_groups, "_GROUP_OF", {})
    monkeypatch.setattr(option_groups, "_DIFFERS", {})
    run = options(COMMANDS["run"])
    assert grouped("run", run) == {PLAIN: run}


def test_groups_name_what_exists_and_each_option_once() -> None:
    """No option is in two groups; none is left from a command of the past, in one place or the other."""
    named = [name for names in GROUPS.values() for name in names.split()]
    assert len(named) == len(set(named))
    assert set(named) == {max(one.opts, key=len) for command in COMMANDS.values() for one in options(command)}
    for words, differs in option_groups._DIFFERS.items():
        assert set(differs) <= {max(one.opts, key=len) for one in options(COMMANDS[words])}, words
        assert set(differs.values()) <= set(GROUPS), words


def test_help_shows_groups_in_one_order_and_every_option_once(ictus: Ictus) -> None:
    """A command of few options has one list."""
    for words, command in COMMANDS.items():
        if hasattr(command, "commands"):
            continue
        shown = options(command)
        text = ictus(*words.split(), "--help").out
        listed = re.split(rf"(?m)^(?=(?:{'|'.join((*GROUPS, PLAIN))}):$)", text, maxsplit=1)[1]
        headings = [line[:-1] for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
        expected = [group for group in GROUPS if any(group_of(words, one) == group for one in shown)]
        assert [one for one in headings if one != "Arguments"] == ([PLAIN] if len(shown) <= FEW else expected), words
        names = [line.split()[0].rstrip(",") for line in listed.splitlines() if line.startswith("  -")]
        assert sorted(names) == sorted(min(one.opts, key=lambda name: name.count("-", 0, 2)) for one in shown), words


@pytest.mark.figures
def test_manual_and_reference_have_the_same_groups() -> None:
    """Those of `ictus run`."""
    manual, page = manual_pages()["ictus-run.1"], reference().split("## `ictus run`")[1].split("\n## ")[0]
    groups = list(grouped("run", options(COMMANDS["run"])))
    assert len(groups) >= 5
    for group in set(groups) - {"Other"}:
        assert f'.SH "{roff("OPTIONS: " + group.upper())}"' in manual
        assert f"| {group} | |" in page
