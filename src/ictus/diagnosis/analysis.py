"""Properties of a campaign's samples: correlated, drifting, normal? Campaigns in, rows out.

They concern the kept samples, of which a launch's number is made: valid, finite, inside the fences of the campaign's
reduction, in the order measured. Only one launch is in memory at a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import ALGORITHM
from ictus.model.case import FACTORS
from ictus.model.reduction import FIELDS, Reduction
from ictus.stats.arrays import FloatArray
from ictus.stats.correlation import Autocorrelation, autocorrelation
from ictus.stats.normality import lilliefors, shapiro_wilk
from ictus.stats.stationarity import BINS, LatencyDrift, latency_drift
from ictus.stats.summary import inside
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.source import SampleSource

_UNEVEN = 4.0


@dataclass(frozen=True)
class KeptSamples:
    """The kept samples of one case in one launch, in the order measured."""

    slot: int
    accepted: bool
    """False for a contended try that another one replaced."""
    started_s: FloatArray
    """When each started, from the first on; their order where starts are not known, or did not follow at an even pace.

    A pause in a launch would give the few samples after it all the say over a line through time.
    """
    timed: bool
    """Whether `started_s` are seconds."""
    values_s: FloatArray


@dataclass(frozen=True)
class LaunchDiagnosis:
    """One case in one launch."""

    slot: int
    accepted: bool
    n_samples: int
    value_s: float
    """The launch's number by the campaign's reduction; NaN where it has none."""
    median_s: float
    mean_s: float
    deviation_s: float
    """Standard deviation of the samples; NaN for one."""
    correlation: Autocorrelation
    drift: LatencyDrift

    @property
    def neighbours(self) -> float:
        """Correlation of neighbours, at lag 1."""
        return float(self.correlation.coefficients[0])


@dataclass(frozen=True)
class CaseDiagnosis:
    """One case of one library over its launches."""

    row: CaseRow
    launches: tuple[LaunchDiagnosis, ...]
    """Those with a kept sample, in the order measured."""
    shapiro_p: float
    """p-value of normality of the launches' numbers; NaN for fewer than 3 of them or equal ones."""
    lilliefors_p: float
    """The same by Kolmogorov-Smirnov with estimated mean and spread; NaN for fewer than 4 launches."""

    @property
    def values_s(self) -> FloatArray:
        """The launches' numbers, in the order measured; those without one are left out."""
        return _values(self.launches)

    @property
    def n_samples(self) -> float:
        """Kept samples of a launch, the median over launches."""
        return _median([launch.n_samples for launch in self.launches])

    @property
    def neighbours(self) -> float:
        """Correlation of neighbours, the median over launches."""
        return _median([launch.neighbours for launch in self.launches])

    @property
    def effective(self) -> float:
        """Effective sample size of a launch, the median over launches."""
        return _median([launch.correlation.effective for launch in self.launches])

    @property
    def drift(self) -> float:
        """Relative change over a launch, the median over launches."""
        return _median([launch.drift.change for launch in self.launches])

    @property
    def n_launches(self) -> int:
        """Launches with a kept sample."""
        return len(self.launches)

    @property
    def n_correlated(self) -> int:
        """Launches whose samples are correlated."""
        return sum(launch.correlation.significant for launch in self.launches)

    @property
    def n_drifting(self) -> int:
        """Launches whose drift matters."""
        return sum(launch.drift.matters for launch in self.launches)


def diagnose(campaign: Campaign, rows: Sequence[CaseRow] | None = None) -> tuple[CaseDiagnosis, ...]:
    """The diagnosis of each row (default: every library's cases), in their order. Reads the samples of every launch
    that measured one of them.
    """
    rows = tuple(case_rows(campaign)) if rows is None else rows
    launches_by_row: list[list[LaunchDiagnosis]] = [[] for _ in rows]
    ids = [_case_id(campaign, row) for row in rows]
    for launch, source in zip(campaign.launches, campaign.sources, strict=True):
        case_ids = {index: ids[index] for index, row in enumerate(rows) if _measured(launch, row)}
        frame = _read(source, list(case_ids.values()))
        for index, case_id in case_ids.items():
            kept = _kept(frame.get(case_id), launch, rows[index], campaign.reduction)
            if kept is not None:
                launches_by_row[index].append(_launch(kept, campaign.reduction))
    return tuple(_case(row, tuple(launches)) for row, launches in zip(rows, launches_by_row, strict=True))


def samples_of(campaign: Campaign, row: CaseRow, slot: int) -> KeptSamples | None:
    """The kept samples of a case in the launch of that slot, the accepted one first; None where it has none."""
    pairs = zip(campaign.launches, campaign.sources, strict=True)
    of_slot = [(launch, source) for launch, source in pairs if launch.slot.slot == slot and _measured(launch, row)]
    case_id = _case_id(campaign, row)
    for launch, source in sorted(of_slot, key=lambda pair: not pair[0].accepted):
        kept = _kept(_read(source, [case_id]).get(case_id), launch, row, campaign.reduction)
        if kept is not None:
            return kept
    return None


def _measured(launch: Launch, row: CaseRow) -> bool:
    return (launch.mpi, launch.n, launch.algorithm) == (
        row.mpi,
        row.case["n"],
        row.case.get(ALGORITHM, launch.algorithm),
    )


def _case_id(campaign: Campaign, row: CaseRow) -> int:
    same = [pl.col(name) == value for name, value in row.case.items() if name in FACTORS]
    return int(campaign.cases.filter(*same)["case_id"][0])


def _read(source: SampleSource, case_ids: Sequence[int]) -> Mapping[int, pl.DataFrame]:
    """The valid samples of these cases, in the order measured."""
    valid = source.lazy().filter(pl.col("case_id").is_in(list(case_ids)), pl.col("flags") == 0)
    frame = valid.select("case_id", "start", *FIELDS.values()).collect()
    return {int(part["case_id"][0]): part for part in frame.partition_by("case_id", maintain_order=True)}


def _kept(frame: pl.DataFrame | None, launch: Launch, row: CaseRow, reduction: Reduction) -> KeptSamples | None:
    """The kept ones of the valid samples; None where none is kept."""
    field = FIELDS[row.metric]
    finite = frame.filter(pl.col(field).is_finite()) if frame is not None else pl.DataFrame()
    if finite.is_empty():
        return None
    values = finite[field].to_numpy()
    keep = np.ones(values.size, np.bool_) if reduction.factor is None else inside(values, reduction.factor)
    starts = finite["start"].to_numpy()[keep]
    timed = _even_pace(starts)
    times = starts - starts[0] if timed else np.arange(float(starts.size))
    return KeptSamples(launch.slot.slot, launch.accepted, times, timed, values[keep])


def _even_pace(starts: FloatArray) -> bool:
    """Whether starts are known, never step back, and none of their bins takes more than four times the usual."""
    if not np.isfinite(starts).all() or (np.diff(starts) < 0).any():
        return False
    # evenly from the first start to the last, so that a pause near the end counts too
    edges = np.linspace(0, starts.size - 1, min(BINS + 1, starts.size)).astype(int)
    passed = np.diff(starts[edges])
    return passed.size > 0 and float(passed.max()) <= _UNEVEN * float(np.median(passed))


def _launch(kept: KeptSamples, reduction: Reduction) -> LaunchDiagnosis:
    return LaunchDiagnosis(
        kept.slot,
        kept.accepted,
        kept.values_s.size,
        _value(kept.values_s, reduction),
        float(np.median(kept.values_s)),
        float(kept.values_s.mean()),
        float(kept.values_s.std(ddof=1)) if kept.values_s.size > 1 else float("nan"),
        autocorrelation(kept.values_s),
        latency_drift(kept.started_s, kept.values_s),
    )


def _case(row: CaseRow, launches: tuple[LaunchDiagnosis, ...]) -> CaseDiagnosis:
    values = _values(launches)
    if values.size == 0:
        return CaseDiagnosis(row, launches, float("nan"), float("nan"))
    return CaseDiagnosis(row, launches, shapiro_wilk(values), lilliefors(values).p_value)


def _values(launches: Sequence[LaunchDiagnosis]) -> FloatArray:
    return np.array([launch.value_s for launch in launches if np.isfinite(launch.value_s)])


def _value(kept: FloatArray, reduction: Reduction) -> float:
    """A launch's number; NaN where it has too few samples for it."""
    if kept.size < reduction.least_samples:
        return float("nan")
    if reduction.quantile is not None:
        return float(np.quantile(kept, reduction.quantile))
    if reduction.summary == "mean":
        return float(kept.mean())
    return float(np.median(kept) if reduction.summary == "median" else kept.min())


def _median(values: Sequence[float]) -> float:
    """Median of the known values; NaN without any."""
    finite = [value for value in values if np.isfinite(value)]
    return float(np.median(finite)) if finite else float("nan")


def launches_with(rows: Sequence[CaseDiagnosis]) -> Iterator[int]:
    """Slots of the launches that have a kept sample of any of the cases, ascending."""
    yield from sorted({launch.slot for row in rows for launch in row.launches})
