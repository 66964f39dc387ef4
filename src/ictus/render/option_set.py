"""Sets of options that commands share: a frozen data class declares each option once, and a command takes all of them
as one parameter.

    @dataclass(frozen=True)
    class AnswerForm:
        json: Json = False
        csv: Csv = False

    @with_option_sets
    def show(folder: Annotated[Path, FOLDER], *, form: AnswerForm) -> None: ...

A set may hold other sets. Help shows the options in the place of the parameter, in the order of the class.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

Command = Callable[..., None]
TypedValues = dict[str, Any]
"""What was typed, by the names of parameters."""


def with_option_sets(command: Command) -> Command:
    """The command as typer reads it: with the options of its sets."""
    for parameter in inspect.signature(command).parameters.values():
        if is_dataclass(parameter.annotation):
            command = with_parameters(
                command,
                parameter.name,
                tuple(_parameters(parameter.annotation)),
                functools.partial(_set_of, parameter.annotation),
            )
    return command


def with_parameters(
    command: Command, name: str, parameters: Sequence[inspect.Parameter], value: Callable[[TypedValues], Any]
) -> Command:
    """The command with these parameters in the place of the one called `name`, which gets the `value` that is made of
    them; `value` takes what it needs out of the typed values.
    """
    signature = inspect.signature(command)
    replaced: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        replaced += parameters if parameter.name == name else [parameter]

    @functools.wraps(command)
    def run(**typed: Any) -> None:
        made = value(typed)
        command(**typed, **{name: made})

    run.__signature__ = signature.replace(parameters=replaced)  # type: ignore[attr-defined] # what typer reads
    return run


def _parameters(options: Any) -> Iterator[inspect.Parameter]:
    for field in fields(options):
        if is_dataclass(field.type):
            yield from _parameters(field.type)
        else:
            default = inspect.Parameter.empty if field.default is MISSING else field.default
            yield inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=field.type)


def _set_of(options: Any, typed: TypedValues) -> Any:
    return options(
        **{
            field.name: _set_of(field.type, typed) if is_dataclass(field.type) else typed.pop(field.name)
            for field in fields(options)
        }
    )
