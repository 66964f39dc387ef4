"""`ictus-bench clocks accuracy`, launched for real, against an own computation of the truth."""

import itertools
import json
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import DRIFTING, Document, document, skew

from ictus.mpi.machine import usable_cores
from ictus.studies.clocks.accuracy import AccuracyAnswer

pytestmark = pytest.mark.mpi

WAITS = (0.0, 1.0, 5.0, 20.0)
ALGORITHMS = (
    "none",
    "hca3-offset",
    "hca3(fitpoints=50,exchanges=20)",
    "ictus(limit=1s)",
    "hca(fitpoints=10,exchanges=5)",
)
ROUNDING_S = 1.2e-9
"""Each clock is skewed to the nearest of its ticks, which are nanoseconds here."""


def error_by_own_account(one: Document, rank: int, true_s: float) -> float:
    """The error of a rank's global clock, from its model and its skew alone."""
    globals_s: list[float] = []
    for each in (rank, 0):
        local_s = skew(each).shows(true_s)
        globals_s.append(local_s - (one["slope"][each] * local_s + one["intercept_s"][each]))
    return globals_s[0] - globals_s[1]


def worst_disagreement(found: Document) -> float:
    """The largest distance between a told error and our own account of it, seconds."""
    distances: list[float] = [
        abs(error - error_by_own_account(one, rank, at_s))
        for one in found["synchronisations"]
        for at_s, errors in zip(one["known"]["at_s"], one["known"]["error_s"], strict=True)
        for rank, error in enumerate(errors)
    ]
    return max(distances)


def by_name(found: Document, name: str) -> list[Document]:
    """The synchronisations of one algorithm, by the begin of its name."""
    known = [algorithm["name"].startswith(name) for algorithm in found["algorithms"]]
    return [one for one in found["synchronisations"] if known[one["algorithm"]]]


def largest_errors(found: Document, name: str, wait: int) -> list[float]:
    """The largest true error of an algorithm over ranks, of each repeat."""
    return [max(map(abs, one["known"]["error_s"][wait])) for one in by_name(found, name)]


@pytest.fixture(scope="module", params=itertools.product(LIBRARIES, (2, 3)), ids=lambda pair: f"{pair[0]}-{pair[1]}")
def accuracy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Document:
    """One study with known truth."""
    label, n_ranks = request.param
    words = ("--clock", DRIFTING, "--clocksync", ",".join(ALGORITHMS), "--waits", "0,1s,5s,20s", "--repeats", "2")
    return document(label, n_ranks, "accuracy", *words, "--barriers", "50", folder=tmp_path_factory.mktemp(label))


def test_every_algorithm_synchronises_once_a_repeat_in_shuffled_order(accuracy: Document) -> None:
    """Each repeat holds every algorithm, and the waits are told without being waited for."""
    order = [(one["repeat"], one["algorithm"]) for one in accuracy["synchronisations"]]
    assert sorted(order) == list(itertools.product(range(2), range(len(ALGORITHMS))))
    assert [algorithm["name"] for algorithm in accuracy["algorithms"]] == list(ALGORITHMS)
    assert [algorithm["synchronises"] for algorithm in accuracy["algorithms"]] == [False, True, True, True, True]
    assert accuracy["waits_s"] == list(WAITS)
    for one in accuracy["synchronisations"]:
        assert one["ping_pong"] is None
        at_s = one["known"]["at_s"]
        assert [at - at_s[0] for at in at_s] == pytest.approx(WAITS, abs=ROUNDING_S)


def test_known_errors_are_those_of_the_models_and_the_skews(accuracy: Document) -> None:
    """Recomputed from slope, intercept and seed alone; a model that is wrong by a microsecond would be seen."""
    assert accuracy["truth"] == "known"
    assert accuracy["counter"]["shared"] is True
    assert worst_disagreement(accuracy) < ROUNDING_S
    spoiled = json.loads(json.dumps(accuracy))
    spoiled["synchronisations"][0]["intercept_s"][1] += 1e-6
    assert worst_disagreement(spoiled) > 0.9e-6


def test_synchronising_beats_not_synchronising(accuracy: Document) -> None:
    """Clocks are seconds apart; an offset mends that and then drifts; a model of the drift keeps it.

    What is small is judged by the best repeat: who takes a core for a tenth of a second spoils any fit of that time.
    """
    assert min(largest_errors(accuracy, "none", 0)) > 0.01
    assert min(largest_errors(accuracy, "hca3-offset", 0)) < 1e-3
    drift_s = max(largest_errors(accuracy, "hca3-offset", 3))
    assert drift_s > 1e-3  # 60 ppm over 20 s
    if accuracy["n_ranks"] <= len(usable_cores().ids):  # ranks that share one spoil each other's
        assert min(largest_errors(accuracy, "hca3(", 3)) < drift_s / 2


def test_the_cost_is_told(accuracy: Document) -> None:
    """Messages are those that the exchanges need: two each, on every edge of the tree."""
    edges = accuracy["n_ranks"] - 1
    for one in by_name(accuracy, "none"):
        assert one["messages"] == 0
    for one in by_name(accuracy, "hca3("):
        exchanges = 51 * 20  # fit points and the anchor
        assert 2 * exchanges * edges <= one["messages"] <= 2 * exchanges * edges + 4 * edges
        assert one["elapsed_s"] >= 0.1  # its span
    barrier = accuracy["barrier"]
    assert barrier["calls"] == 50
    assert barrier["mean_s"] > 0
    assert barrier["median_s"] > 0


def test_proven_bounds_hold(accuracy: Document) -> None:
    """Without wander the bound of `ictus` is proven at any time, and the root's own is 0."""
    for one in by_name(accuracy, "ictus(limit=1s)"):
        for errors, bounds in zip(one["known"]["error_s"], one["known"]["bound_s"], strict=True):
            assert bounds[0] == 0
            for error, bound in zip(errors, bounds, strict=True):
                assert abs(error) <= bound + ROUNDING_S


def test_merged_models_come_with_their_confidence(accuracy: Document) -> None:
    """The intervals hold the models that they are about; algorithms that merge nothing have none."""
    for one in by_name(accuracy, "hca("):
        interval = one["confidence"]
        for rank in range(1, accuracy["n_ranks"]):
            assert interval["slope_low"][rank] <= one["slope"][rank] <= interval["slope_high"][rank]
            assert interval["intercept_low_s"][rank] <= one["intercept_s"][rank] <= interval["intercept_high_s"][rank]
            assert one["intercept_error_s"][rank] > 0
    assert [one["confidence"] for one in by_name(accuracy, "hca3(")] == [None, None]


def test_what_could_change_the_result_is_recorded(accuracy: Document) -> None:
    """Library, clock, places, factors of ranks and hosts, contention, and the options as in force."""
    n_ranks = accuracy["n_ranks"]
    assert accuracy["format"] == 2
    assert accuracy["study"] == "accuracy"
    assert accuracy["mpi"]["library_version"]
    assert accuracy["clock"]["spec"].startswith("skewed(base=monotonic,offset=2s,drift=50ppm")
    assert accuracy["frequency_hz"] == [1e9] * n_ranks
    assert accuracy["places"]["host"] == [0] * n_ranks
    assert accuracy["ranks"]["rank"] == list(range(n_ranks))
    assert (accuracy["hosts"]["kind"], len(accuracy["hosts"]["kinds"])) == ([0], 1)
    assert "contended" in accuracy["contention"]
    assert accuracy["options"]["repeats"] == "2"
    assert accuracy["simulated"] is False


@pytest.mark.few(2)
@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("n_ranks", [2, 3])
def test_ping_pong_agrees_with_the_truth_within_what_it_proves(n_ranks: int, label: str, tmp_path: Path) -> None:
    """The check's interval holds the true error at the time of the check, and the checks come at their times."""
    words = ("--clock", "skewed(base=monotonic,offset=2s,drift=1ppm,seed=3)", "--truth", "ping-pong")
    algorithms = "none,hca3-offset,hca3(fitpoints=20,exchanges=10,span=50ms)"
    check = ("--clocksync", algorithms, "--waits", "0,0.3s", "--rounds", "3", "--exchanges", "20", "--barriers", "20")
    found = document(label, n_ranks, "accuracy", *words, *check, folder=tmp_path)
    assert found["truth"] == "ping-pong"
    assert found["checked"] == list(range(1, n_ranks))
    for one in found["synchronisations"]:
        known, checked = one["known"], one["ping_pong"]
        for wait, (place, rank) in itertools.product(range(2), enumerate(found["checked"])):
            waited_s = checked["waited_s"][wait][place]
            assert waited_s >= found["waits_s"][wait] - 1e-6
            growth = (known["error_s"][1][rank] - known["error_s"][0][rank]) / 0.3  # without wander a straight line
            true_s = known["error_s"][0][rank] + growth * waited_s
            # 1 ppm of drift during the exchanges of a round, which last 0.1 s at the very worst
            assert abs(checked["error_s"][wait][place] - true_s) <= checked["half_width_s"][wait][place] + 0.1e-6
        # of the others alone: the root is not checked against itself
        assert [len(row) for row in checked["error_s"]] == [n_ranks - 1] * 2


def test_a_sample_takes_ranks_from_the_middle_and_the_high_end(tmp_path: Path) -> None:
    """Half of 4 other ranks: one of each; the rest is not written, and read as not checked."""
    check = ("--truth", "ping-pong", "--sample", "0.5", "--rounds", "1", "--exchanges", "5", "--waits", "0")
    words = ("--clock", "monotonic", "--clocksync", "hca3-offset(exchanges=5)", "--barriers", "0")
    found = document("mpich", 5, "accuracy", *check, *words, folder=tmp_path)
    assert found["checked"] == [2, 4]
    (row,) = found["synchronisations"][0]["ping_pong"]["error_s"]
    assert [error is None for error in row] == [False, False]
    answer = AccuracyAnswer.model_validate(found)
    read = answer.synchronisations[0].ping_pong
    assert read is not None
    assert read.of_ranks(answer.checked, 5).error_s == ((None, None, row[0], None, row[1]),)
    assert found["barrier"] == {"calls": 0, "mean_s": None, "median_s": None}


def test_one_rank_has_no_error_and_nothing_to_wait_for(tmp_path: Path) -> None:
    """At one rank all errors are 0, and ping-pong has nobody to play with."""
    found = document("mpich", 1, "accuracy", "--clocksync", "hca3", "--truth", "ping-pong", folder=tmp_path)
    (one,) = found["synchronisations"]
    assert one["known"]["error_s"] == [[0]] * 21
    assert one["ping_pong"]["error_s"] == [[]] * 21
    assert found["elapsed_s"] < 10
