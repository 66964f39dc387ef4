"""Ticks to seconds: a stated frequency against calibrated ones, and the drift that the difference causes.

A clock that assumes f for a counter with f0 ticks a second shows t f0/f instead of t: its error is f0/f - 1 seconds a
second, to first order 1 - f/f0. The reference f0 is the frequency that processor or hypervisor state, else the median
of the longest calibrations.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.studies.clocks.record import FrequencyAnswer, MeasuredFrequency


@dataclass(frozen=True)
class Reference:
    """The frequency that all others are held against."""

    hz: float
    source: str


@dataclass(frozen=True)
class FrequencySummary:
    """One way to a frequency over all ranks and repeats; ratios are relative to the reference."""

    source: str
    duration_s: float | None
    """How long one calibration takes; None for a stated frequency."""
    ranks: int
    repeats: int
    median_hz: float
    error: float
    """Median minus the reference."""
    worst: float
    """The error of largest magnitude of any rank and repeat, signed: seconds a second that a clock may be wrong by."""
    apart: float
    """The largest difference between two ranks in the same repeat: how fast two clocks of one counter run apart."""
    relative: tuple[tuple[float, ...], ...]
    """Errors, per rank, per repeat."""


def reference(study: FrequencyAnswer) -> Reference:
    """The reference for the true frequency. `ValueError` where no frequency is known."""
    stated = [(hz, source) for hz, source in zip(study.stated_hz, study.stated_source, strict=True) if hz is not None]
    if stated:
        return Reference(stated[0][0], f"stated by {stated[0][1] or 'the machine'}")
    measured = [calibration for calibration in study.calibrations if any(map(len, calibration.hz))]
    if not measured:
        raise ValueError("no frequency is known")
    longest = max(measured, key=lambda frequency: (frequency.source == "calibrated", frequency.duration_s))
    values = [hz for rank in longest.hz for hz in rank]
    return Reference(float(np.median(values)), f"median of '{longest.source}' over {longest.duration_s:g} s")


def summarise(study: FrequencyAnswer) -> tuple[FrequencySummary, ...]:
    """A summary for the stated frequency, for that of the model's name, and for each calibration."""
    true = reference(study).hz
    made = [
        _summary(name, None, [() if hz is None else (hz,) for hz in values], true)
        for name, values in (("stated", study.stated_hz), ("model name", study.model_name_hz))
        if any(hz is not None for hz in values)
    ]
    return (
        *made,
        *(_calibrated(calibration, true) for calibration in study.calibrations if any(map(len, calibration.hz))),
    )


def _calibrated(calibration: MeasuredFrequency, true: float) -> FrequencySummary:
    return _summary(calibration.source, calibration.duration_s, calibration.hz, true)


def _summary(source: str, duration_s: float | None, hz: Sequence[Sequence[float]], true: float) -> FrequencySummary:
    relative = tuple(tuple(value / true - 1 for value in rank) for rank in hz)
    flat = [value for rank in relative for value in rank]
    # Repeats that every rank has.
    repeats = list(zip(*(rank for rank in relative if rank), strict=False))
    return FrequencySummary(
        source=source,
        duration_s=duration_s,
        ranks=sum(bool(rank) for rank in hz),
        repeats=max(map(len, hz)),
        median_hz=float(np.median([value for rank in hz for value in rank])),
        error=float(np.median(flat)),
        worst=max(flat, key=abs),
        apart=max((max(values) - min(values) for values in repeats), default=0.0),
        relative=relative,
    )
