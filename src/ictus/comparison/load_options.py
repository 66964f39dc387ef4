"""The options that decide what is read of a campaign, declared once for all commands that have them."""

from dataclasses import dataclass
from pathlib import Path

from ictus.comparison.options import IncludeContended, LeaveOutDamaged, Metric, Outliers, Summary
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

    def load(self, folder: Path) -> Campaign:
        """The campaign in the folder. Raises as `ictus.load`."""
        return load(
            folder,
            contended=self.include_contended,
            reduction=self.reduction.parse(),
            leave_out_damaged=self.leave_out_damaged,
        )
