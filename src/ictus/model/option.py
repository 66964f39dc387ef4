"""One option as it is declared: the command line, the keyword in Python and the check derive from it."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "text", "count", "counts", "share", "names", "each", "variables", "assignments", "on", "off",
    "number", "time", "duration", "brief", "times", "positive-times", "brief-times", "size", "sizes",
    "member", "members", "choice", "choices", "file",
]  # fmt: skip
"""The form of the option's value: a text; a number; a share of 1; names separated by commas; a repeatable text; a
repeatable NAME=VALUE, with several values per name or with one; a flag that switches on, or one that switches off.

Of a study's own options also: whole numbers of 1 or more, separated by commas; any number; a time above 0, of 0 or
more, of at most 1 s, and lists of such; bytes; members of a family of the core; words of a few; a file or folder.
"""

IN_SECONDS: frozenset[Kind] = frozenset({"time", "duration", "brief", "times", "positive-times", "brief-times"})
"""Kinds whose values are seconds: in Python their names end with `_s`."""


@dataclass(frozen=True)
class Option:
    """One option. `metavar` says what a value is, `help` begins with a capital and ends with a full stop."""

    key: str
    """The key in plan files and campaign.json."""
    names: tuple[str, ...]
    """On the command line."""
    kind: Kind
    metavar: str
    help: str
    example: str = ""
    """In a plan file."""
    default: str | None = None
    """Where the plan's own default does not read well; None: that."""
    least: float | None = None
    """The smallest number that can be typed."""
    most: float | None = None
    """The largest."""
    default_text: str | None = None
    """Of a study's own option: the text that is taken where it is left out; None: nothing is."""
    family: str = ""
    """Of which its values are members."""
    choices: tuple[str, ...] = ()
    """Words that it takes, and no others."""
    of_showing: bool = False
    """Whether it says how what was measured is shown: it is taken beside a folder too."""

    @property
    def parameter(self) -> str:
        """The name in Python: that of its long option."""
        return max(self.names, key=len).lstrip("-").replace("-", "_")

    @property
    def keyword(self) -> str:
        """Of a study's own option: the name in Python, with the unit."""
        return self.key.replace("-", "_") + ("_s" if self.kind in IN_SECONDS else "")
