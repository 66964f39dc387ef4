"""The stream that decides campaigns for ever."""

import json
from pathlib import Path
from typing import Any

import pytest

from ictus.model.random import SplitMix64, shuffled

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "random_vectors.json").read_text())


def test_the_stream_is_the_shared_one() -> None:
    """The same file is read by the C++ tests."""
    vector = VECTORS["splitmix64"]
    generator = SplitMix64(int(vector["seed"]))
    assert [generator.next_u64() for _ in vector["values"]] == [int(value) for value in vector["values"]]


def test_the_stream_begins_as_published() -> None:
    """Reference outputs for seed 1234567 that every implementation of SplitMix64 is checked with."""
    generator = SplitMix64(1234567)
    assert [generator.next_u64() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("vector", VECTORS["shuffled"], ids=lambda vector: f"{vector['seed']}-{vector['n']}")
def test_orders_are_the_shared_ones(vector: dict[str, Any]) -> None:
    """Fisher-Yates from the back, one `below` a step."""
    assert shuffled(range(vector["n"]), int(vector["seed"])) == tuple(vector["order"])


def test_below_rejects_what_would_favour_small_numbers() -> None:
    """With bound 3 * 2^62 a quarter of all numbers is rejected; a plain remainder would favour the first third."""
    bound = 3 * 2**62
    generator, reference = SplitMix64(5), SplitMix64(5)
    drawn = [generator.below(bound) for _ in range(1000)]
    kept = [number for number in (reference.next_u64() for _ in range(1400)) if number < bound]
    assert drawn == kept[:1000]


def test_every_order_is_equally_likely() -> None:
    """Six orders of three items, 6000 seeds: each within five standard deviations of 1000."""
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(6000):
        order = shuffled((0, 1, 2), seed)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert max(abs(count - 1000) for count in counts.values()) < 5 * (6000 * (1 / 6) * (5 / 6)) ** 0.5


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_an_impossible_bound_is_refused(bound: int) -> None:
    """There is nothing below zero."""
    with pytest.raises(ValueError, match="bound"):
        SplitMix64(1).below(bound)
