"""Worlds of the claims about what clocks are made of: round trips, frequencies, regressions, and settings at equal
time; as documents of the core.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy
from tests.calibration.claims.noise import USUAL, wander
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.clock_documents import accuracy, drift, frequency, head, launches
from tests.studies.claims.known import find

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling
from ictus.studies.clock_accuracy.contenders import is_ours
from ictus.studies.clock_accuracy.equal_time import SHORT_S, real_algorithms
from ictus.studies.clock_drift.regressions import KNOWN_SLOPE, LINES
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.frequency.claims import APART, SHORTEST_S
from ictus.studies.rtt.record import RoundTripDocument, RoundTripStudy

TRIPS, LAUNCHES, LONGER_LAUNCHES, CALIBRATIONS, POINTS = 300, 8, 20, 40, 10


def _judged(claim: str, study: str, *documents: dict[str, Any]) -> Ruling:
    return find(claim).judge(ClocksStudy.parse(launches(study, *documents), "drawn")).ruling


def trips(random: np.random.Generator, late_share: float) -> Ruling:
    """Eight launches in which delays wander and scatter alike both ways, but for those that come late."""
    shared = USUAL.of_launches(random, LAUNCHES)[:, np.newaxis]
    size = (LAUNCHES, TRIPS)
    late = np.where(random.random(size) < late_share, random.exponential(10.0, size), 0.0)
    rtt_s = 2e-6 * shared * (1 + 0.03 * wander(random, *size, 100) + random.normal(0, 0.05, size) + late)
    documents = [_round_trips(column) for column in rtt_s]
    return find("rtt").judge(RoundTripStudy(RoundTripDocument.parse(launches("rtt", *documents), "drawn"))).ruling


def _round_trips(rtt_s: FloatArray) -> dict[str, Any]:
    columns = {"rtt_s": rtt_s, "offset_s": np.zeros(rtt_s.size), "elapsed_s": np.cumsum(rtt_s)}
    pair = {"client": 1, "reference": 0, "client_host": 0, "reference_host": 0}
    return head("rtt", 2, pairs=[{**pair, **{name: column.tolist() for name, column in columns.items()}}])


def calibrations(random: np.random.Generator, apart: float) -> Ruling:
    """Those of two ranks, of which neighbours differ by a normal error of standard deviation `apart`; more than half of
    its variance is of calibrations, the rest of a clock that wanders for both.
    """
    step = 2 * 9 * (1 - np.exp(-1 / 20))
    spread = apart / np.sqrt(2 + step)
    slow = 3 * wander(random, 1, CALIBRATIONS, 20)
    relative = spread * (slow + random.standard_normal((2, CALIBRATIONS)))
    document = frequency(2.1e9, 2.1e9 * (1 + relative), [[2.1e9]] * 2)
    document["calibrations"][0]["duration_s"] = SHORTEST_S
    return _judged("frequency", "frequency", document)


def lines(random: np.random.Generator, noise_s: float, since_s: float) -> Ruling:
    """Fit points in ten seconds, each wrong by that noise, so long after the clock read zero; the same times for each
    line.
    """
    at = np.tile(since_s + np.linspace(-5, 5, POINTS), LINES)
    document = drift({1: list(1e6 * (2e-5 * at + random.normal(0, noise_s, at.size)))})
    document["series"][0]["at_s"] = at.tolist()
    return _judged("model-error", "drift", document)


_SQUARES = float((np.linspace(-5, 5, POINTS) ** 2).sum())
_LEFT = 1 - 1 / POINTS - 25 / _SQUARES
"""Variance of the last fit point about its line, relative to that of the noise."""
NO_WORSE_S = float(np.sqrt(_SQUARES * (_LEFT - 1 / POINTS)))
"""So long after zero an intercept has that variance too."""
_MEDIAN = float(np.sqrt(scipy.stats.chi2.median(POINTS - 2) / (POINTS - 2)))
AT_THE_LIMIT_S = KNOWN_SLOPE * float(np.sqrt(_SQUARES) / (2 * scipy.stats.t.ppf(0.975, POINTS - 2) * _MEDIAN))
"""The noise of which the median interval of a slope is as long as the paper's."""
YEAR_S = 3e7


def at_equal_time(random: np.random.Generator, names: Sequence[str], times: float) -> Ruling:
    """Launches in which every setting takes as long, and those of others err so many times as much; the state of the
    machine changes all errors of a launch.
    """
    documents = []
    for state in USUAL.of_launches(random, LONGER_LAUNCHES):
        errors = state * np.exp(random.normal(0, 0.5, len(names)))
        entries = [
            (name, SHORT_S[0], 100, [[0.0, error * (1.0 if is_ours(name) else times)]] * 2, None)
            for name, error in zip(names, errors, strict=True)
        ]
        documents.append(accuracy(2, (0.0, 5.0), entries))
    return _judged("sync-equal-time", "accuracy", *documents)


def _rows() -> Iterator[CalibrationRow]:
    yield CalibrationRow("rtt", "delays are symmetric, and wander", Kind.FALSE, partial(trips, late_share=0.0))
    yield CalibrationRow("rtt", "one of fifty comes late", Kind.TRUE, partial(trips, late_share=0.02))
    rarely, often = APART / float(scipy.stats.norm.ppf(0.975)), 10 * np.sqrt(2) * APART
    yield CalibrationRow(
        "frequency", "one pair of twenty is 1 ppm apart", Kind.FALSE, partial(calibrations, apart=rarely)
    )
    yield CalibrationRow("frequency", "they scatter by 10 ppm", Kind.TRUE, partial(calibrations, apart=often))
    for world, kind, noise_s, since_s in (
        ("intercepts are as near as offsets", Kind.FALSE, AT_THE_LIMIT_S / 10, NO_WORSE_S),
        (f"intervals of slopes are just {KNOWN_SLOPE:g} long", Kind.FALSE, AT_THE_LIMIT_S, YEAR_S),
        ("slopes are known, intercepts to 100 ms", Kind.TRUE, AT_THE_LIMIT_S / 2, 0.1 / KNOWN_SLOPE),
    ):
        yield CalibrationRow("model-error", world, kind, partial(lines, noise_s=noise_s, since_s=since_s))
    names = real_algorithms(SHORT_S, (10,))
    for world, kind, times in (("all settings err alike", Kind.FALSE, 1.0), ("others three times", Kind.TRUE, 3.0)):
        draw = partial(at_equal_time, names=names, times=times)
        yield CalibrationRow("sync-equal-time", world, kind, draw)


ROWS = tuple(_rows())
