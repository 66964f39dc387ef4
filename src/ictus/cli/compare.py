"""`ictus compare`: who is faster, by how much, and how sure that is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ictus.cli.console import width, wrapped
from ictus.cli.gate import parse_gate
from ictus.cli.output import Answer, Csv, Json, give, say
from ictus.cli.reading import (
    Adjust,
    Alternative,
    By,
    Equivalence,
    IncludeContended,
    Level,
    Test,
    parse_alternative,
    parse_places,
    parse_share,
)
from ictus.model.errors import GateHit

if TYPE_CHECKING:
    from ictus.api import Comparison


def compare(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER [FOLDER] [A [B]]",
            help="One or two campaign folders, then the labels (or values of --by) to compare; left out: every pair.",
            show_default=False,
        ),
    ],
    *,
    by: By = "mpi",
    test: Test = None,
    adjust: Adjust = None,
    level: Level = None,
    equivalence: Equivalence = "5 %",
    alternative: Alternative = "two-sided",
    include_contended: IncludeContended = False,
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate",
            metavar="CONDITION",
            help="End with exit code 1 if a case is 'slower > 3 %', 'different > 5 %', 'undecided'.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Compare libraries, case by case.

    Or two values of another factor (--by), or two campaigns, in every case that was measured on both sides.
    """
    from ictus import api  # noqa: PLC0415 (polars and scipy take most of a second, which --help does not need)

    condition = parse_gate(gate) if gate is not None else None
    folder, other, names = parse_places(places)
    margin = parse_share("--equivalence", equivalence)
    found = api.compare(
        api.load(folder, contended=include_contended),
        *names,
        other=None if other is None else api.load(other, contended=include_contended),
        by=by,
        test=test,
        adjust=adjust,
        level=level,
        equivalence=margin,
        alternative=parse_alternative(alternative),
    )
    rows = [row.flat(found.alternative) for row in found.rows]
    give(Answer("ictus.compare/1", rows, found.warnings, lambda: comparison_lines(found), judged(found)), json, csv)
    hits = 0 if condition is None else condition.count(found.rows)
    if condition is not None and hits:
        raise GateHit(f"gate '{condition.text}' is hit by {hits} of {len(found.rows)} cases")
    if condition is not None and found.counts.open:
        open_cases = f"{found.counts.open} of {len(found.rows)} cases"
        say(f"gate not hit; {open_cases} {'is' if found.counts.open == 1 else 'are'} undecided or cannot be decided")


def judged(found: "Comparison") -> dict[str, object]:
    """How it was judged, for the JSON object."""
    names = ("by", "test", "paired", "adjust", "level", "equivalence", "alternative")
    return {name: getattr(found, name) for name in names}


def comparison_lines(found: "Comparison") -> Iterator[Text]:
    """What was compared and how, the table, and the result in sentences."""
    from ictus.report.tables import comparison_table  # noqa: PLC0415
    from ictus.report.words import method, outlook, ratio_note, sentence  # noqa: PLC0415

    columns = width()
    for line in method(found.rows, found.test, found.adjust, found.level, found.alternative, paired=found.paired):
        yield from wrapped(line, "dim", columns)
    yield Text()
    yield from comparison_table(found.rows, found.alternative, found.level, columns)
    yield Text()
    yield from wrapped(ratio_note(found.test), "dim", columns)
    for a, b in found.pairs:
        rows = [row for row in found.rows if (row.a, row.b) == (a, b)]
        yield Text()
        yield from wrapped(sentence(rows, a, b, found.equivalence), "bold", columns)
        if further := outlook(rows):
            yield from wrapped(further, "", columns)
