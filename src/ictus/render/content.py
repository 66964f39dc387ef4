"""What the page is made of, typed: the template only places these."""

from dataclasses import dataclass

from markupsafe import Markup

from ictus.comparison.factors import Factor, Group


@dataclass(frozen=True)
class TallyPart:
    """One verdict with the number of its cases; `colour` is a name of the scheme."""

    outcome: str
    count: int
    words: str
    colour: str


@dataclass(frozen=True)
class PairHeadline:
    """What was compared, in a sentence, in numbers, and what more launches would bring."""

    a: str
    b: str
    sentence: str
    tally: tuple[TallyPart, ...]
    outlook: str


@dataclass(frozen=True)
class LegendEntry:
    """A series: its name, colour and marker (an SVG path around the origin)."""

    label: str
    colour: str
    shape: str


@dataclass(frozen=True)
class Panel:
    """One figure with its title."""

    title: str
    detail: str
    svg: Markup


@dataclass(frozen=True)
class TableSide:
    """A compared side in a table's head."""

    label: str
    colour: str


@dataclass(frozen=True)
class TableRow:
    """One case of the comparison table; texts are ready to be shown, `*_key` sort."""

    size: str
    size_bytes: int
    median_a: str
    median_b: str
    ratio: str
    ratio_key: str
    strip: Markup
    """The interval drawn on the table's common axis."""
    interval: str
    p: str
    p_key: str
    stars: str
    verdict: str
    outcome: str
    colour: str


@dataclass(frozen=True)
class TableGroup:
    """Rows that differ in nothing but the size."""

    title: str
    detail: str
    rows: tuple[TableRow, ...]


@dataclass(frozen=True)
class Table:
    """The comparison of one pair."""

    a: TableSide
    b: TableSide
    interval_name: str
    groups: tuple[TableGroup, ...]
    note: str
    """What its marks mean; empty where there are none."""


@dataclass(frozen=True)
class Sheet:
    """A plain table: texts ready to be shown, the first column names its row."""

    caption: str
    detail: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Folded:
    """A row that opens to its figures and rows."""

    title: str
    detail: str
    about: str
    sheets: tuple[Sheet, ...]
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Section:
    """One part of the page: what it means beside what it shows."""

    anchor: str
    title: str
    about: tuple[str, ...]
    legend: tuple[LegendEntry, ...] = ()
    items: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    panels: tuple[Panel, ...] = ()
    groups: tuple[Group, ...] = ()
    folded: tuple[Folded, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Page:
    """The whole report."""

    title: str
    where: str
    again: str
    """The command that makes this page again."""
    ictus: str
    lead: str
    """The sentence where nothing is compared."""
    pairs: tuple[PairHeadline, ...]
    facts: tuple[Factor, ...]
    sections: tuple[Section, ...]
