"""What each evidence of a comparison promises, in simulated worlds: false verdicts whatever the state of the machine.

Three cases, Holm, launches that scatter by 3 %. A campaign is a state that changes every case of all libraries by a
factor of its own, and may change each library for itself as well. The first case has the change, the others none.
8,000 comparisons show a rate of 5 % to lie below 6 %.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.page_tables import PageTable, campaigns
from tools.marked_page import table

from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.control import ControlledSide, through_control
from ictus.stats.verdict import DIFFERENT, UNIT_CAMPAIGN, CaseRules, VerdictKind

TABLE = PageTable("evidence", "studies/statistics-study.md", "calibration/test_evidence.py")
CASES, LAUNCHES, SCATTER, LEVEL, WORST = 3, 10, 0.03, 0.05, 0.06
SPREADS = (0.0, 0.05, 0.2, 0.8)
CHANGES = (1.05, 1.1, 1.2)
HEAD = (
    "evidence", "campaigns a side", "earlier ones", "spread of states", "own of a library", "false verdicts",
    "found: 5 %", "10 %", "20 %",
)  # fmt: skip


@dataclass(frozen=True)
class Design:
    """A kind of evidence with so many campaigns a side."""

    name: str
    campaigns: int
    own: float = 0.0
    """Standard deviation of the logarithm of what a state does to one library alone."""
    earlier: int = 0
    """Campaigns of a history."""


DESIGNS = (
    Design("side by side", 1),
    Design("through a control", 1, own=0.05, earlier=8),
    Design("through a control", 3),
    Design("through a control", 3, own=0.05),
    Design("several campaigns a side", 5, own=0.05),
)


def judge(design: Design, spread: float, change: float, rng: np.random.Generator) -> list[VerdictKind]:
    """One comparison, whose first case is slower by the factor `change`."""
    rules = CaseRules(paired=False, level=LEVEL)
    cases = [(_side(design, spread, change if case == 0 else 1.0, rng), _side(design, spread, 1.0, rng))
             for case in range(CASES)]  # fmt: skip
    rows: list[CaseComparison]
    if design.name == "through a control":
        past = replace(design, campaigns=design.earlier)
        history = [_side(past, spread, 1.0, rng) for _ in cases] if design.earlier else None
        rows = through_control(cases, level=LEVEL, adjust="holm", equivalence=0.05, history=history)
    elif design.name == "side by side":  # two libraries of one campaign: the control's place is the second side
        a, b = ([one.library[0] for one, _ in cases], [one.control[0] for one, _ in cases])
        rows = compare_cases(a, b, rules, forecast=False)
    else:
        sides = [[[float(np.median(own)) for own in pair[place].library] for pair in cases] for place in (0, 1)]
        rows = compare_cases(*sides, rules, forecast=False, unit=UNIT_CAMPAIGN)
    return [row.verdict.kind for row in rows]


def _side(design: Design, spread: float, change: float, rng: np.random.Generator) -> ControlledSide:
    """One case of a side: launch medians of library and control in each campaign."""

    def launches(factor: float) -> FloatArray:
        return np.asarray(factor * np.exp(SCATTER * rng.standard_normal(LAUNCHES)))

    states = np.exp(spread * rng.standard_normal(design.campaigns))
    own = np.exp(design.own * rng.standard_normal((2, design.campaigns)))
    library = tuple(launches(float(state * one * change)) for state, one in zip(states, own[0], strict=True))
    return ControlledSide(
        library, tuple(launches(float(state * one)) for state, one in zip(states, own[1], strict=True))
    )


@dataclass(frozen=True)
class Row:
    """A design in states of one spread."""

    design: Design
    spread: float
    false_verdicts: Rate
    found: tuple[float, ...]
    """By change: comparisons that call the first case slower."""


def measure(design: Design, spread: float, comparisons: int, seed: int, changes: Sequence[float] = CHANGES) -> Row:
    """So many comparisons without a change, and a quarter of them with each change."""
    rng = np.random.default_rng(seed)
    wrong = sum(any(kind in DIFFERENT for kind in judge(design, spread, 1.0, rng)) for _ in range(comparisons))
    few = max(1, comparisons // 4)
    found = tuple(
        sum(judge(design, spread, change, rng)[0] is VerdictKind.SLOWER for _ in range(few)) / few for change in changes
    )
    return Row(design, spread, rate(wrong, comparisons, "at most", LEVEL), found)


def rows(comparisons: int) -> Iterator[Row]:
    """Every design in every spread."""
    for number, design in enumerate(DESIGNS):
        for place, spread in enumerate(SPREADS):
            yield measure(design, spread, comparisons, seed=100 * number + place)


def section(found: list[Row], comparisons: int) -> str:
    """In Markdown."""
    each = f"{LAUNCHES} launches of each library in a campaign, scattered by {SCATTER:.0%}"
    head = f"{comparisons} simulated comparisons each; {CASES} cases, Holm, {each}:"
    cells = [
        (
            one.design.name,
            one.design.campaigns,
            one.design.earlier or "",
            f"{one.spread:.0%}",
            f"{one.design.own:.0%}",
            str(one.false_verdicts),
            *(f"{share:.0%}" for share in one.found),
        )
        for one in found
    ]
    return f"{head}\n\n{table(HEAD, cells)}"


@pytest.mark.few(4)
@pytest.mark.parametrize("spread", [SPREADS[0], SPREADS[-1]])
@pytest.mark.parametrize("design", DESIGNS, ids=lambda one: f"{one.name} {one.campaigns} {one.own}")
def test_no_evidence_is_wrong_too_often(design: Design, spread: float) -> None:
    """Where states are alike and where they differ most; a slow-down of 20 % side by side is found nearly always."""
    changes = CHANGES[-1:] if design.name == "side by side" else ()
    found = measure(design, spread, 500, seed=3, changes=changes)
    assert found.false_verdicts.holds, found.false_verdicts
    assert all(share > 0.9 for share in found.found)


def test_one_campaign_a_side_through_a_control_would_be_wrong_in_most_comparisons() -> None:
    """Where a state changes one library alone by 5 %: what its launches say is therefore no verdict."""
    assert measure(Design("through a control", 1, own=0.05), 0.2, 100, seed=4, changes=()).false_verdicts.share > 0.5


@pytest.mark.long
def test_the_table_of_the_page_has_no_broken_promise() -> None:
    """8,000 comparisons of every design in every spread: every interval ends below 6 %."""
    found = list(rows(campaigns(8000)))
    TABLE.show(section(found, campaigns(8000)))
    rates = [one.false_verdicts for one in found]
    assert [one for one in rates if not one.holds or one.high >= WORST] == []
