"""`ictus procsync times`: the same samples by local and by global time."""

from pathlib import Path
from typing import Annotated

import typer

from ictus.model.narrower_options import NREP, ONE_SETTING
from ictus.render import plan_options as options
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.page_file import write_page
from ictus.render.progress import measure_for_command
from ictus.render.typed_options import check_only
from ictus.studies.local_and_global.study import USUAL
from ictus.studies.options import CampaignFolder

PAGE = "times.html"


@options.plan_command(
    "mpi",
    "op",
    "sizes",
    "n",
    "launches",
    NREP,
    "clock",
    "clocksync",
    "seed",
    "platform",
    "timeout",
    ONE_SETTING,
    "pin",
    usual={"op": USUAL["op"], "sizes": USUAL["sizes"]},
)
def times(
    context: typer.Context,
    folder: CampaignFolder = None,
    *,
    procsync: Annotated[
        str | None,
        options.plan_option(
            "procsync", ",".join(USUAL["procsync"]), help="Process synchronisations (ictus list procsync)."
        ),
    ] = None,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[Path | None, options.output_option("The campaign folder. [default: times-DATE]")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Compare local with global times of the same samples.

    The longest local duration and the makespan. Their ratio, paired within launches, for each operation, size and
    start. FOLDER may be any campaign with synchronised clocks.
    """
    from ictus.comparison.warnings import campaign_warnings  # noqa: PLC0415
    from ictus.model.launch_factor import NAMED  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.studies.local_and_global.analysis import times_rows  # noqa: PLC0415
    from ictus.studies.local_and_global.page import times_page  # noqa: PLC0415
    from ictus.studies.local_and_global.tables import answer_lines  # noqa: PLC0415

    if folder is not None:
        check_only(context, ("folder", "json", "csv"))
    else:
        given["procsync"] = options.names([procsync]) if procsync else None
        folder = measure_for_command(out, given, launcher, scenario, "procsync times", usual=USUAL, single=NAMED)
    campaign = load(folder)
    rows = times_rows(campaign)
    warnings = campaign_warnings(campaign)
    write_page(
        campaign.folder / PAGE,
        times_page(campaign, rows, warnings, page_command("procsync", "times", folder.resolve().name)),
    )
    shown = [row.as_row() for row in rows]
    print_answer(CommandAnswer("ictus.procsync.times/1", shown, warnings, lambda: answer_lines(rows)), json, csv)
