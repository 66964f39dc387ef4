"""The summary of a launch: how its valid samples of a case become one number."""

from dataclasses import dataclass
from math import inf
from typing import Literal, cast

from ictus.model.errors import OptionError

Average = Literal["median", "mean"]
AVERAGES: tuple[Average, ...] = ("median", "mean")
USUAL_FACTOR = 1.5
"""Tukey's."""
_EXPECTED = "expected 'off' or a factor of Tukey's fences of 0 or more, such as 1.5"


@dataclass(frozen=True)
class Reduction:
    """The average over the valid samples inside Tukey's fences."""

    average: Average = "median"
    outliers: float | None = USUAL_FACTOR
    """Factor of the fences; None keeps every valid sample."""

    def __post_init__(self) -> None:
        """UsageError for another average, and for a factor that is negative or no number."""
        if self.average not in AVERAGES:
            raise OptionError(("average", self.average, f"unknown average; known: {', '.join(AVERAGES)}"))
        if self.outliers is not None and not 0 <= self.outliers < inf:
            raise OptionError(("outliers", self.outliers, _EXPECTED))

    def __str__(self) -> str:
        kept = "all its valid samples" if self.outliers is None else "its valid samples inside Tukey's fences"
        factor = "" if self.outliers in (None, USUAL_FACTOR) else f" of factor {self.outliers:g}"
        return f"the {self.average} of {kept}{factor}"


USUAL = Reduction()
"""The default."""


def parse_reduction(average: str, outliers: str) -> Reduction:
    """`median` or `mean`; `off` or a factor of 0 or more. UsageError names the option."""
    try:
        factor = None if outliers == "off" else float(outliers)
    except ValueError as error:
        raise OptionError(("outliers", outliers, _EXPECTED)) from error
    return Reduction(cast(Average, average), factor)
