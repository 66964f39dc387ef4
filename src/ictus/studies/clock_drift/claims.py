"""The claim that clocks drift apart linearly."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ictus.engine.study_options import HERE, platform_of
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.quantity import format_duration
from ictus.model.spec import parse_spec
from ictus.mpi.command import on_one_host
from ictus.render.table import records
from ictus.stats.claim_rules import sign_rule
from ictus.studies.claim import MASSIVE_SCALE, REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.clock_drift.analysis import elapsed, forecast_error, learning_time, summarise
from ictus.studies.clock_drift.figures import drift_panels
from ictus.studies.clock_drift.tables import COLUMNS, departure_table, drift_table
from ictus.studies.clocks.record import ClocksStudy, DriftAnswer, OffsetSeries
from ictus.studies.clocks.tables import ppm

_LEARNT = 0.5
"""Share of the time from which a line is learnt."""
FEWEST_LAUNCHES = 5
"""Of fewer launches no sign test reaches 5 %."""


def one_counter(values: Mapping[str, Any]) -> str | None:
    """Why clocks cannot drift apart here: all ranks read one counter."""
    platform = values.get("platform", HERE)
    clock = values.get("clock")
    if platform_of(platform) is not None or (clock is not None and parse_spec(clock).name == "skewed"):
        return None
    if platform == Namespaces.name or on_one_host(os.environ):
        return (
            "all ranks are on one host and read one counter, which cannot drift from itself; --platform flat -n 8 has "
            "simulated clocks"
        )
    return None


def unseen(values: Mapping[str, Any]) -> str | None:
    """Why nothing can be seen: one counter, or too few launches."""
    launches = int(values.get("launches") or 1)
    reason = (
        f"clocks of a launch share that of rank 0 and count once, and of fewer than {FEWEST_LAUNCHES} launches no sign "
        f"test reaches 5 %; --launches {FEWEST_LAUNCHES}"
    )
    return one_counter(values) or (reason if launches < FEWEST_LAUNCHES else None)


def votes(launches: Sequence[DriftAnswer]) -> tuple[int, int]:
    """Launches in which a line is better for most clocks, and in which it is worse: all clocks of a launch are measured
    against that of rank 0, so that they vote together.
    """
    better = [sum(map(line_is_better, launch.series)) for launch in launches]
    ups = sum(2 * n_better > len(answer.series) for n_better, answer in zip(better, launches, strict=True))
    downs = sum(
        2 * n_better < len(drift_answer.series) for n_better, drift_answer in zip(better, launches, strict=True)
    )
    return ups, downs


def line_is_better(series: OffsetSeries) -> bool:
    """Whether a line through the first half of the offsets is nearer to the last one than no drift is."""
    learnt_s = _LEARNT * float(elapsed(series)[-1])
    learnt_offsets_s = np.asarray(series.offset_s)[elapsed(series) <= learnt_s]
    return abs(float(forecast_error(series, learnt_s)[-1])) < abs(series.offset_s[-1] - float(learnt_offsets_s.mean()))


def _clock_drift(study: ClocksStudy) -> ClaimResult:
    series = [offset_series for launch in study.drift for offset_series in launch.series]
    ups = sum(map(line_is_better, series))
    for_it, against = votes(study.drift)
    ranks = [summary for launch in study.drift for summary in summarise(launch)]
    fastest = max((abs(rank.slope) for rank in ranks), default=0.0)
    because = (
        f"a line through the first half of {series[0].at_s[-1] - series[0].at_s[0]:.3g} s foretells the last offset of "
        f"{ups} of {len(series)} clocks better than a constant, and of most clocks in {for_it} of {len(study.drift)} "
        f"launches; the fastest drifts {ppm(fastest)} µs a second and "
        f"leaves its line by {format_duration(max(drift_summary.departure_s for drift_summary in ranks))} at most"
    )
    return ClaimResult(
        sign_rule(for_it, against),
        because,
        (drift_table(ranks), departure_table(ranks)),
        records(ranks, COLUMNS),
        drift_panels(series, ranks, learning_time(series)),
    )


CLAIMS = (
    Claim(
        "clock-drift",
        "Clocks drift apart linearly, for seconds.",
        f"{REVISITED}, Fig. 1; {MASSIVE_SCALE}, Fig. 5",
        "sign test over launches: is the last offset of most clocks nearer to a line through the first half than to a "
        "constant (5 %)",
        quick_or(
            {"duration_s": 5.0, "interval_s": 0.1, "launches": 5},
            {"duration_s": 100.0, "interval_s": 1.0, "launches": 10},
            n=2,
        ),
        _clock_drift,
        unseen,
        simulated="64",
    ),
)
