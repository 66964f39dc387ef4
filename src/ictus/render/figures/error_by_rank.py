"""The signed error of every rank at one time after synchronising: which ranks are off, and which way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from ictus.model.quantity import format_duration
from ictus.render.figures.duration_axis import room, short, signed_durations
from ictus.render.figures.panel import caption_y, key, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks

_MOST_TIPS = 400
"""More points than this are seen as clouds, and nobody points at one of them."""


@dataclass(frozen=True)
class RankErrors:
    """One algorithm: ranks with their signed errors in seconds. `index` chooses colour and marker."""

    label: str
    index: int
    ranks: tuple[int, ...]
    error_s: tuple[float, ...]


def error_by_rank_figure(series: Sequence[RankErrors], label: str) -> str:
    """SVG: signed error against rank; algorithms stand side by side at each rank."""
    points = sum(len(one.ranks) for one in series)
    if not points:
        raise ValueError("an error figure needs at least one rank that was checked")
    with drawing():
        figure, axes = panel(left=54, right=9 + room(one.label for one in series))
        signed_durations(axes, [value for one in series for value in one.error_s])
        axes.axhline(0, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        first, last = min(min(one.ranks) for one in series), max(max(one.ranks) for one in series)
        axes.set_xlim(first - 0.6, last + 0.6)
        ticks = [int(tick) for tick in even_ticks(first, max(last, first + 1), 7) if tick == int(tick) and tick <= last]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.set_xlabel("rank")
        caption_y(axes, "global clock minus rank 0's")
        size = max(1.8, min(5.0, 60 / (last - first + 1) ** 0.5))
        tips: dict[str, str] = {}
        for place, one in enumerate(series):
            aside = 0.6 * ((place + 0.5) / len(series) - 0.5) if last - first < 40 else 0.0
            tips |= _draw(axes, one, aside, size, named=points <= _MOST_TIPS)
        key(axes, [(short(one.label), one.index) for one in series])
        return to_svg(figure, label, tips)


def _draw(axes: Axes, one: RankErrors, aside: float, size: float, *, named: bool) -> dict[str, str]:
    """The marks of one algorithm; named ones are drawn one by one and tell their numbers."""
    look: dict[str, Any] = {
        "marker": marker(one.index),
        "markersize": size,
        "color": drawn(series_name(one.index)),
        "markeredgewidth": 0,
        "linestyle": "none",
        "alpha": 0.85 if named else 0.6,
    }
    if not named:
        axes.plot([rank + aside for rank in one.ranks], one.error_s, **look)
        return {}
    tips = {}
    for rank, error in zip(one.ranks, one.error_s, strict=True):
        name = f"tip-{one.index}-{rank}"
        axes.plot([rank + aside], [error], gid=name, **look)
        tips[name] = f"{one.label}, rank {rank}: {format_duration(error)}"
    return tips
