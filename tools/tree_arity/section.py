"""The section of clocks-study.md about the arity of the tree, from rows to text."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from tools.clocks_study.text import count, table, time
from tools.marked_page import Marks

MARKS = Marks("tree-arity")
AUTO = "auto"
SWEEPS = 200
KEPT = 8.0
"""Exchanges that the rule leaves each edge in a sweep: it counts ten, and `share` of the time is used."""


class Row(NamedTuple):
    """One synchronisation of all ranks."""

    hosts: int
    ranks_per_host: int
    latency_s: float
    asked: str
    arity: int
    bound_s: float
    elapsed_s: float
    max_5s_s: float
    messages: int
    violated: int

    @classmethod
    def parsed(cls, line: Mapping[str, str]) -> "Row":
        """From texts by name."""
        return cls(*(kind(line[name]) for name, kind in cls.__annotations__.items()))

    @property
    def levels(self) -> int:
        """The least depth whose full tree has room for all hosts: 1 + k + k^2 + ..."""
        depth, room = 0, 1
        while room < self.hosts:
            depth += 1
            room += self.arity**depth
        return depth

    @property
    def product(self) -> float:
        """What the default makes small, square seconds."""
        return self.bound_s * self.elapsed_s

    @property
    def exchanges(self) -> float:
        """Of an edge in a sweep; few messages tell ranks other things."""
        return self.messages / (2 * max(self.hosts - 1, 1) * SWEEPS)


def section(rows: Sequence[Row]) -> str:
    """Text and table."""
    worst = max(excess(rows).values())
    return "\n\n".join((HEAD, table_of(rows), TAIL.format(worst=f"{100 * worst - 100:.0f}")))


def excess(rows: Sequence[Row]) -> dict[str, float]:
    """Of each world the default's product over the least of the arities tried that keep `KEPT` exchanges an edge; of
    all where none does.
    """
    found = {}
    for name, group in groupby(rows, key=world):
        each = list(group)
        own = next(row for row in each if row.asked == AUTO)
        keeping = [row for row in each if row.exchanges >= KEPT] or each
        found[name] = own.product / min(row.product for row in (own, *keeping))
    return found


def world(row: Row) -> str:
    """`256 hosts, 20.0 us`."""
    inside = f" of {row.ranks_per_host} ranks" if row.ranks_per_host > 1 else ""
    return f"{count(row.hosts)} hosts{inside}, {time(row.latency_s)}"


def table_of(rows: Sequence[Row]) -> str:
    """One line a synchronisation; the default by its choice."""
    head = (
        *("hosts, latency", "arity", "levels", "exchanges", "bound", "duration", "bound x duration"),
        "largest error after 5 s",
    )
    body = [
        (
            world(row),
            f"**auto: {row.arity}**" if row.asked == AUTO else row.asked,
            row.levels,
            f"{row.exchanges:.0f}" if row.exchanges >= 9.95 else f"{row.exchanges:.1f}",
            time(row.bound_s),
            time(row.elapsed_s),
            f"{1e9 * row.product:.3g}",
            time(row.max_5s_s),
        )
        for row in rows
    ]
    return table(head, body)


HEAD = """\
`ictus` measures all edges of a tree at once. Each level adds half a shortest round trip to the bound of all ranks below
it, for no ping-pong knows how the trip divides into its two ways; so a rank should serve many others. But it serves
them one after the other: with k below it and one above, a sweep has k + 1 bursts of E exchanges, and S sweeps last

    duration = max(span, S (k + 1) E c),    bound = levels(k) (c / 2 + what jitter adds),

c being the time of an exchange. `arity=auto`, the default, measures c on the edges of a binary tree (21 exchanges
each, all at once; the longest median counts) and takes the smallest k with the least product of levels and duration: as
few levels as the sweeps have room for in their span, and one less only where that costs less time than it gains. It
counts E = 10. `exchanges=auto`, the default, then fills `share` of the span: fewer children leave each edge more.

Why ten are kept, where one would do for the bound: the error follows the exchanges. With 4,096 hosts an arity of 64
narrows the bound by 29 % more, and makes the error 5 s later 3.5 times as large.

`make tree-arity` writes this section and [its data](../data/tree-arity.csv); one clock a host, drifts within 20 ppm,
one seed, all else by default (200 sweeps over 100 ms). *exchanges* are those of an edge in a sweep, *bound x duration*
is in ns s."""

TAIL = """\
The default's product is at most {worst} % above the least of the arities tried that keep eight exchanges an edge (over
links of 20 us none does). With an arity of 2 and 16,384 hosts there would be fourteen levels."""
