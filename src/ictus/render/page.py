"""The one page of all features: a self-contained HTML text. Equal values give equal bytes. A feature passes typed
content; the template only places it.
"""

import functools
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING, Any

from ictus.render.choices import heading_choices, is_filtered, row_choices
from ictus.render.figures.scheme import css_variables, marker, series_name
from ictus.render.prose import breakable, sentence, unbroken, with_code
from ictus.render.table import Table

if TYPE_CHECKING:
    from jinja2 import Template

_MARK = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><g style="fill:none;stroke-width:2.6;stroke-linecap:round">'
    '<path d="M12 2v13" style="stroke:var(--series-1)"/>'
    '<path d="M3 12c2 6 5 9 9 9s7-4 9-12" style="stroke:var(--series-2)"/></g>'
    '<circle cx="12" cy="20.6" r="2.6" style="fill:var(--ink)"/></svg>'
)
"""A conductor's downbeat: the instant at which all start."""


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@dataclass(frozen=True)
class LegendEntry:
    """A series: its name, colour and marker (an SVG path around the origin)."""

    label: str
    colour: str
    shape: str


_SHAPES = {
    "o": "M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0z",
    "s": "M-5-5H5V5H-5z",
    "^": "M0-6L6 5H-6z",
    "D": "M0-6L6 0L0 6L-6 0z",
    "v": "M0 6L6-5H-6z",
    "P": "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2z",
}
"""The markers of the figures as paths of about 12 units."""


@dataclass(frozen=True)
class Legend:
    """The series of a page in their order."""

    labels: tuple[str, ...]

    def index(self, label: str) -> int:
        """Number of the series; labels that are not in the legend share the last colour."""
        return self.labels.index(label) if label in self.labels else len(self.labels)

    def colour(self, label: str) -> str:
        """Name of its colour in the scheme."""
        return series_name(self.index(label))

    def entries(self, shown_labels: Sequence[str] | None = None) -> tuple[LegendEntry, ...]:
        """The legend of the series that a section shows (default: all)."""
        labels = self.labels if shown_labels is None else [label for label in self.labels if label in shown_labels]
        return tuple(LegendEntry(label, self.colour(label), _SHAPES[marker(self.index(label))]) for label in labels)


@dataclass(frozen=True)
class TallyPart:
    """One verdict with the number of its cases; `colour` is a name of the scheme."""

    outcome: str
    count: int
    words: str
    colour: str


@dataclass(frozen=True)
class PairHeadline:
    """The comparison in a sentence, in numbers, and the expected gain of more launches."""

    a: str
    b: str
    sentence: str
    tally: tuple[TallyPart, ...]
    outlook: str
    answers: tuple["Fact", ...] = ()
    """A sentence for each operation, where there are several."""


@dataclass(frozen=True)
class Panel:
    """One figure with its title."""

    title: str
    detail: str
    svg: str
    """Our own drawing: its texts are escaped."""
    sides: tuple[str, ...] = ()
    """The series that it compares: the page hides it where another one is chosen. Empty: it shows all series."""


@dataclass(frozen=True)
class FoldedRow:
    """A row that opens to its figures, rows and facts."""

    title: str
    detail: str
    about: str
    tables: tuple[Table[Any], ...] = ()
    panels: tuple[Panel, ...] = ()
    groups: tuple["FactGroup", ...] = ()


@dataclass(frozen=True)
class Fact:
    """One line: a name and its value as text; a value of several lines holds line breaks."""

    name: str
    value: str


@dataclass(frozen=True)
class FactGroup:
    """Facts that belong together."""

    title: str
    rows: tuple[Fact, ...]


@dataclass(frozen=True)
class Section:
    """One part of the page: what it means beside what it shows."""

    anchor: str
    title: str
    about: tuple[str, ...]
    legend: tuple[LegendEntry, ...] = ()
    items: tuple[str, ...] = ()
    tables: tuple[Table[Any], ...] = ()
    panels: tuple[Panel, ...] = ()
    groups: tuple[FactGroup, ...] = ()
    folded: tuple[FoldedRow, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Page:
    """The whole report."""

    title: str
    where: str
    reproduce_command: str
    """The command that makes this page again."""
    ictus: str
    """Version of Ictus that measured."""
    question: str
    """What was asked: a question."""
    lead: str = ""
    """The first sentence where nothing is compared."""
    answers: tuple[str, ...] = ()
    """The sentences after it, such as one of each case: a line each."""
    compared: str = ""
    """What the series are: library, or another factor."""
    series: tuple[str, ...] = ()
    """The series that a reader may choose one of."""
    pairs: tuple[PairHeadline, ...] = ()
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    words: tuple[Fact, ...] = ()
    """The words of the page that its last part explains, beside those of every page."""


CAUGHT: ContextVar[list[Page] | None] = ContextVar("caught", default=None)
"""Where pages go that are not to be written: somebody wants their figures (render/paper.py)."""


def render_page(page: Page) -> str:
    """The page as one self-contained HTML text; none where pages are caught."""
    if (caught := CAUGHT.get()) is not None:
        caught.append(page)
        return ""
    from markupsafe import Markup  # noqa: PLC0415 (only who writes a page waits for jinja2)

    sections = (*page.sections, understanding(page))
    text = _template().render(
        page=page,
        sections=sections,
        row_choices=row_choices,
        heading_choices=heading_choices,
        mark=Markup(_MARK),  # noqa: S704 (our own)
        style=Markup(_style()),  # noqa: S704 (our own file)
        script=Markup(_file("table.js")),  # noqa: S704
    )
    return unbroken(text.rstrip()) + "\n"


_UNDERSTANDING = """
    Each part explains what it shows. {filters}{figures}

    The results hold for the machine, the time and the settings that the page names. Folded parts are printed only if
    they are open.
"""
_FILTERS = "The bar at the top filters rows and figures. "
_FIGURES = (
    "Click a name in a legend to hide its series. Press + at a figure, or click the figure, to enlarge it. Point at a "
    "mark to see its value."
)
_WORDS = (
    Fact("launch", "one mpirun; it counts as one observation"),
    Fact("case", "one operation at one size, with one number of processes and one value of every other factor"),
    Fact("interval", "values compatible with the launches; narrower is more certain"),
)


def understanding(page: Page) -> Section:
    """The last part of every page: how to use it, and its words."""
    folded = [folded_row for section in page.sections for folded_row in section.folded]
    open_tables = [table for section in page.sections for table in section.tables]
    tables = [*open_tables, *(table for row in folded for table in row.tables)]
    rows = len(page.series) > 1 or is_filtered(table.view("page") for table in tables)
    drawn = any(section.panels or any(row.panels for row in section.folded) for section in page.sections)
    about = paragraphs(_UNDERSTANDING.format(filters=_FILTERS if rows else "", figures=_FIGURES if drawn else ""))
    words = {fact.name: fact for fact in (*_WORDS, *page.words)}
    return Section(
        "understanding", "Understanding this page", about, groups=(FactGroup("Words", tuple(words.values())),)
    )


def day(created: str) -> str:
    """`21 November 2025`, independent of the reader's locale; a text that is no date is returned unchanged."""
    try:
        day = datetime.fromisoformat(created)
    except ValueError:
        return created
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


@functools.cache
def _template() -> "Template":
    import jinja2  # noqa: PLC0415 (only who writes a page waits for jinja2)

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ictus.render", "template"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": with_code, "sentence": sentence, "breakable": breakable}
    return environment.get_template("report.html.j2")


def _style() -> str:
    """The style sheet with both schemes in front; printed pages are light."""
    light, dark = css_variables(dark=False), css_variables(dark=True)
    schemes = (
        f":root{{color-scheme:light dark;{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    )
    return f"{schemes}\n{_file('style.css')}"


def _file(name: str) -> str:
    return resources.files("ictus.render").joinpath("template").joinpath(name).read_text("utf-8").strip()


def paragraphs(text: str) -> tuple[str, ...]:
    """Paragraphs, parted by empty lines, each as one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


WARNINGS = paragraphs("Read this before you trust the numbers.")
