"""The shape of what is drawn: data sets in which a claim is false, or as large as in its paper, and their judge."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.claim_rules import LEVEL, Ruling, Seen

SETS = 2000
"""That the promise is about."""
FOUND = 0.8
"""The least share of the data sets with the paper's effect in which a claim holds."""
_SEED = 18

Draw = Callable[[np.random.Generator], Ruling]
"""One data set, judged as the claim judges its own."""


@dataclass(frozen=True)
class DrawnSets:
    """Data sets of one kind."""

    studies: str
    """The studies that are judged so, by name, with commas between."""
    drawn: str
    """What is in a data set."""
    held: Callable[[int], int]
    """In how many of so many sets the claim holds."""
    is_false: bool
    """Whether the claim is false in them; else it is as large as the paper's."""
    slow: bool = False
    """Whether 500 sets take more than a few seconds."""

    def judged(self, sets: int = SETS) -> Rate:
        """How often the claim holds, against what is promised."""
        return self.rate(self.held(sets), sets)

    def rate(self, hits: int, sets: int) -> Rate:
        """Of so many sets in which it held."""
        return rate(hits, sets, "at most", LEVEL) if self.is_false else rate(hits, sets, "at least", FOUND)


def count(rulings: Iterable[Ruling]) -> int:
    """In how many a claim holds."""
    return sum(one.seen is Seen.HOLDS for one in rulings)


def one_by_one(draw: Draw) -> Callable[[int], int]:
    """In how many sets the claim holds, each drawn after the other."""

    def held(sets: int) -> int:
        random = np.random.default_rng(_SEED)
        return count(draw(random) for _ in range(sets))

    return held


def false(studies: str, drawn: str, draw: Draw, *, slow: bool = False) -> DrawnSets:
    """Sets in which the claim is false."""
    return DrawnSets(studies, drawn, one_by_one(draw), is_false=True, slow=slow)


def as_in_paper(studies: str, drawn: str, draw: Draw, *, slow: bool = False) -> DrawnSets:
    """Sets in which it is as large as the paper's."""
    return DrawnSets(studies, drawn, one_by_one(draw), is_false=False, slow=slow)
