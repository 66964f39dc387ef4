"""`ictus lens`: what other suites would report about the same call, beside the makespan."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.render import plan_options as options
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.page_file import write_page
from ictus.render.progress import measure_for_command
from ictus.render.typed_options import check_only, typed_options
from ictus.studies.lens.usual import CALLS, OPERATIONS, SIZES
from ictus.studies.options import CampaignFolder

PAGE = "lenses.html"
_SHOWING = ("folder", "lens_names", "procsyncs", "details", "json", "csv")
"""Options that a campaign takes which was measured before."""


_CALLS = replace(NREP, help="Calls that each suite makes of a case.")


@options.plan_command(
    "mpi",
    "op",
    "sizes",
    "size-is",
    "n",
    "launches",
    _CALLS,
    "datatype",
    "operator",
    "comm",
    "root",
    "in-place",
    "layout",
    "counts",
    ONE_CLOCK,
    ONE_CLOCKSYNC,
    "cache",
    "warmup",
    "seed",
    "platform",
    "timeout",
    ONE_SETTING,
    "pin",
    usual={"op": OPERATIONS, "sizes": SIZES, "nrep": str(CALLS)},
)
def lens(
    context: typer.Context,
    folder: CampaignFolder = None,
    *,
    lens_names: Annotated[
        str | None,
        typer.Option("--lens", metavar="NAME,...", help="Lenses (ictus list lens). [default: all]", show_default=False),
    ] = None,
    procsyncs: Annotated[
        str | None,
        options.plan_option(
            "procsync",
            "",
            metavar="NAME,...|all",
            help="Also show the makespan after these process synchronisations, or after all of them.",
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show each suite's own line with all its columns.")
    ] = False,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[Path | None, options.output_option("The campaign folder. [default: lens-DATE]")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Show what other suites would have reported.

    OSU, IMB, SKaMPI and others: each suite's way of measuring and of reducing, all in the same launches, beside the
    makespan. One table shows each number in relation to the makespan; a page is written into the campaign's folder.
    """
    from ictus.model.launch_factor import CLOCKS_AND_SETTINGS  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.studies.lens.analysis import lenses  # noqa: PLC0415
    from ictus.studies.lens.page import lens_page  # noqa: PLC0415
    from ictus.studies.lens.study import methods, parse_looks, parse_procsyncs, usual_of  # noqa: PLC0415
    from ictus.studies.lens.tables import CONFIDENCE, answer_lines  # noqa: PLC0415

    looks, starts = parse_looks(lens_names), parse_procsyncs(procsyncs)
    if folder is not None:
        check_only(context, _SHOWING)
    else:
        nrep = given.pop("nrep")
        measured_by = methods(looks, starts, nrep or CALLS) if lens_names or procsyncs or nrep else None
        given |= {"methods": measured_by, "raw": True}
        folder = measure_for_command(
            out, given, launcher, scenario, "lens", usual=usual_of(looks, starts), single=CLOCKS_AND_SETTINGS
        )
    campaign = load(folder)
    found = lenses(campaign, *(str(look.spec) for look in looks or ()), procsyncs=starts, confidence=CONFIDENCE)
    again = page_command("lens", campaign.folder.resolve().name, *typed_options(context, ("lens_names", "procsyncs")))
    write_page(campaign.folder / PAGE, lens_page(campaign, found, again))
    shown = [row.as_row() for row in found.rows]
    print_answer(
        CommandAnswer(
            "ictus.lens/1",
            shown,
            found.warnings,
            lambda: answer_lines(found, details=details),
            {"evidence": found.evidence.as_row()},
        ),
        json,
        csv,
    )
