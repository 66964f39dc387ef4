"""One option of a campaign as it is declared (model/plan_options.py)."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "count", "share", "names", "each", "variables", "assignments", "on", "off"]
"""The form of the option's value: a text; a number; a share of 1; names separated by commas; a repeatable text; a
repeatable NAME=VALUE, with several values per name or with one; a flag that switches on, or one that switches off.
"""


@dataclass(frozen=True)
class PlanOption:
    """One option. `metavar` says what a value is, `help` begins with a capital and ends with a full stop."""

    key: str
    """The key in plan files and campaign.json."""
    names: tuple[str, ...]
    """On the command line."""
    kind: Kind
    metavar: str
    help: str
    example: str
    """In a plan file."""
    default: str | None = None
    """Where the plan's own default does not read well; None: that."""
    least: int | None = None
    """The smallest number that can be typed."""

    @property
    def parameter(self) -> str:
        """The name in Python: that of its long option."""
        return max(self.names, key=len).lstrip("-").replace("-", "_")
