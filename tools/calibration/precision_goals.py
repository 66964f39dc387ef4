"""Precision goals of ratios within modes of the machine, in simulated worlds: coverage at the end, launches until then.

    python -m tools.calibration.precision_goals [--campaigns 400] [--write]

A campaign gets one more launch of each side until the interval of the ratio is narrow at two looks in a row, by the
product's own rule. Launch medians scatter by 3 % within a mode; launches fall into modes by chance, each side for
itself. The same launches end a second campaign that knows no modes. Some two minutes of one core.
"""

import argparse
from dataclasses import dataclass

import numpy as np
from tools.calibration.series import ROOT
from tools.calibration.strata import SCATTER, WORLDS, World
from tools.marked_page import Marks

from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.compare import compare_cases
from ictus.stats.modes import Strata, independent
from ictus.stats.precision import ratio_reached
from ictus.stats.verdict import CaseRules

LEAST, MOST, RATIO, PROMISED = 10, 60, 1.05, 0.93
SHARES = (0.03, 0.02)
MARKS = Marks("precision-goals", "python -m tools.calibration.precision_goals --write")


@dataclass(frozen=True)
class Pursued:
    """Campaigns of one world with one goal."""

    covered: Rate
    """Intervals that hold the true ratio at the end, by `compare_cases`."""
    launches: float
    """Of each side, mean."""
    ended: float
    """Share of the campaigns that reached the goal within `MOST` launches."""


def pursue(world: World, share: float, campaigns: int, seed: int, *, within: bool) -> Pursued:
    """Campaigns until the goal is reached, `within` modes or regardless of them."""
    rng, covered, spent, ended = np.random.default_rng(seed), 0, 0, 0
    for _ in range(campaigns):
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
    return Pursued(rate(covered, campaigns, "at least", PROMISED), spent / campaigns, ended / campaigns)


def table(campaigns: int) -> list[str]:
    """In Markdown."""
    lines = [
        f"{campaigns} simulated campaigns each, {LEAST} to {MOST} launches a side, true ratio {RATIO:g}; in brackets",
        "the same launches regardless of modes:",
        "",
        f"| world | goal | intervals that hold the ratio | launches, mean | goal reached by {MOST} |",
        "| --- | ---: | --- | ---: | ---: |",
    ]
    for seed, world in enumerate(WORLDS):
        for share in SHARES:
            own, other = (pursue(world, share, campaigns, seed, within=within) for within in (True, False))
            cells = [
                f"{own.covered} ({other.covered.share:.1%})",
                f"{own.launches:.1f} ({other.launches:.1f})",
                f"{own.ended:.0%} ({other.ended:.0%})",
            ]
            lines.append(f"| {world.name if share == SHARES[0] else ''} | {share:.0%} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print, or write into the page."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--campaigns", type=int, default=400)
    options.add_argument("--write", action="store_true", help="put the table into statistics.md")
    words = options.parse_args()
    lines = table(words.campaigns)
    print(*lines, sep="\n")
    if words.write:
        MARKS.write(ROOT / "docs" / "explanation" / "statistics.md", "\n".join(lines))


if __name__ == "__main__":
    main()
