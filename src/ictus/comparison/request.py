"""What is asked of a comparison: which sides, and how their cases are judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.model.goal import USUAL_MARGIN
from ictus.model.unknown import unknown
from ictus.stats.compare import STRATA
from ictus.stats.hypothesis import ALTERNATIVES, Alternative
from ictus.stats.verdict import CaseRules
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class ComparisonRequest:
    """As the keywords of `ictus.compare`; None: as the campaign's plan says."""

    a: str | None = None
    b: str | None = None
    reference: str | None = None
    by: str | None = None
    test: str | None = None
    adjust: str | None = None
    level: float | None = None
    equivalence: float | None = None
    alternative: Alternative = "two-sided"
    strata: str = STRATA[0]
    allow: Sequence[str] = ()
    control: str | None = None
    history: Sequence[Campaign | Path] = ()

    def __post_init__(self) -> None:
        """UsageError for an unknown name."""
        for name, choices in (("strata", STRATA), ("alternative", ALTERNATIVES)):
            value = getattr(self, name)
            if value not in choices:
                raise unknown(f"{name} '{value}'", value, choices)

    def rules(self, campaign: Campaign, *, paired: bool) -> CaseRules:
        """How cases of the campaign are judged."""
        plan, goal, margin = campaign.plan, campaign.plan.goal, self.equivalence
        if margin is None:
            margin = goal.share if goal is not None and goal.of_verdicts else USUAL_MARGIN
        level = plan.level if self.level is None else self.level
        return CaseRules(paired, self.test, self.adjust or plan.adjust, level, margin)
