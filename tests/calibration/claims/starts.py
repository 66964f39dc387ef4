"""Worlds of the claims about starts and repetitions: windows, local times beside global ones, exits of barriers, and
rules that stop a measurement.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from tests.calibration.claims.drawn_campaign import Case, template, with_samples
from tests.calibration.claims.noise import ALIKE, USUAL
from tests.calibration.claims.row import Kind, rows_of
from tests.skew_documents import launch, start, study
from tests.studies.claims.known import find

from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import RARE, Ruling
from ictus.studies.exit_skew.claims import MOST_ALIKE
from ictus.studies.exit_skew.record import SkewDocument, study_of
from ictus.studies.local_and_global.analysis import MATTERS
from ictus.studies.local_and_global.claims import BARRIER
from ictus.studies.window_size.analysis import fixed_window
from ictus.studies.window_size.claims import SIZES_US

SAMPLES, ATTEMPTS, EXITS = 50, 200, 20
BARRIERS = ("linear", "dissemination", "tree", "double-ring", "bruck", "library")


def windows(random: np.random.Generator, invalid: float) -> Ruling:
    """Launches with a share of invalid samples that they have in all windows, one in twenty; in the shortest window
    `invalid` times as many.
    """
    campaign = template("window-size")
    shares = dict(zip(SIZES_US, np.geomspace(invalid, 1.0, len(SIZES_US)), strict=True))
    slots = campaign.summaries["slot"].unique(maintain_order=True).to_list()
    of_slot = dict(zip(slots, 0.05 * np.exp(random.normal(0, 0.5, len(slots))), strict=True))
    syncs = dict(campaign.cases.select("case_id", "procsync").iter_rows())
    chances = [
        of_slot[slot] * shares[round(1e6 * (fixed_window(syncs[case_id]) or 0.0), 3)]
        for slot, case_id in campaign.summaries.select("slot", "case_id").iter_rows()
    ]
    late = random.binomial(ATTEMPTS, np.minimum(chances, 1.0))
    counts = {"attempted": np.full(late.size, ATTEMPTS), "valid": ATTEMPTS - late, "late": late, "long": 0 * late}
    schema = campaign.summaries.schema
    columns = [pl.Series(name, values).cast(schema[name]) for name, values in counts.items()]
    return find("window-size").judge(replace(campaign, summaries=campaign.summaries.with_columns(columns))).ruling


def both_times(random: np.random.Generator, ratio: float) -> Ruling:
    """Makespans are 1.05 times the local times in windows, and `ratio` times that after a barrier; each launch of a
    case scatters by 5 % about it.
    """
    campaign = template("local-global")
    shared = USUAL.of_launches(random, len(campaign.launches))

    def draw(place: int, case: Case) -> dict[str, FloatArray]:
        local = 1e-5 * shared[place] * USUAL.of_samples(random, 1, SAMPLES)[0]
        own = 1.05 * float(np.exp(random.normal(0, 0.05))) * (ratio if case["procsync"].startswith(_BARRIER) else 1.0)
        return {"local_max": local, "makespan": own * local, "start_skew": (own - 1) * local}

    return find("local-global").judge(with_samples(campaign, draw)).ruling


_BARRIER = BARRIER.partition("(")[0]


def exits(random: np.random.Generator, ratio: float) -> Ruling:
    """Ten launches of six barriers in two libraries, of which one leaves ranks `ratio` times as far apart as the
    others, in one library; all barriers of a launch share its state.
    """
    launches: list[dict[str, Any]] = []
    for library in ("mpich", "openmpi"):
        for state in np.exp(random.normal(0, 0.2, 10)):
            starts = []
            for name in BARRIERS:
                times = ratio if (library, name) == ("mpich", BARRIERS[3]) else 1.0
                skews = state * times * float(np.exp(random.normal(0, 0.2))) * USUAL.of_samples(random, 1, EXITS)[0]
                starts.append(start(f"barrier({name})", [[0.0, float(skew)] for skew in skews]))
            launches.append(launch(2, starts, library))
    return find("barrier-skew").judge(study_of(SkewDocument.parse(study(*launches), "drawn"))).ruling


def stops(random: np.random.Generator, share: float) -> Ruling:
    """Launches whose samples hardly scatter; in a share of them they do by a fifth, so that metrics ask for numbers
    that differ.
    """
    campaign = template("nrep")
    calm, wild = replace(ALIKE, drift=0.0, late_share=0.0, sample=0.001), replace(ALIKE, late_share=0.0, sample=0.2)
    shared = USUAL.of_launches(random, len(campaign.launches))

    def draw(place: int, _: Case) -> FloatArray:
        noise = wild if random.random() < share else calm
        return 1e-5 * shared[place] * noise.of_samples(random, 1, 150)[0]

    return find("nrep").judge(with_samples(campaign, draw)).ruling


ROWS = (
    *rows_of(
        "window-size",
        windows,
        "invalid",
        ("as many samples are invalid in all windows", Kind.LIMIT, 1.0),
        ("ten times as many in the shortest", Kind.TRUE, 10.0),
    ),
    *rows_of(
        "local-global",
        both_times,
        "ratio",
        ("local times tell all but 1 %", Kind.FALSE, 1 + MATTERS),
        ("they tell 70 of 100 µs", Kind.TRUE, 100 / 70),
    ),
    *rows_of(
        "barrier-skew",
        exits,
        "ratio",
        (f"one of six barriers leaves ranks just {MOST_ALIKE:g} times as far apart", Kind.LIMIT, MOST_ALIKE),
        ("four times as far apart", Kind.TRUE, 4.0),
    ),
    *rows_of(
        "nrep",
        stops,
        "share",
        ("samples scatter in one launch of twenty", Kind.FALSE, RARE),
        ("they scatter by a fifth", Kind.TRUE, 1.0),
    ),
)
