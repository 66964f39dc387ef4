"""How every reading command answers: a table for people, or rows for scripts: one JSON object with a schema version, or
CSV with one header line. Warnings always go to standard error.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.model.errors import UsageError
from ictus.render.console import errors, output, warn


def _one_form(context: typer.Context, wanted: bool) -> bool:
    """UsageError for both forms at once, before a command does anything."""
    if wanted and (context.params.get("json") or context.params.get("csv")):
        raise UsageError("--json and --csv: choose one")
    return wanted


Json = Annotated[bool, typer.Option("--json", help="One JSON object: schema, warnings, rows.", callback=_one_form)]
Csv = Annotated[bool, typer.Option("--csv", help="Rows as CSV with a header line.", callback=_one_form)]


@dataclass(frozen=True)
class CommandAnswer:
    """What a reading command found. `lines` draws the table, and is called only when one is shown."""

    schema: str
    """Name and version of the rows, for example `ictus.compare/1`; the version rises when a key changes its meaning."""
    rows: Sequence[Mapping[str, Any]]
    warnings: Sequence[str]
    lines: Callable[[], Iterable[Text]]
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of the JSON object: what is no row."""


def print_answer(answer: CommandAnswer, json: bool, csv: bool) -> None:
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


def as_json(schema: str, warnings: Sequence[str], rows: Iterable[Mapping[str, Any]], **more: Any) -> str:
    """One object: `schema` (name and version, `ictus.compare/1`), `warnings`, whatever `more` names, and `rows`.

    What is not known is null: NaN and infinity are no JSON.
    """
    document = {"schema": schema, "warnings": list(warnings), **more, "rows": list(rows)}
    return json.dumps(_finite(document), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """A header line of the keys and a line for each row; nested objects give columns of their own keys; unknown is
    empty.
    """
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    written = io.StringIO()
    writer = csv.DictWriter(written, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in flat)
    return written.getvalue()


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        flat |= value if isinstance(value, Mapping) else {name: value}
    return flat


def _cell(value: Any) -> Any:
    value = _finite(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _finite(value: Any) -> Any:
    """The value with every NaN and infinity replaced by None, however deep."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value
