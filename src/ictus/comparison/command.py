"""`ictus compare`: which side is faster, by how much, and how surely. `ictus show`: each library's cases."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ictus.comparison.gate import Gate, parse_gate
from ictus.comparison.options import (
    FOLDER,
    ROWS,
    Adjust,
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
from ictus.model.registries import unknown
from ictus.render.output import CommandAnswer, Csv, Json, command, print_answer, width, wrapped

if TYPE_CHECKING:
    from ictus.comparison.comparison import Cases, Comparison
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
        other=None if other is None else loaded(other),
        by=by,
        test=test,
        adjust=adjust,
        level=level,
        equivalence=margin,
        alternative=parse_alternative(alternative),
        strata=strata,
    )
    if condition is not None and condition.has_direction and other is None and not names:
        raise _unnamed_sides(condition, found, folder)
    more: dict[str, object] = {
        **settings(found),
        "modes": mode_rows(found),
        "unmatched": [one.as_row() for one in found.unmatched],
    }
    if condition is not None:
        more["gate"] = {"condition": condition.text, "hit_by": condition.count(found.rows)}
    tables = row_tables(found)
    more |= {name: tables[name] for name in ROWS if name not in ("pairs", rows)}
    schema = "ictus.compare/1" if rows == "pairs" else f"ictus.compare-{rows}/1"
    goal = None if other is not None else goal_of(campaign)
    more["goal"] = None if goal is None else goal.as_row()
    onward = None if other is not None else more_command(campaign, found)
    more["onward"] = onward
    print_answer(
        CommandAnswer(schema, tables[rows], found.warnings, lambda: comparison_lines(found, goal, onward), more),
        json,
        csv,
    )
    if markdown is not None:
        _write(markdown, comparison_markdown(campaign, found, condition), "a")
    if junit is not None and condition is not None:
        _write(junit, comparison_junit(campaign, found, condition), "w")
    if condition is not None:
        judge(condition, found)


def _unnamed_sides(gate: Gate, found: "Comparison", folder: Path) -> UsageError:
    """Which of two libraries may not be slower, the order of a plan does not say: guessed, a regression would pass."""
    a, b = found.pairs[0]
    by = () if found.by == "mpi" else ("--by", found.by)
    ways = " or ".join(f"`{command('compare', folder, *pair, *by, '--gate', gate.text)}`" for pair in ((b, a), (a, b)))
    return UsageError(
        f"--gate '{gate.text}': say which side is judged by naming it first, then what it is held against: {ways}"
    )


def _write(path: Path, text: str, mode: str) -> None:
    """MeasurementError where the file cannot be written."""
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise MeasurementError(f"'{path}' cannot be written: {error.strerror}") from error


def show(
    folder: Annotated[Path, FOLDER],
    *,
    metric: Metric = None,
    summary: Summary = None,
    outliers: Outliers = None,
    include_contended: IncludeContended = False,
    leave_out_damaged: LeaveOutDamaged = False,
    launches: Annotated[
        bool, typer.Option("--launches", help="Show the launches, each with the state of the machine, not the cases.")
    ] = False,
    over_processes: Annotated[
        bool,
        typer.Option("--over-processes", help="Show each size over the number of processes that call together."),
    ] = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Show each library's cases.

    The median over launches of each launch's median (--summary names another), its interval over launches, and how many
    samples were valid.
    """
    from ictus.comparison import comparison  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.comparison.clock_bounds import bound_sentences, reached_bound  # noqa: PLC0415
    from ictus.comparison.goal import goal_of, goal_sentences  # noqa: PLC0415
    from ictus.comparison.heap import heap_sentences  # noqa: PLC0415
    from ictus.comparison.tables import case_table  # noqa: PLC0415
    from ictus.comparison.warnings import unchecked_sentences  # noqa: PLC0415
    from ictus.render.terminal import lines as table_lines  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415

    campaign = load(
        folder,
        contended=include_contended,
        reduction=parse_reduction(metric, summary, outliers),
        leave_out_damaged=leave_out_damaged,
    )
    if launches:
        _show_launches(campaign, json=json, csv=csv)
        return
    cases = comparison.cases(campaign)
    if over_processes:
        _show_over_processes(campaign, cases, json=json, csv=csv)
        return
    rows = [row.as_row() for row in cases.rows]
    goal = goal_of(campaign)
    goal_words = () if goal is None else goal_sentences(goal)

    def lines() -> Iterator[Text]:
        columns = width()
        yield from table_lines(case_table(cases.rows, cases.confidence, cases.reduction.caption), columns)
        facts = (*bound_sentences(campaign), *heap_sentences(campaign), *unchecked_sentences(campaign))
        for sentence in (*facts, *goal_words):
            yield Text()
            yield from wrapped(sentence, "dim", columns)

    more = {
        **campaign.reduction.as_row(),
        "clock_bound_asked_s": campaign.plan.clock_bound_s,
        "clock_bound_reached_s": reached_bound(campaign),
        "unchecked_launches": campaign.unchecked,
        "goal": None if goal is None else goal.as_row(),
    }
    print_answer(CommandAnswer("ictus.show/1", rows, cases.warnings, lines, more), json, csv)


def _show_over_processes(campaign: "Campaign", cases: "Cases", *, json: bool, csv: bool) -> None:
    from ictus.comparison.over_processes import scaling_groups, scaling_table  # noqa: PLC0415
    from ictus.render.terminal import lines as table_lines  # noqa: PLC0415

    groups = scaling_groups(cases.rows, blocks=campaign.plan.size_is == "block")
    if not groups:
        raise UsageError(
            f"--over-processes: every case of '{campaign.folder}' has one number of processes; measure with -n 2,4,8, "
            f"or with --comm 'first(2),first(4),world' in launches of 8"
        )
    rows = [row.as_row() for group in groups for row in group.rows]
    table = scaling_table(groups, cases.reduction.caption)
    more = campaign.reduction.as_row()
    answer = CommandAnswer(
        "ictus.show-processes/1", rows, cases.warnings, lambda: iter(table_lines(table, width())), more
    )
    print_answer(answer, json, csv)


def _show_launches(campaign: "Campaign", *, json: bool, csv: bool) -> None:
    from ictus.comparison.launch_table import launch_rows, launch_table  # noqa: PLC0415
    from ictus.comparison.modes import machine_modes  # noqa: PLC0415
    from ictus.comparison.warnings import campaign_warnings  # noqa: PLC0415
    from ictus.comparison.words import mode_sentence  # noqa: PLC0415
    from ictus.render.terminal import lines as table_lines  # noqa: PLC0415

    found, modes = launch_rows(campaign), machine_modes(campaign)

    def lines() -> Iterator[Text]:
        columns = width()
        yield from table_lines(launch_table(found), columns)
        for sentence in mode_sentence(modes):
            yield Text()
            yield from wrapped(sentence, "", columns)

    rows, more = [row.as_row() for row in found], {"modes": modes.as_rows()}
    print_answer(CommandAnswer("ictus.show-launches/1", rows, campaign_warnings(campaign), lines, more), json, csv)
