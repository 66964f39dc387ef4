"""`ictus plot`: figures of a campaign for a paper, each with its data beside it."""

import io
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.comparison.case_row import CASE_COLUMNS
from ictus.comparison.cases import cases
from ictus.comparison.compared_factor import cases_by, only_factor
from ictus.comparison.comparison import compare
from ictus.comparison.figures import case_groups, latency_panels, ratio_groups, ratio_panels
from ictus.comparison.load_options import ReductionOptions
from ictus.comparison.options import By
from ictus.comparison.page import campaign_page, legend_of
from ictus.comparison.rows import COMPARISON_COLUMNS
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.unknown import unknown
from ictus.render.option_set import with_option_sets
from ictus.render.output import as_csv, output
from ictus.render.page import Panel
from ictus.render.paper import FORMATS, WIDTHS_MM, caught_pages, panels_of, paper_figures, save_figure
from ictus.render.table import records
from ictus.store.campaign import Campaign, load

Rows = Sequence[Mapping[str, Any]]


@with_option_sets
def plot(
    context: typer.Context,
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="The part of the page whose figures they are, as its address names it (#latency): latency, ratio, "
            "processes, launches, samples or start of a campaign; a wrong one lists those that there are.",
        ),
    ],
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER|COMMAND...",
            help="A campaign; or the command that shows another page, with its folder: `barriers impact FOLDER`.",
            show_default=False,
        ),
    ],
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

    The figures of pages in fixed colours, as wide as a column, with embedded fonts. The data of each figure are beside
    it as CSV: cases where the figure is of latencies or ratios, else every mark as it is drawn. Options of the other
    command stand behind `--`: ictus plot matrix -o fig.pdf -- barriers impact FOLDER --reference window.
    """
    if out.suffix.lstrip(".") not in FORMATS:
        raise UsageError(f"-o '{out}': expected a file that ends with {', '.join(f'.{suffix}' for suffix in FORMATS)}")
    with paper_figures() as figures:
        if len(source) == 1:
            panels = _of_campaign(kind, load(Path(source[0]), reduction=reduction.parse()), by)
        else:
            if by is not None or vars(reduction) != vars(ReductionOptions()):
                raise UsageError("--by, --metric, --summary, --outliers: options of the other command stand behind --")
            panels = [(panel, None) for panel in _of_command(kind, context.find_root().command, source)]
        chosen = [(panel, rows) for panel, rows in panels if op is None or _is_of(op, panel, rows)]
        if not chosen:
            raise UsageError(f"{kind}: there is no such figure{'' if op is None else f' of --op {op}'}")
        for (panel, rows), path in zip(chosen, _paths(out, [panel for panel, _ in chosen]), strict=True):
            data = figures.marks(panel) if rows is None else rows
            save_figure(figures.of(panel), path, WIDTHS_MM[columns])
            _write_csv(path.with_suffix(".csv"), data)
            output().print(f"{path}  {', '.join(filter(None, (panel.title, panel.detail)))}", soft_wrap=True)


Drawn = Sequence[tuple[Panel, Rows | None]]
"""Panels, each with its rows; None: what is drawn is all that there is."""


def _is_of(op: str, panel: Panel, rows: Rows | None) -> bool:
    return op == panel.title or op in {row["case"]["operation"] for row in rows or ()}


def _of_campaign(kind: str, campaign: Campaign, by: str | None) -> Drawn:
    """The figures of a part of the report."""
    comparison = compare(campaign, by=by) if by is not None or only_factor(campaign) is not None else None
    compared = "mpi" if comparison is None else comparison.by
    if compared in ("operation", "size_bytes", "n"):
        raise UsageError(f"--by {by}: the figures are over message sizes, for each operation and number of processes")
    every = cases(campaign)
    rows = cases_by(campaign, every.rows, compared)
    legend = legend_of(campaign, rows, compared)
    if kind == "latency":
        groups = [group for *_, group in case_groups(rows, compared) if any(row.median_s is not None for row in group)]
        data = [records(group, CASE_COLUMNS) for group in groups]
        return list(zip(latency_panels(rows, legend, compared), data, strict=True))
    if kind == "ratio":
        if comparison is None:
            raise UsageError("ratio: nothing is compared in this campaign; name a factor with --by")
        ratios = [records(group, COMPARISON_COLUMNS) for group in ratio_groups(comparison.rows)]
        return list(zip(ratio_panels(comparison.rows, legend, comparison.equivalence), ratios, strict=True))
    with caught_pages() as pages:
        campaign_page(campaign, every, comparison, "")
    return [(panel, None) for panel in _part(kind, panels_of(pages))]


def _of_command(kind: str, root: Any, words: Sequence[str]) -> Sequence[Panel]:
    """The figures of a part of the page that another command makes. It measures nothing where its folder is whole."""
    if words[0] not in root.commands or words[0] in ("plot", "report"):
        raise UsageError(f"'{shlex.join(words)}': expected one campaign FOLDER, or a command with the folder it shows")
    if not any(Path(word).exists() for word in words[1:]):
        raise UsageError(f"'{shlex.join(words)}': no folder of this name is here; measure it first, then draw it")
    with caught_pages() as pages, redirect_stdout(io.StringIO()):
        root.main(args=list(words), prog_name="ictus", standalone_mode=False)
    if not pages:
        raise UsageError(f"'{shlex.join(words)}' makes no page; with -o FILE behind -- some commands make one")
    return _part(kind, panels_of(pages))


def _part(kind: str, panels_by_kind: Mapping[str, Sequence[Panel]]) -> Sequence[Panel]:
    if not panels_by_kind:
        raise UsageError(f"KIND '{kind}': the page has no figures")
    if kind not in panels_by_kind:
        raise unknown(f"KIND '{kind}'", kind, list(panels_by_kind))
    return panels_by_kind[kind]


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
