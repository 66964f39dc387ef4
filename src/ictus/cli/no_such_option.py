"""What to do about an option that a command does not have: the name that it has here, or the commands that have it."""

from collections.abc import Iterator
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.unknown import probable

MEANS = {
    "-a": "--clocksync",
    "--np": "-n",
    "--ranks": "-n",
    "--processes": "-n",
    "--size": "--sizes",
    "--library": "--mpi",
    "--operation": "--op",
    "--iterations": "--nrep",
    "--repetitions": "--nrep",
    "--runs": "--launches",
    "--budget": "--time-budget",
    "--time-budget": "--budget",
    "--out": "--output",
}
"""Names that the same thing has elsewhere."""


def command_words(context: Any) -> str:
    """The words of a command behind the name of the program."""
    return " ".join(context.command_path.split()[1:])


def no_such_option(name: str, context: Any) -> UsageError:
    """The error for an option that the command of this context lacks."""
    option_names = [opt for option in context.command.params for opt in option.opts]
    long_names = [text for text in option_names if text.startswith("--")]
    words = command_words(context)
    meant = MEANS.get(name, "")
    if meant in option_names:
        hint = f", here it is {meant}; "
    elif probably := probable(name, long_names):
        hint = f"{probably} "
    else:
        others = [path for path, options in _commands(context.find_root().command) if name in options]
        hint = f"; commands that have it: {', '.join(others)}; " if others else "; "
    return UsageError(f"no option {name}{hint}`ictus {words} --help` lists all")


def _commands(command: Any, words: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every command with its options."""
    yield words, [opt for option in command.params for opt in option.opts]
    for name, child in getattr(command, "commands", {}).items():
        yield from _commands(child, f"{words} {name}".lstrip())
