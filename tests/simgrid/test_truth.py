"""True errors of synchronised clocks at 64 simulated ranks, where theory says what they must be."""

import json
from typing import Any

import pytest

from .conftest import Ended, Simulate

pytestmark = pytest.mark.engine("simgrid")

N_RANKS = 64
LEVELS = 6
"""Of the binomial tree below 64 ranks: so many edges at most lie between a rank and the root."""


def study(ended: Ended) -> dict[str, Any]:
    """The accuracy study that a launch wrote."""
    found = ended.document("clocks.json")
    assert found["simulated"] is True
    assert found["truth"] == "known"
    return found


def errors(found: dict[str, Any], algorithm: int, wait: int) -> list[float]:
    """Signed errors of all ranks, for the algorithm and the wait of these numbers."""
    one = next(one for one in found["synchronisations"] if one["algorithm"] == algorithm)
    values: list[float] = one["known"]["error_s"][wait]
    return values


def accuracy(simulate: Simulate, platform: str, clock: str, clocksync: str, waits: str) -> dict[str, Any]:
    words = (f"--clock={clock}", f"--clocksync={clocksync}", f"--waits={waits}", "--barriers=10")
    return study(simulate(N_RANKS, platform, "clocks", "accuracy", "--output=clocks.json", *words))


@pytest.mark.parametrize(("platform", "latency_s"), [("flat", 1e-6), ("fat-tree", 2e-6), ("two-level", 1e-6)])
def test_errors_are_a_small_part_of_the_latency_and_grow_with_the_drift(
    platform: str, latency_s: float, simulate: Simulate
) -> None:
    """After 20 exchanges on each edge of the tree, and 5 s later with the slope learnt and not.

    The quickest of 20 messages exceeds the latency by an exponential of mean 0.3 / 20 latencies. The middle between
    the quickest of either direction is off by half a difference of two of these: 0.0106 latencies of standard
    deviation. Over six edges 0.026; twelve of these leave room for jitter of the last edges and the drift meanwhile.
    Clocks that drift 10 ppm at most part by 20 us in 1 s at most, unless the slope is learnt.
    """
    algorithms = "hca3-offset(exchanges=20),hca3(fitpoints=30,exchanges=10)"
    found = accuracy(simulate, platform, "skewed(offset=1s,drift=10ppm)", algorithms, "0,1s,5s")
    at_once, later = errors(found, 0, 0), errors(found, 0, 2)
    assert max(map(abs, at_once)) < 12 * 0.026 * latency_s
    assert 10e-6 < max(map(abs, later)) < 100e-6
    grown = [after - before for before, after in zip(errors(found, 0, 1), later, strict=True)]
    first = [after - before for before, after in zip(at_once, errors(found, 0, 1), strict=True)]
    assert [4 * value for value in first] == pytest.approx(grown, abs=20e-9)
    assert max(map(abs, errors(found, 1, 2))) < max(map(abs, later)) / 5


def test_an_asymmetric_way_shifts_every_clock_by_half_of_it(simulate: Simulate) -> None:
    """Two microseconds longer up from odd hosts: their clocks are one microsecond ahead, whatever the tree between.

    Client c and reference q: a message from c to q takes A_c more, one back A_q. The middle of the exchange is then
    (A_c - A_q) / 2 off, and along a path to the root all but the ends cancel: A_c / 2, for the root's A is 0.
    """
    platform = "flat(asymmetry=2us,jitter=0,tail_share=0)"
    found = accuracy(simulate, platform, "skewed(offset=1s,drift=0)", "hca3-offset", "0")
    assert errors(found, 0, 0) == pytest.approx([1e-6 * (rank % 2) for rank in range(N_RANKS)], abs=5e-9 * LEVELS)


def test_proven_bounds_hold_on_every_platform_and_cover_the_asymmetry(simulate: Simulate) -> None:
    """Our own algorithm: no error beyond its bound, not even where no ping-pong can see what is wrong."""
    for platform in ("flat", "two-level(asymmetry=2us)"):
        found = accuracy(simulate, platform, "skewed(offset=1s,drift=20ppm)", "ictus(fitpoints=50)", "0,1s,5s,20s")
        known = found["synchronisations"][0]["known"]
        for wait, bounds in enumerate(known["bound_s"]):
            pairs = zip(known["error_s"][wait], bounds, strict=True)
            assert all(abs(error) <= bound for error, bound in pairs), (platform, wait)


def test_two_runs_are_the_same_to_the_last_digit(simulate: Simulate) -> None:
    """All but the hour and the folder; another seed of the platform is another run."""

    def told(platform: str) -> str:
        found = accuracy(simulate, platform, "skewed(drift=10ppm,wander=1ppm)", "hca3(fitpoints=10)", "0,1s")
        kept = ("barrier", "synchronisations", "counter", "elapsed_s", "places")
        return json.dumps({key: found[key] for key in kept})

    once = told("fat-tree")
    assert once == told("fat-tree")
    assert once != told("fat-tree(seed=2)")
