"""Our algorithm against the best other one that takes no longer: settings are chosen by half of the trials and judged
by the other half, so that neither side is the winner of its own noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from ictus.model.quantity import format_duration
from ictus.render.page import Legend, Panel
from ictus.render.table import Block, Column, Table, Times
from ictus.stats.claim_rules import Ruling, sign_rule, together_alike
from ictus.studies.claim import Claim, ClaimResult, quick_or
from ictus.studies.clock_accuracy.claims import by_launch, elapsed, error_at, short
from ictus.studies.clock_accuracy.contenders import OURS, is_ours, papers
from ictus.studies.clocks.record import ClocksStudy

TOLERANCE = 1.1
"""A setting keeps to a time if it takes no more than this many times as long, in the median."""

JUDGED_S = 5.0
"""After synchronising: errors count that far on."""
SHORT_S = (0.005,)
LONGER_S = (0.02, 0.04, 0.1)
REAL_TRIPS_S = (0.6e-6, 1.2e-6, 2.4e-6, 4e-6)
"""Round trips of two real ranks, from the quickest mode of a machine on: a setting for each keeps to the time."""


@dataclass(frozen=True)
class SettingTrials:
    """What a setting came to, trial by trial; seconds."""

    elapsed_s: Sequence[float]
    error_s: Sequence[float]


@dataclass(frozen=True)
class Match:
    """Our best setting against the best other one at one time."""

    place: str
    budget_s: float
    ours: str
    best_other: str
    ours_s: tuple[float, ...]
    """Errors of the trials that judge."""
    other_s: tuple[float, ...]

    @property
    def nearer(self) -> int:
        """Trials in which ours errs less."""
        return sum(a < b for a, b in zip(self.ours_s, self.other_s, strict=True))

    @property
    def ruling(self) -> Ruling:
        """Whether ours errs less, trial by trial; ties are left out."""
        return sign_rule(self.nearer, sum(a > b for a, b in zip(self.ours_s, self.other_s, strict=True)))

    @property
    def ratio(self) -> float:
        """How many times the other errs as much, in the median."""
        return median(self.other_s) / median(self.ours_s) if median(self.ours_s) else float("inf")

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "place": self.place,
            "budget_s": self.budget_s,
            "ours": self.ours,
            "other": self.best_other,
            "ours_s": median(self.ours_s),
            "other_s": median(self.other_s),
            "ours_p90_s": ninetieth(self.ours_s),
            "other_p90_s": ninetieth(self.other_s),
            "ratio": self.ratio,
            "nearer": self.nearer,
            "trials": len(self.ours_s),
        }


def ninetieth(errors_s: Sequence[float]) -> float:
    """The 90th percentile of errors."""
    return float(np.quantile(errors_s, 0.9))


def match(machine: str, settings: Mapping[str, SettingTrials], budget_s: float) -> Match | None:
    """At that time; None where one side has no setting that keeps to it. Every other trial chooses, from the first on;
    the rest judge.
    """
    fitting = {
        name: trials for name, trials in settings.items() if median(trials.elapsed_s[::2]) <= TOLERANCE * budget_s
    }
    sides = [[name for name in fitting if is_ours(name) is side_is_ours] for side_is_ours in (True, False)]
    if not all(sides):
        return None
    ours, best_other = (min(side, key=lambda name: median(fitting[name].error_s[::2])) for side in sides)
    return Match(
        machine, budget_s, ours, best_other, *(tuple(fitting[name].error_s[1::2]) for name in (ours, best_other))
    )


def real_algorithms(
    budgets_s: Sequence[float], exchanges: Sequence[int], trips_s: Sequence[float] = REAL_TRIPS_S
) -> tuple[str, ...]:
    """For two ranks: ours with spans that fill a time, and the papers' with as many fit points as may keep to it."""
    algorithms = [f"{OURS}(span={round(share * budget * 1e6)}us)" for budget in budgets_s for share in (0.7, 0.8, 0.9)]
    for budget in budgets_s:
        for each in exchanges:
            for points in sorted({int(budget / (each * trip)) for trip in trips_s}):
                algorithms += papers(points, each).values() if points >= 3 else ()
    return tuple(dict.fromkeys(algorithms))


def judge_matches(matches: Sequence[Match]) -> Ruling:
    """Whether ours errs less everywhere."""
    return together_alike([comparison.ruling for comparison in matches])


def equal_time_result(
    matches: Sequence[Match], panels: tuple[Panel, ...], legend: Legend | None, where: str
) -> ClaimResult:
    """The ruling of all matches together; `where` ends the sentence."""
    ratios = [comparison.ratio for comparison in matches]
    if not matches:
        sentence = "no setting keeps to the time on both sides"
    elif len(matches) == 1:
        sentence = f"after as much time the best other algorithm errs {ratios[0]:.2g} times as much"
    else:
        sentence = (
            f"after as much time the best other algorithm errs {median(ratios):.2g} times as much in the median of "
            f"{len(matches)} comparisons, {min(ratios):.2g} times in the least"
        )
    sentence += where
    return ClaimResult(
        judge_matches(matches),
        sentence,
        (match_table(matches),),
        [comparison.as_row() for comparison in matches],
        panels,
        legend,
    )


def match_table(matches: Sequence[Match]) -> Table[Match]:
    """A row for each comparison."""
    column = Column[Match]
    columns = (
        column("place", "where", lambda row: row.place, "left"),
        column("budget_s", "time", lambda row: format_duration(row.budget_s)),
        column("ours_s", "ictus", lambda row: Times(median(row.ours_s)), "point"),
        column("other", "best other", lambda row: short(row.best_other), "left"),
        column("other_s", "its error", lambda row: Times(median(row.other_s)), "point"),
        column("ours_p90_s", "ictus, 90th percentile", lambda row: Times(ninetieth(row.ours_s)), "point"),
        column("other_p90_s", "its 90th percentile", lambda row: Times(ninetieth(row.other_s)), "point"),
        column("ratio", "times as much", lambda row: f"{row.ratio:.2g}", "point"),
        column("nearer", "ictus nearer in", lambda row: f"{row.nearer} of {len(row.ours_s)}"),
    )
    note = f"Errors are the largest over ranks, {JUDGED_S:g} s after synchronising."
    return Table(columns, [Block("At equal time", "settings chosen by every other trial", matches)], note=note)


def _real(study: ClocksStudy) -> ClaimResult:
    settings = {
        name: SettingTrials(by_launch(study.runs, name, 2, elapsed), by_launch(study.runs, name, 2, error_at(-1)))
        for name in dict.fromkeys(run.name for run in study.runs)
    }
    longest = max((median(trials.elapsed_s) for name, trials in settings.items() if is_ours(name)), default=0.0)
    tried = [budget for budget in (*SHORT_S, *LONGER_S) if longest > budget / 2]
    matches = [comparison for budget in tried if (comparison := match("2 ranks", settings, budget)) is not None]
    return equal_time_result(matches, (), None, "")


CLAIMS = (
    Claim(
        "sync-equal-time",
        "On two real ranks, after the same time of learning, the clocks of `ictus` err less than those of the "
        "best of the papers' algorithms.",
        "Ictus; the papers' algorithms: MPI benchmarking revisited (Hunold and Carpen-Amarie), sec. 4",
        "sign test over launches (5 %), settings chosen by other launches; clocks are skewed by known drifts of some "
        "20 ppm; in 5 ms, and without --quick in 20, 40 and 100 ms",
        quick_or(
            {"launches": 20, "clocksync": real_algorithms(SHORT_S, (10,))},
            {
                "launches": 40,
                "clocksync": (
                    *real_algorithms(SHORT_S, (10, 30, 100)),
                    *real_algorithms(LONGER_S, (30, 100), REAL_TRIPS_S[1:3]),  # the others take too long
                ),
            },
            n=2,
            clock="skewed(drift=20ppm)",
            waits_s=(0.0, JUDGED_S),
        ),
        _real,
    ),
)
