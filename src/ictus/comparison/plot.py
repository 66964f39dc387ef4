"""`ictus plot`: figures of a campaign for a paper, each with its data beside it."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.comparison.case_row import CASE_COLUMNS, CaseRow
from ictus.comparison.cases import cases
from ictus.comparison.compared_factor import cases_by, only_factor
from ictus.comparison.comparison import Comparison, compare
from ictus.comparison.figures import case_groups, latency_panels, ratio_groups, ratio_panels
from ictus.comparison.load_options import ReductionOptions
from ictus.comparison.options import FOLDER, By
from ictus.comparison.page import legend_of
from ictus.comparison.rows import COMPARISON_COLUMNS
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.unknown import unknown
from ictus.render.option_set import with_option_sets
from ictus.render.output import as_csv, output
from ictus.render.page import Legend, Panel
from ictus.render.paper import FORMATS, WIDTHS_MM, paper_figures, save_figure
from ictus.render.table import records
from ictus.store.campaign import load

Rows = Sequence[Mapping[str, Any]]


@with_option_sets
def plot(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="latency or ratio, over message sizes.")],
    folder: Annotated[Path, FOLDER],
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A .pdf, .svg, .png or .pgf file. Of several figures, each has its operation in its name.",
            show_default=False,
        ),
    ],
    columns: Annotated[
        int,
        typer.Option("--columns", metavar="COUNT", min=1, max=2, help="Width in columns of a paper with two columns."),
    ] = 1,
    op: Annotated[
        str | None, typer.Option("--op", metavar="NAME", help="Only this operation.", show_default=False)
    ] = None,
    by: By = None,
    reduction: ReductionOptions,
) -> None:
    """Draw figures for a paper.

    The figures of the report in fixed colours, as wide as a column, with embedded fonts. The data of each figure are
    beside it as CSV.
    """
    if kind not in KINDS:
        raise unknown(f"KIND '{kind}'", kind, KINDS)
    if out.suffix.lstrip(".") not in FORMATS:
        raise UsageError(f"-o '{out}': expected a file that ends with {', '.join(f'.{one}' for one in FORMATS)}")
    campaign = load(folder, reduction=reduction.parse())
    found = compare(campaign, by=by) if by is not None or only_factor(campaign) is not None else None
    compared = "mpi" if found is None else found.by
    if compared in ("operation", "size_bytes", "n"):
        raise UsageError(f"--by {by}: the figures are over message sizes, for each operation and number of processes")
    rows = cases_by(campaign, cases(campaign).rows, compared)
    with paper_figures() as figures:
        panels, data = KINDS[kind](rows, found, legend_of(campaign, rows, compared), compared)
    chosen = [
        (panel, figure, rows)
        for panel, figure, rows in zip(panels, figures, data, strict=True)
        if op is None or op in {row["case"]["operation"] for row in rows} or op == panel.title
    ]
    if not chosen:
        raise UsageError(f"{kind}: the campaign has no such figure{'' if op is None else f' of --op {op}'}")
    for (panel, figure, its), path in zip(chosen, _paths(out, [panel for panel, *_ in chosen]), strict=True):
        save_figure(figure, path, WIDTHS_MM[columns])
        _write_csv(path.with_suffix(".csv"), its)
        output().print(f"{path}  {panel.title}, {panel.detail}", soft_wrap=True)


def _latency(
    rows: "Sequence[CaseRow]", _found: "Comparison | None", legend: "Legend", by: str
) -> "tuple[tuple[Panel, ...], list[Rows]]":

    groups = [group for *_, group in case_groups(rows, by) if any(row.median_s is not None for row in group)]
    return latency_panels(rows, legend, by), [records(group, CASE_COLUMNS) for group in groups]


def _ratio(
    _rows: "Sequence[CaseRow]", found: "Comparison | None", legend: "Legend", _by: str
) -> "tuple[tuple[Panel, ...], list[Rows]]":

    if found is None:
        raise UsageError("ratio: nothing is compared in this campaign; name a factor with --by")
    groups = [records(group, COMPARISON_COLUMNS) for group in ratio_groups(found.rows)]
    return ratio_panels(found.rows, legend, found.equivalence), list(groups)


KINDS: Mapping[
    str,
    "Callable[[Sequence[CaseRow], Comparison | None, Legend, str], tuple[tuple[Panel, ...], list[Rows]]]",
] = {"latency": _latency, "ratio": _ratio}


def _paths(out: Path, panels: "Sequence[Panel]") -> list[Path]:
    """The file of each figure: as it was named, of several with title and detail, which differ or are numbered."""
    if len(panels) == 1:
        return [out]
    names = [re.sub(r"[^A-Za-z0-9]+", "-", f"{panel.title} {panel.detail}").strip("-").lower() for panel in panels]
    twice = {name for name in names if names.count(name) > 1}
    numbered = [f"{name}-{at}" if name in twice else name for at, name in enumerate(names, 1)]
    return [out.with_stem(f"{out.stem}-{name}") for name in numbered]


def _write_csv(path: Path, rows: Rows) -> None:
    try:
        path.write_text(as_csv(rows), "utf-8")
    except OSError as error:
        raise MeasurementError(f"'{path}' cannot be written: {error.strerror}") from error
