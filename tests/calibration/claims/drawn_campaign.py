"""Campaigns in memory: the schedule, cases and launches of a claim's own plan, and times that are drawn."""

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
from tests.studies.claims.known import find, study_of

from ictus.comparison.matching import medians
from ictus.engine.event import log
from ictus.model.reduction import FIELDS
from ictus.stats.arrays import FloatArray
from ictus.store.campaign import Campaign, load
from ictus.store.source import SampleSource
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.material import StudyRequest

Case = Mapping[str, Any]
"""The factors of a case with `mpi` and, where it is a factor of launches, the compared one."""


@dataclass(frozen=True)
class DrawnSource(SampleSource):
    """Samples that no file has."""

    frame: pl.DataFrame = field(default_factory=pl.DataFrame)

    def lazy(self) -> pl.LazyFrame:
        """As from a file."""
        return self.frame.lazy()


@cache
def template(name: str, **changes: Any) -> Campaign:
    """The campaign of the quick plan of a claim, with few samples of each launch, which others replace."""
    claim, folder = find(name), Path(tempfile.mkdtemp(prefix="ictus-drawn-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    scenario = folder / "world.json"
    scenario.write_text(json.dumps({"noise": 0.01}))
    plan = {**claim.plan(True), "mpi": ["mpich", "openmpi"][: claim.libraries], "seed": 3, **changes}
    if plan.get("nrep") is not None:
        plan["nrep"] = 5
    material: Any = study_of(name).material
    assert isinstance(material, CampaignMaterial)
    given = {**plan, "launcher": "simulated", "scenario": scenario}
    asked = StudyRequest(given, {}, folder / "campaign", claim=name, read=claim.read or load)
    with patch("ictus.engine.campaign._check_governors"):  # a world without processors lets any be set
        measured: Campaign = material.measure(asked, log)
    sources = [DrawnSource(one.folder, one.slot, one.cases, frame=one.lazy().collect()) for one in measured.sources]
    return replace(measured, sources=tuple(sources))


def with_medians(campaign: Campaign, by: str, time: Callable[[pl.DataFrame], FloatArray]) -> Campaign:
    """The campaign whose launches report these times of cases; `time` has the rows of `medians`, of a launch after the
    other, and gives a time for each.
    """
    values = pl.Series("value", time(medians(campaign, by)), pl.Float64)
    return replace(campaign, summaries=campaign.summaries.with_columns(values, values.alias("median")))


def with_samples(campaign: Campaign, draw: Callable[[int, Case], FloatArray | Mapping[str, FloatArray]]) -> Campaign:
    """The campaign with these samples of each launch, by its place, and case, in the order measured; what a launch
    reports is their median. `draw` gives the times of a sample by their names, or one for all of these.
    """
    cases = {int(row["case_id"]): row for row in campaign.cases.iter_rows(named=True)}
    sources, reported = [], {}
    for place, (launch, source) in enumerate(zip(campaign.launches, campaign.sources, strict=True)):
        parts = []
        for first in _first_rows(source).partition_by("case_id", maintain_order=True):
            case_id = int(first["case_id"][0])
            drawn = draw(place, {**cases[case_id], "mpi": launch.mpi})
            times = drawn if isinstance(drawn, Mapping) else dict.fromkeys(FIELDS.values(), drawn)
            reported[launch.slot.slot, case_id] = float(np.median(times["makespan"]))
            parts.append(_repeated(first, times))
        sources.append(DrawnSource(source.folder, source.slot, source.cases, frame=pl.concat(parts)))
    keys = campaign.summaries.select("slot", "case_id").iter_rows()
    values = pl.Series("value", [reported[slot, case_id] for slot, case_id in keys], pl.Float64)
    summaries = campaign.summaries.with_columns(values, values.alias("median"))
    return replace(campaign, sources=tuple(sources), summaries=summaries)


_FIRST: dict[Path, pl.DataFrame] = {}


def _first_rows(source: SampleSource) -> pl.DataFrame:
    """A sample of each case, read once."""
    if source.folder not in _FIRST:
        _FIRST[source.folder] = source.lazy().unique("case_id", keep="first", maintain_order=True).collect()
    return _FIRST[source.folder]


def _repeated(first: pl.DataFrame, times: Mapping[str, FloatArray]) -> pl.DataFrame:
    """One sample for each value; calls follow each other at an even pace, so that starts say no more than order."""
    n, pace_s = times["makespan"].size, 2 * float(np.median(times["makespan"]))
    row = first.with_columns(flags=pl.lit(0, pl.UInt16))
    columns = [pl.Series(name, values, pl.Float64) for name, values in times.items()]
    start = pl.Series("start", pace_s * np.arange(n), pl.Float64)
    order = pl.Series("repetition", np.arange(n), pl.UInt32)
    return row[np.zeros(n, np.int64)].with_columns(start, order, *columns)
