"""The figures of a diagnosis, after Fig. 12 to 18 of "MPI benchmarking revisited": rows and samples in, panels out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ictus.comparison.case_titles import group_detail, grouped, operation_title
from ictus.comparison.verdict_texts import p_text
from ictus.diagnosis.analysis import CaseDiagnosis, KeptSamples, LaunchDiagnosis
from ictus.diagnosis.tables import signed_percent
from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.distributions import (
    DensityCurve,
    Mark,
    QuantileSeries,
    density_figure,
    histogram_figure,
    quantile_figure,
)
from ictus.render.figures.order import Level, OrderPoint, time_order_figure
from ictus.render.figures.stationarity import autocorrelation_figure, binned_figure
from ictus.render.page import Legend, Panel
from ictus.render.unit import time_unit
from ictus.stats.arrays import FloatArray
from ictus.stats.correlation import autocorrelation
from ictus.stats.histograms import density, histogram, peaks
from ictus.stats.mean import SIZES, from_moments, mean_distributions
from ictus.stats.normality import normal_quantiles

_PLACES = 200
"""At which a density is computed: enough for the eye."""
_FEWEST_MEDIANS = 3
_FEWEST_THINNED = 30
"""Samples below which the band of a thinned launch is so wide that it shows nothing."""


@dataclass(frozen=True)
class DrawnCase:
    """A case that is drawn: its diagnosis, and the samples of the launch that is looked into."""

    diagnosis: CaseDiagnosis
    samples: KeptSamples
    seed: int
    """Seed of the randomly drawn means."""

    @property
    def title(self) -> str:
        """`MPI_Bcast, 64 B, mpich`."""
        case = self.diagnosis.row.case
        return f"{operation_title(case)}, {format_size(int(case['size_bytes']))}, {self.diagnosis.row.mpi}"

    @property
    def processes(self) -> str:
        """`2 processes`."""
        return group_detail(self.diagnosis.row.case, ())

    @property
    def launch(self) -> LaunchDiagnosis:
        """The diagnosis of the launch that is looked into."""
        of_slot = (diagnosis for diagnosis in self.diagnosis.launches if diagnosis.slot == self.samples.slot)
        return next(diagnosis for diagnosis in of_slot if diagnosis.accepted == self.samples.accepted)


def first_launches(cases: Sequence[DrawnCase]) -> list[DrawnCase]:
    """Of each case the first launch that is looked into."""
    return [same[0] for same in grouped(cases, lambda drawn_case: id(drawn_case.diagnosis))]


def size_legend() -> Legend:
    """The series of the means: one for each sample size."""
    return Legend(tuple(f"means of {size}" for size in SIZES))


def sample_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    """The histogram of one launch of each case."""
    index = {case.title: legend.index(case.diagnosis.row.mpi) for case in cases}
    return tuple(
        _histogram(drawn_case.samples.values_s, index[drawn_case.title], "samples", drawn_case.title, _slot(drawn_case))
        for drawn_case in cases
    )


def autocorrelation_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    """The correlation of one launch of each case, and of its samples taken as far apart as they must be."""
    panels = []
    for case in cases:
        index, correlation = legend.index(case.diagnosis.row.mpi), case.launch.correlation
        series = [(correlation, f"slot {case.samples.slot}, all {correlation.n} samples")]
        if correlation.significant and 1 < correlation.spacing <= correlation.n // _FEWEST_THINNED:
            thin = autocorrelation(case.samples.values_s[:: correlation.spacing])
            series.append((thin, f"every {_ordinal(correlation.spacing)} sample: {thin.n}"))
        for drawn, detail in series:
            if np.isfinite(drawn.coefficients).all():
                svg = autocorrelation_figure(drawn, index=index, label=f"Autocorrelation of {case.title}, {detail}")
                panels.append(Panel(case.title, detail, svg))
    return tuple(panels)


def drift_panels(cases: Sequence[DrawnCase]) -> tuple[Panel, ...]:
    """Bins of one launch of each case over time."""
    panels = []
    for case in cases:
        drift = case.launch.drift
        if drift.means.size:
            svg = binned_figure(drift, timed=case.samples.timed, label=f"Bins of {case.title} over time")
            p_value = p_text(None if np.isnan(drift.p_value) else drift.p_value)
            detail = f"slot {case.samples.slot}, bins of {drift.per_bin}: {signed_percent(drift.change)}, p {p_value}"
            panels.append(Panel(case.title, detail, svg))
    return tuple(panels)


def mean_panels(cases: Sequence[DrawnCase]) -> tuple[Panel, ...]:
    """How means of samples of one launch scatter, by sample size: densities, and quantiles against normal ones."""
    panels = []
    for case in cases:
        drawn = mean_distributions(case.samples.values_s, seed=case.seed)
        if any(np.ptp(some.means) == 0 for some in drawn):
            continue
        curves = [DensityCurve(index, *_curve(some.means)) for index, some in enumerate(drawn)]
        spreads = ", ".join(f"{100 * some.spread:.2g} %" for some in drawn)
        svg = density_figure(curves, "mean latency", f"Means of samples of {case.title}")
        panels.append(Panel(case.title, f"spread {spreads}", svg))
        series = [
            QuantileSeries(index, normal_quantiles((some.means - some.means.mean()) / some.means.std()))
            for index, some in enumerate(drawn)
        ]
        normal = ", ".join(f"{some.size}: {p_text(some.normality_p)}" for some in drawn)
        svg = quantile_figure(series, "mean, in its own spread", 1.0, f"Q-Q plot of means of {case.title}")
        panels.append(Panel(case.title, f"p of normality by size {normal}", svg))
    return tuple(panels)


def launch_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    """The mean of each launch with its interval, in the order measured."""
    panels = []
    for case in cases:
        index = legend.index(case.diagnosis.row.mpi)
        points = []
        for position, launch in enumerate(case.diagnosis.launches):
            mean, low, high = _mean_of(launch)
            tip = f"slot {launch.slot}: {format_duration(mean)}, {format_duration(low)} to {format_duration(high)}"
            points.append(OrderPoint(position, index, mean, (low, high), (low, high), tip, hollow=not launch.accepted))
        level = Level("median", index, float(np.median([point.middle for point in points])))
        svg = time_order_figure(points, (level,), "mean latency", f"Means of the launches of {case.title}")
        panels.append(Panel(case.title, case.processes, svg))
    return tuple(panels)


def median_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    """The launch medians of each case: histogram with density, and quantiles against normal ones."""
    panels = []
    for case in cases:
        medians, index = case.diagnosis.values_s, legend.index(case.diagnosis.row.mpi)
        if medians.size < _FEWEST_MEDIANS:
            continue
        number = f"{medians.size} launches"
        panels.append(_histogram(medians, index, "launches", case.title, number))
        unit = time_unit(medians)
        series = [QuantileSeries(index, normal_quantiles(medians))]
        svg = quantile_figure(
            series, f"launch median, {unit.name}", unit.per_second, f"Q-Q plot of the launch medians of {case.title}"
        )
        panels.append(Panel(case.title, f"{number}: {_normality(case.diagnosis)}", svg))
    return tuple(panels)


def _histogram(values: FloatArray, index: int, what: str, title: str, detail: str) -> Panel:
    marks = (Mark("median", float(np.median(values))), Mark("mean", float(values.mean()), dashed=True))
    curve = _curve(values) if np.ptp(values) > 0 else None
    svg = histogram_figure(
        histogram(values), curve, marks, index=index, what=what, label=f"Histogram of {title}, {detail}"
    )
    return Panel(title, detail, svg)


def _curve(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    places = np.linspace(float(values.min()), float(values.max()), _PLACES)
    return places, density(values, places)


def _mean_of(launch: LaunchDiagnosis) -> tuple[float, float, float]:
    """Mean of a launch and its 95 % interval, as if it had as many samples as they are worth."""
    interval = from_moments(launch.mean_s, launch.deviation_s, launch.n_samples)
    if interval.low is None or interval.high is None or np.isnan(launch.correlation.effective):
        return interval.mean, interval.mean, interval.mean
    widening = sqrt(launch.n_samples / launch.correlation.effective)
    half = (interval.high - interval.mean) * widening
    return interval.mean, interval.mean - half, interval.mean + half


def _normality(diagnosis: CaseDiagnosis) -> str:
    return ", ".join(_named_p((("Shapiro-Wilk", diagnosis.shapiro_p), ("Kolmogorov-Smirnov", diagnosis.lilliefors_p))))


def _named_p(tests: Sequence[tuple[str, float]]) -> Iterator[str]:
    for name, p_value in tests:
        yield f"{name} p {p_text(None if np.isnan(p_value) else p_value)}"


def _slot(case: DrawnCase) -> str:
    values_s = case.samples.values_s
    number = peaks(values_s).size
    humps = f", {number} peaks" if number > 1 else ""
    return f"slot {case.samples.slot}, {values_s.size} samples{humps}, {case.processes}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
