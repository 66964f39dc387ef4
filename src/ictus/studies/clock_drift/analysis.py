"""Local clocks against the root's clock: their drift, and for how long a straight line predicts them.

Offsets over a few seconds lie on a line; over longer times they leave it, because oscillators wander with temperature.
The departure for a length of time is the largest distance of an offset from the least-squares line through that time,
as the median over all windows of that length. The core fits the lines; only the forecast is computed here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.stats.arrays import FloatArray
from ictus.studies.clocks.record import DriftAnswer, OffsetSeries


@dataclass(frozen=True)
class DriftSummary:
    """One rank's clock against the root's."""

    rank: int
    host: str
    samples: int
    span_s: float
    first_offset_s: float
    slope: float
    """Slope of the line through the longest window: a plain ratio, seconds of offset per second."""
    slope_error: float
    slope_low: float
    slope_high: float
    """The lowest and the highest slope of the shortest windows: how steady the drift is."""
    change_s: float
    """Last offset minus the first: what a synchronisation of offsets only would be wrong by."""
    departures: tuple[tuple[float, float], ...]
    """(length of the window, departure), ascending by length."""

    @property
    def departure_s(self) -> float:
        """The largest distance from the line through the longest window."""
        return self.departures[-1][1] if self.departures else float("nan")

    @property
    def departures_by_length(self) -> dict[str, float]:
        """The departures, by the length of the window: `10s`."""
        return {f"{length:g}s": distance for length, distance in self.departures}


def summarise(launch: DriftAnswer) -> list[DriftSummary]:
    """The summary of each rank; `ValueError` where there is no window."""
    return [_summary(series, launch) for series in launch.series]


def _summary(series: OffsetSeries, launch: DriftAnswer) -> DriftSummary:
    windows = sorted((fit for fit in launch.fits if fit.rank == series.rank), key=lambda fit: fit.window_s)
    if not windows:
        raise ValueError(f"rank {series.rank} has no offsets through which a line could go")
    longest, shortest = windows[-1], windows[0]
    return DriftSummary(
        rank=series.rank,
        host=launch.setting.hosts[series.rank],
        samples=len(series.at_s),
        span_s=series.at_s[-1] - series.at_s[0],
        first_offset_s=series.first_offset_s,
        slope=float(np.median(longest.slope)),
        slope_error=float(np.median(longest.slope_error)),
        slope_low=min(shortest.slope),
        slope_high=max(shortest.slope),
        change_s=series.offset_s[-1] - series.offset_s[0],
        departures=tuple((window.window_s, float(np.median(window.residual_max_s))) for window in windows),
    )


def elapsed(series: OffsetSeries) -> FloatArray:
    """Seconds since the first offset, shape (samples,)."""
    since: FloatArray = np.asarray(series.at_s, np.float64) - series.at_s[0]
    return since


def forecast_error(series: OffsetSeries, learnt_s: float) -> FloatArray:
    """Offsets minus the least-squares line through those of the first `learnt_s` seconds, shape (samples,).

    At least two offsets are learnt from. What a clock model that was learnt in that time would be wrong by later on.
    """
    at, offset = elapsed(series), np.asarray(series.offset_s, np.float64)
    learnt = at <= learnt_s * (1 + 1e-9)
    learnt[:2] = True
    slope, intercept = np.polyfit(at[learnt], offset[learnt], 1) if at.size > 1 else (0.0, offset[0])
    left: FloatArray = offset - intercept - slope * at
    return left


def learning_time(series: Sequence[OffsetSeries], share: float = 0.2) -> float:
    """How long a forecast learns in a figure: that share of the longest series, rounded to 1, 2 or 5 times a power of
    ten.
    """
    longest = share * max((offset_series.at_s[-1] - offset_series.at_s[0] for offset_series in series), default=1.0)
    if longest <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(longest))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= longest * (1 + 1e-9)))
