"""The claim that barriers differ in how far apart they leave ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ictus.model.quantity import format_duration
from ictus.model.spec import parse_spec
from ictus.render.page import Legend
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling, apart_rules, together
from ictus.studies.claim import REVISITED, SPACE_AND_TIME, Claim, ClaimResult, quick_or
from ictus.studies.exit_skew.analysis import summarise
from ictus.studies.exit_skew.figures import bar_panels, exit_panels, legend_of, scaling_panels
from ictus.studies.exit_skew.record import SkewLaunch, SkewStudy
from ictus.studies.exit_skew.tables import skew_table, start_label, study_rows

MOST_ALIKE = 1.5
"""Times as far apart as after another barrier ranks may leave one and both still be called alike: readings of a clock
are some 10 ns apart, and medians of few launches of a busy machine differ by a third.
"""


@dataclass(frozen=True)
class StartContrast:
    """Two barriers in the launches of one library and number of processes: each launch's median exit skew, seconds,
    both of shape (launches,).
    """

    library: str
    n_ranks: int
    start: str
    other: str
    skew_s: FloatArray
    other_s: FloatArray

    @property
    def ratio(self) -> float:
        """Of the two medians over launches, the larger to the smaller."""
        median_s, other_median_s = float(np.median(self.skew_s)), float(np.median(self.other_s))
        return max(median_s / other_median_s, other_median_s / median_s)


def contrasts(launches: Sequence[SkewLaunch]) -> tuple[StartContrast, ...]:
    """Every pair of barriers: true skews where they are known, else as measured. A skew of 0 is one that no clock can
    tell: it counts as a nanosecond.
    """
    skews_by_library: dict[tuple[str, int], dict[str, list[float]]] = {}
    for launch in launches:
        for run in launch.runs:
            if run.valid and parse_spec(run.start).name == "barrier":
                skews_by_start = skews_by_library.setdefault((launch.library, launch.setting.n_ranks), {})
                skew_s = float(np.median((run.truth or run.measured).exit.skew_s))
                skews_by_start.setdefault(run.start, []).append(max(skew_s, 1e-9))
    return tuple(
        StartContrast(*key, start, second, np.array(by_start[start]), np.array(by_start[second]))
        for key, by_start in skews_by_library.items()
        for start, second in combinations(by_start, 2)
    )


def judge_contrasts(pairs: Sequence[StartContrast]) -> Ruling:
    """All pairs of all libraries together."""
    rules = (apart_rules(contrast.skew_s[np.newaxis], contrast.other_s[np.newaxis], MOST_ALIKE) for contrast in pairs)
    return together([ruling for (ruling,) in rules])


def _skew(study: SkewStudy) -> ClaimResult:
    pairs, summaries = contrasts(study.launches), summarise(study.launches)
    because = "no launch has valid entries of two barriers"
    if pairs:
        apart = sum(contrast.ratio > MOST_ALIKE for contrast in pairs)
        most = max(pairs, key=lambda pair: pair.ratio)
        times = (format_duration(float(np.median(values))) for values in (most.skew_s, most.other_s))
        because = (
            f"exit skews of {apart} of {len(pairs)} pairs of barriers differ more than {MOST_ALIKE:g} times, most in "
            f"{most.library}: {start_label(most.start)} and {start_label(most.other)}, {' and '.join(times)}"
        )
    legend = legend_of(summaries)
    return ClaimResult(
        judge_contrasts(pairs),
        because,
        (skew_table(summaries),),
        tuple(study_rows(summaries, per_rank=False)),
        tuple(panel for panels in (exit_panels, bar_panels, scaling_panels) for panel in panels(summaries, legend)),
        Legend(()),  # more starts than colours: the figures name those that matter
    )


CLAIMS = (
    Claim(
        "barrier-skew",
        "How far apart ranks leave a barrier depends on its algorithm.",
        f"{REVISITED}, Fig. 10; {SPACE_AND_TIME}, Fig. 3",
        f"rank-sum tests over launches of each pair of barriers in each library (Holm, 5 %): the launches' median exit "
        f"skews differ more than {MOST_ALIKE:g} times; refuted where all pairs are shown to differ less",
        quick_or({"launches": 10, "nrep": 50}, {"launches": 30, "nrep": 1000}, n=2),
        _skew,
        least_percent=100 * (MOST_ALIKE - 1),
        simulated="64",
    ),
)
