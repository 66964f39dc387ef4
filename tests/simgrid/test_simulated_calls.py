"""Which ranks call together, where the hosts are known: one rank of each, and halves that do not meet."""

import numpy as np
import pytest

from .conftest import Ended, Simulate

pytestmark = pytest.mark.engine("simgrid")


def bench(simulate: Simulate, n_ranks: int, platform: str, *words: str) -> Ended:
    """An allreduce of 8 bytes with its results in files."""
    fixed = ("--op=allreduce", "--size=8", "--nrep=50", "--clocksync=hca3-offset", "--output=.")
    return simulate(n_ranks, platform, *fixed, *words)


def test_one_rank_of_each_host_calls_and_the_others_rest(simulate: Simulate) -> None:
    """Of two hosts with three ranks each the first and the fourth; three hosts are refused."""
    ended = bench(simulate, 6, "flat(ranks_per_host=3)", "--comm=hosts(2)")
    (case,) = ended.document("launch.json")["cases"]
    assert (case["comm"], case["comm_size"], case["validated"]) == ("hosts(count=2)", 2, True)
    assert case["per_rank"]["n"] == [50, 0, 0, 50, 0, 0]
    refused = bench(simulate, 6, "flat(ranks_per_host=3)", "--comm=hosts(3)")
    assert refused.outcome.exit_code == 2
    assert "3 hosts were requested, and this launch runs on 2" in refused.output


def test_halves_that_do_not_meet_take_as_long_as_one_of_them(simulate: Simulate) -> None:
    """Every rank a host at one switch, latencies all alike: 4 ranks in halves are as fast as 2 ranks, and 4 ranks
    together, with one more step, are not.
    """
    medians = {}
    for n_ranks, comm in ((2, "world"), (4, "halves"), (4, "world")):
        ended = bench(simulate, n_ranks, "flat(jitter=0,tail_share=0)", f"--comm={comm}")
        ended.document("launch.json")
        medians[n_ranks, comm] = float(np.median(np.load(ended.folder / "samples.npy")["makespan"]))
    assert medians[4, "halves"] == pytest.approx(medians[2, "world"], rel=0.05)
    assert medians[4, "world"] > 1.5 * medians[2, "world"]


def test_more_roots_than_operations_at_a_time_are_each_validated_and_timed(simulate: Simulate) -> None:
    """70 ranks, of which each is the root twice; a rank has 64 operations at a time."""
    words = ("--op=gather", "--size=560", "--nrep=140", "--root=rotating", "--clocksync=hca3-offset", "--output=.")
    ended = simulate(70, "flat", *words)
    (case,) = ended.document("launch.json")["cases"]
    assert (case["validated"], case["valid"], case["per_rank"]["n"]) == (True, 140, 70 * [140])
    samples = np.load(ended.folder / "samples.npy")
    assert np.all(samples["root"] <= samples["local_max"])
    assert np.all(samples["root"] > 0.5 * samples["local_max"])  # the root waits for all, and is timed in its turn
