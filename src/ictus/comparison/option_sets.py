"""The options that decide what a comparison is made of, declared once for all commands that have them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.comparison.options import (
    Adjust,
    Alternative,
    By,
    IncludeContended,
    LeaveOutDamaged,
    Level,
    Margin,
    Metric,
    Outliers,
    Strata,
    Summary,
    Test,
    parse_alternative,
    parse_share,
)
from ictus.comparison.request import ComparisonRequest
from ictus.model.reduction import Reduction, parse_reduction
from ictus.store.campaign import Campaign, load


@dataclass(frozen=True)
class ReductionOptions:
    """How each launch becomes one number."""

    metric: Metric = None
    summary: Summary = None
    outliers: Outliers = None

    def parse(self) -> Reduction:
        """UsageError for an unknown name."""
        return parse_reduction(self.metric, self.summary, self.outliers)

    @property
    def is_default(self) -> bool:
        """Whether none of them was typed."""
        return self == ReductionOptions()


@dataclass(frozen=True)
class LoadOptions:
    """What is read of a campaign."""

    reduction: ReductionOptions
    include_contended: IncludeContended = False
    leave_out_damaged: LeaveOutDamaged = False

    def load(self, folder: Path) -> "Campaign":
        """The campaign in the folder. Raises as `ictus.load`."""
        return load(
            folder,
            contended=self.include_contended,
            reduction=self.reduction.parse(),
            leave_out_damaged=self.leave_out_damaged,
        )


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
