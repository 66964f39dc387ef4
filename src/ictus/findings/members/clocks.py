"""Findings about clocks and the messages between them: drift, frequency, round trips."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ictus.engine.study_options import HERE, platform_of
from ictus.findings.finding import MASSIVE_SCALE, REVISITED, FindingResult, PaperFinding, quick_or
from ictus.findings.material import StudyMaterial
from ictus.findings.rules import Ruling, share_rule, sign_rule, together
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.quantity import format_duration
from ictus.model.spec import parse_spec
from ictus.mpi.command import on_one_host
from ictus.render.table import records
from ictus.stats.arrays import FloatArray
from ictus.studies.clock_drift.analysis import elapsed, forecast_error, learning_time
from ictus.studies.clock_drift.analysis import summarise as drift_summary
from ictus.studies.clock_drift.figures import drift_panels
from ictus.studies.clock_drift.study import STUDY as DRIFT
from ictus.studies.clock_drift.tables import COLUMNS as DRIFT_COLUMNS
from ictus.studies.clock_drift.tables import departure_table, drift_table
from ictus.studies.clocks.record import ClocksStudy, OffsetSeries
from ictus.studies.clocks.tables import ppm
from ictus.studies.frequency.analysis import reference
from ictus.studies.frequency.analysis import summarise as frequency_summary
from ictus.studies.frequency.figures import frequency_panels
from ictus.studies.frequency.study import STUDY as FREQUENCY
from ictus.studies.frequency.tables import COLUMNS as FREQUENCY_COLUMNS
from ictus.studies.frequency.tables import frequency_table
from ictus.studies.rtt.analysis import summarise as rtt_summary
from ictus.studies.rtt.figures import trip_panels
from ictus.studies.rtt.record import RoundTripStudy
from ictus.studies.rtt.study import STUDY as ROUND_TRIPS
from ictus.studies.rtt.tables import round_trip_table

BLOCK = 25
"""Exchanges in a row of which the mean is held against the median."""
APART = 1e-6
"""By so much two calibrations differ, where it is worth telling: a microsecond each second."""
_LEARNT = 0.5
"""Share of the time from which a line is learnt."""
SHORTEST_S = 0.01
"""The calibrations that are judged: those of Netgauge take about as long."""


def one_counter(values: Mapping[str, Any]) -> str | None:
    """Why clocks cannot drift apart here: all ranks read one counter."""
    place = values.get("platform", HERE)
    clock = values.get("clock")
    if platform_of(place) is not None or (clock is not None and parse_spec(clock).name == "skewed"):
        return None
    if place == Namespaces.name or on_one_host(os.environ):
        return (
            "all ranks are on one host and read one counter, which cannot drift from itself; --platform flat -n 8 has "
            "simulated clocks"
        )
    return None


def line_is_better(series: OffsetSeries) -> bool:
    """Whether a line through the first half of the offsets is nearer to the last one than no drift is."""
    learnt_s = _LEARNT * float(elapsed(series)[-1])
    known = np.asarray(series.offset_s)[elapsed(series) <= learnt_s]
    return abs(float(forecast_error(series, learnt_s)[-1])) < abs(series.offset_s[-1] - float(known.mean()))


def _clock_drift(study: ClocksStudy) -> FindingResult:
    series = [one for launch in study.drift for one in launch.series]
    ups = sum(map(line_is_better, series))
    ranks = [one for launch in study.drift for one in drift_summary(launch)]
    fastest = max((abs(one.slope) for one in ranks), default=0.0)
    because = (
        f"a line through the first half of {series[0].at_s[-1] - series[0].at_s[0]:.3g} s foretells the last offset of "
        f"{ups} of {len(series)} clocks better than a constant; the fastest drifts {ppm(fastest)} µs a second and "
        f"leaves its line by {format_duration(max(one.departure_s for one in ranks))} at most"
    )
    return FindingResult(
        sign_rule(ups, len(series) - ups),
        because,
        (drift_table(ranks), departure_table(ranks)),
        tuple(records(ranks, DRIFT_COLUMNS)),
        drift_panels(series, ranks, learning_time(series)),
    )


def pairs_apart(relative: Sequence[float]) -> tuple[int, int]:
    """Pairs of calibrations in a row that differ by `APART` or more, and all pairs; each calibration is in one."""
    values = np.asarray(relative, np.float64)
    differences = np.abs(values[1::2] - values[: values.size // 2 * 2 : 2])
    return int((differences >= APART).sum()), differences.size


def _frequency(study: ClocksStudy) -> FindingResult:
    (launch,) = study.frequency
    sources = frequency_summary(launch)
    judged = [one for one in sources if one.source == "calibrated" and one.duration_s == SHORTEST_S]
    found = [pairs_apart(rank) for one in judged for rank in one.relative if rank]
    hits, trials = (sum(column) for column in zip(*found, strict=True)) if found else (0, 0)
    worst = max((abs(one.worst) for one in judged), default=0.0)
    because = (
        f"{hits} of {trials} pairs of calibrations of {format_duration(SHORTEST_S)} differ by 1 ppm or more; the worst "
        f"makes a clock drift by {ppm(worst)} µs a second, which one fixed frequency for all ranks does not"
    )
    return FindingResult(
        together([share_rule(*one) for one in found]),
        because,
        (frequency_table(sources, reference(launch)),),
        tuple(records(sources, FREQUENCY_COLUMNS)),
        frequency_panels(sources),
    )


def _real(values: Mapping[str, Any]) -> str | None:
    """A simulator has no counter."""
    if platform_of(values.get("platform", HERE)) is None:
        return None
    return "a simulator has no counter whose frequency could be calibrated"


def longer_means(rtt_s: FloatArray) -> tuple[int, int]:
    """Blocks whose mean is above the median, and below."""
    blocks = rtt_s[: rtt_s.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    means, medians = blocks.mean(axis=1), np.median(blocks, axis=1)
    return int((means > medians).sum()), int((means < medians).sum())


def _rtt(study: RoundTripStudy) -> FindingResult:
    pairs = [rtt_summary(one) for one in study.pairs]
    rulings: list[Ruling] = [sign_rule(*longer_means(one.rtt_s)) for one in study.pairs]
    skewest = max(pairs, key=lambda one: np.nan_to_num(one.skewness))
    last = skewest.quality[-1]
    because = (
        f"of ranks {skewest.reference} and {skewest.client} half the round trips take "
        f"{format_duration(skewest.median_s)} or less, one in a hundred {format_duration(skewest.p99_s)} or more "
        f"(skewness {skewest.skewness:.3g}); "
        f"{last.n} exchanges prove their offset to {format_duration(last.bound_s)} in {format_duration(last.cost_s)}"
    )
    rows = tuple({**vars(one), "quality": [vars(each) for each in one.quality]} for one in pairs)
    return FindingResult(together(rulings), because, (round_trip_table(pairs),), rows, trip_panels(study, pairs))


def _partners(n_processes: int) -> Mapping[str, Any]:
    """Those of rank 0 in a binomial tree, with each other: all pairs of 64 ranks are 2,016, and alike at one switch."""
    return {"ranks": (0, *(1 << power for power in range((n_processes - 1).bit_length())))}


FINDINGS = (
    PaperFinding(
        "clock-drift",
        "Clocks drift apart linearly, for seconds.",
        f"{REVISITED}, Fig. 1; {MASSIVE_SCALE}, Fig. 5",
        "sign test over clocks: is the last offset nearer to a line through the first half than to a constant (5 %)",
        quick_or({"duration_s": 10.0, "interval_s": 0.2}, {"duration_s": 100.0, "interval_s": 1.0}, n=2),
        _clock_drift,
        one_counter,
        simulated="64",
        material=StudyMaterial(DRIFT),
    ),
    PaperFinding(
        "frequency",
        "A calibrated frequency varies from calibration to calibration; a fixed one is better.",
        f"{REVISITED}, Fig. 2, 3",
        "pairs of calibrations of 10 ms that differ by 1 ppm or more, more than one in twenty (exact binomial test, "
        "ranks by Holm, 5 %)",
        quick_or(
            {"repeats": 40, "durations_s": (SHORTEST_S, 0.1), "waits_s": (0.0, 1.0)},
            {"repeats": 100, "durations_s": (SHORTEST_S, 0.1, 1.0), "waits_s": tuple(range(11))},
            n=2,
        ),
        _frequency,
        _real,
        simulated="64",
        material=StudyMaterial(FREQUENCY),
    ),
    PaperFinding(
        "rtt",
        "Round-trip times are skewed: a few take much longer than most.",
        f"{REVISITED}, Fig. 30, 31; {MASSIVE_SCALE}, Fig. 4, 6",
        f"sign test over blocks of {BLOCK} exchanges: is the mean above the median (pairs by Holm, 5 %)",
        quick_or({"exchanges": 1000}, {"exchanges": 10000}, n=2),
        _rtt,
        material=StudyMaterial(ROUND_TRIPS),
        simulated="64",
        when_simulated=_partners,
    ),
)
