"""One comparison that is to be tested: is the left side slower than the right?"""

from dataclasses import dataclass
from math import nan

from ictus.guidelines.measured import SizeSeries
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import Configuration
from ictus.stats.evidence import SamplePair, sample_pair


@dataclass(frozen=True)
class Question:
    """A guideline at one size in one place, with the launch medians of both sides."""

    rule: Rule
    place: Configuration
    size_bytes: int
    right_size_bytes: int
    left: SizeSeries
    right: SizeSeries
    """Of all its calls together."""
    times: int = 1
    """How often the right side is called."""
    allowance: float = 0.0
    """By how much the left side may be slower, as a ratio."""

    @property
    def confirms(self) -> bool:
        """Whether it measures what was predicted of k calls in a row."""
        return self.times > 1

    def samples(self, *, paired: bool) -> SamplePair:
        """Both sides, entry by entry of the same launch; a launch that one side lacks is dropped for this pair."""
        launches = sorted({*self.left.medians_s, *self.right.medians_s})
        left = [self.left.medians_s.get(launch, nan) for launch in launches]
        right = [self.right.medians_s.get(launch, nan) for launch in launches]
        return sample_pair(left, right, paired=paired, labels=("left side", "right side"))
