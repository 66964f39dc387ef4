"""The precision goal of a campaign: `--until 1%`, `--until 'ratio 2%'`, `--until 'ratio 2% by procsync'`.

    goal = [ "median" ] share | "ratio" share [ "by" factor ]        share = number "%" | number below 1

The share is half the width of the required interval on the log scale, where a ratio is a shift: an interval from low to
high has the half-width sqrt(high / low) - 1.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, cast

from ictus.model.errors import UsageError

Quantity = Literal["median", "ratio"]
QUANTITIES: tuple[Quantity, ...] = ("median", "ratio")
_GOAL = re.compile(
    r"(?:(?P<quantity>[a-z]+)\s+)?(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)(?:\s+by\s+(?P<by>\S+))?",
    re.ASCII,
)
_ALLOWED = (
    "expected a share such as '1 %' or 0.01 of each case's median, or 'ratio 2 %' of each comparison's ratio, "
    "or 'ratio 2 % by procsync'"
)


@dataclass(frozen=True)
class Goal:
    """How narrow intervals must become."""

    quantity: Quantity
    """The subject: each case's median in every library, or the ratio of every two libraries (or variants) in each case.
    """
    share: float
    """Half of the interval's width, as a share."""
    by: str | None = None
    """The factor whose values are compared, as `ictus compare --by` does; None: libraries and their algorithms."""

    def __str__(self) -> str:
        by = "" if self.by is None else f" by {self.by}"
        return f"{self.quantity} {100 * self.share:.10g} %{by}"


def parse_goal(text: str) -> Goal:
    """Parse a goal; UsageError says what is allowed."""
    match = _GOAL.fullmatch(text.strip())
    if match is None:
        raise UsageError(_ALLOWED)
    quantity = match["quantity"] or "median"
    if quantity not in QUANTITIES:
        raise UsageError(f"'{quantity}' is none of {', '.join(QUANTITIES)}; {_ALLOWED}")
    by = None if match["by"] is None else match["by"].replace("-", "_")
    if by is not None and quantity != "ratio":
        raise UsageError(f"'by {match['by']}' belongs to a ratio: 'ratio {match['number']}{match['percent']} by {by}'")
    share = Decimal(match["number"]) / (100 if match["percent"] else 1)
    if not match["percent"] and share >= 1:
        raise UsageError(f"write {match['number']} % for {share / 100}")
    if not 0 < share < 1:
        raise UsageError("a goal is more than 0 % and less than 100 %")
    return Goal(cast("Quantity", quantity), float(share), by)
