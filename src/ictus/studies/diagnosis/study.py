"""Claims about the samples of a launch and about launches beside each other: shape, correlation, drift, differences."""

from collections.abc import Callable, Sequence

import numpy as np

from ictus.comparison.case_rows import case_rows
from ictus.diagnosis.analysis import CaseDiagnosis, diagnose, samples_of
from ictus.diagnosis.figures import (
    DrawnCase,
    autocorrelation_panels,
    first_launches,
    launch_panels,
    mean_panels,
    median_panels,
    sample_panels,
)
from ictus.diagnosis.tables import DIAGNOSIS_COLUMNS, explained_table
from ictus.render.page import Legend, Panel
from ictus.render.table import records
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import (
    CORRELATED,
    Ruling,
    launches_rule,
    normality_rule,
    rank_correlation,
    share_rule,
    together,
)
from ictus.stats.correlation import autocorrelation
from ictus.stats.histograms import peaks
from ictus.stats.mean import mean_distributions
from ictus.stats.normality import shapiro_wilk
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.claim import EVERY_SAMPLE, REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.diagnosis.runtime_drift import CLAIM as RUNTIME_DRIFT, thirds
from ictus.studies.study import study_of_claims

_THINNED = 50
"""Samples of a launch that are tested for normality, as far apart as they are independent."""
_STRICT = 0.01
"""The level at which single launches are told of; the ruling combines them."""
_DRAWN = 30
"""The sample size that textbooks call enough."""
_DRAWN_LAUNCHES = 3
"""Of each case, where single launches are drawn."""
_FEWEST_FOR_MEANS = 500
"""Samples of a launch, as far apart as they are independent, below which nothing is said of their means: drawing from
few repeats their accidents."""
_FEWEST_APART = 20
"""Samples that are left where they are taken farther apart, below which nothing is said of their correlation."""
REMOVED_SHARE = 0.5
"""The least share of launches that matters: samples are correlated, and are not where they are taken farther apart."""
Cases = Sequence[CaseDiagnosis]
Panels = Callable[[Sequence[DrawnCase], Legend], tuple[Panel, ...]]


def _judged(campaign: Campaign, judge: Callable[[Campaign, Cases], tuple[Ruling, str]], panels: Panels) -> ClaimResult:
    """The ruling about all cases, with the figures of the first launches of each."""
    cases = diagnose(campaign, tuple(case_rows(campaign)))
    ruling, because = judge(campaign, cases)
    drawn = []
    for case in cases:
        for launch in case.launches[:_DRAWN_LAUNCHES]:
            samples = samples_of(campaign, case.row, launch.slot)
            if samples is not None:
                drawn.append(DrawnCase(case, samples, campaign.seed))
    rows = records(cases, DIAGNOSIS_COLUMNS)
    return ClaimResult(ruling, because, (explained_table(cases),), rows, panels(drawn, Legend(campaign.labels)))


def _values(campaign: Campaign, diagnosis: CaseDiagnosis) -> list[FloatArray]:
    """The samples of every launch of a case, in the order measured."""
    kept = (samples_of(campaign, diagnosis.row, launch.slot) for launch in diagnosis.launches)
    return [samples.values_s for samples in kept if samples is not None]


def thinned(values: FloatArray, at_most: int = _THINNED) -> FloatArray:
    """Every k-th sample, k so large that they are about independent and at most `at_most` are left."""
    spacing = max(autocorrelation(values).spacing, -(-values.size // at_most), 1)
    return values[::spacing]


def _distribution(campaign: Campaign, cases: Cases) -> tuple[Ruling, str]:
    rulings, n_not_normal, n_peaks = [], list[int](), list[int]()
    for case in cases:
        launches = _values(campaign, case)
        n_peaks += [peaks(values).size for values in launches]
        thin = [thinned(values) for values in launches]
        p_values = [shapiro_wilk(values) for values in thin]
        rulings.append(normality_rule(p_values, sum(values.size for values in thin)))
        n_not_normal.append(sum(p <= _STRICT for p in p_values if np.isfinite(p)))
    n = sum(len(diagnosis.launches) for diagnosis in cases)
    because = (
        f"in {sum(n_not_normal)} of {n} launches of a case Shapiro and Wilk's test says at 1 % that samples are not "
        f"normal; in {sum(number > 1 for number in n_peaks)} of {n} their density has two peaks or more, at most "
        f"{max(n_peaks, default=0)}"
    )
    return together(rulings), because


def means_rule(p_value: float, n_samples: int) -> Ruling:
    """Whether means of samples of one launch are not normal. All these means share the accidents of the launch's
    samples, so that the test alone errs in 6 % of launches whose samples are normal: its p-value is doubled.
    """
    return normality_rule([min(2 * p_value, 1.0)], n_samples)


def _means(campaign: Campaign, cases: Cases) -> tuple[Ruling, str]:
    """Of the first launch of each case: launches that differ would make any mixture of them look not normal. Correlated
    samples repeat each other's accidents as few do, so that they are taken as far apart as they are independent.
    """
    rulings, texts = [], []
    for case in cases:
        first = next(iter(_values(campaign, case)), np.empty(0))
        values = first[:: max(autocorrelation(first).spacing, 1)] if first.size else first
        if values.size < _FEWEST_FOR_MEANS or np.ptp(values) == 0:
            rulings.append(normality_rule([], values.size))
            continue
        (drawn,) = mean_distributions(values, (_DRAWN,), seed=campaign.seed)
        rulings.append(means_rule(drawn.normality_p, values.size))
        texts.append(f"{drawn.skewness:+.2f}")
    if not texts:
        reason = f"no launch has {_FEWEST_FOR_MEANS} samples of a case that are independent, or they are all equal"
        return together(rulings), reason
    return together(rulings), f"means of {_DRAWN} samples have a skewness of {', '.join(texts)}; 0 if they are normal"


def is_removed(values: FloatArray) -> bool:
    """Whether samples are correlated, and are not where they are taken as far apart as they are independent."""
    correlation = autocorrelation(values)
    apart = values[:: max(correlation.spacing, 1)]
    return correlation.significant and apart.size >= _FEWEST_APART and not autocorrelation(apart).significant


def _correlated(campaign: Campaign, cases: Cases) -> tuple[Ruling, str]:
    rulings, n_correlated, removed, trials = [], 0, 0, 0
    for case in cases:
        hits = sum(map(is_removed, _values(campaign, case)))
        rulings.append(share_rule(hits, len(case.launches), rare=REMOVED_SHARE, often=REMOVED_SHARE))
        n_correlated, removed = n_correlated + case.n_correlated, removed + hits
        trials += len(case.launches)
    because = (
        f"in {n_correlated} of {trials} launches samples are correlated (Ljung and Box, 1 %); in {removed} of {trials} "
        f"they are, and are not where they are taken as far apart as they are independent"
    )
    return together(rulings), because


def _launches(campaign: Campaign, cases: Cases) -> tuple[Ruling, str]:
    rulings, spreads, correlations = [], [], []
    for case in cases:
        ends = np.array([thirds(values) for values in _values(campaign, case)]).reshape(-1, 2)
        rulings.append(launches_rule(ends[:, 0], ends[:, 1]))
        correlations.append(rank_correlation(ends[:, 0], ends[:, 1]))
        medians = case.values_s
        if medians.size:
            spreads.append(float(medians.max() / medians.min()))
    widest = f"{max(spreads):.3g} times the smallest" if spreads else "unknown"
    known = ", ".join("unknown" if rho is None else f"{rho:.2f}" for rho in correlations)
    return together(rulings), (
        f"what a launch measures first goes with what it measures last, by a rank correlation of {known}; "
        f"the largest launch median of a case is at most {widest}"
    )


_ONE = {"op": "allreduce", "n": 2, "procsync": "barrier(library)"}


def _mean_panels(cases: Sequence[DrawnCase], _: Legend) -> tuple[Panel, ...]:
    return mean_panels(first_launches(cases))


def _shape_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    return sample_panels(first_launches(cases), legend)


def _correlation_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    return autocorrelation_panels(first_launches(cases), legend)


def _launch_panels(cases: Sequence[DrawnCase], legend: Legend) -> tuple[Panel, ...]:
    """All launches of each case, how their medians are spread, and the samples of some of them."""
    firsts = first_launches(cases)
    return (
        *launch_panels(firsts, legend),
        *median_panels(firsts, legend),
        *sample_panels(cases, legend),
        *autocorrelation_panels(cases, legend),
    )


CLAIMS = (
    Claim(
        "distribution",
        "Run times of a call are not normally distributed.",
        f"{REVISITED}, Fig. 12",
        "Shapiro and Wilk's test of at most 50 samples of each launch, so far apart that they are about independent; "
        "combined (Fisher, times 1.25), cases by Holm, 5 %; refuted where 200 samples of every case look normal",
        quick_or(
            {"launches": 5, "nrep": 1000},
            {"launches": 10, "nrep": 10000},
            **{**_ONE, "op": "scan,allreduce"},
            sizes="1000,10000",
        ),
        lambda campaign: _judged(campaign, _distribution, _shape_panels),
        read=EVERY_SAMPLE,
    ),
    Claim(
        "clt",
        "Means of 30 samples are not normal yet.",
        f"{REVISITED}, Fig. 13",
        "Lilliefors' test of 1,000 means of 30 samples drawn at random from the first launch of a case, whose samples "
        "are taken as far apart as they are independent, its p-value doubled; cases by Holm, 5 %; refuted where no "
        "case shows it",
        quick_or({"launches": 5, "nrep": 1000}, {"launches": 10, "nrep": 10000}, **_ONE, sizes="1000"),
        lambda campaign: _judged(campaign, _means, _mean_panels),
        read=EVERY_SAMPLE,
    ),
    Claim(
        "autocorrelation",
        "Samples of a launch are correlated; taken farther apart they are not.",
        f"{REVISITED}, Fig. 16",
        f"launches whose samples are correlated (Ljung and Box, 1 %), and are not where they are taken as far apart as "
        f"they are independent: more than {100 * REMOVED_SHARE:g} % (exact binomial test, Holm, 5 %); refuted where "
        "they are shown to be less in every case",
        quick_or(
            {"launches": 10, "nrep": 1000}, {"launches": 10, "nrep": 10000}, **{**_ONE, "op": "bcast"}, sizes="1000"
        ),
        lambda campaign: _judged(campaign, _correlated, _correlation_panels),
        read=EVERY_SAMPLE,
    ),
    Claim(
        "mpirun-factor",
        "Launches of the same program have averages of their own: they differ by more than chance among their samples.",
        f"{REVISITED}, Fig. 14, 15, 27, 41-43",
        f"rank correlation of the launches' first and last thirds (Spearman, by Fisher's transformation, Holm, 5 %) "
        f"above {CORRELATED:g}, as samples that wander no longer than a launch takes leave it below; refuted where it "
        "is shown to be less in every case",
        quick_or(
            {"launches": 20, "nrep": 300}, {"launches": 30, "nrep": 1000}, **{**_ONE, "op": "bcast"}, sizes="64,8Ki"
        ),
        lambda campaign: _judged(campaign, _launches, _launch_panels),
    ),
    RUNTIME_DRIFT,
)

STUDY = study_of_claims("diagnosis", CampaignMaterial(), CLAIMS)
