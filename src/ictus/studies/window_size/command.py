"""`ictus procsync window`: how long a window must be."""

from pathlib import Path
from typing import Annotated

import typer

from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.render import plan_options as options
from ictus.render.option_values import brief_times
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.page_file import write_page
from ictus.render.typed_options import check_only
from ictus.studies.options import CampaignFolder
from ictus.studies.window_size.study import LIMIT, USUAL, fixed_attempts, measure_windows

PAGE = "windows.html"


@options.plan_command(
    "mpi",
    "op",
    "sizes",
    "n",
    "launches",
    NREP,
    ONE_CLOCK,
    ONE_CLOCKSYNC,
    "seed",
    "platform",
    "timeout",
    ONE_SETTING,
    "pin",
    usual={"op": USUAL["op"], "sizes": USUAL["sizes"]},
)
def window(
    context: typer.Context,
    folder: CampaignFolder = None,
    *,
    windows: Annotated[
        str | None,
        typer.Option(
            "--windows",
            metavar="TIME,...",
            help="Window sizes, at most 1s each. [default: 0.7 to 10 times the latencies, found by a short launch]",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        float,
        typer.Option("--limit", metavar="SHARE", min=0, max=1, help="Largest accepted share of invalid samples."),
    ] = LIMIT,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[Path | None, options.output_option("The campaign folder. [default: window-DATE]")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Sweep window sizes, and recommend one.

    The share of invalid samples and the latency of the valid ones at each size. All sizes are measured in the same
    launches, in shuffled order. On a FOLDER with windows of fixed size nothing is measured.
    """
    from ictus.comparison.warnings import campaign_warnings  # noqa: PLC0415
    from ictus.engine.backend import World  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.render.progress import resumable  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415
    from ictus.studies.window_size.analysis import window_sweeps  # noqa: PLC0415
    from ictus.studies.window_size.page import window_page  # noqa: PLC0415
    from ictus.studies.window_size.tables import answer_lines  # noqa: PLC0415

    if folder is not None:
        check_only(context, ("folder", "limit", "json", "csv"))
    else:
        nrep = given.pop("nrep")
        # A sample is an attempt here: invalid ones are what is looked for, and are not made good.
        given["repetition"] = fixed_attempts(nrep) if nrep else None
        sizes_s = brief_times("--windows", windows) if windows else None
        with resumable("procsync", "window") as display:
            folder = measure_windows(given, out, World(launcher, scenario), display, windows_s=sizes_s)
    campaign = load(folder)
    sweeps = window_sweeps(campaign, limit)
    warnings = campaign_warnings(campaign)
    again = page_command("procsync", "window", folder.resolve().name, "--limit", f"{limit:g}")
    write_page(campaign.folder / PAGE, window_page(campaign, sweeps, limit, warnings, again))
    rows = [row for sweep in sweeps for row in sweep.as_rows()]
    more = {"limit": limit, "recommended_s": [one.advice.window_s for one in sweeps]}
    print_answer(
        CommandAnswer("ictus.procsync.window/1", rows, warnings, lambda: answer_lines(sweeps, limit), more), json, csv
    )
