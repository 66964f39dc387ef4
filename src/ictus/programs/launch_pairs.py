"""Launches of a program with and without a remedy, in pairs of random order behind a warm-up of both."""

from dataclasses import dataclass

from ictus.model.random import SplitMix64


@dataclass(frozen=True)
class PairedLaunch:
    """One launch to come."""

    slot: int
    pair: int
    """From 0; both of a pair are launched one after the other. -1 is the warm-up, which does not count."""
    remedied: bool

    @property
    def folder_name(self) -> str:
        """Where it is kept, under launches/."""
        return f"{self.slot:04}-{'remedied' if self.remedied else 'as-it-is'}"


def draw_pairs(pairs: int, seed: int) -> tuple[PairedLaunch, ...]:
    """A warm-up and `pairs` pairs, in each of which the first is drawn."""
    drawn = SplitMix64(seed)
    launches: list[PairedLaunch] = []
    for pair in range(-1, pairs):
        first = bool(drawn.below(2))
        launches += [
            PairedLaunch(len(launches) + number, pair, remedied) for number, remedied in enumerate((first, not first))
        ]
    return tuple(launches)
