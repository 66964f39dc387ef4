"""Which options stand on the command line, and which of them a command that is printed needs too."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import typer

from ictus.model.errors import UsageError

_PRESENT: ContextVar[Any] = ContextVar("present_command", default=None)
_STARTING = ("launcher", "hosts", "scenario")
"""Parameters that say how ranks are started, which no folder remembers."""


def is_typed(context: typer.Context, parameter: str) -> bool:
    """Whether a parameter stands on the command line."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def typed_options(context: typer.Context, parameters: Collection[str]) -> tuple[str, ...]:
    """Those of the command's options that were typed, as words; `parameters` are their names in Python."""
    words: list[str] = []
    for param in context.command.params:
        name = param.name or ""
        if name not in parameters or not is_typed(context, name):
            continue
        option, value = max(param.opts, key=len), context.params[name]
        for each in value if isinstance(value, (list, tuple)) else (value,):
            words += [option] if each is True else [option, str(each)]
    return tuple(words)


def check_only(context: typer.Context, options_known: Collection[str]) -> None:
    """UsageError for an option that says how to measure, beside a folder of which nothing is measured."""
    for parameter in context.command.params:
        if parameter.name not in options_known and is_typed(context, parameter.name or ""):
            option = max(parameter.opts, key=len)
            raise UsageError(
                f"{option} with '{context.params['folder']}': what was measured is shown as it is; leave out the "
                f"option or the folder"
            )


@contextmanager
def running(context: Any) -> Iterator[None]:
    """The command of this context runs: `started_alike` knows its options."""
    token = _PRESENT.set(context)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def started_alike(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a command, with what was typed now on how ranks are started, where that command starts some too; it
    replaces what a campaign began with. A program and its words stay last. Called from Python, nothing was typed.
    """
    context = _PRESENT.get()
    if context is None or not any(is_typed(context, name) for name in _STARTING):
        return words
    parameters = _parameters(context.find_root().command, words)
    if "scenario" not in parameters and context.params.get("launcher") == "simulated":
        return words  # it starts processes, and simulates none
    typed = typed_options(context, [name for name in _STARTING if name in parameters])
    end = words.index("--") if "--" in words else len(words)
    kept_words = _without(words[:end], [word for word in typed if word.startswith("--")])
    return (*kept_words, *typed, *words[end:])


def _without(words: tuple[str, ...], options: Collection[str]) -> tuple[str, ...]:
    """The words without these options and the value behind each."""
    # Each word with the one before it, of which there is one more than words.
    return tuple(
        word for before, word in zip(("", *words), words, strict=False) if word not in options and before not in options
    )


def _parameters(command: Any, words: Iterable[str]) -> set[str]:
    """The parameters of the command that the words call, by their names in Python."""
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command = inner
    return {param.name for param in command.params}
