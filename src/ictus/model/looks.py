"""The looks of a growing campaign: at how many launches it is judged, and what error each look may spend.

The manifest records them before the first launch. Their arithmetic is in ictus.stats.looks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True)
class Looks:
    """The looks of one campaign; they have no end."""

    first: int
    """Launches of each side at the first look."""
    growth: float
    """How many times the launches of a look the next one has."""
    share: float
    """The part of the remaining error that each look spends."""

    def __post_init__(self) -> None:
        if self.first < 1 or not self.growth > 1 or not 0 < self.share <= 1:
            raise ValueError(f"{self}: a first look at 1 launch or more, a growth above 1, a share in (0, 1]")

    def numbers(self) -> Iterator[int]:
        """Launches of each side at the looks, without end."""
        number = self.first
        while True:
            yield number
            number = max(number + 1, ceil(number * self.growth - 1e-9))

    def until(self, launches: int) -> tuple[int, ...]:
        """The looks at no more than so many launches of each side."""
        numbers: list[int] = []
        for number in self.numbers():
            if number > launches:
                break
            numbers.append(number)
        return tuple(numbers)

    def from_on(self, launches: int) -> int:
        """The first look at so many launches or more."""
        return next(number for number in self.numbers() if number >= launches)

    def times(self, look: int) -> tuple[int, ...]:
        """The first `look` looks."""
        numbers = self.numbers()
        return tuple(next(numbers) for _ in range(look))
