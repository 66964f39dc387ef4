"""Figures of pages as figures of papers: real colours, the width of a column, fonts embedded.

A page's figure is drawn for the width of a panel. Here the same artists are scaled to the width of a paper's column,
text and lines with them, and written by matplotlib itself.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text

from ictus.model.errors import MeasurementError, UsageError
from ictus.render.figures import scheme, svg

FORMATS = ("pdf", "svg", "png", "pgf")
WIDTHS_MM = {1: 88.0, 2: 181.0}
"""Of one column of a paper with two, and of both with the gap (IEEE, ACM)."""
_DPI = 300


@contextmanager
def paper_figures() -> Iterator[list[Figure]]:
    """Within, figures are drawn in real colours, those of the light scheme, and added to the list instead of becoming
    parts of a page.
    """
    found: list[Figure] = []
    colours, kept = scheme.ON_PAPER.set(True), svg.KEPT.set(found)
    try:
        yield found
    finally:
        scheme.ON_PAPER.reset(colours)
        svg.KEPT.reset(kept)


def save_figure(figure: Figure, path: Path, width_mm: float) -> None:
    """Write a figure, once, scaled to that width; the format is that of the file's ending.

    Raises:
        UsageError: the ending is none of `FORMATS`.
        MeasurementError: the file cannot be written; for pgf also where there is no LaTeX to measure its text.
    """
    kind = path.suffix.lstrip(".")
    if kind not in FORMATS:
        raise UsageError(f"-o '{path}': expected a file that ends with {', '.join(f'.{one}' for one in FORMATS)}")
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
