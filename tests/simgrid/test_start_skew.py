"""Start skew at scale: 64 simulated ranks on clocks of their own, the truth known to the picosecond."""

import statistics

import pytest

from .conftest import Simulate

pytestmark = pytest.mark.engine("simgrid")

STARTS = "barrier(library),window,round-time,harmonize,none"
CLOCK = "skewed(base=wtime,scope=host)"


@pytest.mark.long
def test_common_clocks_start_ranks_ten_times_nearer_than_a_barrier(simulate: Simulate) -> None:
    """Truly, not by the clocks that they wait by: harmonize, window and round-time, within the proven clock error.

    All entered together, so the barrier's skew is its own; without a start ranks leave as they entered.
    """
    words = ("--clock", CLOCK, "--procsync", STARTS, "--repetition", "fixed(nrep=10)", "--output", "skew.json")
    document = simulate(64, "flat", "barriers", "skew", *words).document("skew.json")
    found = {one["name"]: one for one in document["starts"]}
    true_s = {name: statistics.median(one["true"]["exit"]["skew_s"]) for name, one in found.items()}
    for name in ("harmonize", "window", "round-time"):
        assert 10 * true_s[name] < true_s["barrier(library)"], (name, true_s)
        assert true_s[name] < 2 * found[name]["clock_bound_s"]
    assert true_s["barrier(library)"] > 5e-6
    assert 50 * statistics.median(found["barrier(library)"]["true"]["entry"]["skew_s"]) < true_s["barrier(library)"]
    assert found["none"]["true"]["exit"]["skew_s"] == found["none"]["true"]["entry"]["skew_s"]
