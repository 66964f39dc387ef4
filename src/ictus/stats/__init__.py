"""Statistics of launches: from the samples of a launch to a summary, from summaries to verdicts. Pure: arrays in,
values out.

The names below are for scripts, such as `ictus.stats.rank_sum(a, b).p_value`. Each is imported at its first use, so
that one test does not load all others; the modules have more.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ictus.stats.adjust import benjamini_hochberg, holm
    from ictus.stats.binomial_rate import Rate, rate
    from ictus.stats.compare import CaseComparison, compare_cases
    from ictus.stats.correlation import autocorrelation
    from ictus.stats.hypothesis import TestResult
    from ictus.stats.interval import RatioInterval, hodges_lehmann
    from ictus.stats.kolmogorov_smirnov_test import kolmogorov_smirnov
    from ictus.stats.normality import lilliefors, shapiro_wilk
    from ictus.stats.planning import can_decide, launches_like, launches_needed, launches_to_decide, power
    from ictus.stats.rank_sum_test import rank_sum
    from ictus.stats.ranking import friedman, kruskal_wallis
    from ictus.stats.registry import find_test
    from ictus.stats.signed_rank_test import signed_rank
    from ictus.stats.stationarity import latency_drift
    from ictus.stats.summary import Summary, summarise
    from ictus.stats.variance import variance_shares
    from ictus.stats.verdict import CaseRules, Verdict, VerdictKind
    from ictus.stats.welch_test import welch

__all__ = [
    "CaseComparison",
    "CaseRules",
    "Rate",
    "RatioInterval",
    "Summary",
    "TestResult",
    "Verdict",
    "VerdictKind",
    "autocorrelation",
    "benjamini_hochberg",
    "can_decide",
    "compare_cases",
    "find_test",
    "friedman",
    "hodges_lehmann",
    "holm",
    "kolmogorov_smirnov",
    "kruskal_wallis",
    "latency_drift",
    "launches_like",
    "launches_needed",
    "launches_to_decide",
    "lilliefors",
    "power",
    "rank_sum",
    "rate",
    "shapiro_wilk",
    "signed_rank",
    "summarise",
    "variance_shares",
    "welch",
]

_HOMES = {
    "adjust": ("benjamini_hochberg", "holm"),
    "binomial_rate": ("Rate", "rate"),
    "compare": ("CaseComparison", "compare_cases"),
    "correlation": ("autocorrelation",),
    "hypothesis": ("TestResult",),
    "interval": ("RatioInterval", "hodges_lehmann"),
    "kolmogorov_smirnov_test": ("kolmogorov_smirnov",),
    "normality": ("lilliefors", "shapiro_wilk"),
    "planning": ("can_decide", "launches_like", "launches_needed", "launches_to_decide", "power"),
    "rank_sum_test": ("rank_sum",),
    "ranking": ("friedman", "kruskal_wallis"),
    "registry": ("find_test",),
    "signed_rank_test": ("signed_rank",),
    "stationarity": ("latency_drift",),
    "summary": ("Summary", "summarise"),
    "variance": ("variance_shares",),
    "verdict": ("CaseRules", "Verdict", "VerdictKind"),
    "welch_test": ("welch",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """The public object of that name, from the module that it lives in."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'ictus.stats' has no attribute {name!r}")
    return getattr(import_module(f"ictus.stats.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted((*globals(), *__all__))
