"""The launch medians that judge guidelines: for each operation, size and configuration.

Both sides of a guideline are measured in the same launches, so medians are stored by launch. A call that
libictus-redirect.so replaced counts as its mock-up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite, isnan, nan

import numpy as np

from ictus.guidelines.verdict import Configuration
from ictus.model.call import BASIC, elements_of
from ictus.model.case import FACTORS, Case
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Spec


@dataclass(frozen=True)
class SizeSeries:
    """One operation at one size."""

    size_bytes: int
    """Requested total volume."""
    moved_bytes: int
    """The volume really used."""
    step_bytes: int
    """What volumes are rounded up to whole multiples of: all blocks of one element each; 1 where they are not."""
    medians_s: Mapping[int, float] = field(default_factory=dict)
    """By number of the launch; a launch without valid sample is absent or NaN."""
    becomes: str = ""
    """The mock-up that libictus-redirect.so called instead; empty where the library served the call."""

    @property
    def n_launches(self) -> int:
        """Launches with a valid sample."""
        return sum(not isnan(time) for time in self.medians_s.values())

    @property
    def median_s(self) -> float:
        """The median of the launches' medians; NaN where there is none, or a time that cannot be."""
        times = [time for time in self.medians_s.values() if not isnan(time)]
        return float(np.median(times)) if times and all(isfinite(time) and time > 0 for time in times) else nan

    def stands_for(self, size_bytes: int) -> bool:
        """Whether MPI gets the same call for this size: of sizes that move the same bytes, one is measured."""
        return -(-size_bytes // self.step_bytes) * self.step_bytes == self.moved_bytes


@dataclass(frozen=True)
class LaunchModes:
    """The modes of the machine in the launches of a campaign; no launch has one where there are not several."""

    of_launch: Mapping[int, int] = field(default_factory=dict)
    """By number of the launch, from 0; negative where it is unknown."""
    names: tuple[str, ...] = ()
    """`cores 27 ns apart`, by mode."""


ONE_MODE = LaunchModes()


@dataclass(frozen=True)
class MeasuredCell:
    """The operation and the configuration. Operations and layouts are in full form."""

    configuration: Configuration
    operation: Spec
    layout: Spec = BASIC


@dataclass(frozen=True)
class GuidelineMedians:
    """All series of a campaign, those included that were planned and have no data."""

    series: Mapping[MeasuredCell, tuple[SizeSeries, ...]]
    """Ascending by size."""
    modes: LaunchModes = ONE_MODE

    @property
    def places(self) -> tuple[Configuration, ...]:
        """All places, in the order in which they were given."""
        return tuple(dict.fromkeys(cell.configuration for cell in self.series))

    def sizes(self, configuration: Configuration, operation: Spec, layout: Spec) -> tuple[SizeSeries, ...]:
        """All sizes of an operation in a place, ascending; none where it was not planned."""
        return self.series.get(MeasuredCell(configuration, operation, layout), ())

    def at(self, configuration: Configuration, operation: Spec, layout: Spec, size_bytes: int) -> SizeSeries | None:
        """The operation at this size, or at the equivalent measured one; None where it was not planned."""
        all_sizes = self.sizes(configuration, operation, layout)
        exact = next((series for series in all_sizes if series.size_bytes == size_bytes), None)
        return exact or next((size_series for size_series in all_sizes if size_series.stands_for(size_bytes)), None)


@dataclass(frozen=True)
class LaunchMedian:
    """One row of a campaign's summaries."""

    library: str
    algorithm: str
    case_id: int
    launch: int
    median_s: float | None
    """None without a valid sample."""


def gather_medians(
    cases: Iterable[Case], rows: Iterable[LaunchMedian], registries: Registries, modes: LaunchModes | None = None
) -> GuidelineMedians:
    """The medians of a campaign by cell. Cases appear in every library and variant that any row has at their number of
    processes, even without a row of their own.

    `UsageError` where two cases differ only in factors that a guideline does not distinguish: method, root, cache and
    the like.
    """
    cases, rows = tuple(cases), tuple(rows)
    _check_told_apart(cases)
    by_id = {case.case_id: case for case in cases}
    places = dict.fromkeys(Configuration(row.library, row.algorithm, by_id[row.case_id].n) for row in rows)
    medians: dict[tuple[Configuration, int], dict[int, float]] = {}
    for row in rows:
        if row.median_s is not None:
            configuration = Configuration(row.library, row.algorithm, by_id[row.case_id].n)
            medians.setdefault((configuration, row.case_id), {})[row.launch] = row.median_s
    series: dict[MeasuredCell, list[SizeSeries]] = {}
    for configuration in places:
        for case in cases:
            if case.n == configuration.n:
                case_series = _series(case, registries, medians.get((configuration, case.case_id), {}))
                series.setdefault(MeasuredCell(configuration, case.operation, case.layout), []).append(case_series)
    return GuidelineMedians(
        {
            cell: tuple(sorted(size_list, key=lambda size_series: size_series.size_bytes))
            for cell, size_list in series.items()
        },
        modes or ONE_MODE,
    )


def _series(case: Case, registries: Registries, medians: Mapping[int, float]) -> SizeSeries:
    """Blocks are rounded up to whole units of elements; messages are taken as they are."""
    blocks = case.moved_bytes // case.block_bytes if case.block_bytes else 0
    rounded = registries.operation(case.operation).volume == "blocks" and blocks > 0
    unit = registries.datatype(case.datatype).size_bytes * elements_of(case.layout)
    return SizeSeries(case.size_bytes, case.moved_bytes, blocks * unit if rounded else 1, medians)


def _check_told_apart(cases: Iterable[Case]) -> None:
    """Two cases of one series would be two answers to one question."""
    first_of_key: dict[tuple[int, Spec, Spec, int], Case] = {}
    for case in cases:
        earlier = first_of_key.setdefault((case.n, case.operation, case.layout, case.size_bytes), case)
        if earlier is not case:
            factor = next(factor for factor in FACTORS if getattr(case, factor) != getattr(earlier, factor))
            raise UsageError(
                f"guidelines are judged in one way of measuring, but {case.operation} was measured with {factor} = "
                f"{getattr(earlier, factor)} and {getattr(case, factor)}"
            )


@dataclass(frozen=True)
class MeasuredReroute:
    """Calls that libictus-redirect.so made others."""

    operation: str
    from_bytes: int
    """The range of moved volume, both ends included."""
    to_bytes: int
    mockup: str


def rerouted(
    measured: GuidelineMedians, reroutes: Mapping[Configuration, Iterable[MeasuredReroute]]
) -> GuidelineMedians:
    """The measured calls, each with its replacement."""
    replaced = dict(measured.series)
    for cell, sizes in measured.series.items():
        lines = [
            reroute for reroute in reroutes.get(cell.configuration, ()) if reroute.operation == str(cell.operation)
        ]
        if lines:
            replaced[cell] = tuple(replace(series, becomes=_mockup(series.moved_bytes, lines)) for series in sizes)
    return replace(measured, series=replaced)


def _mockup(moved_bytes: int, lines: Iterable[MeasuredReroute]) -> str:
    return next((line.mockup for line in lines if line.from_bytes <= moved_bytes <= line.to_bytes), "")
