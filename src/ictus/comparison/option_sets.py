"""The options that decide what a comparison is made of, declared once for all commands that have them."""

from dataclasses import dataclass
from typing import Any

from ictus.comparison.options import (
    Adjust,
    Alternative,
    By,
    Level,
    Margin,
    Strata,
    Test,
    parse_alternative,
    parse_share,
)
from ictus.comparison.request import ComparisonRequest


@dataclass(frozen=True)
class JudgementOptions:
    """What is compared, and how cases are judged."""

    by: By = None
    test: Test = None
    adjust: Adjust = None
    level: Level = None
    equivalence: Margin = None
    alternative: Alternative = "two-sided"
    strata: Strata = "modes"

    def request(self, **sides: Any) -> "ComparisonRequest":
        """The comparison that is asked for; `sides` are further fields of it. UsageError for a text that is wrong."""
        return ComparisonRequest(
            by=self.by,
            test=self.test,
            adjust=self.adjust,
            level=self.level,
            equivalence=None if self.equivalence is None else parse_share("--equivalence", self.equivalence),
            alternative=parse_alternative(self.alternative),
            strata=self.strata,
            **sides,
        )
