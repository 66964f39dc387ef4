"""The data that a lens takes from a launch's files: valid repetitions of each case, per-rank summaries, raw durations.

Cases are grouped by what their methods share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ictus.comparison.case_titles import ALGORITHM
from ictus.comparison.matching import medians
from ictus.model.case import FACTORS
from ictus.model.plan_parts import FAMILIES, Method
from ictus.model.reduction import FIELDS
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.samples import read_ticks
from ictus.store.source import SampleSource
from ictus.studies.lens.suites.measured import FloatArray, RankSummaries, SuiteSamples

RAW = "raw.npy"


def measured_cases(launch: Launch, source: SampleSource) -> dict[int, SuiteSamples]:
    """The samples of each case of the launch, by id; a case without a valid repetition is left out."""
    valid = source.lazy().filter(pl.col("flags") == 0).select("case_id", "local_max", "root").collect()
    samples = valid.partition_by("case_id", as_dict=True, maintain_order=True)
    path = launch.folder / RAW
    ticks = read_ticks(path, launch.n, launch.checksums) if path.is_file() else {}
    resolution_s = launch.record.head.clock.resolution_s
    samples_by_case = {}
    for case, per_rank in zip(launch.record.cases, launch.record.case_ranks, strict=True):
        frame = samples.get((case.case_id,))
        if frame is None:
            continue
        ranks = RankSummaries(*(per_rank[name] for name in ("mean_s", "min_s", "max_s", "median_s")))
        samples_by_case[case.case_id] = SuiteSamples(
            size_bytes=case.size_bytes,
            calls=case.calls,
            local_max=frame["local_max"].to_numpy(),
            root=frame["root"].to_numpy(),
            ranks=ranks,
            local=_local(*ticks[case.case_id], ranks.mean) if case.case_id in ticks else None,
            resolution_s=float("nan") if resolution_s is None else resolution_s,
        )
    return samples_by_case


def _local(ticks: np.ndarray[Any, np.dtype[np.int64]], flags: np.ndarray[Any, Any], mean_s: FloatArray) -> FloatArray:
    """Durations in seconds of the valid repetitions, shape (ranks, repetitions).

    launch.json has only rank 0's frequency, but every rank's mean in seconds, which gives the length of its ticks.
    """
    valid = ticks[:, flags == 0].astype(np.float64)
    mean = valid.mean(axis=1, keepdims=True)
    return np.asarray(valid * np.divide(mean_s[:, np.newaxis], mean, out=np.zeros_like(mean), where=mean > 0))


SHARED = tuple(name for name in FACTORS if name not in FAMILIES)
"""Factors that the methods of one table do not differ in."""


@dataclass(frozen=True)
class LensSummary:
    """One case of one launch, as in summary.parquet. Times in seconds."""

    headline: str
    median_s: float | None
    start_skew_s: float | None
    attempted: int
    valid: int


@dataclass(frozen=True)
class Group:
    """Cases of a library that differ in nothing but the method."""

    mpi: str
    case: Mapping[str, Any]
    """The factors that they share."""
    ways: Mapping[Method, int]
    """Case id of each method."""
    launches: tuple[int, ...]
    """Indices of the library's launches."""


@dataclass(frozen=True)
class LensData:
    """The material that all lenses on a campaign share."""

    campaign: Campaign
    groups: tuple[Group, ...]
    """Libraries and cases in the order of the table."""
    data: tuple[Mapping[int, SuiteSamples], ...]
    """By launch and case."""
    summaries: Mapping[tuple[int, int], LensSummary]
    """By index of the launch and case."""
    first: Method
    """The campaign's first method: what everything else is put in relation to."""

    def measured(self, group: Group, method: Method) -> tuple[SuiteSamples | None, ...]:
        """The samples of the method in each launch of the group."""
        return tuple(self.data[i].get(group.ways[method]) for i in group.launches)

    def summarised(self, group: Group, method: Method) -> tuple[LensSummary | None, ...]:
        """The method's summary of each launch of the group."""
        return tuple(self.summaries.get((i, group.ways[method])) for i in group.launches)


def read_lens_data(campaign: Campaign) -> LensData:
    """Read all launches once. Raises MeasurementError for raw data that are damaged."""
    data = tuple(
        measured_cases(*launch_and_source)
        for launch_and_source in zip(campaign.launches, campaign.sources, strict=True)
    )
    summaries = {
        (row["launch"] - 1, row["case_id"]): LensSummary(
            FIELDS[row["metric"]], row["value"], row["start_skew"], row["attempted"], row["valid"]
        )
        for row in medians(campaign).iter_rows(named=True)
    }
    first = campaign.plan.ways[0].checked(Registries.load())
    return LensData(campaign, tuple(_groups(campaign)), data, summaries, first)


def _groups(campaign: Campaign) -> list[Group]:
    """Libraries and cases in the order of the table."""
    ways_by_case: dict[tuple[object, ...], tuple[dict[str, Any], dict[Method, int]]] = {}
    for row in campaign.cases.iter_rows(named=True):
        shared = {name: row[name] for name in SHARED}
        _, ways = ways_by_case.setdefault(tuple(shared.values()), (shared, {}))
        ways[Method(**{name: row[name] for name in FAMILIES})] = row["case_id"]
    launches: dict[tuple[str, int, str], list[int]] = {}
    for index, launch in enumerate(campaign.launches):
        launches.setdefault((launch.mpi, launch.n, launch.slot.algorithm), []).append(index)
    return [
        Group(label, {**case, ALGORITHM: algorithm}, ways, tuple(indices))
        for case, ways in ways_by_case.values()
        for label in campaign.labels
        for (mpi, n, algorithm), indices in launches.items()
        if (mpi, n) == (label, case["n"])
    ]
