"""The output of commands: results to standard output, warnings and progress to standard error, no colour off a
terminal.

A reading command prints a table for people, or rows for scripts: one JSON object with a schema version, or CSV with one
header line. Commands to try next can be pasted into a shell.
"""

import csv
import io
import json
import math
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from ictus.model.errors import UsageError
from ictus.render.characters import fold, shown, shown_json
from ictus.render.console import ProgressConsole, SafeConsole
from ictus.render.program import as_called, program
from ictus.render.typed_options import started_alike

WIDEST = 100
"""Tables never need more columns than this, and degrade where there are fewer."""


def output() -> Console:
    """The console for results. Off a terminal: plain text of the full width, so that a pipe loses nothing."""
    return SafeConsole(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False, markup=False)


def errors() -> Console:
    """The console for warnings and progress."""
    return ProgressConsole(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)


def width() -> int:
    """Columns that a table may use: those of the terminal (COLUMNS counts too), at most `WIDEST`."""
    return min(WIDEST, max(40, shutil.get_terminal_size(fallback=(WIDEST, 24)).columns))


def wrapped(text: str, style: str, columns: int, indent: str = "") -> Iterator[Text]:
    """The lines of a sentence, broken at the terminal's width; those after the first are indented."""
    for line in fold(as_called(text), columns, indent, whole_words=False):
        yield Text(line, style)


def next_line(onward: str) -> Text:
    """The next command: one line however long, for it is copied."""
    return Text(f"Next: {onward}", overflow="fold")


MOST_ANSWER_LINES = 10
"""Lines of an answer before its details, the next command among them."""


def answer_first(
    sentences: Iterable[str], details: Iterable[Text], columns: int, *, onward: str | None = None
) -> Iterator[Text]:
    """What was found, and the next useful command, before the tables and remarks that tell more. Sentences for which
    the first lines have no room follow behind the details.
    """
    first: list[Text] = []
    behind: list[Text] = []
    room = MOST_ANSWER_LINES - (onward is not None)
    for sentence in sentences:
        sentence_lines = list(wrapped(sentence, "bold", columns))
        (first if not behind and len(first) + len(sentence_lines) <= room else behind).extend(sentence_lines)
    yield from first
    if onward is not None:
        yield next_line(onward)
    blank = bool(first) or onward is not None
    for line in details:
        if blank:
            yield Text()
            blank = False
        yield line
    if behind:
        yield Text()
        yield from behind


def warn(warnings: Iterable[str]) -> None:
    """Write each warning to standard error: folded on a terminal, else as one line, which can be searched for."""
    console = errors()
    for warning in warnings:
        first, *following = (
            wrapped(f"warning: {warning}", "", width(), "  ")
            if console.is_terminal
            else (Text(as_called(f"warning: {warning}")),)
        )
        first.stylize("yellow", 0, len("warning: "))
        for line in (first, *following):
            console.print(line)


def _one_form(context: typer.Context, chosen: bool) -> bool:
    """UsageError for both forms at once, before a command does anything."""
    if chosen and (context.params.get("json") or context.params.get("csv")):
        raise UsageError("--json and --csv: choose one")
    return chosen


Json = Annotated[bool, typer.Option("--json", help="One JSON object: schema, warnings, rows.", callback=_one_form)]
Csv = Annotated[bool, typer.Option("--csv", help="Rows as CSV with a header line.", callback=_one_form)]


@dataclass(frozen=True)
class AnswerForm:
    """How a reading command prints its answer: for people, or as one of these."""

    json: Json = False
    csv: Csv = False

    def print(self, answer: "CommandAnswer") -> None:
        """Write the answer in this form."""
        print_answer(answer, self.json, self.csv)


@dataclass(frozen=True)
class CommandAnswer:
    """The answer of a reading command. `lines` draws the table, and is called only when one is shown."""

    schema: str
    """Name and version of the rows, for example `ictus.compare/1`; the version rises when a key changes its meaning."""
    rows: Sequence[Mapping[str, Any]]
    warnings: Sequence[str]
    lines: Callable[[], Iterable[Text]]
    extra_keys: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of the JSON object, besides the rows."""


def print_answer(answer: CommandAnswer, json: bool, csv: bool) -> None:
    """Write the answer in the requested form."""
    console = output()
    if json:
        console.out(shown_json(as_json(answer.schema, answer.warnings, answer.rows, **answer.extra_keys)), end="")
    elif csv:
        console.out(shown(as_csv(answer.rows)), end="")
    else:
        for line in answer.lines():
            console.print(line)
    if not json:
        console.file.flush()
        warn(answer.warnings)


def is_agreed(text: str) -> bool:
    """Whether the user at the terminal agrees; False without a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print_note(text)
    return typer.confirm("Run them?", err=True)


def print_lines(texts: Iterable[str]) -> None:
    """Print lines that are text, such as those of a dry run."""
    for text in texts:
        output().print(Text(text))


def print_note(text: str | Text) -> None:
    """A remark that is no result, to standard error."""
    errors().print(text)


def as_json(schema: str, warnings: Sequence[str], rows: Iterable[Mapping[str, Any]], **extra_keys: Any) -> str:
    """One object: `schema` (name and version, `ictus.compare/1`), `warnings`, the keys of `extra_keys`, and `rows`.

    Unknown values are null: JSON has no NaN and no infinity.
    """
    document = {"schema": schema, "warnings": list(warnings), **extra_keys, "rows": list(rows)}
    return json.dumps(_finite(document), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """A header line of the keys and a line for each row; nested objects give columns of their own keys, with the
    object in front where another column has the name; unknown is empty.
    """
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    written = io.StringIO()
    writer = csv.DictWriter(written, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in flat)
    return written.getvalue()


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without nested objects; a key of one that the row, or an object before it, has too is `object.key`."""
    taken = {name for name, value in row.items() if not isinstance(value, Mapping)}
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{key}" if key in taken else key: nested_value for key, nested_value in value.items()}
            taken |= value.keys()
        else:
            flat[name] = value
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


def command(*words: object) -> str:
    """The command line of `ictus` with these words, for the shell and the folder that we were called from. A command
    that launches starts ranks as the present one does.
    """
    return shlex.join([program(), *started_alike(tuple(map(str, words)))])


def page_command(*words: object) -> str:
    """The command line that makes a page again. The page may be read anywhere: the program is `ictus` there."""
    return shlex.join(["ictus", *map(str, words)])
