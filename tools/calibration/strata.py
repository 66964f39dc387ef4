"""What comparison within modes promises, in simulated worlds: false alarms, coverage, power beside the ordinary test.

    python -m tools.calibration.strata [--campaigns 2000] [--write]

Ten launches a side, five cases of which the first has the true ratio and the others none; Holm. Launch medians scatter
by 3 % within a mode. Launches fall into modes by chance, each side for itself.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ictus.stats.compare import compare_cases
from ictus.stats.verdict import CaseRules, VerdictKind

PAGE = Path("docs/explanation/statistics.md")
BEGIN, END = "<!-- strata: written by", "<!-- end of strata -->"
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

    def add(self, rows: list[object], truth: float) -> None:
        """Count one campaign's `CaseComparison` rows."""
        kinds = [row.verdict.kind for row in rows]  # type: ignore[attr-defined]
        self.false += any(kind in CLAIMS for kind in kinds[truth != 1.0 :])
        self.found += truth != 1.0 and kinds[0] is VerdictKind.SLOWER
        first = rows[0]
        if first.ratio_low is not None:  # type: ignore[attr-defined]
            self.intervals += 1
            self.covered += first.ratio_low <= truth <= first.ratio_high  # type: ignore[attr-defined]


def measure(world: World, ratio: float, campaigns: int, seed: int) -> tuple[Counts, Counts]:
    """Within modes, and regardless of them; the same samples."""
    rng, within, without = np.random.default_rng((seed, round(1e3 * ratio))), Counts(), Counts()
    for _ in range(campaigns):
        modes = [rng.choice(len(world.shares), N, p=world.shares) for _ in range(2)]
        a, b = (np.array(world.slower)[own] * np.exp(SCATTER * rng.standard_normal((CASES, N))) for own in modes)
        a[0] *= ratio
        own = [(list(map(int, modes[0])), list(map(int, modes[1])))] * CASES
        within.add(list(compare_cases(list(a), list(b), CaseRules(paired=False), strata=own)), ratio)
        without.add(list(compare_cases(list(a), list(b), CaseRules(paired=False))), ratio)
    return within, without


def table(campaigns: int) -> list[str]:
    """In Markdown: each cell within modes, and in brackets regardless of them."""
    lines = [
        f"In simulated worlds ({campaigns} campaigns each; {N} launches a side, {CASES} cases, Holm, 3 % of scatter",
        "within a mode; within modes, in brackets regardless of them):",
        "",
        "| world | true ratio | false alarms (at most 5 %) | intervals that hold it (at least 95 %) | found |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for seed, world in enumerate(WORLDS):
        for ratio in RATIOS:
            both = measure(world, ratio, campaigns, seed)
            false = [f"{one.false / campaigns:.1%}" for one in both]
            covered = [f"{one.covered / max(one.intervals, 1):.1%}" for one in both]
            found = [f"{one.found / campaigns:.0%}" for one in both] if ratio != 1.0 else ["", ""]
            cells = [f"{one} ({other})" if one else "" for one, other in (false, covered, found)]
            lines.append(f"| {world.name if ratio == 1.0 else ''} | {ratio:g} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print, or write into the page."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--campaigns", type=int, default=2000)
    options.add_argument("--write", action="store_true")
    words = options.parse_args()
    lines = table(words.campaigns)
    print(*lines, sep="\n")
    if words.write:
        page = PAGE.read_text("utf-8")
        head, rest = page.split(BEGIN)
        first, _, tail = rest.partition("\n")
        PAGE.write_text(f"{head}{BEGIN}{first}\n" + "\n".join(lines) + f"\n{END}{tail.split(END, 1)[1]}", "utf-8")


if __name__ == "__main__":
    main()
