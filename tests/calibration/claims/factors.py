"""Worlds of the claims that a factor changes the result: ratios between its values are drawn, and all noise."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
from tests.calibration.claims.drawn_campaign import template, with_medians
from tests.calibration.claims.noise import USUAL
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.studies.claims.known import find

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling
from ictus.store.campaign import Campaign
from ictus.studies.factors.average import MOST_ALIKE
from ictus.studies.factors.contrasts import LEAST_PERCENT

Effects = Mapping[str, float]
"""By how the name of a factor's value begins: how many times as long calls take."""
LEAST = 1 + LEAST_PERCENT / 100
SAMPLES = 100


Ratio = Callable[[Mapping[str, Any]], float]
"""Of a launch and case, by its library and factors: how many times as long calls take."""


def drawn_by(campaign: Campaign, by: str, ratio: Ratio, random: np.random.Generator) -> Campaign:
    """The campaign with such launches."""

    def times(rows: pl.DataFrame) -> FloatArray:
        slots, place = np.unique(rows["slot"].to_numpy(), return_inverse=True)
        launches = USUAL.of_launches(random, slots.size)[place]
        medians = np.median(USUAL.of_samples(random, rows.height, SAMPLES), axis=1)
        found: FloatArray = 1e-5 * launches * medians * np.array([ratio(row) for row in rows.iter_rows(named=True)])
        return found

    return with_medians(campaign, by, times)


def drawn(campaign: Campaign, by: str, effects: Effects, random: np.random.Generator) -> Campaign:
    """The campaign, every case of which has these effects."""

    def ratio(row: Mapping[str, Any]) -> float:
        return next((ratio for name, ratio in effects.items() if str(row[by]).startswith(name)), 1.0)

    return drawn_by(campaign, by, ratio, random)


def factor(random: np.random.Generator, claim: str, by: str, effects: Effects) -> Ruling:
    """The verdict on a world of a claim about one factor."""
    return find(claim).judge(drawn(template(claim), by, effects, random)).ruling


def reductions(random: np.random.Generator, average: float, longest: float) -> Ruling:
    """Of 64 processes the average and the longest time are so many times those of 4."""
    plan = template("linear-reduce", n="4,64")
    of_average, of_longest = (drawn(plan, "n", {"64": ratio}, random) for ratio in (average, longest))
    with patch("ictus.studies.factors.average.load", return_value=of_longest):
        return find("linear-reduce").judge(of_average).ruling


def alike(random: np.random.Generator, case: int, ratio: float) -> Ruling:
    """Of one of the cases (-1: of all) a call after a barrier takes so many times as long."""

    def of(row: Mapping[str, Any]) -> float:
        chosen = case in (-1, row["case_id"] // 2)
        return ratio if chosen and row["procsync"].startswith("barrier") else 1.0

    claim = "harmonize-scatter-gather"
    return find(claim).judge(drawn_by(template(claim), "procsync", of, random)).ruling


def winners(random: np.random.Generator, ratios: Mapping[str, float], others: float = 1.0) -> Ruling:
    """Of one case the second library takes so many times as long, by how the start begins; of the rest `others`."""

    def of(row: Mapping[str, Any]) -> float:
        if row["mpi"] != "openmpi":
            return 1.0
        chosen = (row["operation"], row["size_bytes"]) == ("bcast", 8)
        ratio = next((ratio for name, ratio in ratios.items() if row["procsync"].startswith(name)), others)
        return ratio if chosen else others

    return find("barrier-impact").judge(drawn_by(template("barrier-impact"), "mpi", of, random)).ruling


def _worlds(claim: str, by: str, large: Effects, least: Effects) -> Iterator[CalibrationRow]:
    draw = partial(factor, claim=claim, by=by)
    yield CalibrationRow(claim, "no difference", Kind.FALSE, partial(draw, effects={}))
    yield CalibrationRow(claim, f"{_told(least)}: just what matters", Kind.LIMIT, partial(draw, effects=least))
    yield CalibrationRow(claim, _told(large), Kind.TRUE, partial(draw, effects=large))


def _told(effects: Effects) -> str:
    return ", ".join(f"{name.replace('=', ' ').replace('(', ' ')} {ratio:.3g} times" for name, ratio in effects.items())


def _rows() -> Iterator[CalibrationRow]:
    yield from _worlds("window-barrier", "procsync", {"barrier": 1.3}, {"barrier": LEAST})
    yield from _worlds("pinning", "pin", {"none": 1.4}, {"none": LEAST})
    yield from _worlds("compiler", "core-flags", {"-O1": 1.4}, {"-O1": LEAST})
    yield from _worlds("dvfs", "governor", {"powersave": 1.4}, {"powersave": LEAST})
    yield from _worlds("cache", "cache", {"cold": 1.3}, {"cold": LEAST})
    yield CalibrationRow(
        "cache", "cold 0.7 times", Kind.FALSE, partial(factor, claim="cache", by="cache", effects={"cold": 0.7})
    )
    yield from _worlds("pipelining", "scheme", {"loop": 0.7}, {"loop": 1 / LEAST})
    for operation in ("reduce", "bcast", "allreduce"):
        yield from _worlds(f"harmonize-{operation}", "procsync", {"barrier": 0.7}, {"barrier": 1 / LEAST})
    yield from _worlds(
        "linear-barrier", "procsync", {"barrier(algorithm=linear": 0.75}, {"barrier(algorithm=linear": 1 / LEAST}
    )
    first, last = "arrival(pattern=asc", "arrival(pattern=desc"
    yield from _worlds("skew-bcast", "procsync", {first: 0.7, last: 1.4}, {first: 1 / LEAST, last: LEAST})
    skew = partial(factor, claim="skew-bcast", by="procsync")
    yield CalibrationRow(
        "skew-bcast", "the root first 0.5 times, last as long", Kind.FALSE, partial(skew, effects={first: 0.5})
    )
    yield CalibrationRow(
        "skew-bcast", "the root last 2 times, first as long", Kind.FALSE, partial(skew, effects={last: 2.0})
    )
    one = "one of four cases takes {:.3g} times as long after a barrier"
    for case, ratio, kind, world in (
        (0, MOST_ALIKE, Kind.LIMIT, one.format(MOST_ALIKE)),
        (0, 3.0, Kind.FALSE, one.format(3)),
        (-1, 1.0, Kind.TRUE, "no difference"),
    ):
        draw = partial(alike, case=case, ratio=ratio)
        yield CalibrationRow("harmonize-scatter-gather", world, kind, draw)
    linear, ring = "barrier(algorithm=linear", "barrier(algorithm=dissemination"
    for world, kind, ratios, others in (
        ("no difference", Kind.FALSE, {}, 1.0),
        ("one library 1.5 times with one barrier", Kind.FALSE, {linear: 1.5}, 1.0),
        ("1.5 times with none, 0.7 times with all barriers", Kind.FALSE, {"none": 1.5}, 0.7),
        (
            "just what matters with one barrier, the other way with another",
            Kind.LIMIT,
            {linear: LEAST, ring: 1 / LEAST},
            1.0,
        ),
        ("1.5 times with one barrier, 0.7 times with another", Kind.TRUE, {linear: 1.5, ring: 0.7}, 1.0),
    ):
        yield CalibrationRow("barrier-impact", world, kind, partial(winners, ratios=ratios, others=others))
    for average, longest, kind in (
        (0.3, 1.0, Kind.FALSE),
        (1.0, 2.0, Kind.FALSE),
        (1 / LEAST, LEAST, Kind.LIMIT),
        (0.3, 2.0, Kind.TRUE),
    ):
        yield CalibrationRow(
            "linear-reduce",
            f"average {average:.3g} times, longest {longest:.3g} times",
            kind,
            partial(reductions, average=average, longest=longest),
        )


ROWS = tuple(_rows())
