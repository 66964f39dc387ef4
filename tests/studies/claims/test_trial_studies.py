"""Claims about numbers of repetitions, trials and suites: by hand, and in worlds with a planted claim and without;
test_rules.py has what their rules promise.
"""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.stats
from tests.command_line import run_ictus
from tests.studies.claims.known import find, study_of
from tests.studies.claims.test_command import NOISE, study

from ictus.engine.event import log
from ictus.stats.claim_rules import Ruling, Seen, campaigns_rule, nearer_rule
from ictus.stats.verdict import VerdictKind, decided
from ictus.studies.judging import measure_claim
from ictus.studies.lens.claims import SUITES, reported
from ictus.studies.lens.suites.registry import find_look
from ictus.studies.nrep.claims import TIMES, Stops, judge_stops, stops_of
from ictus.studies.reproduce.apart import called_different
from ictus.studies.reproduce.claims import pairs_of

SCATTERED, CALM = {"noise": 0.25}, {"noise": 0.001}
"""Of a quarter rse is the last to be content; where nothing scatters all metrics are content at the first look."""
WORLDS = [
    ("nrep", SCATTERED, "holds", ()),
    ("nrep", CALM, "does not hold", ()),
    ("reproducibility", {**NOISE, "launch_spread": 0.08}, "holds", ("--launches", 8)),
    ("apart", {**NOISE, "launch_spread": 0.02, "campaign_spread": 0.1}, "holds", ()),
    ("suites", {**NOISE, "pipelining": 0.5}, "holds", ()),
    ("suites", {"noise": 0.005}, "does not hold", ("-n", 1)),
]
"""Of one process the mean over ranks is the slowest one's."""


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "world", "seen", "words"), WORLDS)
def test_a_planted_claim_is_seen_and_a_missing_one_is_not(
    name: str, world: dict[str, Any], seen: str, words: tuple[object, ...], tmp_path: Path
) -> None:
    """By the same command, and again from the folder."""
    row = study(name, world, tmp_path, "-m", "mpich", *words)
    assert row["seen"] == seen, row
    again = run_ictus("study", name, tmp_path / "study", "--json")
    assert json.loads(again.out)["rows"] == [row]


def test_campaigns_are_not_nearer_together_than_a_suite_that_measures_more(tmp_path: Path) -> None:
    """Launches that are all alike: 30 calls of three launches against a thousand of OSU's."""
    scenario = tmp_path / "world.json"
    scenario.write_text(json.dumps(NOISE))
    claim = find("reproducibility")
    changed = replace(claim, plan=lambda quick: {**claim.plan(quick), "lens": "osu", "nrep": 30})
    given = {"mpi": ["mpich"], "seed": 3, "launcher": "simulated", "scenario": scenario}
    study = study_of("reproducibility")
    found = measure_claim(study, changed, given, tmp_path / "study", log, quick=True)
    assert found.seen == "does not hold", found.sentence


def test_a_study_of_trials_goes_on_as_it_began(tmp_path: Path) -> None:
    """The command need not say again what it began with; a campaign of one launch is refused with the reason."""
    first = study("reproducibility", NOISE, tmp_path, "-m", "mpich", "--launches", 2)
    again = study("reproducibility", NOISE, tmp_path, "-m", "mpich")
    assert again == first
    assert first["launches"] == 8 * (2 + 1)
    row = study("reproducibility", NOISE, tmp_path / "one", "-m", "mpich", "--launches", 1)
    assert (row["seen"], "itself a single run" in row["because"]) == ("cannot be seen here", True)


def test_scatter_is_judged_by_brown_and_forsythe() -> None:
    """Of two groups it is Student's test of the distances from the medians, one-sided, its p-value a quarter larger
    because trials are few; direction and edges.
    """
    random = np.random.default_rng(29)
    near, far = np.exp(random.normal(0, 0.01, 9)), np.exp(random.normal(0, 0.1, 7))
    apart = [abs(np.log(one) - np.median(np.log(one))) for one in (near, far)]
    found = nearer_rule(near, far)
    assert found.p_value == pytest.approx(1.25 * scipy.stats.ttest_ind(*apart, alternative="less").pvalue)
    assert found.against == pytest.approx(scipy.stats.ttest_ind(*apart, alternative="greater").pvalue)
    assert (found.seen, nearer_rule(far, near).seen) == (Seen.HOLDS, Seen.DOES_NOT_HOLD)
    assert nearer_rule(1e3 * near, far).p_value == pytest.approx(found.p_value)
    assert nearer_rule(near[:2], far) == nearer_rule([1.0] * 5, [2.0] * 5) == Ruling(Seen.CANNOT_BE_SEEN, None)


def test_campaigns_are_judged_by_kruskal_and_wallis() -> None:
    """Of three campaigns of two launches that are in order the statistic is 12 / (6 * 7) * (3^2 + 7^2 + 11^2) / 2
    - 3 * 7 = 32 / 7, by hand; of two degrees of freedom its p-value is exp(-16 / 7). Alike campaigns refute it, by the
    F distribution; one of a single launch, and two, say nothing.
    """
    found = campaigns_rule([[1.0, 1.1], [1.2, 1.3], [1.4, 1.5]])
    assert found.p_value == pytest.approx(np.exp(-16 / 7))
    random = np.random.default_rng(36)
    alike = np.exp(random.normal(0, 0.02, (20, 8)))
    states = np.exp(random.normal(0, 0.02, (20, 1)))
    assert campaigns_rule(list(alike)).seen is Seen.DOES_NOT_HOLD
    assert campaigns_rule(list(alike * states)).seen is Seen.HOLDS
    assert campaigns_rule(list(alike * states)) == campaigns_rule([*(alike * states), [5.0], []])
    nothing = Ruling(Seen.CANNOT_BE_SEEN, None)
    assert campaigns_rule([[1.0, 2.0], [3.0, 4.0]]) == campaigns_rule([[1.0, 1.0]] * 3) == nothing


def test_pairs_of_campaigns_are_called_different_as_a_comparison_would() -> None:
    """Six launches a campaign; of three campaigns the last is slower in one case of two: two of three pairs differ. By
    the exact test p is 2 / 924 there, times two cases.
    """
    level, slower = tuple(np.linspace(1.0, 1.1, 6)), tuple(np.linspace(2.0, 2.1, 6))
    rows: Any = [
        SimpleNamespace(mpi="mpich", launches_s=(level, level, slower)),
        SimpleNamespace(mpi="mpich", launches_s=(level, level, level)),
    ]
    assert called_different(rows) == (2, 3)


def stops(numbers: tuple[int | None, ...], fall: int = 1) -> Stops:
    """One launch; all metrics fall alike."""
    names = ("rse", "cov_mean", "cov_median")
    return Stops(dict(zip(names, numbers, strict=True)), dict.fromkeys(names, fall))


def test_numbers_differ_from_one_and_a_half_times_on() -> None:
    """Only of launches in which every metric stops; every metric has to fall. What contradicts it is one of four tests,
    so that none of 20 launches does (0.8 to the 20th, times four), and none of 15 does not.
    """
    assert TIMES == 1.5
    assert stops((30, 20, 20)).apart
    assert not stops((29, 20, 20)).apart
    assert not stops((90, 20, None)).apart
    apart = [stops((30, 20, 20))] * 6
    assert judge_stops(apart).p_value == pytest.approx(1 / 2**6)
    assert judge_stops([*apart, *[stops((30, 20, None))] * 9]).seen is Seen.HOLDS
    assert judge_stops([stops((30, 20, 20), fall=-1)] * 8).seen is Seen.DOES_NOT_HOLD
    assert judge_stops([stops((20, 20, 20))] * 20).seen is Seen.DOES_NOT_HOLD
    assert judge_stops([stops((20, 20, 20))] * 15).seen is Seen.CANNOT_BE_SEEN
    assert judge_stops([stops((20, 20, None))] * 20).seen is Seen.CANNOT_BE_SEEN


def test_metrics_stop_where_they_are_content() -> None:
    """Two values in turn, 0.9 and 1.1: rse is 0.1 / sqrt(n - 1), first at most 0.025 at n = 17, looked at from 20 on;
    prefix means are 1 or 1 - 0.1 / n, of which the last 20 vary by less than 1 % at once; so do medians, from 30 on.
    """
    found = stops_of(np.tile([0.9, 1.1], 50))
    assert found.numbers["rse"] == 20
    assert set(found.falls.values()) <= {0, 1}
    prefixes = [np.median(np.tile([0.9, 1.1], 50)[:n]) for n in range(1, 101)]
    looks = [
        n for n in range(20, 101, 10) if np.std(prefixes[n - 20 : n], ddof=1) / np.mean(prefixes[n - 20 : n]) <= 0.01
    ]
    assert found.numbers["cov_median"] == (looks[0] if looks else None)
    assert stops_of(np.linspace(1, 1e4, 100)).numbers["cov_mean"] is None


def test_every_suite_is_held_against_campaigns() -> None:
    """By case and library; two suites are two comparisons."""
    rows: Any = [
        SimpleNamespace(mpi=mpi, case={"size_bytes": size}, way=way)
        for mpi in ("mpich", "openmpi")
        for size in (8, 64)
        for way in ("ictus", "osu", "imb-loop")
    ]
    found = pairs_of(rows)
    assert len(found) == 2 * 2 * 2
    assert all(
        (one.campaigns.mpi, one.campaigns.case, one.campaigns.way) == (one.suite.mpi, one.suite.case, "ictus")
        for one in found
    )


def test_suites_of_the_list_are_known_and_report_less_or_more() -> None:
    """The same calls cannot be faster: a suite reports less."""
    assert [find_look(name).label for name in SUITES] == list(SUITES)
    said = [reported(decided(kind, 0.05, 0.05)) for kind in (VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.SAME)]
    assert said == ["less, within 5 %", "more, within 5 %", "same within 5 %"]
