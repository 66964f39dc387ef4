"""What windows cost that were tried and rejected: by hand, and as `ictus show` says it."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import Ictus

from ictus.comparison.rejected_windows import RejectedWindows, rejected_s, rejected_sentences

IDS = np.array([1, 1, 1, 1, 2, 2, 2, 3, 3])
STARTS = np.array([0.0, 1.0, 2.5, 4.0, 10.0, 11.0, 13.0, 20.0, 25.0])


@pytest.mark.parametrize(
    ("flags", "expected_s"),
    [
        ([0, 1, 2, 3, 0, 0, 0, 0, 0], 0.0),
        ([4, 4, 0, 0, 0, 0, 0, 0, 0], 2.5),  # from the first to the sample that follows
        ([4, 0, 6, 0, 0, 0, 0, 0, 0], 1.0 + 1.5),
        ([0, 0, 0, 0, 4, 5, 4, 0, 0], 3.0),  # the whole case: to its own last
        ([0, 0, 0, 4, 4, 0, 0, 0, 4], 0.0 + 1.0 + 0.0),  # stretches end where their case does
    ],
)
def test_a_stretch_lasts_to_the_sample_that_follows(flags: list[int], expected_s: float) -> None:
    """Derived by hand from the starts above."""
    assert rejected_s(IDS, STARTS, np.array(flags, np.uint16)) == pytest.approx(expected_s)


def test_an_unknown_start_gives_no_cost() -> None:
    """Of barriers without clocks; a known one beside it does not hide it."""
    assert math.isnan(rejected_s(IDS, STARTS * math.nan, np.array([4, *[0] * 8], np.uint16)))
    assert rejected_sentences(RejectedWindows(2, 24, 80, None, 40.0)) == (
        "Windows were tried in 2 of 24 cases of launches, and their samples taken again: 80 samples.",
    )


def test_a_known_cost_is_said_with_its_share() -> None:
    """131 ms of 7 s."""
    (said,) = rejected_sentences(RejectedWindows(138, 820, 6720, 0.131, 7.0))
    assert said.endswith("taken again: 6,720 samples, 131 ms of 7 s in launches (1.9 %).")


def test_a_wrong_result_of_another_suite_is_no_window(ictus: Ictus) -> None:
    """Its sample has the same flag, and nobody took it again."""
    columns = "# Size       Avg Latency(us)   Validation"
    Path("osu.txt").write_text(f"# OSU MPI Allreduce Latency Test v7.4\n{columns}\n4   1.00   Pass\n8   2.00   Fail\n")
    assert ictus("import", "osu", "osu.txt", "-n", "2", "-o", "camp").code == 0
    assert json.loads(ictus("show", "camp", "--json").out)["rejected_windows"] is None
    assert "Windows were tried" not in ictus("show", "camp").out


def test_show_tells_them(ictus: Ictus) -> None:
    """A campaign without any says nothing; one whose core rejected a batch says how many samples, and their time."""
    words = ("-m", "a=x", "--op", "bcast", "--sizes", "8", "--launches", "2", "--nrep", "10", "--launcher", "simulated")
    assert ictus("run", *words, "-o", "camp").code == 0
    assert json.loads(ictus("show", "camp", "--json").out)["rejected_windows"] is None
    journal = Path("camp/journal.jsonl")
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    unchecked = [{key: one[key] for key in one if not key.startswith("checksum")} for one in entries]
    journal.write_text("".join(f"{json.dumps(one)}\n" for one in unchecked))
    expected_s = 0.0
    for folder in Path("camp/launches").iterdir():
        cases, samples = np.load(folder / "cases.npy"), np.load(folder / "samples.npy")
        cases["rejected"], samples["flags"][:3] = 3, 4
        expected_s += samples["start"][3] - samples["start"][0]
        np.save(folder / "cases.npy", cases)
        np.save(folder / "samples.npy", samples)
    found = json.loads(ictus("show", "camp", "--json").out)["rejected_windows"]
    assert (found["cases"], found["of_cases"], found["samples"]) == (2, 2, 6)
    assert found["elapsed_s"] == pytest.approx(expected_s)
    assert "Windows were tried in 2 of 2 cases of launches" in ictus("show", "camp").out
