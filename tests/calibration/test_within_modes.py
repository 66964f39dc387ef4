"""What comparison within modes of the machine promises, in simulated worlds: false alarms, coverage, power beside the
ordinary test; and precision goals of its ratios: coverage at the end, launches until then.

Ten launches a side, five cases of which the first has the true ratio and the others none; Holm. Launch medians scatter
by 3 % within a mode. Launches fall into modes by chance, each side for itself. A campaign with a goal gets one more
launch of each side until the interval of the ratio is narrow at two looks in a row, by the product's own rule; the same
launches end a second one that knows no modes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from tests.page_tables import PageTable, campaigns

from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.modes import Strata, independent
from ictus.stats.precision import ratio_reached
from ictus.stats.verdict import CaseRules, VerdictKind

STRATA = PageTable("strata", "studies/statistics-study.md", "calibration/test_within_modes.py")
GOALS = PageTable("precision-goals", "studies/statistics-study.md", "calibration/test_within_modes.py")
LEVEL = 0.05
N, CASES, SCATTER = 10, 5, 0.03
CLAIMS = (VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.DISTRIBUTIONS)


@dataclass(frozen=True)
class World:
    """Modes with their shares of the launches and how much slower calls are there."""

    name: str
    shares: tuple[float, ...]
    slower: tuple[float, ...]


WORLDS = (
    World("one mode", (1.0,), (1.0,)),
    World("two modes, one 1.3 times as slow", (0.5, 0.5), (1.0, 1.3)),
    World("two modes, one 3 times as slow", (0.5, 0.5), (1.0, 3.0)),
    World("as here: 5, 85 and 10 % of launches, 0.5, 1 and 3 times", (0.05, 0.85, 0.1), (0.5, 1.0, 3.0)),
    World("four modes, 1 to 4 times", (0.25,) * 4, (1.0, 1.5, 2.5, 4.0)),
)
RATIOS = (1.0, 1.02, 1.05, 1.1)


@dataclass
class Counts:
    """Of all campaigns: false claims on any case without a difference, intervals that hold the truth, found ones."""

    false: int = 0
    covered: int = 0
    intervals: int = 0
    found: int = 0

    def add(self, rows: Sequence[CaseComparison], truth: float) -> None:
        """Count one campaign."""
        kinds = [row.verdict.kind for row in rows]
        self.false += any(kind in CLAIMS for kind in kinds[truth != 1.0 :])
        self.found += truth != 1.0 and kinds[0] is VerdictKind.SLOWER
        if rows[0].ratio_low is not None and rows[0].ratio_high is not None:
            self.intervals += 1
            self.covered += rows[0].ratio_low <= truth <= rows[0].ratio_high


def measure(world: World, ratio: float, n: int, seed: int) -> tuple[Counts, Counts]:
    """Within modes, and regardless of them; the same samples."""
    rng, within, without = np.random.default_rng((seed, round(1e3 * ratio))), Counts(), Counts()
    for _ in range(n):
        modes = [rng.choice(len(world.shares), N, p=world.shares) for _ in range(2)]
        a, b = (np.array(world.slower)[own] * np.exp(SCATTER * rng.standard_normal((CASES, N))) for own in modes)
        a[0] *= ratio
        own = [(list(map(int, modes[0])), list(map(int, modes[1])))] * CASES
        within.add(compare_cases(list(a), list(b), CaseRules(paired=False), strata=own), ratio)
        without.add(compare_cases(list(a), list(b), CaseRules(paired=False)), ratio)
    return within, without


@pytest.mark.long
def test_claims_within_modes_are_false_no_more_often_than_promised() -> None:
    """2,000 campaigns of each world and ratio: false alarms, and intervals that hold the ratio."""
    n, broken = campaigns(2000), []
    lines = [
        f"In simulated worlds ({n} campaigns each; {N} launches a side, {CASES} cases, Holm, 3 % of scatter",
        "within a mode; within modes, in brackets regardless of them):",
        "",
        "| world | true ratio | false alarms (at most 5 %) | intervals that hold it (at least 95 %) | found |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for seed, world in enumerate(WORLDS):
        for ratio in RATIOS:
            both = measure(world, ratio, n, seed)
            false = [f"{one.false / n:.1%}" for one in both]
            covered = [f"{one.covered / max(one.intervals, 1):.1%}" for one in both]
            found = [f"{one.found / n:.0%}" for one in both] if ratio != 1.0 else ["", ""]
            cells = [f"{one} ({other})" if one else "" for one, other in (false, covered, found)]
            lines.append(f"| {world.name if ratio == 1.0 else ''} | {ratio:g} | {' | '.join(cells)} |")
            within = both[0]
            kept = (
                rate(within.false, n, "at most", LEVEL),
                rate(within.covered, within.intervals, "at least", 1 - LEVEL),
            )
            broken += [f"{world.name}, {ratio:g}: {one}" for one in kept if not one.holds]
    STRATA.show("\n".join(lines))
    assert broken == []


LEAST, MOST, RATIO, PROMISED = 10, 60, 1.05, 0.93
SHARES = (0.03, 0.02)


@dataclass(frozen=True)
class Pursued:
    """Campaigns of one world with one goal."""

    covered: Rate
    """Intervals that hold the true ratio at the end, by `compare_cases`."""
    launches: float
    """Of each side, mean."""
    ended: float
    """Share of the campaigns that reached the goal within `MOST` launches."""


def pursue(world: World, share: float, n_campaigns: int, seed: int, *, within: bool) -> Pursued:
    """Campaigns until the goal is reached, `within` modes or regardless of them."""
    rng, covered, spent, ended = np.random.default_rng(seed), 0, 0, 0
    for _ in range(n_campaigns):
        modes = [rng.choice(len(world.shares), MOST, p=world.shares) for _ in range(2)]
        a, b = (np.array(world.slower)[own] * np.exp(SCATTER * rng.standard_normal(MOST)) for own in modes)
        a = RATIO * a

        def at(n: int, modes: list[FloatArray] = modes) -> Strata | None:
            strata = (list(map(int, modes[0][:n])), list(map(int, modes[1][:n])))
            return strata if within and independent([strata]) else None

        enough = (n for n in range(LEAST, MOST + 1) if ratio_reached(a[:n], b[:n], share, strata=at(n)))
        n = next(enough, None)
        ended, n = ended + (n is not None), n or MOST
        strata = at(n)
        (row,) = compare_cases([a[:n]], [b[:n]], CaseRules(paired=False), strata=None if strata is None else [strata])
        assert row.ratio_low is not None
        assert row.ratio_high is not None
        covered, spent = covered + (row.ratio_low <= RATIO <= row.ratio_high), spent + n
    return Pursued(rate(covered, n_campaigns, "at least", PROMISED), spent / n_campaigns, ended / n_campaigns)


TWO_MODES = WORLDS[2]


def test_intervals_within_modes_cover_at_the_end_and_are_narrow_soon() -> None:
    """One mode three times as slow as the other: regardless of modes the same launches take three times as many."""
    within, regardless = (pursue(TWO_MODES, 0.03, 60, 1, within=within) for within in (True, False))
    assert within.covered.holds
    assert within.covered.share > 0.85
    assert within.ended == 1.0
    assert LEAST <= within.launches < 18
    assert regardless.launches > 30


def test_one_mode_has_the_numbers_of_the_ordinary_interval() -> None:
    """Coverage and launches alike, to the last campaign."""
    assert pursue(WORLDS[0], 0.03, 40, 1, within=True) == pursue(WORLDS[0], 0.03, 40, 1, within=False)


@pytest.mark.long
def test_ratios_at_the_end_of_campaigns_with_a_goal_are_as_precise_as_promised() -> None:
    """400 campaigns of each world and goal."""
    n, broken = campaigns(400), []
    lines = [
        f"{n} simulated campaigns each, {LEAST} to {MOST} launches a side, true ratio {RATIO:g}; in brackets",
        "the same launches regardless of modes:",
        "",
        f"| world | goal | intervals that hold the ratio | launches, mean | goal reached by {MOST} |",
        "| --- | ---: | --- | ---: | ---: |",
    ]
    for seed, world in enumerate(WORLDS):
        for share in SHARES:
            own, other = (pursue(world, share, n, seed, within=within) for within in (True, False))
            cells = [
                f"{own.covered} ({other.covered.share:.1%})",
                f"{own.launches:.1f} ({other.launches:.1f})",
                f"{own.ended:.0%} ({other.ended:.0%})",
            ]
            lines.append(f"| {world.name if share == SHARES[0] else ''} | {share:.0%} | {' | '.join(cells)} |")
            broken += [] if own.covered.holds else [f"{world.name}, {share:.0%}: {own.covered}"]
    GOALS.show("\n".join(lines))
    assert broken == []
