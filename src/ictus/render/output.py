"""How every reading command answers: a table for people, or rows for scripts. Warnings always go to standard error."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.model.errors import UsageError
from ictus.render.console import errors, output, warn
from ictus.render.export import as_csv, as_json


def _one_form(context: typer.Context, wanted: bool) -> bool:
    """UsageError for both forms at once, before a command does anything."""
    if wanted and (context.params.get("json") or context.params.get("csv")):
        raise UsageError("--json and --csv: choose one")
    return wanted


Json = Annotated[bool, typer.Option("--json", help="One JSON object: schema, warnings, rows.", callback=_one_form)]
Csv = Annotated[bool, typer.Option("--csv", help="Rows as CSV with a header line.", callback=_one_form)]


@dataclass(frozen=True)
class Answer:
    """What a reading command found. `lines` draws the table, and is called only when one is shown."""

    schema: str
    """Name and version of the rows, for example `ictus.compare/1`; the version rises when a key changes its meaning."""
    rows: Sequence[Mapping[str, Any]]
    warnings: Sequence[str]
    lines: Callable[[], Iterable[Text]]
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of the JSON object: what is no row."""


def print_answer(answer: Answer, json: bool, csv: bool) -> None:
    """Write the answer in the form asked for."""
    console = output()
    if json:
        console.out(as_json(answer.schema, answer.warnings, answer.rows, **answer.more), end="")
    elif csv:
        console.out(as_csv(answer.rows), end="")
    else:
        for line in answer.lines():
            console.print(line)
    if not json:
        console.file.flush()
        warn(answer.warnings)


def print_note(text: str) -> None:
    """A remark that is no result, to standard error."""
    errors().print(text)
