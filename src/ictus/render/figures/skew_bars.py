"""How far apart ranks are: a bar for each start, its interval, and the truth where it is known.

Bars reach from the left edge of a logarithmic axis, so only their ends mean something: ratios are lengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from ictus.model.quantity import format_duration
from ictus.render.figures.duration_axis import SHORTEST, log_durations, room, short
from ictus.render.figures.panel import panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg

_ROW, _AROUND = 17, 72
"""Points that a bar takes, and that title and axis take around all of them."""


@dataclass(frozen=True)
class SkewBar:
    """One start. Seconds; `low_s`, `high_s` and `true_s` are None where there are none. `index` chooses the colour."""

    label: str
    index: int
    mean_s: float
    low_s: float | None
    high_s: float | None
    true_s: float | None


def skew_bars_figure(bars: Sequence[SkewBar], what: str, label: str) -> str:
    """SVG: bars from the first at the top down; a ring is the true value, the thin line the interval of the mean."""
    if not bars:
        raise ValueError("a figure of skews needs at least one start")
    values = [v for one in bars for v in (one.mean_s, one.low_s, one.high_s, one.true_s) if v is not None and v > 0]
    with drawing():
        figure, axes = panel(height=_AROUND + _ROW * len(bars), left=room(one.label for one in bars) - 6, right=16)
        log_durations(axes, "x", values, at_most=4)
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.set_yticks(range(len(bars)), [short(one.label) for one in bars])
        axes.grid(visible=False, axis="y")
        axes.grid(visible=True, axis="x")
        axes.set_xlabel(what)
        tips: dict[str, str] = {}
        for place, one in enumerate(bars):
            tips |= _draw(axes, place, one)
        return to_svg(figure, label, tips)


def _draw(axes: Axes, place: int, one: SkewBar) -> dict[str, str]:
    left, colour, name = axes.get_xlim()[0], drawn(series_name(one.index)), f"tip-{place}"
    end = max(one.mean_s, SHORTEST, left)
    axes.hlines(place, left, end, color=colour, linewidth=8, alpha=0.55, gid=name)
    if one.low_s is not None and one.high_s is not None:
        axes.hlines(place, max(one.low_s, left), one.high_s, color=drawn("ink"), linewidth=1.3)
    axes.plot([end], [place], "|", color=colour, markersize=10, markeredgewidth=2)
    true = ""
    if one.true_s is not None:
        ring = max(one.true_s, SHORTEST, left)
        axes.plot([ring], [place], "o", color=drawn("ink"), markersize=4.4, markerfacecolor="none", markeredgewidth=1.1)
        true = f", true {format_duration(one.true_s)}"
    return {name: f"{one.label}: {format_duration(one.mean_s)}{true}"}
