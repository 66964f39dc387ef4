"""Worlds of the claims about the samples of launches, and about launches beside each other."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from tests.calibration.claims.drawn_campaign import Case, template, with_samples
from tests.calibration.claims.noise import ALIKE, USUAL, Noise, wander
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.studies.claims.known import find

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling

Draw = Callable[[np.random.Generator], FloatArray]
"""The samples of one launch."""


def launch_by_launch(random: np.random.Generator, claim: str, noise: Noise, n: int) -> Ruling:
    """Launches whose samples scatter so; all that one measures shares what it is slower by."""
    campaign = template(claim)
    shared = noise.of_launches(random, len(campaign.launches))

    def draw(place: int, _: Case) -> FloatArray:
        return 1e-5 * shared[place] * noise.of_samples(random, 1, n)[0]

    return find(claim).judge(with_samples(campaign, draw)).ruling


def drawn_alone(random: np.random.Generator, claim: str, draw: Draw) -> Ruling:
    """Launches that have nothing in common."""
    return find(claim).judge(with_samples(template(claim), lambda *_: 1e-5 * draw(random))).ruling


def humps(random: np.random.Generator, share: float, alike: float) -> FloatArray:
    """1,000 samples like the one before by `alike`; a share of them in a second hump, half as long again."""
    plain = 1 + 0.05 * _steps(random, 1000, alike)
    return plain + 0.5 * (random.random(1000) < share)


def late(random: np.random.Generator, share: float, alike: float) -> FloatArray:
    """1,000 samples like the one before by `alike`; a share of them takes ten times as long."""
    return (1 + 0.05 * _steps(random, 1000, alike)) * np.where(random.random(1000) < share, 10.0, 1.0)


def _steps(random: np.random.Generator, n: int, alike: float) -> FloatArray:
    return wander(random, 1, n, -1 / np.log(alike))[0] if alike else random.standard_normal(n)


def correlated(random: np.random.Generator, alike: float, share: float = 1.0) -> FloatArray:
    """1,000 samples, with the chance `share` each like the one before by `alike`, else independent."""
    return np.exp(0.05 * _steps(random, 1000, alike if random.random() < share else 0.0))


def stepped(random: np.random.Generator) -> FloatArray:
    """1,000 samples that wander for longer than the launch takes: none is far enough from another."""
    return np.exp(0.05 * wander(random, 1, 1000, 2000)[0] + 0.01 * random.standard_normal(1000))


def drifting(random: np.random.Generator, upwards: float) -> FloatArray:
    """2,000 samples that wander; from the first to the last they rise by that share."""
    return USUAL.of_samples(random, 1, 2000)[0] * (1 + upwards * np.linspace(0, 1, 2000))


def _rows() -> Iterator[CalibrationRow]:
    spread = partial(launch_by_launch, claim="mpirun-factor", n=300)
    for alike in (1, 30, 100, 300):
        world = f"launches are alike, samples wander for {alike} of 300"
        noise = replace(ALIKE, samples_alike=alike, sample=0.03)
        yield CalibrationRow("mpirun-factor", world, Kind.FALSE, partial(spread, noise=noise))
    yield CalibrationRow(
        "mpirun-factor",
        "they scatter by 5 %, samples wander for 100 of 300",
        Kind.TRUE,
        partial(spread, noise=replace(USUAL, launch=0.05, drift=0.01)),
    )
    shape = partial(drawn_alone, claim="distribution")
    for alike in (0.0, 0.5, 0.9):
        yield CalibrationRow(
            "distribution",
            f"samples are normal, neighbours alike by {alike:g}",
            Kind.FALSE,
            partial(shape, draw=partial(humps, share=0.0, alike=alike)),
        )
    yield CalibrationRow(
        "distribution",
        "one sample of twenty is in a second hump",
        Kind.TRUE,
        partial(shape, draw=partial(humps, share=0.05, alike=0.5)),
    )
    means = partial(drawn_alone, claim="clt")
    for alike in (0.0, 0.2, 0.9):
        yield CalibrationRow(
            "clt",
            f"samples are normal, neighbours alike by {alike:g}",
            Kind.FALSE,
            partial(means, draw=partial(late, share=0.0, alike=alike)),
        )
    yield CalibrationRow(
        "clt",
        "one of a hundred takes ten times as long",
        Kind.TRUE,
        partial(means, draw=partial(late, share=0.01, alike=0.0)),
    )
    apart = partial(drawn_alone, claim="autocorrelation")
    yield CalibrationRow(
        "autocorrelation", "samples are independent", Kind.FALSE, partial(apart, draw=partial(correlated, alike=0.0))
    )
    yield CalibrationRow(
        "autocorrelation", "samples wander for longer than the launch", Kind.FALSE, partial(apart, draw=stepped)
    )
    yield CalibrationRow(
        "autocorrelation",
        "neighbours of every other launch are alike by 0.3",
        Kind.LIMIT,
        partial(apart, draw=partial(correlated, alike=0.3, share=0.5)),
    )
    yield CalibrationRow(
        "autocorrelation",
        "neighbours of each launch are alike by 0.3",
        Kind.TRUE,
        partial(apart, draw=partial(correlated, alike=0.3)),
    )
    drift = partial(drawn_alone, claim="runtime-drift")
    yield CalibrationRow(
        "runtime-drift", "samples wander", Kind.LIMIT, partial(drift, draw=partial(drifting, upwards=0.0))
    )
    yield CalibrationRow(
        "runtime-drift", "they rise by a quarter", Kind.TRUE, partial(drift, draw=partial(drifting, upwards=0.25))
    )


ROWS = tuple(_rows())
