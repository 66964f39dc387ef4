"""`ictus-bench clocks frequency`, launched for real: calibrations agree, and each rank may have its own."""

import itertools
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import document

pytestmark = [pytest.mark.mpi, pytest.mark.long]
"""Calibrating sleeps for most of its time."""


@pytest.mark.parametrize("label", LIBRARIES)
def test_frequency_is_calibrated_by_every_rank_again_and_again(label: str, tmp_path: Path) -> None:
    """Calibrations agree with each other to 0.1 %, and counting over sleeps errs upwards on every rank."""
    words = ("--durations", "10ms,100ms", "--repeats", "3", "--per-rank-repeats", "1")
    found = document(label, 2, "frequency", *words, folder=tmp_path)
    ours, longer, slept = found["calibrations"]
    assert [one["source"] for one in (ours, longer, slept)] == ["calibrated", "calibrated", "calibrated-per-rank"]
    assert [one["duration_s"] for one in (ours, longer, slept)] == [0.01, 0.1, 1]
    assert [[len(rank) for rank in one["hz"]] for one in (ours, longer, slept)] == [[3, 3], [3, 3], [1, 1]]
    reference = max(hz for rank in longer["hz"] for hz in rank)
    for hz in itertools.chain.from_iterable(ours["hz"] + longer["hz"]):
        assert hz == pytest.approx(reference, rel=1e-3)
    assert all(hz > reference for (hz,) in slept["hz"])
    assert slept["elapsed_s"] >= 4
    for name in ("stated_hz", "stated_source", "model_name_hz"):
        assert len(found[name]) == 2


def test_each_rank_may_have_a_frequency_of_its_own(tmp_path: Path) -> None:
    """`calibrated-per-rank` does not share the host's: the ranks' frequencies differ, and both are recorded."""
    words = ("--clock", "tsc(frequency=calibrated-per-rank)", "--clocksync", "none", "--waits", "0", "--barriers", "0")
    found = document("mpich", 2, "accuracy", *words, folder=tmp_path)
    first, second = found["frequency_hz"]
    assert first != second
    assert first == pytest.approx(second, rel=0.1)  # a sleeper that wakes late errs by as much
