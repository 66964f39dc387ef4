"""Statistics of launches: from the samples of one launch to a summary, from summaries to verdicts. Pure: arrays in,
values out.
"""

from ictus.stats.adjust import ADJUSTMENTS, benjamini_hochberg, holm, unadjusted
from ictus.stats.allocation import Aim, Allocation, Demand, allocate, best_nrep
from ictus.stats.autocorrelation import Autocorrelation, autocorrelation
from ictus.stats.compare import Comparison, compare_cases
from ictus.stats.density import Histogram, density, histogram
from ictus.stats.friedman import Friedman, friedman
from ictus.stats.further import more_launches
from ictus.stats.hypothesis import HypothesisTest, TestResult
from ictus.stats.interval import RatioInterval, hodges_lehmann
from ictus.stats.kolmogorov_smirnov import kolmogorov_smirnov
from ictus.stats.kruskal_wallis import KruskalWallis, kruskal_wallis
from ictus.stats.latency_drift import LatencyDrift, latency_drift
from ictus.stats.lilliefors import Lilliefors, lilliefors
from ictus.stats.mean_distribution import MeanDistribution, mean_distributions
from ictus.stats.normal_quantiles import NormalQuantiles, normal_quantiles
from ictus.stats.power import launches_like, launches_needed, power
from ictus.stats.precision import (
    median_half_width,
    median_reached,
    pairs_half_width,
    pairs_reached,
    ratio_half_width,
    ratio_reached,
)
from ictus.stats.rank_sum import rank_sum
from ictus.stats.rate import Rate, rate
from ictus.stats.reach import can_decide, launches_to_decide, smallest_p
from ictus.stats.registry import TESTS, find_test
from ictus.stats.shapiro_wilk import shapiro_wilk
from ictus.stats.signed_rank import signed_rank
from ictus.stats.stars import stars
from ictus.stats.summary import LaunchSummary, Summary, summarise, summarise_launch
from ictus.stats.tukey import Fences, fences, inside
from ictus.stats.variance_components import Components, Within, components, within_launch
from ictus.stats.variance_share import FactorShare, VarianceShares, variance_shares
from ictus.stats.verdict import Verdict, VerdictKind
from ictus.stats.welch import welch

__all__ = [
    "ADJUSTMENTS",
    "TESTS",
    "Aim",
    "Allocation",
    "Autocorrelation",
    "Comparison",
    "Components",
    "Demand",
    "FactorShare",
    "Fences",
    "Friedman",
    "Histogram",
    "HypothesisTest",
    "KruskalWallis",
    "LatencyDrift",
    "LaunchSummary",
    "Lilliefors",
    "MeanDistribution",
    "NormalQuantiles",
    "Rate",
    "RatioInterval",
    "Summary",
    "TestResult",
    "VarianceShares",
    "Verdict",
    "VerdictKind",
    "Within",
    "allocate",
    "autocorrelation",
    "benjamini_hochberg",
    "best_nrep",
    "can_decide",
    "compare_cases",
    "components",
    "density",
    "fences",
    "find_test",
    "friedman",
    "histogram",
    "hodges_lehmann",
    "holm",
    "inside",
    "kolmogorov_smirnov",
    "kruskal_wallis",
    "latency_drift",
    "launches_like",
    "launches_needed",
    "launches_to_decide",
    "lilliefors",
    "mean_distributions",
    "median_half_width",
    "median_reached",
    "more_launches",
    "normal_quantiles",
    "pairs_half_width",
    "pairs_reached",
    "power",
    "rank_sum",
    "rate",
    "ratio_half_width",
    "ratio_reached",
    "shapiro_wilk",
    "signed_rank",
    "smallest_p",
    "stars",
    "summarise",
    "summarise_launch",
    "unadjusted",
    "variance_shares",
    "welch",
    "within_launch",
]
