"""The precision goal of a campaign: `--until 1%`, `--until 'ratio 2%'`.

    goal = [ "median" | "ratio" ] share        share = number "%" | number below 1

It is half the width of the interval that is asked for, on the log scale, where a ratio is a shift: an interval from
low to high has the half-width sqrt(high / low) - 1.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, cast

from ictus.model.errors import UsageError

Quantity = Literal["median", "ratio"]
QUANTITIES: tuple[Quantity, ...] = ("median", "ratio")
_GOAL = re.compile(r"(?:(?P<quantity>[a-z]+)\s+)?(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)")
_ALLOWED = "expected a share such as '1 %' or 0.01 of each case's median, or 'ratio 2 %' of each comparison's ratio"


@dataclass(frozen=True)
class Goal:
    """How narrow intervals must become."""

    quantity: Quantity
    """Of what: each case's median of every library, or the ratio of every two libraries (or variants) in each case."""
    share: float
    """Half of the interval's width, as a share."""

    def __str__(self) -> str:
        return f"{self.quantity} {100 * self.share:.10g} %"


def parse_goal(text: str) -> Goal:
    """The goal of a text; UsageError says what is allowed."""
    match = _GOAL.fullmatch(text.strip())
    if match is None:
        raise UsageError(_ALLOWED)
    quantity = match["quantity"] or "median"
    if quantity not in QUANTITIES:
        raise UsageError(f"'{quantity}' is none of {', '.join(QUANTITIES)}; {_ALLOWED}")
    share = Decimal(match["number"]) / (100 if match["percent"] else 1)
    if not match["percent"] and share >= 1:
        raise UsageError(f"write {match['number']} % for {share / 100}")
    if not 0 < share < 1:
        raise UsageError("a goal is more than 0 % and less than 100 %")
    return Goal(cast("Quantity", quantity), float(share))
