"""A history store: a folder with one Parquet file a campaign and reduction, one row a launch and case. No server,
nothing is changed once it is there; several machines may write into one folder.

`polars.read_parquet("STORE/*.parquet")` is the whole history, `value` in seconds.
"""

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from ictus.comparison.case_titles import DERIVED, IDENTITY, LIBRARY
from ictus.comparison.conditions import conditions
from ictus.comparison.machine_name import machine_of, machine_of_facts
from ictus.comparison.matching import medians
from ictus.model.checksum import checksum
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.instant import utc
from ictus.model.reduction import Reduction
from ictus.store.campaign import Campaign
from ictus.store.manifest import CAMPAIGN
from ictus.store.modes import probes_of
from ictus.store.table_file import is_sound, write_table

MACHINE = "machine"
"""The column of machines; stores that were written before it have what it follows from."""
COLUMNS = (
    *("created", "campaign", "seed", MACHINE, LIBRARY, *IDENTITY, *DERIVED),
    *("launch", "value", "metric", "summary", "reduction"),
)
"""What identifies a row and what was measured; `facts` (JSON), `line_round_trip_s` and `multiplications_hz` follow."""

_OF_MACHINE = ("host", "architecture", "kernel", "system", "cpu_model", "n_cpus", "smt", "governor", "turbo", "virtual")
"""Facts of a machine that stay while nobody changes it."""


@dataclass(frozen=True)
class Added:
    """What became of the campaigns that were to be added."""

    new: tuple[str, ...]
    stored_before: tuple[str, ...]
    """Those that the store had already."""


def campaign_table(campaign: Campaign) -> pl.DataFrame:
    """The rows of a campaign: `COLUMNS`, the facts that may explain a change, and what probes measured of the
    machine's mode (medians over the launches; null where there are none). `created` is in UTC.

    Raises MeasurementError for a campaign that does not say when it began.
    """
    created = _utc(campaign.folder / CAMPAIGN, campaign.created)
    probes = probes_of(campaign)
    line, speed = (None if np.isnan(probe).all() else float(np.nanmedian(probe)) for probe in probes.T)
    facts = {label: json.dumps(facts_of_label, sort_keys=True) for label, facts_of_label in _facts(campaign).items()}
    frame = medians(campaign).with_columns(
        pl.lit(created).alias("created"),
        pl.lit(campaign.folder.resolve().name).alias("campaign"),
        pl.lit(str(campaign.seed)).alias("seed"),
        pl.lit(machine_of(campaign)).alias(MACHINE),
        pl.lit(campaign.summary).alias("summary"),
        pl.lit(campaign.reduction.code).alias("reduction"),
        pl.col(LIBRARY).cast(pl.String).replace_strict(facts, return_dtype=pl.String).alias("facts"),
        pl.lit(line, pl.Float64).alias("line_round_trip_s"),
        pl.lit(speed, pl.Float64).alias("multiplications_hz"),
    )
    texts = pl.col(pl.Categorical, pl.Enum).cast(pl.String)
    return frame.select(*COLUMNS, "facts", "line_round_trip_s", "multiplications_hz").with_columns(texts)


def add(store: Path, campaigns: Iterable[Campaign]) -> Added:
    """Write the table of each campaign that the store lacks. A campaign that was extended since replaces itself.

    Raises MeasurementError where the folder cannot be written.
    """
    new, stored_before = [], []
    for campaign in campaigns:
        path = store / _file_name(campaign)
        table = campaign_table(campaign)
        origin = checksum(table.write_csv().encode())
        if path.exists() and is_sound(path, origin):
            stored_before.append(str(campaign.folder))
            continue
        try:
            store.mkdir(parents=True, exist_ok=True)
            write_table(table, path, origin)
        except OSError as error:
            raise MeasurementError(f"--store '{store}' cannot be written: {error.strerror or error}") from error
        new.append(str(campaign.folder))
    return Added(tuple(new), tuple(stored_before))


def read(store: Path, reduction: Reduction, option: str = "--store") -> pl.DataFrame:
    """The rows of a store that this reduction made: numbers of two reductions have no common level. `option` named it.

    Raises UsageError where there are none, MeasurementError that names a damaged file.
    """
    paths = sorted(store.glob("*.parquet"))
    if not paths:
        adds = f"ictus history FOLDER --store {shlex.quote(str(store))}"
        raise UsageError(f"{option} '{store}' holds no campaign yet; `{adds}` adds one")
    for path in paths:
        if not is_sound(path, None):
            raise MeasurementError(f"'{path}' is damaged; remove it and add its campaign again")
    frame = pl.concat([_as_now(path, pl.read_parquet(path)) for path in paths], how="diagonal")
    of_reduction = frame.filter(pl.col("reduction") == reduction.code)
    if of_reduction.is_empty():
        reductions = ", ".join(sorted(frame["reduction"].unique().to_list()))
        raise UsageError(
            f"{option} '{store}' holds nothing of the reduction {reduction.code}, only of {reductions} (metric, "
            f"summary, outliers); give these options, or add the folders again"
        )
    return of_reduction


def _utc(path: Path, created: str) -> str:
    try:
        return utc(created)
    except ValueError as error:
        what = f"'{path}': created '{created}' is not a time"
        raise MeasurementError(f"{what}; expected ISO 8601, such as 2026-11-23T07:44:00+01:00") from error


def of_machine(frame: pl.DataFrame, text: str) -> pl.DataFrame:
    """The rows of the machines that have `text` in their name, small and capital letters alike, or of the one with just
    that name. Raises UsageError that lists the machines where there is none.
    """
    machines = sorted(frame[MACHINE].unique().to_list())
    matching = [text] if text in machines else [machine for machine in machines if text.lower() in machine.lower()]
    if not matching:
        raise UsageError(f"--machine '{text}': no machine has this in its name; there are {'; '.join(machines)}")
    return frame.filter(pl.col(MACHINE).is_in(matching))


def _as_now(path: Path, table: pl.DataFrame) -> pl.DataFrame:
    """A table of a store as this version writes it: earlier ones had the offset of their place, and no machine."""
    if MACHINE in table.columns:
        return table
    machines = {facts: machine_of_facts(json.loads(facts)) for facts in table["facts"].unique()}
    instants = {created: _utc(path, created) for created in table["created"].unique()}
    return table.with_columns(
        pl.col("created").replace_strict(instants, return_dtype=pl.String),
        pl.col("facts").replace_strict(machines, return_dtype=pl.String).alias(MACHINE),
    )


def _file_name(campaign: Campaign) -> str:
    """Of the instant, the seed and the reduction: the same campaign, wherever its folder lies."""
    when = "".join(letter for letter in campaign.created if letter.isdigit())[:14]
    return f"{when}-{campaign.seed}-{campaign.reduction.code}.parquet"


def _facts(campaign: Campaign) -> dict[str, dict[str, str]]:
    """What may have changed between two campaigns, for each library: names and values."""
    heads = [launch.record.head for launch in campaign.launches]
    hosts = sorted({host.name for launch in campaign.launches for host in launch.record.hosts})
    common = {name: str(campaign.machine[name]) for name in _OF_MACHINE if campaign.machine.get(name) is not None}
    common |= {"ictus": campaign.ictus, "hosts": ", ".join(hosts), **conditions(campaign)}
    if heads:
        common |= {"core compiler": heads[0].core.compiler, "core flags": heads[0].core.flags}
    return {
        library.label: {**common, "library": library.library_version, "built with": library.compiler}
        for library in campaign.libraries
    }
