"""`ictus barriers impact`: the effect of the ranks' start on latencies, and on the winner."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison.options import (
    Adjust,
    Equivalence,
    IncludeContended,
    Level,
    Metric,
    Outliers,
    Summary,
    parse_share,
)
from ictus.model.errors import OptionError
from ictus.model.narrower_options import NREP
from ictus.model.plan_options import BY_KEY
from ictus.model.reduction import parse_reduction
from ictus.render import plan_options as options
from ictus.render.output import Csv, Json, page_command, print_answer
from ictus.render.page_file import write_page
from ictus.render.typed_options import check_only, typed_options

PAGE = "impact.html"


_PAGE = ("reference", "norm", "adjust", "level", "equivalence", "metric", "summary", "outliers", "include_contended")
"""Parameters that change what the page says."""
_SHOWING = ("folder", *_PAGE, "json", "csv")
"""Parameters that a campaign takes which was measured before."""


_PROCSYNC = replace(BY_KEY["procsync"], help="Process synchronisations.")
_USUAL = {
    "op": "bcast,allreduce",
    "sizes": "8..64Ki*8; --quick: 8,8Ki",
    "procsync": "every barrier and every other start; --quick: six of them",
    "launches": "20; --quick: 12",
    "nrep": "300; --quick: 100",
}


@options.plan_command(
    "mpi",
    "op",
    "sizes",
    "n",
    _PROCSYNC,
    "algorithm",
    "launches",
    NREP,
    "clock",
    "clocksync",
    "seed",
    "platform",
    "timeout",
    "contention-retries",
    "pin",
    "launcher-options",
    "core-flags",
    "governor",
    "env",
    "heap",
    usual=_USUAL,
)
def impact(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A campaign with several process synchronisations: show it, measure nothing.",
            show_default=False,
        ),
    ] = None,
    *,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer starts, sizes and launches: a minute or two.")] = False,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="NAME",
            help="What ratios refer to. [default: harmonize, else window, else a barrier]",
            show_default=False,
        ),
    ] = None,
    norm: Annotated[
        str, typer.Option("--norm", metavar="NAME", help="What a matrix column is divided by: smallest, or a start.")
    ] = "smallest",
    adjust: Adjust = None,
    level: Level = None,
    equivalence: Equivalence = "5 %",
    metric: Metric = None,
    summary: Summary = None,
    outliers: Outliers = None,
    include_contended: IncludeContended = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="The campaign folder, continued after an interruption. [default: impact-DATE]",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure the same collective under every synchronisation.

    All process synchronisations are measured in the same launches. A matrix of operation and size against the start,
    ratios to a reference, and between libraries: does the winner change with the start alone, where, and how far apart
    do the ranks start there?
    """
    from ictus.engine.backend import World  # noqa: PLC0415 (polars takes most of a second)
    from ictus.render.progress import resumable  # noqa: PLC0415
    from ictus.stats.adjust import find_adjustment  # noqa: PLC0415 (numpy takes a while)
    from ictus.studies.barrier_impact.page import impact_page  # noqa: PLC0415
    from ictus.studies.barrier_impact.study import check_starts, measure_impact, read_impact  # noqa: PLC0415
    from ictus.studies.barrier_impact.tables import answer  # noqa: PLC0415

    margin, reduction = parse_share("--equivalence", equivalence), parse_reduction(metric, summary, outliers)
    if adjust is not None:
        find_adjustment(adjust)  # an unknown name is told before minutes of measuring
    if level is not None and not 0 < level < 1:
        raise OptionError(("level", level, "must lie between 0 and 1, for example 0.05"))
    if folder is None:
        check_starts({"reference": reference, "norm": norm})
        with resumable("barriers", "impact") as display:
            folder = measure_impact(given, out, World(launcher, scenario), display, quick=quick)
    else:
        check_only(context, _SHOWING)
    found = read_impact(
        folder,
        reference,
        norm,
        adjust=adjust,
        level=level,
        equivalence=margin,
        contended=include_contended,
        reduction=reduction,
    )
    print_answer(answer(found), json, csv)
    write_page(
        folder / PAGE,
        impact_page(found, page_command("barriers", "impact", folder.resolve().name, *typed_options(context, _PAGE))),
    )
