"""`ictus export`: the numbers that verdicts rest on, one row for each launch and case, for other programs."""

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from ictus.comparison.load_options import LoadOptions
from ictus.comparison.matching import medians, with_launch_factors
from ictus.comparison.modes import machine_modes
from ictus.comparison.options import (
    FOLDER,
)
from ictus.comparison.warnings import campaign_warnings
from ictus.interchange.exporting import export_results
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.unknown import unknown
from ictus.render.option_set import with_option_sets
from ictus.render.output import as_csv, as_json, print_note, warn
from ictus.store.campaign import Campaign

FORMATS = ("csv", "parquet", "json")
SUITES = ("osu", "imb")
"""Other suites whose output a campaign can be written as: a folder with a file for each launch."""
_COUNTS = ("attempted", "valid", "late", "long", "kept")
_TIMES = ("start_skew", "clock_bound")


@with_option_sets
def export(
    folder: Annotated[Path, FOLDER],
    *,
    out: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write.", show_default=False)],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="csv, parquet or json; with osu or imb, FILE is a folder with each launch as that suite would have "
            "printed it. [default: the ending of FILE]",
            show_default=False,
        ),
    ] = None,
    loading: LoadOptions,
) -> None:
    """Write one number for each launch and case.

    One row for each launch and case, with all factors, the mode of the machine, and the metric and summary that the
    number is of. Times are seconds. The samples themselves are in the folder, as Parquet.
    """
    chosen = _format(form, out)
    if chosen in SUITES and not loading.reduction.is_default:
        raise UsageError(
            f"--format {chosen}: its numbers are that suite's own; leave --metric, --summary, --outliers out"
        )
    campaign = loading.load(folder)
    if chosen in SUITES:
        _write_suite(campaign, chosen, out)
        return
    frame, warnings = launch_values(campaign), campaign_warnings(campaign)
    try:
        if chosen == "parquet":
            frame.write_parquet(out)
        elif chosen == "csv":
            out.write_text(as_csv(frame.to_dicts()), "utf-8")
        else:
            extra_keys = campaign.reduction.as_object()
            out.write_text(as_json("ictus.export/1", warnings, frame.to_dicts(), **extra_keys), "utf-8")
    except OSError as error:
        raise MeasurementError(f"'{out}' cannot be written: {error.strerror or error}") from error
    warn(warnings)
    print_note(f"{frame.height} rows are in {out}")


def _format(form: str | None, out: Path) -> str:
    if form is not None and form not in (*FORMATS, *SUITES):
        raise unknown(f"--format '{form}'", form, (*FORMATS, *SUITES))
    format_name = form or out.suffix.removeprefix(".")
    if form in SUITES:
        return format_name
    if format_name not in FORMATS:
        raise UsageError(f"-o '{out}': its ending names no format; give --format csv, parquet or json")
    return format_name


def _write_suite(campaign: "Campaign", suite: str, out: Path) -> None:
    """Files of another suite. What it prints is its own statistic: --metric and --summary have no meaning for it."""
    written = export_results(campaign, suite, out)
    warn(written.warnings)
    print_note(f"{len(written.files)} launches are in {out}, a file each")


def launch_values(campaign: "Campaign") -> "pl.DataFrame":
    """One row for each launch and case: the launch with its factors and mode, the factors of the case, counts of
    samples, and `value_s`, null without a valid sample.
    """
    (modes,) = machine_modes(campaign).of_launches
    numbers = {number: None if mode < 0 else mode + 1 for number, mode in enumerate(modes, 1)}
    reduction = campaign.reduction.as_object()
    rounds = {slot.slot: slot.block for slot in campaign.slots}
    frame, factors = with_launch_factors(medians(campaign), campaign)
    launch = pl.col("launch").cast(pl.Int64)
    cases = [name for name in campaign.cases.columns if name != "case_id"]
    return frame.select(
        launch,
        pl.col("slot").replace_strict(rounds, return_dtype=pl.Int64).alias("round"),
        pl.col("mpi", "algorithm", *factors),
        launch.replace_strict(numbers, return_dtype=pl.Int64).alias("mode"),
        pl.col("contended", "case_id", *cases, *_COUNTS),
        *(pl.col(name).alias(f"{name}_s") for name in _TIMES),
        pl.col("metric"),
        pl.lit(reduction["summary"]).alias("summary"),
        pl.lit(reduction["outliers"], dtype=pl.Float64).alias("outliers"),
        pl.col("value").alias("value_s"),
    )
