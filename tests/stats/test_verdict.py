"""Texts of the verdicts, pinned whole."""

import pytest

from ictus.model.quantity import percent
from ictus.stats.verdict import (
    VerdictKind,
    cannot_decide,
    decided,
    not_comparable,
    undecided,
)

NEVER = "can never reach the level after adjustment"


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (decided(VerdictKind.FASTER, None, 0.05), "faster"),
        (decided(VerdictKind.SLOWER, 0.05, 0.05), "slower, within 5 %"),
        (decided(VerdictKind.SAME, 0.05, 0.05), "same within 5 %"),
        (undecided(35), "undecided: about 35 more launches"),
        (undecided(1), "undecided: about 1 more launch"),
        (undecided(None), "undecided: more than 1000 more launches"),
        (cannot_decide(5, 5, 6, 12), f"cannot decide: 5 launches {NEVER}; at least 6 needed"),
        (cannot_decide(1, 1, 4, 3), f"cannot decide: 1 launch {NEVER}; at least 4 needed"),
        (cannot_decide(3, 9, 6, 3), f"cannot decide: 3 and 9 launches {NEVER}; at least 6 needed"),
        (not_comparable("no launch of mpich with a valid sample"), "NA: no launch of mpich with a valid sample"),
    ],
)  # fmt: skip
def test_text_of_each_verdict(verdict, text):
    """One sentence a kind."""
    assert verdict.text == text


def test_the_least_that_is_needed_is_no_forecast():
    """Where no spread is known, the number is marked as the least; the launches a side come with it."""
    assert (cannot_decide(1, 1, 4, 3, at_least=True).at_least, cannot_decide(3, 3, 4, 3).at_least) == (True, False)
    assert cannot_decide(1, 1, 4, 3).needed == 4


@pytest.mark.parametrize(("share", "text"), [(0.05, "5 %"), (0.025, "2.5 %"), (1.0, "100 %"), (0.001, "0.1 %")])
def test_percent_is_written_without_needless_digits(share, text):
    """As people write it."""
    assert percent(share) == text
