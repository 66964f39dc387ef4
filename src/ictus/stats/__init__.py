"""Statistics of launches: from the samples of one launch to a summary, from summaries to verdicts. Pure: arrays in,
values out.
"""

from ictus.stats.adjust import ADJUSTMENTS, benjamini_hochberg, holm, unadjusted
from ictus.stats.compare import Comparison, compare_cases
from ictus.stats.hypothesis import HypothesisTest, TestResult
from ictus.stats.interval import RatioInterval, hodges_lehmann
from ictus.stats.kolmogorov_smirnov import kolmogorov_smirnov
from ictus.stats.power import launches_needed, more_launches, power
from ictus.stats.rank_sum import rank_sum
from ictus.stats.rate import Rate, rate
from ictus.stats.reach import can_decide, launches_to_decide, smallest_p
from ictus.stats.registry import TESTS, find_test
from ictus.stats.signed_rank import signed_rank
from ictus.stats.stars import stars
from ictus.stats.summary import LaunchSummary, Summary, summarise, summarise_launch
from ictus.stats.tukey import Fences, fences, inside
from ictus.stats.verdict import Verdict, VerdictKind
from ictus.stats.welch import shapiro_wilk, welch

__all__ = [
    "ADJUSTMENTS",
    "TESTS",
    "Comparison",
    "Fences",
    "HypothesisTest",
    "LaunchSummary",
    "Rate",
    "RatioInterval",
    "Summary",
    "TestResult",
    "Verdict",
    "VerdictKind",
    "benjamini_hochberg",
    "can_decide",
    "compare_cases",
    "fences",
    "find_test",
    "hodges_lehmann",
    "holm",
    "inside",
    "kolmogorov_smirnov",
    "launches_needed",
    "launches_to_decide",
    "more_launches",
    "power",
    "rank_sum",
    "rate",
    "shapiro_wilk",
    "signed_rank",
    "smallest_p",
    "stars",
    "summarise",
    "summarise_launch",
    "unadjusted",
    "welch",
]
