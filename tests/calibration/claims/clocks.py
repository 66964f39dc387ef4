"""Worlds of the claims about clocks: documents of the core, in which all clocks of a launch share that of rank 0."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from tests.calibration.claims.noise import wander
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.clock_documents import accuracy, drift, launches
from tests.studies.claims.known import find

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling
from ictus.studies.clock_accuracy.claims import LINE, OFFSETS, TREES
from ictus.studies.clocks.record import ClocksStudy

CLOCKS, OFFSETS_EACH, LAUNCHES = 7, 51, 8
NOISE_US, WANDER_US = 0.1, 1.0


def _judged(claim: str, study: str, documents: Sequence[dict[str, Any]]) -> Ruling:
    return find(claim).judge(ClocksStudy.parse(launches(study, *documents), "drawn")).ruling


def drifting(random: np.random.Generator, ppm: float) -> Ruling:
    """Five launches of eight hosts; the root's clock strays as a random walk, for all clocks alike."""
    documents = []
    for _ in range(5):
        root = np.cumsum(random.normal(0, WANDER_US, OFFSETS_EACH)) / np.sqrt(OFFSETS_EACH)
        documents.append(drift({rank: _clock(random, root, ppm) for rank in range(1, CLOCKS + 1)}, 0.1))
    return _judged("clock-drift", "drift", documents)


def _clock(random: np.random.Generator, root_us: FloatArray, ppm: float) -> list[float]:
    """Offsets every 0.1 s, microseconds, from the first on."""
    at = 0.1 * np.arange(OFFSETS_EACH)
    offset = random.normal(0, ppm) * at + root_us + random.normal(0, NOISE_US, OFFSETS_EACH)
    return [float(one) for one in offset - offset[0]]


Times = Callable[[np.random.Generator], tuple[float, float]]
"""What a synchronisation takes, seconds, and the largest error that it leaves, microseconds."""


def _scattered(random: np.random.Generator, elapsed_s: float, error_us: float) -> tuple[float, float]:
    late = 5.0 if random.random() < 0.01 else 1.0
    return elapsed_s * float(np.exp(random.normal(0, 0.4))) * late, error_us * float(
        np.exp(random.normal(0, 0.4))
    ) * late


def synchronised(
    random: np.random.Generator,
    claim: str,
    first: tuple[Sequence[str], float, float],
    second: tuple[Sequence[str], float, float],
) -> Ruling:
    """Eight launches of algorithms of two kinds, each kind with what it takes and errs by; four ranks, whose errors are
    alike; from launch to launch the state of the machine wanders, for all.
    """
    documents = []
    for state in np.exp(0.3 * wander(random, 1, LAUNCHES, 3)[0]):
        entries = []
        for name, elapsed_s, error_us in ((name, *values) for names, *values in (first, second) for name in names):
            taken, error = _scattered(random, elapsed_s * state, error_us * state)
            errors = [[0.0, *(error * float(random.choice([-1, 1])) for _ in range(3))] for _ in range(2)]
            entries.append((name, taken, 100, errors, None))
        documents.append(accuracy(4, (0.0, 1.0), entries))
    return _judged(claim, "accuracy", documents)


def scaled(random: np.random.Generator, growth: float) -> Ruling:
    """From 4 to 8 processes the time of one algorithm grows so many times as much as that of the other."""
    documents = []
    for n, times in ((4, 1.0), (8, growth)) * LAUNCHES:
        entries = []
        for name in (*LINE, *TREES):
            taken, error = _scattered(random, 0.01 * (times if name in LINE else 1.0), 0.1)
            entries.append((name, taken, 100, [[0.0, *[error] * (n - 1)]] * 2, None))
        documents.append(accuracy(n, (0.0, 1.0), entries))
    return _judged("sync-scaling", "accuracy", documents)


def _synchronisations() -> Iterator[CalibrationRow]:
    even, off = "all are alike in eight launches", (OFFSETS, 0.01, 0.1)
    learners = (*LINE, *TREES)
    for claim, alike, large, told in (
        ("sync-accuracy", (LINE, 0.01, 0.1), (LINE, 0.01, 2.0), "one errs twenty times as much"),
        ("sync-drift", (learners, 0.01, 0.1), (learners, 0.01, 0.005), "two err twenty times as much"),
    ):
        yield CalibrationRow(claim, even, Kind.LIMIT, partial(synchronised, claim=claim, first=off, second=alike))
        yield CalibrationRow(claim, told, Kind.TRUE, partial(synchronised, claim=claim, first=off, second=large))
    tree = (TREES, 0.01, 0.1)
    for world, kind, elapsed_s in ((even, Kind.LIMIT, 0.01), ("one takes ten times as long", Kind.TRUE, 0.1)):
        draw = partial(synchronised, claim="sync-cost", first=(LINE, elapsed_s, 0.1), second=tree)
        yield CalibrationRow("sync-cost", world, kind, draw)
    for world, kind, elapsed_s, error_us in (
        ("a hundred times the cost has no gain", Kind.FALSE, 0.0001, 0.1),
        ("a hundred times the gain has no cost", Kind.FALSE, 0.01, 10.0),
        ("ten times as long, twenty times nearer", Kind.TRUE, 0.001, 2.0),
    ):
        draw = partial(synchronised, claim="sync-pareto", first=(OFFSETS, elapsed_s, error_us), second=tree)
        yield CalibrationRow("sync-pareto", world, kind, draw)
    yield CalibrationRow("sync-scaling", "both grow alike", Kind.LIMIT, partial(scaled, growth=1.0))
    yield CalibrationRow("sync-scaling", "one grows ten times as much", Kind.TRUE, partial(scaled, growth=10.0))


ROWS = (
    CalibrationRow("clock-drift", "no clock drifts, the root's strays", Kind.FALSE, partial(drifting, ppm=0.0)),
    CalibrationRow("clock-drift", "they drift by some 5 µs a second", Kind.TRUE, partial(drifting, ppm=5.0)),
    *_synchronisations(),
)
