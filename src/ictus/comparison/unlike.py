"""Why a case has no result though both sides have numbers: unlike metrics, or too few repetitions."""

from dataclasses import replace

from ictus.comparison.matching import MatchedCase
from ictus.comparison.warnings import too_few_repetitions
from ictus.model.reduction import Reduction
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import not_comparable
from ictus.store.campaign import Campaign


def explained(
    result: CaseComparison, case: MatchedCase, reduction: Reduction, sides: tuple[Campaign, Campaign]
) -> CaseComparison:
    """The result, with the reason why there is none where the reduction is it."""
    a, b = case.metrics
    if case.missing:
        return result
    if a != b:
        reason = f"{a} against {b}: {_both_have(*sides)}"
    elif case.too_few is not None:
        reason = too_few_repetitions(reduction, case.too_few)
    else:
        return result
    return replace(result, verdict=not_comparable(reason), remarks=())


def _both_have(campaign: Campaign, other: Campaign) -> str:
    """The metrics that both sides have, and how to compare by one of them."""
    common = [name for name in campaign.metrics if name in other.metrics]
    if common:
        return f"both sides have {', '.join(common)}; give --metric {common[0]}"
    has = (", ".join(side.metrics) or "none" for side in (campaign, other))
    return "the sides have no metric in common ({} and {})".format(*has)
