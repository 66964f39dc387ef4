"""Groups of commands whose modules are imported when a command is called, not when its group lists it."""

from collections import UserDict
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import isfunction
from typing import Any

import typer
from typer._click.shell_completion import CompletionItem
from typer.core import TyperGroup
from typer.main import get_command

from ictus.cli.words import IctusCommand
from ictus.model.entry_point import EntryPoint

_COMMAND_OF = EntryPoint("ictus.studies.runner:command_of")


@dataclass(frozen=True)
class CommandEntry:
    """A command, as the help of its group lists it."""

    word: str
    function: str
    """`module:name` of the function, whose parameters are arguments and options; or of the declaration of a study."""
    summary: str
    """The first sentence of the function's docstring."""
    runs_program: bool = False
    """Options end at the first argument: a program, whose own options follow."""
    hidden: bool = False

    def made(self) -> Any:
        """The command itself."""
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        settings = {"allow_interspersed_args": False} if self.runs_program else None
        declare = alone.command(self.word, cls=IctusCommand, context_settings=settings, hidden=self.hidden)
        declared = EntryPoint(self.function).load()
        declare(declared if isfunction(declared) else _COMMAND_OF(declared))
        return get_command(alone)


@dataclass(frozen=True)
class GroupEntry:
    """A group of commands within another."""

    word: str
    summary: str
    entries: Sequence[CommandEntry]
    default_word: str = ""
    """The command that is meant where the first word is none of the group."""
    hidden: bool = False

    def made(self) -> Any:
        """The group itself."""
        return CommandGroup(
            self.entries,
            self.default_word,
            name=self.word,
            help=self.summary,
            no_args_is_help=True,
            rich_markup_mode=None,
        )


class _Commands(UserDict[str, Any]):
    """Commands by their words, each an entry until it is asked for."""

    def __getitem__(self, word: str) -> Any:
        entry = self.data[word]
        if isinstance(entry, (CommandEntry, GroupEntry)):
            entry = self.data[word] = entry.made()
        return entry


class CommandGroup(TyperGroup):
    """A group that lists its commands as their entries say."""

    def __init__(self, entries: Sequence[CommandEntry | GroupEntry], default_word: str = "", **options: Any) -> None:
        super().__init__(**options)
        self._entries = tuple(entry for entry in entries if not entry.hidden)
        self._usual = default_word
        self.commands = _Commands({entry.word: entry for entry in entries})

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (typer's)
        """The words of all commands."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 (typer's)
        """The list in help."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.word, entry.summary) for entry in self._entries])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[CompletionItem]:
        """The commands that begin like that, and the options of the group."""
        begun = [
            CompletionItem(entry.word, help=entry.summary)
            for entry in self._entries
            if entry.word.startswith(incomplete)
        ]
        return begun + super(TyperGroup, self).shell_complete(ctx, incomplete)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words, with the command that is meant."""
        is_said = not args or args[0] in self.commands or args[0] in self.get_help_option_names(ctx)
        return super().parse_args(ctx, args if is_said or not self._usual else [self._usual, *args])
