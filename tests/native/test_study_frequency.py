"""`ictus-bench clocks frequency`, launched for real: calibrations agree, and each rank may have its own."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import document

pytestmark = pytest.mark.mpi


def calibrated(label: str, per_rank_repeats: int, folder: Path) -> dict[str, Any]:
    """Over 10 and 100 ms, three times on each of two ranks."""
    words = ("--durations", "10ms,100ms", "--repeats", "3", "--per-rank-repeats", per_rank_repeats)
    return document(label, 2, "frequency", *words, folder=folder)


def test_frequency_is_calibrated_by_every_rank_again_and_again(tmp_path: Path) -> None:
    """Calibrations agree with each other to 0.1 %."""
    found = calibrated(LIBRARIES[0], 0, tmp_path)
    ours, longer = found["calibrations"]
    assert [one["source"] for one in (ours, longer)] == ["calibrated", "calibrated"]
    assert [one["duration_s"] for one in (ours, longer)] == [0.01, 0.1]
    assert [[len(rank) for rank in one["hz"]] for one in (ours, longer)] == [[3, 3], [3, 3]]
    reference = max(hz for rank in longer["hz"] for hz in rank)
    for hz in itertools.chain.from_iterable(ours["hz"] + longer["hz"]):
        assert hz == pytest.approx(reference, rel=1e-3)
    for name in ("stated_hz", "stated_source", "model_name_hz"):
        assert len(found[name]) == 2


@pytest.mark.long  # it sleeps for most of its time
@pytest.mark.parametrize("label", LIBRARIES)
def test_counting_over_sleeps_errs_upwards_on_every_rank(label: str, tmp_path: Path) -> None:
    """A sleeper wakes late, and so counts too much."""
    _, longer, slept = calibrated(label, 1, tmp_path)["calibrations"]
    assert (slept["source"], slept["duration_s"], [len(rank) for rank in slept["hz"]]) == (
        "calibrated-per-rank",
        1,
        [1, 1],
    )
    reference = max(hz for rank in longer["hz"] for hz in rank)
    assert all(hz > reference for (hz,) in slept["hz"])
    assert slept["elapsed_s"] >= 4


@pytest.mark.long  # it sleeps for most of its time
def test_each_rank_may_have_a_frequency_of_its_own(tmp_path: Path) -> None:
    """`calibrated-per-rank` does not share the host's: the ranks' frequencies differ, and both are recorded."""
    words = ("--clock", "tsc(frequency=calibrated-per-rank)", "--clocksync", "none", "--waits", "0", "--barriers", "0")
    found = document("mpich", 2, "accuracy", *words, folder=tmp_path)
    first, second = found["frequency_hz"]
    assert first != second
    assert first == pytest.approx(second, rel=0.1)  # a sleeper that wakes late errs by as much
