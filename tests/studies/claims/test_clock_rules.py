"""Claims about clocks, of records whose content is known; test_rules.py has their rules."""

from dataclasses import replace

import numpy as np
import pytest
from tests.clock_documents import accuracy, drift, launches, offset_series, round_trips
from tests.studies.claims.known import find

from ictus.stats.claim_rules import Seen
from ictus.studies.clock_accuracy.claims import LINE, OFFSETS, by_launch, contrast, error_at, larger
from ictus.studies.clock_drift.claims import one_counter, votes
from ictus.studies.clock_drift.regressions import regressions, votes as of_regressions
from ictus.studies.clocks.accuracy import SynchronisationRun, SynchronisationStep
from ictus.studies.clocks.record import ClocksStudy, DriftAnswer
from ictus.studies.frequency.claims import APART, pairs_apart
from ictus.studies.rtt.claims import longer_means


def test_launches_and_pairs_are_counted_once() -> None:
    """By hand: two launches with a late message, one with an early one, one with neither; three pairs."""
    launches = [round_trips([1.0, 1.0, one]) for one in (5.0, 0.1, 5.0, 1.0)]
    assert longer_means(launches) == (2, 1)
    assert pairs_apart([0, 2 * APART, 0, 0.5 * APART, 0, -APART, 9]) == (2, 3)


def run(name: str, launch: int, error_s: tuple[float, ...]) -> SynchronisationRun:
    """One synchronisation with errors of two ranks."""
    step = SynchronisationStep(0.0, (1, 2), error_s, (None, None), (0.0, 0.0))
    return SynchronisationRun(name, name, 0, launch, 3, 1.0, 1, (step,))


def test_errors_are_paired_by_launch() -> None:
    """The largest over ranks, without its sign, of the algorithm that is asked for; of three repeats the middle one."""
    (jk,) = LINE
    skampi = [run("skampi", 0, (-3.0, 1.0)), *(run("skampi", 1, (error, -1.0)) for error in (2.0, 9.0, 4.0))]
    runs = [*skampi, run(jk, 0, (0.5, 0.1))]
    assert by_launch(runs, "skampi", 3, error_at(0)) == [3.0, 4.0]
    assert by_launch(runs, jk, 3, error_at(-1)) == [0.5]
    assert by_launch(runs, jk, 4, error_at(0)) == []


def test_what_is_said_of_several_algorithms_is_true_of_each_pair() -> None:
    """Eight launches; two of offsets alone against one that learns drifts: both err more, then one of them less."""

    def told(netgauge_us: float) -> str:
        errors = {"skampi": 20.0, "netgauge": netgauge_us, "jk": 1.0}
        one = accuracy(2, (0.0,), [(name, 1.0, 1, [[0.0, error]], None) for name, error in errors.items()])
        study = ClocksStudy.parse(launches("accuracy", *[one] * 8), "test")
        ruling, said = contrast(OFFSETS, ("jk",), error_at(-1), "it")(study)
        return f"{ruling.seen.value}: {said}"

    assert told(20.0).startswith("holds: it is larger with skampi than with jk in 8 of 8 launches, the fewest of 2")
    assert told(0.5).startswith("does not hold: it is larger with netgauge than with jk in 0 of 8 launches")


def test_repeats_of_a_launch_belong_to_it() -> None:
    """Two launches of two repeats each; repeats are numbered through, launches from 0 on."""
    one = accuracy(2, (0.0,), [("jk", 1.0, 1, [[0.0, 1.0]], None)] * 2)
    study = ClocksStudy.parse(launches("accuracy", one, one), "test")
    assert [(each.repeat, each.launch) for each in study.runs] == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert larger([1.0] * 5, [0.5] * 5).p_value == pytest.approx(1 / 32)
    assert larger([1.0], [1.0]).seen is Seen.CANNOT_BE_SEEN


def test_clocks_of_a_launch_vote_together() -> None:
    """By hand: two clocks drift and one does not, then one drifts and two do not; of two that disagree nobody wins."""
    line, bent = [0.0, 5, 10, 15, 20, 25], [0.0, 5, 10, 5, 0, -5]

    def launch(*clocks: list[float]) -> DriftAnswer:
        (one,) = ClocksStudy.parse(drift(dict(enumerate(clocks, 1))), "test").drift
        return one

    assert votes([launch(line, line, bent), launch(line, bent, bent), launch(line, bent)]) == (1, 1)


def test_regressions_of_clocks_that_share_a_root_vote_together() -> None:
    """Three clocks, two of which know their slopes: one vote for each line, and for each pair of neighbours."""
    random, known = np.random.default_rng(1), []
    for rank, noise_s in ((1, 1e-9), (2, 1e-9), (3, 1e-3)):
        at = 1e6 + np.arange(120) * 0.1
        own = offset_series(list(at), list(2e-5 * at + random.normal(0, noise_s, 120)))
        known += [replace(one, rank=rank) for one in regressions(own, 12)]
    (short, long), _ = of_regressions(known)
    assert (short, long) == (12, 0)
    assert sum(of_regressions(known)[1]) == 6


def test_what_cannot_be_seen_is_said_before_anything_is_measured() -> None:
    """Each reason belongs to its place; where the claim can be seen there is none."""
    here = {"n": 2}
    assert "one counter" in (one_counter(here) or "")
    assert one_counter({**here, "clock": "skewed(drift=20ppm)"}) is None
    assert one_counter({**here, "platform": "flat"}) is None
    assert "one counter" in (one_counter({**here, "platform": "namespaces"}) or "")
    hidden = find("clock-drift").hidden
    assert "one counter" in (hidden({**here, "launches": 5}) or "")
    assert hidden({**here, "platform": "flat", "launches": 5}) is None
    assert "--launches 5" in (hidden({**here, "platform": "flat", "launches": 4}) or "")
    assert find("frequency").hidden(here) is None
    assert "no counter" in (find("frequency").hidden({**here, "platform": "flat"}) or "")
    assert "one pair" in (find("sync-cost").hidden(here) or "")
    assert find("sync-cost").hidden({"n": "64"}) is None
    assert "no growth" in (find("sync-scaling").hidden({"n": "64"}) or "")
    assert find("sync-scaling").hidden({"n": "4,64"}) is None
