"""`python -m tools.history_study`: how soon `ictus history` sees a change, and how often it sees one that is none.

Histories of 100 campaigns, looked at after each one. Writes the table of history.md; about two minutes on an idle
core.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tools.marked_page import Marks, table

from ictus.history.analysis import GATE_LEVEL
from ictus.stats.change_points import change_points, deviation

MARKS = Marks("history-study", "python -m tools.history_study")
PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "history.md"
CAMPAIGNS, CHANGED, HISTORIES, SEED = 100, 50, 300, 7
NEAR = 10
"""A change that is found within so many campaigns of the true one is that one."""


def series(random: np.random.Generator, scatter: float, shift: float) -> np.ndarray:
    """The values of a history whose level changes once."""
    values = np.exp(random.normal(0.0, scatter, CAMPAIGNS))
    values[CHANGED:] *= 1 + shift
    return values


def looked_at(values: np.ndarray) -> tuple[int | None, bool, int]:
    """Campaigns of the new level until it is seen (None: never), whether a look saw a false change, and how often the
    gate hit a campaign without a change before.
    """
    seen, false, gates = None, False, 0
    for known in range(2, CAMPAIGNS + 1):
        found = change_points(values[:known])
        true = [one for one in found if abs(one.index - CHANGED) <= NEAR]
        false |= len(found) > len(true[:1])
        if true and seen is None and known > CHANGED:
            seen = known - CHANGED
        last = deviation(values[:known], found)
        gates += known <= CHANGED and last.p_value is not None and last.p_value <= GATE_LEVEL
    return seen, false, gates


def rows() -> Iterator[tuple[str, ...]]:
    """One row a scatter and shift."""
    for scatter in (0.005, 0.01, 0.02):
        for shift in (0.0, 0.02, 0.05):
            random = np.random.default_rng((SEED, round(1e4 * scatter), round(1e4 * shift)))
            found = [looked_at(series(random, scatter, shift)) for _ in range(HISTORIES)]
            delays = sorted(CAMPAIGNS if seen is None else seen for seen, _, _ in found)
            false = sum(one for _, one, _ in found) / HISTORIES
            gates = sum(one for _, _, one in found) / (HISTORIES * CHANGED)
            never = sum(seen is None for seen, _, _ in found) / HISTORIES
            none = shift == 0
            yield (
                f"{100 * scatter:g} %",
                f"{100 * shift:g} %",
                "–" if none else str(delays[HISTORIES // 2]),
                "–" if none else _delay(delays[int(0.9 * HISTORIES)]),
                "–" if none else f"{100 * never:.1f} %",
                f"{100 * false:.1f} %",
                f"{100 * gates:.2f} %",
            )


def _delay(campaigns: int) -> str:
    return "more than 50" if campaigns > CAMPAIGNS - CHANGED else str(campaigns)


HEAD = (
    "scatter",
    "shift",
    "seen after, median",
    "90 % within",
    "never in 50",
    "false changes in 100 looks",
    "gate hits a steady campaign",
)

if __name__ == "__main__":
    MARKS.write(PAGE, table(HEAD, list(rows()), numbers_from=2))
