"""`ictus nrep`: how many repetitions each case needs."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ictus.model.plan_options import BY_KEY
from ictus.model.plan_parts import LAUNCHES
from ictus.render import plan_options as options
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.page_file import write_page
from ictus.render.progress import measure_for_command
from ictus.render.typed_options import check_only, is_typed, typed_options
from ictus.studies.options import CampaignFolder

PAGE = "nrep.html"
_RULE = ("metrics", "least", "most", "step", "mean_window", "median_window")
CHOSEN = "rse,cov_mean"
"""stats/nrep.py says so; it comes with numpy, which --help does not need."""


_LAUNCHES = replace(BY_KEY["launches"], help="Launches of each library; the largest count is taken.")


@options.plan_command(
    "mpi",
    "op",
    "plugin",
    "sizes",
    "size-is",
    "n",
    "nodes",
    "ppn",
    _LAUNCHES,
    "datatype",
    "operator",
    "comm",
    "root",
    "in-place",
    "layout",
    "counts",
    "clock",
    "clocksync",
    "procsync",
    "algorithm",
    "scheme",
    "cache",
    "warmup",
    "seed",
    "platform",
    "timeout",
    "contention-retries",
    "env",
    "heap",
    "pin",
    "map-by",
    "launcher-options",
    "core-flags",
    "governor",
    usual={"launches": str(LAUNCHES)},
)
def nrep(
    context: typer.Context,
    folder: CampaignFolder = None,
    *,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics",
            metavar="NAME[=SHARE],...",
            help="rse, cov_mean, cov_median, each with its threshold: all must be at or under. "
            f"[default: {CHOSEN}, thresholds 0.025, 0.01, 0.01; of a FOLDER its own]",
            show_default=False,
        ),
    ] = None,
    least: Annotated[int, typer.Option("--min", metavar="COUNT", min=2, help="Valid samples at the first look.")] = 20,
    most: Annotated[int, typer.Option("--max", metavar="COUNT", min=2, help="Valid samples at the last look.")] = 1000,
    step: Annotated[int, typer.Option("--step", metavar="COUNT", min=1, help="Valid samples between looks.")] = 10,
    mean_window: Annotated[
        int, typer.Option("--mean-window", metavar="COUNT", min=2, help="Prefix means that cov_mean looks at.")
    ] = 20,
    median_window: Annotated[
        int, typer.Option("--median-window", metavar="COUNT", min=2, help="Prefix medians that cov_median looks at.")
    ] = 20,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[Path | None, options.output_option("The folder of the prediction. [default: nrep-DATE]")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Predict how many repetitions each case needs.

    Each case is predicted in three launches of each library, and the largest count taken. `ictus run --nrep FOLDER`
    measures every case as often as it needs. On a FOLDER nothing is measured: other metrics can be tried on it.
    """
    from ictus.comparison.warnings import campaign_warnings  # noqa: PLC0415
    from ictus.engine.nrep import nrep_rows, own_rule, rule_text  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.studies.nrep.page import nrep_page  # noqa: PLC0415
    from ictus.studies.nrep.study import parse_rule, usual_of  # noqa: PLC0415
    from ictus.studies.nrep.tables import answer_lines  # noqa: PLC0415

    given_rule = [name for name in _RULE if is_typed(context, name)]
    rule = parse_rule(
        CHOSEN if metrics is None else metrics,
        least,
        most,
        step,
        {"cov_mean": mean_window, "cov_median": median_window},
    )
    text = rule_text(rule)
    if folder is not None:
        check_only(context, ("folder", "json", "csv", *_RULE))
    else:
        given["repetition"] = text if given_rule else None
        folder = measure_for_command(out, given, launcher, scenario, "nrep", usual=usual_of(rule))
    campaign = load(folder)
    if not given_rule:
        rule = own_rule(campaign) or rule
    rows = nrep_rows(campaign, rule)
    warnings = campaign_warnings(campaign)
    again = page_command("nrep", folder.resolve().name, *typed_options(context, given_rule))
    write_page(campaign.folder / PAGE, nrep_page(campaign, rows, rule, warnings, again))
    flat = [row.as_row() for row in rows]
    more = {"repetition": rule_text(rule)}
    rows_of_csv = [{**row, "launches": " ".join(str(one["nrep"]) for one in row["launches"])} for row in flat]
    answer = CommandAnswer(
        "ictus.nrep/1", rows_of_csv if csv else flat, warnings, lambda: answer_lines(rows, rule, campaign), more
    )
    print_answer(answer, json, csv)
