"""What is shown of a campaign under several starts: its rows, the contests of libraries, and how both are judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ictus.comparison.evidence import ComparisonEvidence, side_by_side
from ictus.comparison.options import parse_share
from ictus.comparison.warnings import campaign_warnings
from ictus.model.reduction import USUAL, Reduction
from ictus.store.campaign import Campaign
from ictus.studies.barrier_impact.analysis import SMALLEST, Impact, default_reference, impacts, label, named, procsyncs
from ictus.studies.barrier_impact.winners import Contest, contests


@dataclass(frozen=True)
class JudgedImpact:
    """How the rows came about: labels of norm and reference, and the rules of the tests."""

    norm: str
    reference: str
    adjust: str
    level: float
    reduction: Reduction = USUAL

    def as_object(self) -> dict[str, object]:
        """For scripts."""
        return {"norm": self.norm, "reference": self.reference, "adjust": self.adjust, "level": self.level} | (
            self.reduction.as_object()
        )


@dataclass(frozen=True)
class ImpactResult:
    """All that is shown."""

    campaign: Campaign
    rows: Sequence[Impact]
    contests: Sequence[Contest]
    judged: JudgedImpact
    warnings: tuple[str, ...]

    @property
    def evidence(self) -> ComparisonEvidence:
        """What it rests on: all starts are in the same launches, and libraries in turn."""
        return side_by_side(self.campaign, paired=True)


def impact_result(
    campaign: Campaign,
    *,
    reference: str | None,
    norm: str,
    adjust: str | None,
    level: float | None,
    equivalence: str,
    **_: object,
) -> ImpactResult:
    """The results of a campaign, by the given rules, else by those of its plan. UsageError for a norm or a reference
    that it does not have.
    """
    measured = procsyncs(campaign)
    full = default_reference(measured) if reference is None else named(reference, measured, "--reference")
    base = norm if norm == SMALLEST else named(norm, measured, "--norm")
    margin = parse_share("--equivalence", equivalence)
    rules: dict[str, Any] = {
        "adjust": adjust or campaign.plan.adjust,
        "level": campaign.plan.level if level is None else level,
    }
    rows = impacts(campaign, reference=full, norm=base, equivalence=margin, **rules)
    norm_text = norm if norm == SMALLEST else label(base)
    judged = JudgedImpact(norm_text, label(full), **rules, reduction=campaign.reduction)
    all_contests = contests(rows, equivalence=margin, **rules)
    return ImpactResult(campaign, rows, all_contests, judged, campaign_warnings(campaign))
