"""What is said of one guideline at one size in one library: the row of every table, file and remedy."""

from dataclasses import dataclass
from enum import Enum

from ictus.guidelines.rule import Kind, Rule


class State(str, Enum):
    """What the launches say."""

    HOLDS = "holds"
    """Not significantly slower."""
    VIOLATED = "violated"
    """Significantly slower, after adjustment over the campaign."""
    PREDICTED = "predicted"
    """Split-robustness: the medians say so, and it was not measured (yet)."""
    REFUTED = "refuted"
    """Split-robustness: predicted, and k calls in a row were not significantly faster."""
    CANNOT_DECIDE = "cannot-decide"
    """So few launches that no data could pass the adjusted level."""
    NOT_COMPARABLE = "not-comparable"
    """A side has no valid data."""


@dataclass(frozen=True)
class Configuration:
    """Where a guideline is looked at."""

    library: str
    """Its label."""
    algorithm: str
    """Name of the library's variant (model/algorithm.py)."""
    n: int
    """Number of processes."""


@dataclass(frozen=True)
class GuidelineVerdict:
    """One row. Times in seconds, medians over launches of the launches' medians; None where there is no data."""

    rule: Rule
    place: Configuration
    size_bytes: int
    """Of the left side: total volume n."""
    right_size_bytes: int
    """Of the right side: the next size (monotony), the part (split-robustness), else the same."""
    times: int
    """How often the right side is called: k of split-robustness, else 1."""
    left_s: float | None
    right_s: float | None
    """Of all its calls together."""
    ratio: float | None
    """Left to right; above 1 the guideline is not kept."""
    ratio_low: float | None
    ratio_high: float | None
    n_launches: int
    p_value: float | None
    """One-sided: that the left side is slower."""
    p_adjusted: float | None
    stars: str
    state: State
    confirmed: bool = False
    """Of split-robustness: k calls in a row were measured (`violated` or `refuted`), not only predicted."""
    reason: str = ""
    """Why it cannot be decided or compared."""
    difference_s: float | None = None
    """How much longer the left side takes, over launches (Hodges and Lehmann); None where nothing was tested."""
    difference_low_s: float | None = None
    difference_high_s: float | None = None
    """Its interval at the level, not adjusted, as that of the ratio; None where so few launches have none."""

    @property
    def loss_s(self) -> float | None:
        """What the call takes longer than what it is compared with; 0 where it does not."""
        if self.left_s is None or self.right_s is None:
            return None
        return max(0.0, self.left_s - self.right_s if self.difference_s is None else self.difference_s)

    @property
    def kind(self) -> Kind:
        """Of its rule."""
        return self.rule.kind
