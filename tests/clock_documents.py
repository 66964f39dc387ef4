"""Objects as clocks.json holds them (file-format.md), with numbers that a reader can check by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ictus.studies.clocks.record import OffsetSeries
from ictus.studies.rtt.record import RoundTrips

MICROSECOND = 1e-6


def head(study: str, n_ranks: int, **more: Any) -> dict[str, Any]:
    """What all studies have; two ranks a host."""
    hosts = [rank // 2 for rank in range(n_ranks)]
    return {
        "format": 1,
        "study": study,
        "ictus": "0.1.0",
        "n_ranks": n_ranks,
        "seed": 1,
        "started": "2025-11-21T20:00:00.000000+00:00",
        "elapsed_s": 21.5,
        "mpi": {"library_version": "MPICH Version: 5.0.2", "standard": "5.0"},
        "core": {},
        "clock": {
            "spec": "skewed(base=tsc,offset=1s,drift=20ppm,wander=0,scope=rank,seed=1)",
            "frequency_hz": 2.1e9,
            "frequency_source": "nominal",
            "resolution_s": 1e-9,
            "reading_s": 2e-8,
        },
        "options": {},
        "launcher": {"library": {"label": "mpich"}},
        "simulated": False,
        "frequency_hz": [2.1e9] * n_ranks,
        "places": {"host": hosts, "socket": [0] * n_ranks, "domain": hosts},
        "ranks": [{"rank": rank, "host": f"n{hosts[rank]}"} for rank in range(n_ranks)],
        "hosts": [],
        "environment": {},
        "contention": {},
        "warnings": [],
        **more,
    }


Entry = tuple[str, float, int, Sequence[Sequence[float | None]], Sequence[Sequence[float | None]] | None]
"""Algorithm, time spent, messages, signed errors in microseconds per wait per rank, bounds likewise or None."""


def accuracy(
    n_ranks: int,
    waits_s: Sequence[float],
    entries: Sequence[Entry],
    *,
    truth: str = "known",
    half_width_us: float = 0.5,
    **more: Any,
) -> dict[str, Any]:
    """Study accuracy; an algorithm that comes more than once has so many repeats."""
    names = list(dict.fromkeys(entry[0] for entry in entries))
    seen: dict[str, int] = {}
    synchronisations = []
    for name, elapsed_s, messages, errors, bounds in entries:
        found: dict[str, Any] = {"error_s": scaled(errors), "bound_s": None if bounds is None else scaled(bounds)}
        if truth == "ping-pong":
            found["waited_s"] = [[wait] * n_ranks for wait in waits_s]
            found["half_width_s"] = [[None, *[half_width_us * MICROSECOND] * (n_ranks - 1)] for _ in waits_s]
        else:
            found["at_s"] = list(waits_s)
        synchronisations.append(
            {
                "repeat": seen.get(name, 0),
                "algorithm": names.index(name),
                "elapsed_s": elapsed_s,
                "messages": messages,
                "slope": [0.0] * n_ranks,
                "intercept_s": [0.0] * n_ranks,
                "slope_error": [0.0] * n_ranks,
                "known": found if truth == "known" else None,
                "ping_pong": found if truth == "ping-pong" else None,
            }
        )
        seen[name] = seen.get(name, 0) + 1
    return head(
        "accuracy",
        n_ranks,
        truth=truth,
        counter=None,
        barrier={"calls": 100, "mean_s": 3e-6, "median_s": 2.5e-6},
        waits_s=list(waits_s),
        checked=list(range(1, n_ranks)),
        algorithms=[{"name": name, "spec": name, "synchronises": name != "none"} for name in names],
        synchronisations=synchronisations,
        **more,
    )


def scaled(matrix: Sequence[Sequence[float | None]]) -> list[list[float | None]]:
    """Microseconds as seconds."""
    return [[None if value is None else value * MICROSECOND for value in row] for row in matrix]


def drift(series: Mapping[int, Sequence[float]], interval_s: float = 1.0) -> dict[str, Any]:
    """Study drift: by rank, offsets in microseconds since the first; the only window is the whole series.

    Its line is the one through the first and the last offset, so that its slope and residuals are known.
    """
    fits, rows = [], []
    for rank, offsets in series.items():
        at = [index * interval_s for index in range(len(offsets))]
        slope = (offsets[-1] - offsets[0]) / at[-1]
        residual = max(abs(value - offsets[0] - slope * time) for value, time in zip(offsets, at, strict=True))
        rows.append(
            {
                "rank": rank,
                "first_offset_s": 0.5,
                "at_s": at,
                "offset_s": [value * MICROSECOND for value in offsets],
                "bound_s": [1e-7] * len(offsets),
            }
        )
        fits.append(
            {
                "rank": rank,
                "window_s": at[-1],
                "slope": [slope * MICROSECOND],
                "slope_error": [1e-8],
                "residual_max_s": [residual * MICROSECOND],
            }
        )
    duration = interval_s * (len(next(iter(series.values()))) - 1)
    return head(
        "drift",
        max(series) + 1,
        interval_s=interval_s,
        duration_s=duration,
        offset="skampi(exchanges=100)",
        series=rows,
        fits=fits,
    )


def offset_series(at_s: Sequence[float], offset_s: Sequence[float]) -> OffsetSeries:
    """Offsets of rank 1 as a launch of study drift has them."""
    return OffsetSeries(rank=1, first_offset_s=0.0, at_s=tuple(at_s), offset_s=tuple(offset_s), bound_s=None)


def round_trips(rtt_s: ArrayLike, offset_s: ArrayLike | None = None, reference_host: int = 0) -> RoundTrips:
    """Of ranks 0 and 1, the latter on host 0, back to back."""
    rtt = np.asarray(rtt_s, float)
    offset = np.zeros(rtt.size) if offset_s is None else np.asarray(offset_s, float)
    return RoundTrips(
        client=1, reference=0, client_host=0, reference_host=reference_host,
        rtt_s=rtt, offset_s=offset, elapsed_s=np.cumsum(rtt),
    )  # fmt: skip


def frequency(
    stated_hz: float | None, calibrated: Sequence[Sequence[float]], per_rank: Sequence[Sequence[float]]
) -> dict[str, Any]:
    """Study frequency of as many ranks as there are rows, with one calibration of 0.1 s and Netgauge's."""
    n_ranks = len(calibrated)
    return head(
        "frequency",
        n_ranks,
        stated_hz=[stated_hz] * n_ranks,
        stated_source=[None if stated_hz is None else "cpuid"] * n_ranks,
        model_name_hz=[2.1e9] * n_ranks,
        calibrations=[
            {"source": "calibrated", "duration_s": 0.1, "elapsed_s": 0.1, "hz": [list(row) for row in calibrated]},
            {
                "source": "calibrated-per-rank",
                "duration_s": 1.0,
                "elapsed_s": 1.0,
                "hz": [list(row) for row in per_rank],
            },
        ],
    )


def launches(kind: str, *documents: dict[str, Any]) -> dict[str, Any]:
    """What `ictus clocks` keeps: the launches of a study, with what it knows itself."""
    return {
        "format": 1,
        "ictus": "0.1.0",
        "study": kind,
        "created": "2025-11-21T20:00:00+00:00",
        "on": "here",
        "launches": list(documents),
    }
