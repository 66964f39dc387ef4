"""`ictus compare`: who is faster, by how much, and how sure that is."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ictus.comparison.gate import Gate, parse_gate
from ictus.comparison.options import (
    Adjust,
    Alternative,
    Average,
    By,
    Equivalence,
    IncludeContended,
    Level,
    Outliers,
    Test,
    parse_alternative,
    parse_places,
    parse_share,
)
from ictus.model.errors import GateHit, MeasurementError, UsageError
from ictus.model.reduction import parse_reduction
from ictus.model.registries import unknown
from ictus.render.console import width, wrapped
from ictus.render.output import Answer, Csv, Json, print_answer, print_note
from ictus.render.shell_command import command

if TYPE_CHECKING:
    from ictus.comparison.comparison import Comparison
    from ictus.store.campaign import Campaign


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
    average: Average = "median",
    outliers: Outliers = "1.5",
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
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline", metavar="FOLDER", help="The campaign to compare with, as a second FOLDER.", show_default=False
        ),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="Append a summary in Markdown.", show_default=False),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit", metavar="FILE", help="Write JUnit XML: a case that hits the gate fails.", show_default=False
        ),
    ] = None,
    rows: Annotated[
        str,
        typer.Option(
            "--rows",
            metavar="NAME",
            help="What --csv and 'rows' of --json are: pairs, ranking (of three or more), shares.",
        ),
    ] = "pairs",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Compare libraries, case by case.

    Or two values of another factor (--by), or two campaigns, in every case that was measured on both sides.
    """
    from ictus.comparison import comparison  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.comparison.goal import goal_of, goal_sentences  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415

    if rows not in ROWS:
        raise unknown(f"--rows '{rows}'", rows, ROWS)
    condition = parse_gate(gate) if gate is not None else None
    if junit is not None and condition is None:
        raise UsageError(f"--junit '{junit}': a test fails where it hits a gate; name one, as in --gate 'slower > 3 %'")
    folder, second, names = parse_places(places)
    if second is not None and baseline is not None:
        raise UsageError(f"--baseline '{baseline}': '{second}' is there to be compared with already; leave out one")
    margin = parse_share("--equivalence", equivalence)
    other = baseline if second is None else second
    reduction = parse_reduction(average, outliers)
    campaign = load(folder, contended=include_contended, reduction=reduction)
    found = comparison.compare(
        campaign,
        *names,
        other=None if other is None else load(other, contended=include_contended, reduction=reduction),
        by=by,
        test=test,
        adjust=adjust,
        level=level,
        equivalence=margin,
        alternative=parse_alternative(alternative),
    )
    if condition is not None and condition.has_direction and other is None and not names:
        raise _unnamed_sides(condition, found, folder)
    more: dict[str, object] = {**judged(found), "unmatched": [one.as_row() for one in found.unmatched]}
    if condition is not None:
        more["gate"] = {"condition": condition.text, "hit_by": condition.count(found.rows)}
    tables = row_tables(found)
    more |= {name: tables[name] for name in ROWS if name not in ("pairs", rows)}
    schema = "ictus.compare/1" if rows == "pairs" else f"ictus.compare-{rows}/1"
    goal = None if other is not None else goal_of(campaign)
    more["goal"] = None if goal is None else goal.as_row()
    sentences = () if goal is None else goal_sentences(goal)
    lines = lambda: chain(comparison_lines(found), goal_lines(sentences))  # noqa: E731
    print_answer(Answer(schema, tables[rows], found.warnings, lines, more), json, csv)
    if markdown is not None:
        _write(markdown, _markdown(campaign, found, condition), "a")
    if junit is not None and condition is not None:
        _write(junit, _junit(campaign, found, condition), "w")
    if condition is not None:
        _judge(condition, found)


def goal_lines(sentences: Sequence[str]) -> Iterator[Text]:
    """What was reached of a precision goal, below the comparison."""
    for sentence in sentences:
        yield Text()
        yield from wrapped(sentence, "dim", width())


ROWS = ("pairs", "ranking", "shares")
"""The tables that a comparison has for scripts; `ranking` is empty where no more than two were compared."""


def row_tables(found: "Comparison") -> dict[str, list[dict[str, object]]]:
    """All tables as rows."""
    return {
        "pairs": [row.as_row(found.alternative) for row in found.rows],
        "ranking": [row for ranking in found.rankings for row in ranking.as_rows()],
        "shares": [] if found.shares is None else found.shares.as_rows(),
    }


def _unnamed_sides(gate: Gate, found: "Comparison", folder: Path) -> UsageError:
    """Which of two libraries may not be slower, the order of a plan does not say: guessed, a regression would pass."""
    a, b = found.pairs[0]
    by = () if found.by == "mpi" else ("--by", found.by)
    ways = " or ".join(f"`{command('compare', folder, *pair, *by, '--gate', gate.text)}`" for pair in ((b, a), (a, b)))
    return UsageError(
        f"--gate '{gate.text}': say which side is judged by naming it first, then what it is held against: {ways}"
    )


def _judge(gate: Gate, found: "Comparison") -> None:
    """GateHit where a case hits; a word where some are open, which no gate of a direction can be hit by."""
    from ictus.comparison.rows import compared  # noqa: PLC0415

    hits = gate.count(found.rows)
    if hits:
        raise GateHit(f"gate '{gate.text}' is hit by {hits} of {compared(found.rows)}")
    if found.counts.open:
        open_cases = f"{found.counts.open} of {compared(found.rows)}"
        print_note(
            f"gate not hit; {open_cases} {'is' if found.counts.open == 1 else 'are'} undecided or cannot be decided"
        )


def _markdown(campaign: "Campaign", found: "Comparison", gate: Gate | None) -> str:
    from ictus.comparison.summaries import comparison_markdown  # noqa: PLC0415
    from ictus.comparison.words import sentence  # noqa: PLC0415

    sentences = [
        sentence([row for row in found.rows if (row.a, row.b) == pair], *pair, found.equivalence)
        for pair in found.pairs
    ]
    title = f"Ictus: {campaign.folder.resolve().name}"
    return comparison_markdown(
        title,
        rows=found.rows,
        sentences=sentences,
        method=_method(found),
        gate=gate,
        left_out=found.unmatched,
        warnings=found.warnings,
        level=found.level,
        equivalence=found.equivalence,
    )


def _junit(campaign: "Campaign", found: "Comparison", gate: Gate) -> str:
    from ictus.comparison.summaries import junit_xml  # noqa: PLC0415

    return junit_xml(
        f"ictus compare {campaign.folder.resolve().name}",
        found.rows,
        gate,
        found.unmatched,
        created=campaign.created,
        host=str(campaign.machine.get("host", "unknown")),
        properties={name: str(value) for name, value in judged(found).items()},
        warnings=found.warnings,
    )


def _write(path: Path, text: str, mode: str) -> None:
    """MeasurementError where the file cannot be written."""
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise MeasurementError(f"'{path}' cannot be written: {error.strerror}") from error


def judged(found: "Comparison") -> dict[str, object]:
    """How it was judged, for the JSON object."""
    names = ("by", "test", "paired", "adjust", "level", "equivalence", "alternative")
    return {name: getattr(found, name) for name in names}


def comparison_lines(found: "Comparison") -> Iterator[Text]:
    """What was compared and how, the table, and the result in sentences."""
    from ictus.comparison.tables import comparison_table, ranking_table, share_table  # noqa: PLC0415
    from ictus.comparison.words import (  # noqa: PLC0415
        alone_note,
        first_places,
        outlook,
        ranking_note,
        ratio_note,
        sentence,
        share_note,
    )  # fmt: skip
    from ictus.render.terminal import lines  # noqa: PLC0415

    columns = width()
    if found.rankings:
        yield from wrapped(ranking_note(found.rankings, found.by), "dim", columns)
        yield Text()
        yield from lines(ranking_table(found.rankings, found.by), columns)
        yield Text()
        yield from wrapped(first_places(found.rankings), "bold", columns)
        yield Text()
    for line in _method(found):
        yield from wrapped(line, "dim", columns)
    yield Text()
    yield from lines(comparison_table(found.rows, found.alternative, found.level, found.equivalence), columns)
    yield Text()
    yield from wrapped(ratio_note(found.test) + alone_note(found.rows, found.adjust), "dim", columns)
    for a, b in found.pairs:
        rows = [row for row in found.rows if (row.a, row.b) == (a, b)]
        yield Text()
        yield from wrapped(sentence(rows, a, b, found.equivalence), "bold", columns)
        if further := outlook(rows):
            yield from wrapped(further, "", columns)
    if found.shares is not None and len(found.shares.factors) > 1:
        yield Text()
        yield from lines(share_table(found.shares), columns)
        yield Text()
        yield from wrapped(share_note(found.shares), "dim", columns)


def _method(found: "Comparison") -> tuple[str, ...]:
    from ictus.comparison.words import method  # noqa: PLC0415

    return method(found.rows, found.test, found.adjust, found.level, found.alternative, paired=found.paired)
