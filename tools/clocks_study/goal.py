"""What was aimed at, row by row: ours against the best other at equal time and at equal error; widths of bounds."""

from dataclasses import dataclass
from pathlib import Path

from .contenders import OURS, PROVEN
from .frontier import BUDGETS_S, JUDGED_AT, TIE_S, Match, Point, match, speed_up
from .simulate import run
from .worlds import Row

WANTED_RATIO = 3.0
WANTED_SPEED_UP = 10.0
WIDEST = 3.0  #: bound over the 95th percentile of true errors
NEVER_WORSE = 0.95


@dataclass(frozen=True)
class Verdict:
    """One row at one budget."""

    row: Row
    match: Match
    faster: float | None

    @property
    def outcome(self) -> str:
        """In a word or two."""
        if self.match.tie and self.match.ours.max_s[JUDGED_AT] <= TIE_S:
            return "tie"
        if not self.row.symmetric:
            return "not worse" if self.match.ratio >= NEVER_WORSE else "worse"
        if self.match.ratio >= WANTED_RATIO:
            return "reached"
        if self.match.limited:
            return "wander decides"
        return "less" if self.match.ratio >= NEVER_WORSE else "worse"


def verdicts(row: Row, found: tuple[Point, ...]) -> tuple[Verdict, ...]:
    """One for each budget that both sides can keep to."""
    matches = (match(found, budget) for budget in BUDGETS_S)
    return tuple(Verdict(row, one, speed_up(found, one.other)) for one in matches if one is not None)


@dataclass(frozen=True)
class Proof:
    """Proven bounds on one world, over settings, seeds, ranks and waits."""

    row: Row
    violated: int
    judged: int
    bound_s: tuple[float, float]  #: median over seeds, directly after: least and greatest of the settings


def proof(program: Path, row: Row) -> Proof:
    """Runs the settings that prove their bounds."""
    runs = list(run(program, f"proven {row.name}".replace(" ", "-").replace(",", ""), proven_pairs(row)))
    waits = [wait for one in runs for wait in one["waits"]]
    bounds = sorted(one["waits"][0]["bound_median_s"] for one in runs)
    judged = len(waits) * (row.size - 1)
    return Proof(row, sum(wait["violated"] for wait in waits), judged, (bounds[0], bounds[-1]))


def proven_pairs(row: Row) -> list[tuple[str, str]]:
    """(world, algorithm) of each run."""
    return [(row.world(seed), spec) for spec in PROVEN for seed in row.seeds]


@dataclass(frozen=True)
class Width:
    """How wide the bounds of ours are against its errors, at each wait, over the settings of a row."""

    row: Row
    ratios: tuple[tuple[float, float], ...]  #: least and greatest, at each wait
    violated: int
    judged: int


def width(row: Row, found: tuple[Point, ...]) -> Width:
    """Of the stated asymmetry of 0; violations are counted over all settings, seeds, ranks and waits."""
    ours = [one for one in found if one.family == OURS]
    waits = range(len(ours[0].max_s))
    ratios = []
    for wait in waits:
        each = [(one.bound_s[wait] or 0.0) / max(one.p95_s[wait], 1e-12) for one in ours]
        ratios.append((min(each), max(each)))
    violated = sum(sum(one.violated) for one in ours)
    return Width(row, tuple(ratios), violated, len(ours) * len(row.seeds) * max(row.size - 1, 1) * len(waits))
