"""raw.npy: every rank's durations, and files that are not whole."""

from pathlib import Path

import numpy as np
import pytest

from ictus.model.errors import MeasurementError
from ictus.model.sample import RAW
from ictus.store.samples import read_ticks


def records(n_ranks: int = 2, repetitions: int = 3) -> np.ndarray:
    """Two cases, rank by rank as the core brings them: rank r is 10 (r + 1) + repetition ticks in case 0, 5 more in
    case 1; the last repetition is late.
    """
    parts = []
    for case_id in (0, 1):
        for rank in range(n_ranks):
            part = np.zeros(repetitions, RAW)
            part["case_id"], part["rank"], part["repetition"] = case_id, rank, np.arange(repetitions)
            part["flags"][-1] = 1
            part["start"] = 1000 * np.arange(repetitions) + rank
            part["end"] = part["start"] + 10 * (rank + 1) + np.arange(repetitions) + 5 * case_id
            parts.append(part)
    return np.concatenate(parts)


def written(folder: Path, content: np.ndarray) -> Path:
    """The file with these records."""
    path = folder / "raw.npy"
    np.save(path, content)
    return path


def test_durations_are_by_case_rank_and_repetition(tmp_path: Path) -> None:
    """Whatever the order of the records in the file."""
    for content in (records(), records()[::-1]):
        found = read_ticks(written(tmp_path, content), 2)
        assert found[0][0].tolist() == [[10, 11, 12], [20, 21, 22]]
        assert found[1][0].tolist() == [[15, 16, 17], [25, 26, 27]]
        assert found[0][1].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda whole: whole[:-1], "case 1 does not have every repetition of 2 ranks once"),
        (lambda whole: whole[whole["rank"] == 0], "case 0 does not have every repetition of 2 ranks once"),
        (lambda whole: np.concatenate((whole, whole[:1])), "case 0 does not have every repetition"),
        (lambda whole: whole[["case_id", "rank"]], "expected one row of"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(tmp_path: Path, damage: object, said: str) -> None:
    """A lost record, a lost rank, one that is there twice, another shape."""
    assert callable(damage)
    with pytest.raises(MeasurementError, match=said):
        read_ticks(written(tmp_path, damage(records())), 2)


def test_a_torn_file_is_refused(tmp_path: Path) -> None:
    """As samples.npy is."""
    path = written(tmp_path, records())
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(MeasurementError, match="is torn"):
        read_ticks(path, 2)
