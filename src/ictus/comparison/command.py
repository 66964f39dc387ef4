"""`ictus compare`: which side is faster, by how much, and how surely."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.comparison.gate import Gate, parse_gate
from ictus.comparison.options import (
    ROWS,
    Adjust,
    Allow,
    Alternative,
    By,
    IncludeContended,
    LeaveOutDamaged,
    Level,
    Margin,
    Metric,
    Outliers,
    Strata,
    Summary,
    Test,
    parse_alternative,
    parse_places,
    parse_share,
)
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.reduction import parse_reduction
from ictus.model.unknown import unknown
from ictus.render.output import CommandAnswer, Csv, Json, command, output, print_answer

if TYPE_CHECKING:
    from ictus.comparison.comparison import Comparison


def compare(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER [FOLDER] [A [B]]",
            help="One or two campaign folders, then the labels (or values of --by) to compare. Without labels, every "
            "pair is compared. Put values that begin with a dash after all options and --, as in -- -O1 -O3.",
            show_default=False,
        ),
    ],
    *,
    by: By = None,
    test: Test = None,
    adjust: Adjust = None,
    level: Level = None,
    equivalence: Margin = None,
    alternative: Alternative = "two-sided",
    strata: Strata = "modes",
    metric: Metric = None,
    summary: Summary = None,
    outliers: Outliers = None,
    include_contended: IncludeContended = False,
    leave_out_damaged: LeaveOutDamaged = False,
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate",
            metavar="CONDITION",
            help="End with exit code 1 if a case is 'slower > 3 %', 'different > 5 %', 'undecided'.",
            show_default=False,
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="LABEL",
            help="Compare every other library (or value of --by) with this one; a gate judges the others.",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline", metavar="FOLDER", help="The campaign to compare with, as a second FOLDER.", show_default=False
        ),
    ] = None,
    allow: Allow = None,
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
            help="The rows of --csv and --json: pairs, ranking (of three values or more), shares (of the variance).",
        ),
    ] = "pairs",
    every: Annotated[
        bool, typer.Option("--all", help="Show every case; on a terminal sizes between two of one verdict are folded.")
    ] = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Compare libraries, case by case.

    Or two values of another factor (--by), or two campaigns, in every case that was measured on both sides.
    """
    from ictus.comparison import comparison  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.comparison.answer import comparison_lines, judge, mode_rows, row_tables, settings  # noqa: PLC0415
    from ictus.comparison.goal import goal_of  # noqa: PLC0415
    from ictus.comparison.summaries import comparison_junit, comparison_markdown  # noqa: PLC0415
    from ictus.comparison.words import more_command  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415

    if rows not in ROWS:
        raise unknown(f"--rows '{rows}'", rows, ROWS)
    condition = parse_gate(gate) if gate is not None else None
    if junit is not None and condition is None:
        raise UsageError(f"--junit '{junit}': a test fails where it hits a gate; name one, as in --gate 'slower > 3 %'")
    folder, second, names = parse_places(places)
    if second is not None and baseline is not None:
        raise UsageError(f"--baseline '{baseline}': '{second}' is there to be compared with already; leave out one")
    margin = None if equivalence is None else parse_share("--equivalence", equivalence)
    other = baseline if second is None else second
    loaded = partial(
        load,
        contended=include_contended,
        reduction=parse_reduction(metric, summary, outliers),
        leave_out_damaged=leave_out_damaged,
    )
    campaign = loaded(folder)
    found = comparison.compare(
        campaign,
        *names,
        reference=reference,
        other=None if other is None else loaded(other),
        by=by,
        test=test,
        adjust=adjust,
        level=level,
        equivalence=margin,
        alternative=parse_alternative(alternative),
        strata=strata,
        allow=() if allow is None else [name.strip() for name in allow.split(",")],
    )
    if condition is not None and condition.has_direction and other is None and not names and reference is None:
        raise _unnamed_sides(condition, found, folder)
    more: dict[str, object] = {
        **settings(found),
        "modes": mode_rows(found),
        "unmatched": [one.as_row() for one in found.unmatched],
    }
    if condition is not None:
        judges = condition.sentence(found.pairs)
        more["gate"] = {"condition": condition.text, "judges": judges, "hit_by": condition.count(found.rows)}
    tables = row_tables(found)
    more |= {name: tables[name] for name in ROWS if name not in ("pairs", rows)}
    schema = "ictus.compare/1" if rows == "pairs" else f"ictus.compare-{rows}/1"
    goal = None if other is not None else goal_of(campaign, strata)
    more["goal"] = None if goal is None else goal.as_row()
    onward = None if other is not None else more_command(campaign, found)
    more["onward"] = onward
    if campaign.imported is not None:
        more["imported"] = campaign.imported.declared()
    lines = partial(comparison_lines, found, goal, onward, gate=condition, fold=not every and output().is_terminal)
    print_answer(
        CommandAnswer(schema, tables[rows], found.warnings, lines, more),
        json,
        csv,
    )
    if markdown is not None:
        _write(markdown, comparison_markdown(campaign, found, condition), "a")
    if junit is not None and condition is not None:
        _write(junit, comparison_junit(campaign, found, condition), "w")
    if condition is not None:
        judge(condition, found, onward)


def _unnamed_sides(gate: Gate, found: "Comparison", folder: Path) -> UsageError:
    """Which library may not be slower, the order of a plan does not say: guessed, a regression would pass."""
    by = () if found.by == "mpi" else ("--by", found.by)
    sides = dict.fromkeys(side for pair in found.pairs for side in pair)
    ways = " or ".join(
        f"`{command('compare', folder, *by, '--reference', side, '--gate', gate.text)}`" for side in list(sides)[:2]
    )
    return UsageError(
        f"--gate '{gate.text}': compared with what? Name the side that the others are compared with by --reference: "
        f"{ways}; or an earlier campaign with --baseline FOLDER"
    )


def _write(path: Path, text: str, mode: str) -> None:
    """MeasurementError where the file cannot be written."""
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise MeasurementError(f"'{path}' cannot be written: {error.strerror}") from error
