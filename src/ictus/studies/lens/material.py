"""A campaign taken apart for looking: cases grouped by what their methods share, and the data of each launch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ictus.comparison.case_titles import ALGORITHM
from ictus.comparison.matching import medians
from ictus.model.case import FACTORS
from ictus.model.method import FAMILIES, Method
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign
from ictus.studies.lens.data import measured_cases
from ictus.studies.lens.suites.measured import Measured

SHARED = tuple(name for name in FACTORS if name not in FAMILIES)
"""Factors that the methods of one table do not differ in."""


@dataclass(frozen=True)
class Summary:
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
    """What they share."""
    ways: Mapping[Method, int]
    """Case id of each method."""
    launches: tuple[int, ...]
    """Indices of the library's launches."""


@dataclass(frozen=True)
class Material:
    """What all ways of looking at a campaign share."""

    campaign: Campaign
    groups: tuple[Group, ...]
    """Libraries and cases in the order of the table."""
    data: tuple[Mapping[int, Measured], ...]
    """By launch and case."""
    summaries: Mapping[tuple[int, int], Summary]
    """By index of the launch and case."""
    first: Method
    """The campaign's first method: what everything else is put in relation to."""

    def measured(self, group: Group, method: Method) -> tuple[Measured | None, ...]:
        """What the method left in each launch of the group."""
        return tuple(self.data[i].get(group.ways[method]) for i in group.launches)

    def summarised(self, group: Group, method: Method) -> tuple[Summary | None, ...]:
        """The method's summary of each launch of the group."""
        return tuple(self.summaries.get((i, group.ways[method])) for i in group.launches)


def material(campaign: Campaign) -> Material:
    """Read all launches once. Raises MeasurementError for raw data that are damaged."""
    data = tuple(measured_cases(*one) for one in zip(campaign.launches, campaign.sources, strict=True))
    summaries = {
        (row["launch"] - 1, row["case_id"]): Summary(
            row["headline"], row["median"], row["start_skew"], row["attempted"], row["valid"]
        )
        for row in medians(campaign).iter_rows(named=True)
    }
    first = campaign.plan.ways[0].checked(Registries.load())
    return Material(campaign, tuple(_groups(campaign)), data, summaries, first)


def _groups(campaign: Campaign) -> list[Group]:
    """Libraries and cases in the order of the table."""
    found: dict[tuple[object, ...], tuple[dict[str, Any], dict[Method, int]]] = {}
    for row in campaign.cases.iter_rows(named=True):
        shared = {name: row[name] for name in SHARED}
        _, ways = found.setdefault(tuple(shared.values()), (shared, {}))
        ways[Method(**{name: row[name] for name in FAMILIES})] = row["case_id"]
    launches: dict[tuple[str, int, str], list[int]] = {}
    for index, one in enumerate(campaign.launches):
        launches.setdefault((one.mpi, one.n, one.slot.algorithm), []).append(index)
    return [
        Group(label, {**case, ALGORITHM: algorithm}, ways, tuple(indices))
        for case, ways in found.values()
        for label in campaign.labels
        for (mpi, n, algorithm), indices in launches.items()
        if (mpi, n) == (label, case["n"])
    ]
