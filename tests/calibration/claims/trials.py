"""Worlds of the claims about experiments that are done again: their results, and what suites report of the same
calls.
"""

import atexit
import json
import shutil
import tempfile
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from tests.calibration.claims.drawn_campaign import template
from tests.calibration.claims.noise import ALIKE, USUAL, Noise
from tests.calibration.claims.row import Kind, rows_of
from tests.studies.claims.known import find, study_of

from ictus.engine.event import log
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling
from ictus.stats.reproducibility import spread
from ictus.studies.judging import measure_claim
from ictus.studies.lens.material import LensData, read_lens_data
from ictus.studies.lens.suites.measured import RankSummaries, SuiteSamples
from ictus.studies.precision.study import LARGEST_SHARE, GoalTrial, GoalTrials, Reached
from ictus.studies.reproduce.analysis import TrialRow
from ictus.studies.reproduce.material import TrialRecord
from ictus.studies.reproduce.record import OWN

STEADY = replace(ALIKE, drift=0.01, late_share=0.0, sample=0.005)
"""Of so little scatter means and least values are the same."""


@cache
def record(name: str, nrep: int = 5) -> Any:
    """What the study of a claim reads of its quick plan in a simulated world, with few samples."""
    claim, folder = find(name), Path(tempfile.mkdtemp(prefix="ictus-drawn-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    scenario = folder / "world.json"
    scenario.write_text(json.dumps({"noise": 0.01}))
    few = replace(claim, plan=lambda quick: {**claim.plan(quick), "nrep": nrep})
    given = {"mpi": ["mpich", "openmpi"], "seed": 3, "launcher": "simulated", "scenario": scenario}
    measure_claim(study_of(name), few, given, folder / "study", log, quick=True)
    return study_of(name).material.read(folder / "study")


def results(random: np.random.Generator, times: float, noise: Noise) -> Ruling:
    """Results of campaigns scatter by 1 %, those of a suite `times` as much; one of a hundred comes late. What a trial
    is slower by, as a launch is, is in all of its results.
    """
    known: TrialRecord = record("reproducibility")
    trials = known.trials
    shared = noise.of_launches(random, trials.complete)

    def drawn(row: TrialRow) -> TrialRow:
        sigma = 0.01 if row.way == OWN else 0.01 * times
        late = np.where(random.random(trials.complete) < 0.01, 1.05, 1.0)
        values = 1e-5 * shared * np.exp(random.normal(0, sigma, trials.complete)) * late
        return replace(row, results_s=tuple(values.tolist()), spread=spread(values))

    trials = replace(trials, rows=tuple(map(drawn, trials.rows)))
    return find("reproducibility").judge(replace(known, trials=trials)).ruling


def campaigns(random: np.random.Generator, between: float) -> Ruling:
    """Launches scatter by 2 %, half of it for all cases; campaigns by `between` times as much."""
    known: TrialRecord = record("apart")
    trials = known.trials
    launches = trials.study.plan.launches
    shared = 0.02 / np.sqrt(2) * random.normal(size=(len(trials.labels), trials.complete, launches))
    states = 0.02 * between * random.normal(size=(len(trials.labels), trials.complete, 1))

    def drawn(row: TrialRow) -> TrialRow:
        library = trials.labels.index(row.mpi)
        own = 0.02 / np.sqrt(2) * random.normal(size=shared.shape[1:])
        values = 1e-5 * np.exp(shared[library] + states[library] + own)
        medians = np.median(values, axis=1)
        return replace(
            row, results_s=tuple(medians), launches_s=tuple(map(tuple, values.tolist())), spread=spread(medians)
        )

    trials = replace(trials, rows=tuple(map(drawn, trials.rows)))
    return find("apart").judge(replace(known, trials=trials)).ruling


def goals(random: np.random.Generator, share: float, missed: float = 0.0) -> Ruling:
    """Trials in which a goal takes `share` of the time of a fixed number of launches, give or take 15 %, and is missed
    with the chance `missed`.
    """
    known: GoalTrials = record("until", nrep=200)
    trials = [
        GoalTrial(
            trial.library,
            Reached(0.1, 0.05, 9, 459_000, 1.0),
            Reached(0.2 if random.random() < missed else 0.1, 0.05, 12, 20_000, share * float(np.exp(scatter))),
        )
        for trial, scatter in zip(known.trials, random.normal(0, 0.15, len(known.trials)), strict=True)
    ]
    return find("until").judge(replace(known, trials=tuple(trials))).ruling


@cache
def _viewed() -> LensData:
    return read_lens_data(template("suites"))


def suites(random: np.random.Generator, loop: float) -> Ruling:
    """Calls of all methods take as long, but those of loops `loop` times as long; launches differ by 10 %, and a case
    in a launch by 1 % of its own.
    """
    known = _viewed()
    schemes = {case_id: way.scheme for group in known.groups for way, case_id in group.ways.items()}

    def drawn(cases: dict[int, SuiteSamples], state: float) -> dict[int, SuiteSamples]:
        found = {}
        for case_id, own in cases.items():
            times = loop if schemes[case_id].name.startswith("loop") else 1.0
            base = 1e-5 * state * times * float(np.exp(random.normal(0, 0.01)))
            values = base * STEADY.of_samples(random, own.ranks.mean.size, own.local_max.size)
            found[case_id] = _suite_samples(own, values)
        return found

    states = np.exp(random.normal(0, 0.1, len(known.data)))
    data = tuple(drawn(dict(cases), float(state)) for cases, state in zip(known.data, states, strict=True))
    with patch("ictus.studies.lens.claims.read_lens_data", lambda _: replace(known, data=data)):
        return find("suites").judge(known.campaign).ruling


def _suite_samples(own: SuiteSamples, local: FloatArray) -> SuiteSamples:
    """With these durations of every rank and repetition."""
    ranks = RankSummaries(*(of(local, axis=1) for of in (np.mean, np.min, np.max, np.median)))
    return replace(
        own, local_max=local.max(axis=0), root=local[0], ranks=ranks, local=None if own.local is None else local
    )


ROWS = (
    *rows_of(
        "apart",
        campaigns,
        "between",
        ("launches of all campaigns are alike", Kind.FALSE, 0.0),
        ("campaigns scatter as much as their launches", Kind.TRUE, 1.0),
    ),
    *rows_of(
        "until",
        goals,
        "share",
        ("a goal takes nine tenths of the time", Kind.LIMIT, LARGEST_SHARE),
        ("it takes two thirds of the time", Kind.TRUE, 0.67),
    ),
    *rows_of(
        "suites",
        suites,
        "loop",
        ("all suites report alike", Kind.FALSE, 1.0),
        ("calls of loops take 0.8 times as long", Kind.TRUE, 0.8),
    ),
    *rows_of(
        "reproducibility",
        partial(results, noise=ALIKE),
        "times",
        ("trials scatter alike", Kind.LIMIT, 1.0),
        ("campaigns lie a fifth as far apart", Kind.TRUE, 5.0),
    ),
    *rows_of(
        "reproducibility",
        partial(results, noise=USUAL),
        "times",
        ("alike, and a trial is slower as a whole", Kind.LIMIT, 1.0),
    ),
    *rows_of(
        "until",
        partial(goals, missed=0.5),
        "share",
        ("it takes a tenth, and is missed in half of the trials", Kind.FALSE, 0.1),
    ),
)
