"""Which series is which: every label of the page has one colour and one marker in all figures and tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from ictus.render.figures.scheme import marker, series_name


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

    def entries(self, shown: Sequence[str] | None = None) -> tuple[LegendEntry, ...]:
        """The legend of the series that a section shows (default: all)."""
        labels = self.labels if shown is None else [label for label in self.labels if label in shown]
        return tuple(LegendEntry(label, self.colour(label), _SHAPES[marker(self.index(label))]) for label in labels)
