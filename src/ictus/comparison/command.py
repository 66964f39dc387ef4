"""`ictus compare`: which side is faster, by how much, and how surely."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison import comparison
from ictus.comparison.answer import check_compared, comparison_lines, gate_row, judge, mode_rows, row_tables, settings
from ictus.comparison.comparison import Comparison
from ictus.comparison.deciding import deciding_commands
from ictus.comparison.gate import Gate, gate_of
from ictus.comparison.goal import goal_of
from ictus.comparison.judged_pairs import summary_sentences
from ictus.comparison.load_options import LoadOptions
from ictus.comparison.option_sets import JudgementOptions
from ictus.comparison.options import (
    ROWS,
    AllowMissing,
)
from ictus.comparison.selecting import selecting_sentences
from ictus.comparison.side_options import SideOptions
from ictus.comparison.summaries import comparison_junit, comparison_markdown
from ictus.comparison.words import more_command
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.unknown import unknown
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, command, output
from ictus.render.page_file import check_page_file
from ictus.store.manifest import CAMPAIGN


@with_option_sets
def compare(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER [FOLDER] [A [B]]",
            help="One or two campaign folders (with --against one or more), then the labels (or values of --by) to "
            "compare. Without labels, every pair is compared. Put values that begin with a dash after all options and "
            "--, as in -- -O1 -O3.",
            show_default=False,
        ),
    ],
    *,
    judgement: JudgementOptions,
    loading: LoadOptions,
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate",
            metavar="CONDITION",
            help="End with exit code 1 if a case is 'slower > 3 %', 'different > 5 %', 'undecided'.",
            show_default=False,
        ),
    ] = None,
    sides: SideOptions,
    allow_missing: AllowMissing = False,
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
        bool,
        typer.Option("--all", help="Show every case. A terminal hides sizes whose neighbours have the same verdict."),
    ] = False,
    form: AnswerForm,
) -> None:
    """Compare libraries, case by case.

    Or two values of another factor (--by), or campaigns, in every case that was measured on both sides; a case that a
    side lacks is a row that says why. The second line says what that proves: two campaigns are two states of the
    machine.
    """
    for option, file, example in (("--markdown", markdown, "summary.markdown"), ("--junit", junit, "junit.xml")):
        if file is not None:
            check_page_file(file, example, option)
    if rows not in ROWS:
        raise unknown(f"--rows '{rows}'", rows, ROWS)
    condition = gate_of(gate, allow_missing=allow_missing)
    if junit is not None and condition is None:
        raise UsageError(f"--junit '{junit}': a test fails where it hits a gate; name one, as in --gate 'slower > 3 %'")
    folders, others, names = sides.parse(places)
    folder = folders[0]
    request = judgement.request(
        # Fewer than two names may be given, and then the others are found.
        **dict(zip("ab", names, strict=False)),
        reference=sides.reference,
        allow=sides.allowed,
        control=sides.control,
    )
    ours, theirs = [loading.load(path) for path in folders], [loading.load(path) for path in others]
    campaign, baseline = ours[0], theirs[0] if theirs else None
    earlier = [loading.load(path) if (path / CAMPAIGN).is_file() else path for path in sides.history or ()]
    compared = comparison.compare_as_asked(ours, theirs or None, replace(request, history=earlier))
    if condition is not None and condition.has_direction and baseline is None and sides.reference is None:
        raise _no_reference(condition, compared, folder)
    extra_keys: dict[str, object] = {
        "answer": list(summary_sentences(compared)),
        "evidence": compared.evidence.as_object(),
        **settings(compared),
        "modes": mode_rows(compared),
    }
    if condition is not None:
        extra_keys["gate"] = gate_row(condition, compared)
    tables = row_tables(compared)
    extra_keys |= {name: tables[name] for name in ROWS if name not in ("pairs", rows)}
    schema = "ictus.compare/1" if rows == "pairs" else f"ictus.compare-{rows}/1"
    goal = None if baseline is not None else goal_of(campaign, judgement.strata)
    extra_keys["goal"] = None if goal is None else goal.as_object()
    onward = None if baseline is not None else more_command(campaign, compared)
    extra_keys["onward"] = onward
    if campaign.imported is not None:
        extra_keys["imported"] = campaign.imported.declared()
    selecting = selecting_sentences(*ours, *theirs)
    extra_keys["selecting"] = list(selecting)
    lines = partial(
        comparison_lines,
        compared,
        goal,
        onward,
        gate=condition,
        fold=not every and output().is_terminal,
        selecting=selecting,
    )
    form.print(CommandAnswer(schema, tables[rows], compared.warnings, lines, extra_keys))
    if markdown is not None:
        _write(markdown, comparison_markdown(campaign, compared, condition), "a")
    if junit is not None and condition is not None:
        _write(junit, comparison_junit(campaign, compared, condition), "w")
    check_compared(compared)
    if condition is not None:
        deciding = () if compared.evidence.judged else deciding_commands(campaign, baseline, compared, condition.text)
        judge(condition, compared, onward, deciding)


def _no_reference(gate: Gate, compared: "Comparison", folder: Path) -> UsageError:
    """Which library may not be slower, neither the order of a plan nor that of two names says: guessed, a regression
    would pass.
    """
    by = () if compared.by == "mpi" else ("--by", compared.by)
    values = dict.fromkeys(side for pair in compared.pairs for side in pair)
    ways = " or ".join(
        f"`{command('compare', folder, *by, '--reference', side, '--gate', gate.text)}`" for side in list(values)[:2]
    )
    return UsageError(
        f"--gate '{gate.text}': a gate with a direction needs a reference. Name the old library with --reference: "
        f"{ways}; or an earlier campaign with --baseline FOLDER"
    )


def _write(path: Path, text: str, mode: str) -> None:
    """MeasurementError where the file cannot be written."""
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise MeasurementError(f"'{path}' cannot be written: {error.strerror}") from error
