"""`--gate 'slower > 3 %'`: a condition under which a comparison ends with exit code 1."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ictus.model.errors import UsageError

_GATE = re.compile(r"(?P<word>[a-z]+)\s*(?:>\s*(?P<percent>\d+(?:\.\d*)?|\.\d+)\s*%)?")
_WORDS = ("slower", "faster", "different", "undecided")


class Judged(Protocol):
    """What a gate looks at in a row of a comparison."""

    @property
    def outcome(self) -> str:
        """`faster`, `slower`, `same`, `undecided`, `cannot-decide` or `not-comparable`."""

    @property
    def ratio(self) -> float:
        """Ratio A/B of the latencies."""


@dataclass(frozen=True)
class Gate:
    """Hit by every row whose verdict is `word` and whose ratio is more than `share` away from 1 in that direction."""

    word: str
    share: float
    text: str

    def hits(self, row: Judged) -> bool:
        """Whether this row alone hits the gate."""
        if self.word == "undecided":
            return row.outcome in ("undecided", "cannot-decide")
        if row.outcome not in ("slower", "faster") or self.word not in (row.outcome, "different"):
            return False
        return row.ratio > 1 + self.share if row.outcome == "slower" else 1 / row.ratio > 1 + self.share

    def count(self, rows: Iterable[Judged]) -> int:
        """How many of the rows hit it."""
        return sum(map(self.hits, rows))


def parse_gate(text: str) -> Gate:
    """The gate of `slower`, `slower > 3 %`, `faster > 10%`, `different > 5 %` or `undecided`; UsageError otherwise."""
    match = _GATE.fullmatch(text.strip())
    if match is None or match["word"] not in _WORDS or (match["word"] == "undecided" and match["percent"]):
        raise UsageError(
            f"--gate '{text}': expected 'slower > 3 %' (or faster, different; the percentage may be left out) "
            f"or 'undecided'"
        )
    return Gate(match["word"], float(match["percent"] or 0.0) / 100, text.strip())
