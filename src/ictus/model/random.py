"""Random numbers that are equal in Python, in C++ and in every version: SplitMix64 and Fisher-Yates.

Generators of language libraries change between versions; a recorded seed must decide a campaign for ever.
Algorithm: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
Test vectors for both languages are in tests/data/random_vectors.json.
"""

from collections.abc import Sequence
from typing import TypeVar

_MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15

T = TypeVar("T")


class SplitMix64:
    """Generator with 64 bits of state; equal seeds give equal streams."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next_u64(self) -> int:
        """Next number, uniform on 0 .. 2^64 - 1."""
        self._state = (self._state + _GAMMA) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def skip(self, count: int) -> None:
        """As so many calls of `next_u64`, in no time."""
        self._state = (self._state + count * _GAMMA) & _MASK

    def below(self, bound: int) -> int:
        """Uniform on 0 .. bound - 1, for 0 < bound <= 2^64: numbers past the largest multiple of bound are rejected."""
        if not 0 < bound <= 2**64:
            raise ValueError(f"bound {bound} is not in 1 .. 2^64")
        limit = 2**64 - 2**64 % bound
        while (number := self.next_u64()) >= limit:
            pass
        return number % bound


def shuffled(items: Sequence[T], seed: int) -> tuple[T, ...]:
    """The items in random order, every order equally likely (Fisher-Yates from the back)."""
    return shuffled_by(items, SplitMix64(seed))


def shuffled_by(items: Sequence[T], generator: SplitMix64) -> tuple[T, ...]:
    """Like `shuffled`, with a generator that the caller continues to use."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        partner = generator.below(last + 1)
        order[last], order[partner] = order[partner], order[last]
    return tuple(order)
