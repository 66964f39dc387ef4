"""The goal of a campaign: `--until 1%`, `--until 'ratio 2%'`, `--until 'ratio 2% by procsync'`, `--until decided`.

    goal = [ "median" ] share | "ratio" share [ "by" factor ] | "decided" [ "within" share ] [ "by" factor ]
    share = number "%" | number below 1

Of a precision goal the share is half the width of the required interval on the log scale, where a ratio is a shift: an
interval from low to high has the half-width sqrt(high / low) - 1. Of verdicts it is the margin of equivalence.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, cast

from ictus.model.environment import ENVIRONMENT
from ictus.model.errors import UsageError

Quantity = Literal["median", "ratio", "decided"]
QUANTITIES: tuple[Quantity, ...] = ("median", "ratio", "decided")
_GOAL = re.compile(
    r"(?:(?P<quantity>[a-z]+)\s+)?(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)(?:\s+by\s+(?P<by>\S+))?",
    re.ASCII,
)
_DECIDED = re.compile(r"decided(?:\s+within\s+(?P<share>[\d.]+\s*%?))?(?:\s+by\s+(?P<by>\S+))?")
USUAL_MARGIN = 0.05
"""Of "the same within": that of `ictus compare`."""
UNTIL_DECIDED = 80
"""The most launches of each library, where they are added until verdicts are known."""
_ALLOWED = (
    "expected a share such as '1 %' or 0.01 of each case's median, or 'ratio 2 %' of each comparison's ratio, "
    "or 'ratio 2 % by procsync'; or 'decided', 'decided within 3 % by procsync'"
)


@dataclass(frozen=True)
class Goal:
    """When a campaign has enough launches."""

    quantity: Quantity
    """The subject: each case's median in every library, the ratio of every two libraries (or variants) in each case,
    or the verdict on it.
    """
    share: float
    """Half of the interval's width, as a share; of verdicts the margin of "the same within"."""
    by: str | None = None
    """The factor whose values are compared, as `ictus compare --by` does; None: libraries and their algorithms."""

    def __str__(self) -> str:
        by = "" if self.by is None else f" by {self.by}"
        if self.of_verdicts:
            return f"decided within {100 * self.share:.10g} %{by}"
        return f"{self.quantity} {100 * self.share:.10g} %{by}"

    @property
    def of_verdicts(self) -> bool:
        """Whether launches are added until verdicts are known, not until intervals are narrow."""
        return self.quantity == "decided"


def parse_goal(text: str) -> Goal:
    """Parse a goal; UsageError says what is allowed."""
    verdicts = _DECIDED.fullmatch(text.strip())
    if verdicts is not None:
        margin = USUAL_MARGIN if verdicts["share"] is None else parse_goal(verdicts["share"]).share
        by = verdicts["by"]
        return Goal("decided", margin, None if by is None else _field(by))
    match = _GOAL.fullmatch(text.strip())
    if match is None:
        raise UsageError(_ALLOWED)
    quantity = match["quantity"] or "median"
    if quantity not in QUANTITIES[:2]:
        raise UsageError(f"'{quantity}' is none of {', '.join(QUANTITIES[:2])}; {_ALLOWED}")
    by = None if match["by"] is None else _field(match["by"])
    if by is not None and quantity != "ratio":
        raise UsageError(f"'by {match['by']}' belongs to a ratio: 'ratio {match['number']}{match['percent']} by {by}'")
    share = Decimal(match["number"]) / (100 if match["percent"] else 1)
    if not match["percent"] and share >= 1:
        raise UsageError(f"write {match['number']} % for {share / 100}")
    if not 0 < share < 1:
        raise UsageError("a goal is more than 0 % and less than 100 %")
    return Goal(cast("Quantity", quantity), float(share), by)


def _field(factor: str) -> str:
    """A factor as it is recorded, also as its option is spelled; a variable keeps its name."""
    return factor if factor.startswith(ENVIRONMENT) else factor.replace("-", "_")


def with_most_launches(values: object) -> object:
    """The values of a plan, with the most launches where verdicts are sought and none are given."""
    if not isinstance(values, dict):
        return values
    goal = str(values.get("until", values.get("goal", ""))).strip()
    return {"launches": UNTIL_DECIDED, **values} if goal.startswith("decided") else values
