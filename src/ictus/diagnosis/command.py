"""`ictus diagnose`: properties of a campaign's samples, and their meaning for its numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison.case_row import CaseRow
from ictus.comparison.cases import cases as measured_cases
from ictus.comparison.load_options import LoadOptions
from ictus.comparison.options import FOLDER
from ictus.diagnosis.analysis import CaseDiagnosis, diagnose as diagnosed, launches_with, samples_of
from ictus.diagnosis.figures import DrawnCase
from ictus.diagnosis.page import MOST_DRAWN, diagnosis_page
from ictus.diagnosis.tables import DIAGNOSIS_COLUMNS, answer_lines, launch_rows
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.quantity import size_text
from ictus.model.spec import split_list
from ictus.model.unknown import unknown
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, command, page_command
from ictus.render.page_file import check_page_file, write_page_file
from ictus.render.plan_options import plan_option
from ictus.render.table import records
from ictus.render.typed_options import typed_options
from ictus.store.campaign import Campaign

_PAGE = (
    "op",
    "sizes",
    "mpi",
    "case",
    "launch",
    "metric",
    "summary",
    "outliers",
    "include_contended",
    "leave_out_damaged",
)
"""Parameters that change what the page says."""


@with_option_sets
def diagnose(
    context: typer.Context,
    folder: Annotated[Path, FOLDER],
    *,
    op: Annotated[str | None, plan_option("op", "", help="Only these operations.")] = None,
    sizes: Annotated[
        str | None, plan_option("sizes", "", help="Only these, of those measured: 8..64Ki, 8,100,4Ki.")
    ] = None,
    mpi: Annotated[str | None, plan_option("mpi", "", metavar="LABEL,...", help="Only these libraries.")] = None,
    case: Annotated[
        int | None,
        typer.Option("--case", metavar="ID", help="Only the case of this number in campaign.json.", show_default=False),
    ] = None,
    launch: Annotated[
        int | None,
        typer.Option(
            "--launch",
            metavar="SLOT",
            help="The launch whose samples are drawn. [default: the first]",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a page with figures.", show_default=False),
    ] = None,
    loading: LoadOptions,
    form: AnswerForm,
) -> None:
    """Look into the samples: correlation, drift, normality.

    Do repetitions resemble their neighbours, do latencies creep during a launch, are launch medians normal? One row for
    each case of each library; of a single one also every launch. With -o a page of figures that says what each means.
    """
    if out is not None:
        check_page_file(out, "diagnosis.html")
    campaign = loading.load(folder)
    cases = measured_cases(campaign)
    chosen = _chosen(campaign, cases.rows, op=op, sizes=sizes, mpi=mpi, case=case)
    rows = diagnosed(campaign, chosen)
    _check_launch(rows, launch)
    flat = launch_rows(rows) if form.csv else records(rows, DIAGNOSIS_COLUMNS)
    reduction = campaign.reduction
    onward = command("show", folder) if out is not None else command("diagnose", folder, "-o", "diagnosis.html")
    form.print(
        CommandAnswer(
            "ictus.diagnose/1",
            flat,
            cases.warnings,
            lambda: answer_lines(rows, reduction.caption, onward),
            reduction.as_object(),
        )
    )
    if out is not None:
        words = typed_options(context, _PAGE)
        _write_page(out, campaign, rows, launch, warnings=cases.warnings, words=words)


def _chosen(
    campaign: Campaign,
    rows: Sequence[CaseRow],
    *,
    op: str | None,
    sizes: str | None,
    mpi: str | None,
    case: int | None,
) -> list[CaseRow]:
    """The rows that all selections leave; UsageError for a name that the campaign does not have, or for none left."""
    operations = _known("--op", op, [str(row.case["operation"]) for row in rows])
    libraries = _known("--mpi", mpi, [row.mpi for row in rows])
    sizes_shown = None if sizes is None else set(Plan.from_values({"sizes": sizes}).sizes)
    factors = None
    if case is not None:
        matching = [to_dict for to_dict in campaign.cases.to_dicts() if to_dict["case_id"] == case]
        if not matching:
            case_ids = campaign.cases["case_id"].to_list()
            raise UsageError(f"--case {case}: the campaign has the cases {min(case_ids)} to {max(case_ids)}")
        factors = matching[0]
    left = [
        row
        for row in rows
        if (operations is None or row.case["operation"] in operations)
        and (libraries is None or row.mpi in libraries)
        and (sizes_shown is None or row.case["size_bytes"] in sizes_shown)
        and (factors is None or all(row.case.get(name, value) == value for name, value in factors.items()))
    ]
    if not left:
        sizes_text = ", ".join(
            size_text(size_bytes) for size_bytes in sorted({int(row.case["size_bytes"]) for row in rows})
        )
        raise UsageError(f"no case matches the options; the campaign has the sizes {sizes_text}")
    return left


def _known(option: str, text: str | None, names: Sequence[str]) -> set[str] | None:
    """The names of a list, each of which must be there; None for no list."""
    if text is None:
        return None
    chosen = split_list(text)
    for name in chosen:
        if name not in names:
            raise unknown(f"{option} '{name}' in this campaign", name, dict.fromkeys(names))
    return set(chosen)


def _check_launch(rows: Sequence[CaseDiagnosis], launch: int | None) -> None:
    slots = list(launches_with(rows))
    if launch is not None and launch not in slots:
        slots_text = ", ".join(map(str, slots)) or "none"
        raise UsageError(f"--launch {launch}: no kept sample of these cases in that slot; there are {slots_text}")


def _write_page(
    path: Path,
    campaign: Campaign,
    rows: Sequence[CaseDiagnosis],
    launch: int | None,
    *,
    warnings: Sequence[str],
    words: Sequence[object],
) -> None:
    with_launch = [row for row in rows if any(launch is None or diagnosis.slot == launch for diagnosis in row.launches)]
    looked = []
    for row in _spread(with_launch, MOST_DRAWN):
        slot = row.launches[0].slot if launch is None else launch
        samples = samples_of(campaign, row.row, slot)
        if samples is not None:
            looked.append(DrawnCase(row, samples, campaign.seed))
    again = page_command("diagnose", campaign.folder.resolve().name, *words, "-o", path.name)
    write_page_file(path, diagnosis_page(campaign, rows, looked, warnings, again))


def _spread(rows: Sequence[CaseDiagnosis], at_most: int) -> list[CaseDiagnosis]:
    """At most this number of rows, evenly over all."""
    if len(rows) <= at_most:
        return list(rows)
    return [rows[round(index * (len(rows) - 1) / (at_most - 1))] for index in range(at_most)]
