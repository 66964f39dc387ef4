"""The rules of claims: of drawn data sets in which a claim is false at most 5 % hold, of those with the paper's
effect at least 80 % do.

2,000 sets of each kind in `make test-long`; a tenth of them in `make test`, by the same exact test, which there sees a
broken promise from three times as far off, and a hundredth of those that take long to draw.
"""

import pytest
from tests.calibration.claims.registry import ROWS
from tests.page_tables import PageTable
from tests.studies.claims.drawn.comparisons import alike
from tests.studies.claims.drawn.page import cells, counts, section
from tests.studies.claims.drawn.registry import DRAWN
from tests.studies.claims.drawn.sets import SETS, DrawnSets
from tests.studies.claims.known import CLAIMS

from ictus.stats.binomial_rate import rate
from ictus.stats.claim_rules import LEVEL
from ictus.studies.factors.average import MOST_ALIKE

TABLE = PageTable("drawn claims", "studies/papers.md", "studies/claims/test_drawn.py")
NOT_RANDOM = {"dims-create": "a library's answers are the same each time: judged by what they are, without a test"}
"""Studies of which nothing is drawn, and why."""


def few(one: DrawnSets) -> int:
    """Sets of which drawing takes no time to speak of."""
    return SETS // 100 if one.slow else SETS // 10


@pytest.mark.parametrize(
    ("one", "sets"),
    [
        *[pytest.param(one, few(one), id=f"{one.studies}-{one.drawn}-few") for one in DRAWN],
        *[pytest.param(one, SETS, id=f"{one.studies}-{one.drawn}", marks=pytest.mark.long) for one in DRAWN],
    ],
)
def test_a_rule_errs_no_more_than_promised(one: DrawnSets, sets: int) -> None:
    """By an exact binomial test of the promise; of 2,000 false sets the count itself is at most one in twenty, and goes
    into docs/studies/papers.md with ICTUS_UPDATE_GOLDEN=1; `-k apart` chooses the sets of one study.
    """
    found = one.judged(sets)
    if sets == SETS:
        TABLE.show_row(f"| {' | '.join(cells(one, found))} |", f"| {one.studies} | {one.drawn} |")
    assert found.holds, found
    assert not one.is_false or sets < SETS or found.share <= LEVEL, found


def test_the_rule_of_every_study_is_tried_both_ways() -> None:
    """With sets in which its claim is false, and as large as the paper's; here, or by its whole judge."""
    for is_false in (True, False):
        tried = {name for one in DRAWN if one.is_false is is_false for name in one.studies.split(", ")}
        by_judges = {row.claim for row in ROWS}
        assert tried | by_judges | NOT_RANDOM.keys() == {claim.name for claim in CLAIMS}
        assert not tried & (NOT_RANDOM.keys() | by_judges)


def test_the_page_has_all_that_is_drawn_and_no_broken_promise() -> None:
    """Its figures are those of the sets: the counts on the page make the same tables again, and keep the promise."""
    shown = TABLE.text
    known = counts(shown)
    assert len(known) == len(DRAWN)
    judged = [(one, one.rate(known[one.studies, one.drawn], SETS)) for one in DRAWN]
    assert section(judged) == shown
    assert all(found.share <= LEVEL if one.is_false else found.holds for one, found in judged)


@pytest.mark.parametrize("ratios", [(MOST_ALIKE, 1.0, 1.0, 1.0), (1 / MOST_ALIKE,)])
def test_one_case_at_the_margin_is_rarely_called_alike(ratios: tuple[float, ...]) -> None:
    """With its upper limit at most one in twenty, which needs more sets: the test's own level is 4.2 % of ten."""
    found = rate(alike(ratios, 20_000), 20_000, "at most", LEVEL)
    assert found.high <= LEVEL, found
