"""procsync `harmonize` on simulated ranks, whose true starts are known."""

import numpy as np
import pytest

from .conftest import Ended, Simulate

pytestmark = pytest.mark.engine("simgrid")

RANKS = 32


def start_skews(ended: Ended) -> list[float]:
    """True seconds from the first start to the last, of each valid repetition: simulated time is one for all ranks."""
    ended.document("launch.json")
    raw, samples = (np.load(ended.folder / name) for name in ("raw.npy", "samples.npy"))
    valid = set(samples["repetition"][samples["flags"] == 0].tolist())
    starts: dict[int, list[int]] = {}
    for record in raw:
        starts.setdefault(int(record["repetition"]), []).append(int(record["start"]))
    assert all(len(of_ranks) == RANKS for of_ranks in starts.values())
    return [(max(of_ranks) - min(of_ranks)) * 1e-9 for number, of_ranks in starts.items() if number in valid]


def test_harmonized_ranks_start_together_and_those_of_a_barrier_do_not(simulate: Simulate) -> None:
    """32 ranks, messages of 1 us and more: within the error of offsets, ten times closer than by MPI_Barrier."""
    fixed = ("--op=bcast", "--size=8", "--nrep=50", "--clocksync=none", "--clock=wtime", "--raw=on", "--output=.")
    skews = {}
    for procsync in ("harmonize", "barrier(library)"):
        ended = simulate(RANKS, "flat", *fixed, f"--procsync={procsync}")
        skews[procsync] = start_skews(ended)
    assert len(skews["harmonize"]) == 50
    assert np.median(skews["harmonize"]) < 1e-6
    assert np.median(skews["barrier(library)"]) > 10 * np.median(skews["harmonize"])


@pytest.mark.long
def test_a_slow_rank_s_clock_is_followed(simulate: Simulate) -> None:
    """Clocks up to 0.1 s apart, and 100 ppm: without synchronising anew within each case no start would be common."""
    ended = simulate(
        8, "flat", "--op=bcast", "--size=8", "--nrep=50", "--raw=on", "--output=.",
        "--clock=skewed(base=wtime,offset=100ms,drift=100ppm)", "--clocksync=hca3", "--procsync=harmonize",
    )  # fmt: skip
    case = ended.document("launch.json")["cases"][0]
    assert case["valid"] == 50
    samples = np.load(ended.folder / "samples.npy")
    assert np.median(samples["start_skew"]) < 3e-6
