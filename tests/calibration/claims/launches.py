"""Worlds of the claims about single launches: what one reports, and whom one calls faster."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from tests.calibration.claims.drawn_campaign import Case, template, with_samples
from tests.calibration.claims.noise import ALIKE, Noise
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.studies.claims.known import find

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling

LOOPS, SAMPLES = 5, 1000
STEADY = replace(ALIKE, drift=0.0, late_share=0.0)


def loops(random: np.random.Generator, spread: float) -> Ruling:
    """What loops report scatters so, from launch to launch."""
    campaign = template("run-to-run")
    noise = replace(STEADY, launch=spread, sample=0.001)
    shared = noise.of_launches(random, len(campaign.launches))

    def draw(place: int, _: Case) -> FloatArray:
        return 1e-5 * shared[place] * noise.of_samples(random, 1, LOOPS)[0]

    return find("run-to-run").judge(with_samples(campaign, draw)).ruling


def two(random: np.random.Generator, noise: Noise) -> Ruling:
    """Two libraries that are as fast, in launches that scatter so; all cases of a launch share what it is slower by."""
    campaign = template("compare-two")
    shared = noise.of_launches(random, len(campaign.launches))

    def draw(place: int, _: Case) -> FloatArray:
        return 1e-5 * shared[place] * noise.of_samples(random, 1, SAMPLES)[0]

    return find("compare-two").judge(with_samples(campaign, draw)).ruling


def _rows() -> Iterator[CalibrationRow]:
    yield CalibrationRow("run-to-run", "loops scatter by 1 %", Kind.FALSE, partial(loops, spread=0.01))
    yield CalibrationRow("run-to-run", "loops scatter by 2.4 %", Kind.TRUE, partial(loops, spread=0.024))
    alike = replace(STEADY, sample=0.03)
    yield CalibrationRow("compare-two", "both are as fast, and all launches", Kind.FALSE, partial(two, noise=alike))
    apart = replace(STEADY, launch=0.04, sample=0.03)
    yield CalibrationRow(
        "compare-two", "both are as fast, launches scatter by 4 %", Kind.TRUE, partial(two, noise=apart)
    )


ROWS = tuple(_rows())
