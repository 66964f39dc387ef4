"""`--gate 'slower > 3 %'`: a condition under which a comparison ends with exit code 1.

A row hits a gate of direction and share when both of these hold: its verdict has this direction, which needs an
adjusted p at or below the level, and its whole interval lies beyond the share. An estimate beyond the share proves
nothing: at a true difference of 2 % about a third of all estimates exceed 3 % where launches scatter by as much.
`distributions differ` hits no gate: its interval holds 1.

Of two campaigns apart, where `--allow apart` accepts them, a row hits where its whole interval lies beyond the share
and, where the usual spread between campaigns is known, its ratio beyond that. Nothing is decided there, so that it also
hits `undecided`.

A row of which nothing is known, because a side lacks the case or has no number of it, hits nothing, and is passed over
only with `--allow-missing`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ictus.comparison.rows import OPEN, UNKNOWN
from ictus.model.errors import GateHit, UsageError

_GATE = re.compile(r"(?P<word>[a-z]+)\s*(?:>\s*(?P<percent>\d+(?:\.\d*)?|\.\d+)\s*%)?", re.ASCII)
APART = "apart"
_WORDS = ("slower", "faster", "different", "undecided")


class Limits(Protocol):
    """The interval of a comparison's ratio A/B; None where there are too few launches for one."""

    @property
    def ratio_low(self) -> float | None:
        """Lower limit."""

    @property
    def ratio_high(self) -> float | None:
        """Upper limit."""


class JudgedRow(Protocol):
    """The fields of a comparison row that a gate reads."""

    @property
    def outcome(self) -> str:
        """The kind of verdict, `faster`, `slower`, `distributions-differ` and so on, after adjustment."""

    @property
    def result(self) -> Limits:
        """Where the interval is."""

    @property
    def beyond_usual(self) -> bool | None:
        """Of two campaigns apart: whether the ratio is beyond the usual one; None where that is not known."""


R = TypeVar("R", bound=JudgedRow)


@dataclass(frozen=True)
class Gate:
    """Hit by every row whose verdict is `word` and whose interval lies more than `share` away from 1 that way."""

    word: str
    share: float
    text: str
    allow_missing: bool = False
    """Whether it passes over rows of which nothing is known."""

    @property
    def has_direction(self) -> bool:
        """Whether it matters which of two sides is judged."""
        return self.word in ("slower", "faster")

    def sentence(self, pairs: Sequence[tuple[str, str]]) -> str:
        """`after slower than before by more than 3 %`: which of the compared sides is judged, and against what."""
        beyond_text = f" by more than {100 * self.share:g} %" if self.share else ""
        against = dict.fromkeys(b for _, b in pairs)
        judged = [(", ".join(a for a, name_b in pairs if name_b == b), b) for b in against]
        if self.word == "undecided":
            return "; ".join(f"{a} against {b} undecided" for a, b in judged)
        relation = {"different": "different from"}.get(self.word, f"{self.word} than")
        return "; ".join(f"{a} {relation} {b}" for a, b in judged) + beyond_text

    def hits(self, row: JudgedRow) -> bool:
        """Whether this row alone hits the gate."""
        if self.word == "undecided":
            return row.outcome in (*OPEN, APART)
        low, high = row.result.ratio_low, row.result.ratio_high
        slower, faster = (low is not None and low > 1 + self.share), (high is not None and 1 / high > 1 + self.share)
        if row.outcome == APART:
            beyond = {"slower": slower, "faster": faster}.get(self.word, slower or faster)
            return beyond and row.beyond_usual is not False
        if self.word not in (row.outcome, "different"):
            return False
        return {"slower": slower, "faster": faster}.get(row.outcome, False)

    def count(self, rows: Iterable[JudgedRow]) -> int:
        """How many of the rows hit it."""
        return sum(map(self.hits, rows))

    def unanswered(self, rows: Iterable[R]) -> list[R]:
        """The rows of which nothing is known and that it may not pass over."""
        return [] if self.allow_missing else [row for row in rows if row.outcome in UNKNOWN]

    def end(self, hit_by: str, lost: str, names: str) -> None:
        """GateHit where rows hit it, as `hit_by` says; UsageError where `lost` says that nothing is known of those with
        these `names`. Both are empty where there are none.
        """
        if hit_by:
            raise GateHit(f"gate '{self.text}' is hit by {'; '.join(filter(None, (hit_by, lost)))}")
        if lost:
            raise UsageError(
                f"gate '{self.text}' cannot be answered: {lost}: {names}\n  --allow-missing judges the others alone"
            )


def parse_gate(text: str, *, allow_missing: bool = False) -> Gate:
    """The gate of `slower`, `slower > 3 %`, `faster > 10%`, `different > 5 %` or `undecided`; UsageError otherwise."""
    match = _GATE.fullmatch(text.strip())
    if match is None or match["word"] not in _WORDS or (match["word"] == "undecided" and match["percent"]):
        raise UsageError(
            f"--gate '{text}': expected 'slower > 3 %' (or faster, different; the percentage may be left out) "
            f"or 'undecided'"
        )
    return Gate(match["word"], float(match["percent"] or 0.0) / 100, text.strip(), allow_missing)


def gate_of(text: str | None, *, allow_missing: bool) -> Gate | None:
    """The gate of a command line; None without one. UsageError for what only a gate has a use for."""
    if text is None and allow_missing:
        raise UsageError("--allow-missing: only a gate passes over cases; name one, as in --gate 'slower > 3 %'")
    return None if text is None else parse_gate(text, allow_missing=allow_missing)
