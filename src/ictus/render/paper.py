"""Figures of pages as figures of papers: real colours, the width of a column, fonts embedded.

A page's figure is drawn for the width of a panel. Here the same artists are scaled to the width of a paper's column,
text and lines with them, and written by matplotlib itself.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text

from ictus.model.errors import MeasurementError, UsageError
from ictus.render.figures import scheme, svg
from ictus.render.page import CAUGHT, Page, Panel

FORMATS = ("pdf", "svg", "png", "pgf")
WIDTHS_MM = {1: 88.0, 2: 181.0}
"""Of one column of a paper with two, and of both with the gap (IEEE, ACM)."""
_DPI = 300


class PaperFigures:
    """Figures that were drawn, by the name that stands in the place of their SVG."""

    def __init__(self) -> None:
        self._figures: dict[str, tuple[Figure, Mapping[str, str]]] = {}

    def keep(self, figure: Figure, tips: Mapping[str, str]) -> str:
        """Take a figure; its name."""
        name = f"figure-{len(self._figures)}"
        self._figures[name] = figure, tips
        return name

    def axes(self, panels: Sequence[Panel]) -> tuple[Axes, ...]:
        """The first axes of each panel, titled as the page titles it."""
        drawn_axes = []
        for panel in panels:
            axes = self.of(panel).axes[0]
            with svg.drawing():
                axes.set_title(", ".join(filter(None, (panel.title, panel.detail))), loc="right", fontsize=9)
            drawn_axes.append(axes)
        return tuple(drawn_axes)

    def of(self, panel: Panel) -> Figure:
        """That of a panel."""
        return self._figures[panel.svg][0]

    def marks(self, panel: Panel) -> list[dict[str, Any]]:
        """What is drawn: the ends of each line, the place of each mark in units of the axes, and the text that the page
        shows at it.
        """
        figure, tips = self._figures[panel.svg]
        return [row for number, axes in enumerate(figure.axes, 1) for row in _marks(axes, number, tips)]


def _marks(axes: Any, number: int, tips: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    names = dict(zip(axes.get_xticks(), (tick_label.get_text() for tick_label in axes.get_xticklabels()), strict=False))
    artist: Any
    points: Any
    for artist in axes.findobj():
        if isinstance(artist, Line2D) and _is_of_data(artist, axes):
            points = artist.get_xydata()
            kind = "line" if len(points) > 1 else "mark"
        elif isinstance(artist, LineCollection):
            kind, points = "bar", [point for segment in artist.get_segments() for point in segment]
        elif isinstance(artist, PathCollection):
            kind, points = "mark", artist.get_offsets()
        else:
            continue
        for x, y in points:
            text = tips.get(artist.get_gid() or "", "")
            yield {"axes": number, "kind": kind, "x": float(x), "x_name": names.get(x, ""), "y": float(y), "text": text}


def _is_of_data(artist: Any, axes: Any) -> bool:
    """Whether a line is drawn in units of the data, and not of the axes."""
    return artist.axes is axes and artist.get_transform() is axes.transData


@contextmanager
def paper_figures() -> Iterator[PaperFigures]:
    """Within, figures are drawn in real colours, those of the light scheme, and kept instead of becoming parts of a
    page.
    """
    figures = PaperFigures()
    colours, kept = scheme.ON_PAPER.set(True), svg.KEPT.set(figures)
    try:
        yield figures
    finally:
        scheme.ON_PAPER.reset(colours)
        svg.KEPT.reset(kept)


@contextmanager
def caught_pages() -> Iterator[list[Page]]:
    """Within, pages are added to the list, and none is rendered or written."""
    pages: list[Page] = []
    token = CAUGHT.set(pages)
    try:
        yield pages
    finally:
        CAUGHT.reset(token)


def panels_of(pages: Sequence[Page]) -> dict[str, list[Panel]]:
    """The panels of each section that has some, by its anchor, in the order of the pages."""
    by_name: dict[str, list[Panel]] = {}
    for section in (section for page in pages for section in page.sections):
        panels = [*section.panels, *(panel for row in section.folded for panel in row.panels)]
        if panels:
            by_name.setdefault(section.anchor, []).extend(panels)
    return by_name


def save_figure(figure: Figure, path: Path, width_mm: float) -> None:
    """Write a figure, once, scaled to that width; the format is that of the file's ending.

    Raises:
        UsageError: the ending is none of `FORMATS`.
        MeasurementError: the file cannot be written; for pgf also where there is no LaTeX to measure its text.
    """
    kind = path.suffix.lstrip(".")
    if kind not in FORMATS:
        raise UsageError(f"-o '{path}': expected a file that ends with {', '.join(f'.{suffix}' for suffix in FORMATS)}")
    _scale(figure, width_mm / 25.4 / figure.get_figwidth())
    undated: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    # Fonts are embedded as TrueType; an SVG has the outlines of its letters, which every program draws alike.
    fonts = mpl.rc_context({"pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "ictus", "pgf.rcfonts": False})
    ground = "white" if kind == "png" else "none"
    content = io.BytesIO()  # a figure that fails half-way leaves no file, and an older one as it is
    try:
        with fonts:
            if kind in undated:  # equal data, equal bytes
                figure.savefig(content, format=kind, facecolor=ground, metadata=undated[kind])
            elif kind == "pgf":
                text = io.StringIO()
                figure.savefig(text, format=kind, facecolor=ground, dpi=_DPI)
                content.write(text.getvalue().encode())
            else:
                figure.savefig(content, format=kind, facecolor=ground, dpi=_DPI)
        path.write_bytes(content.getvalue())
    except OSError as error:
        raise MeasurementError(f"'{path}' cannot be written: {error.strerror or error}") from error
    except RuntimeError as error:  # of matplotlib, for pgf
        raise MeasurementError(f"'{path}' cannot be written: {error}; a pgf needs LaTeX, a pdf does not") from error


def _scale(figure: Figure, by: float) -> None:
    """Scale the figure with everything that is given in points."""
    figure.set_size_inches(figure.get_figwidth() * by, figure.get_figheight() * by)
    for axes in figure.axes:
        axes.tick_params(axis="both", which="both", pad=axes.xaxis.get_tick_padding() * by)
    for artist in figure.findobj():
        if isinstance(artist, Text):
            artist.set_fontsize(float(artist.get_fontsize()) * by)
        if isinstance(artist, Annotation):
            x, y = artist.xyann
            artist.xyann = (x * by, y * by)
        if isinstance(artist, Line2D):
            artist.set_linewidth(artist.get_linewidth() * by)
            artist.set_markersize(artist.get_markersize() * by)
            artist.set_markeredgewidth(artist.get_markeredgewidth() * by)
        if isinstance(artist, LineCollection):
            artist.set_linewidth([float(width) * by for width in np.atleast_1d(artist.get_linewidth())])
