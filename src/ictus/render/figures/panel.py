"""The frame of all figures: one size, so that panels form a grid and stay legible on a phone."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.table import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 380, 250
"""Points. A phone of 360 pixels shows the panel at five sixths, so a label of 11.5 points stays above 9 pixels."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 10, 22, 42


def panel(height: int = HEIGHT, right: int = _RIGHT, left: int = _LEFT) -> "tuple[Figure, Axes]":
    """An empty figure of the shared width with one set of axes; margins in points."""
    from matplotlib.figure import Figure  # noqa: PLC0415 (only who draws waits for matplotlib)

    figure = Figure(figsize=(WIDTH / 72, height / 72))
    axes = figure.add_axes(
        (left / WIDTH, _BOTTOM / height, (WIDTH - left - right) / WIDTH, (height - _BOTTOM - _TOP) / height)
    )
    axes.tick_params(axis="both", pad=5)
    return figure, axes


def caption_y(axes: "Axes", text: str) -> None:
    """The y axis's name, written upright above the axis: read without turning the head, and no width is lost."""
    axes.annotate(
        text,
        xy=(0, 1),
        xycoords="axes fraction",
        xytext=(-_LEFT + 4, 9),
        textcoords="offset points",
        ha="left",
        va="bottom",
        color=drawn("soft"),
    )


def end_labels(axes: "Axes", x: float, labels: Sequence[tuple[str, float, str]]) -> None:
    """Write each (text, y, colour) at the right of its line, moved apart where they would touch (y on a log axis)."""
    height = axes.get_position().height * axes.figure.get_figheight() * 72  # type: ignore[union-attr]
    to_points = axes.transData + axes.transAxes.inverted()
    placed = sorted(((float(to_points.transform((x, y))[1]) * height, text, colour) for text, y, colour in labels))
    apart = 25.0 if any("\n" in text for _, text, _ in placed) else 13.0
    for at, (text, colour) in zip(
        spread([at for at, *_ in placed], apart), [(t, c) for _, t, c in placed], strict=True
    ):
        axes.annotate(
            text,
            xy=(x, 0),
            xycoords=("data", "axes fraction"),
            xytext=(7, at),
            textcoords="offset points",
            ha="left",
            va="center",
            color=colour,
            linespacing=0.95,
            annotation_clip=False,
        )


def bars(axes: "Axes", spans: Sequence[tuple[float, float, float]], **look: Any) -> None:
    """Upright bars of one look, each (x, low, high), in axes whose limits are set.

    `Axes.vlines` looks for new limits after every bar, which takes longer than to draw it; so does `Axes.plot`.
    """
    from matplotlib.collections import LineCollection  # noqa: PLC0415 (only who draws waits for matplotlib)

    axes.add_artist(LineCollection([((x, low), (x, high)) for x, low, high in spans], **look))


def dot(axes: "Axes", x: float, y: float, shape: str, **look: Any) -> None:
    """One marker without a line, in axes whose limits are set."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 (only who draws waits for matplotlib)

    axes.add_artist(Line2D([x], [y], marker=shape, linestyle="none", **look))


def clipped(axes: "Axes", x: float, limit: float, shape: str, colour: str) -> None:
    """The sign at the limit of the y axis that a bar goes on beyond it: a small triangle, `v` below and `^` above."""
    dot(
        axes,
        x,
        limit,
        shape,
        color=colour,
        markersize=3.6,
        markeredgewidth=0,
        clip_on=False,
        gid=f"clipped-{x}-{shape}",
    )


def key(axes: "Axes", entries: Sequence[tuple[str, int]]) -> None:
    """At the right of the panel, the marker and the name of each (text, series), from the top down."""
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415 (only who draws waits for matplotlib)

    for number, (text, index) in enumerate(entries):
        colour, down = drawn(series_name(index)), -4 - 14 * number
        axes.annotate(
            text,
            xy=(1, 1),
            xycoords="axes fraction",
            xytext=(17, down),
            textcoords="offset points",
            va="top",
            color=colour,
            annotation_clip=False,
        )
        away = ScaledTranslation(10 / 72, (down - 6) / 72, axes.figure.dpi_scale_trans)
        dot(
            axes,
            1,
            1,
            marker(index),
            markersize=4.6,
            color=colour,
            markeredgewidth=0,
            transform=axes.transAxes + away,
            clip_on=False,
        )


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Ascending positions as near to the given ascending ones as a smallest distance of `gap` allows, in mean square.

    Neighbours that would touch are merged into a block around their common centre until no two blocks touch.
    """
    blocks: list[tuple[float, int]] = []
    for position in positions:
        centre, count = position, 1
        while blocks and centre - blocks[-1][0] < gap * (count + blocks[-1][1]) / 2:
            block_centre, others = blocks.pop()
            centre, count = (centre * count + block_centre * others) / (count + others), count + others
        blocks.append((centre, count))
    return [centre + gap * (index - (count - 1) / 2) for centre, count in blocks for index in range(count)]


def room(texts: Iterable[str]) -> int:
    """Points at the right of a panel for the longest line of these texts, as they are drawn; 6.6 a letter."""
    lines = [line for text in texts for line in text.split("\n")]
    return min(142, round(16 + 6.6 * max(map(len, lines), default=0)))


def beside(label: str, letters: int = 19) -> str:
    """A label beside its line: whole, a long one on two lines: `barrier(` and `recursive-doubling)`; what is longer
    than these ends in dots.
    """
    if len(label) <= letters:
        return label
    at = max(label.rfind(sign, 0, letters) for sign in "(,= ") + 1 or letters
    return f"{label[:at].rstrip()}\n{short(label[at:], letters)}"
