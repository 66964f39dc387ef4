"""When the processes of one call came and left: a line for each process, first what is waiting, then the rest. The
shape shows who was late, and whether the call itself took long.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.render.figures.axes import even_ticks
from ictus.render.figures.panel import HEIGHT, caption_y, panel
from ictus.render.figures.scheme import drawn
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import plain, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 128


@dataclass(frozen=True)
class CallLine:
    """One process in a call; seconds since the first one came."""

    rank: int
    came: float
    waited_until: float
    left: float
    tip: str


def call_figure(lines: Sequence[CallLine], label: str) -> str:
    """SVG: a process a line, the lowest rank on top; of more than MOST_LINES evenly spaced ones, the first and the last
    to come among them.
    """
    drawn_lines = _shown(sorted(lines, key=lambda line: line.rank))
    end = max(*(line.left for line in drawn_lines), 1e-9)
    unit = time_unit([end])
    with drawing():
        figure, axes = panel(max(HEIGHT, 64 + 6 * len(drawn_lines)))
        axes.set_xlim(-0.01 * end * unit.per_second, 1.02 * end * unit.per_second)
        axes.set_ylim(len(drawn_lines) - 0.4, -0.6)
        axes.autoscale(enable=False)
        ticks = even_ticks(0.0, end * unit.per_second, 6)
        axes.set_xticks(ticks, [plain(float(f"{tick:.4g}")) for tick in ticks])
        axes.set_xlabel(f"since the first came, {unit.name}")
        named = range(0, len(drawn_lines), -(-len(drawn_lines) // 16))
        axes.set_yticks(list(named), [str(drawn_lines[index].rank) for index in named])
        axes.grid(visible=False, axis="y")
        axes.grid(visible=True, axis="x")
        caption_y(axes, "rank")
        tips = {_draw(axes, line, index, unit.per_second, 5.0 if len(drawn_lines) <= 32 else 3.0): line.tip
                for index, line in enumerate(drawn_lines)}  # fmt: skip
        return to_svg(figure, label, tips)


def _draw(axes: "Axes", line: CallLine, index: int, scale: float, width: float) -> str:
    """The line, and a mark where the process came, which has the tip."""
    at = [line.came * scale, line.waited_until * scale, line.left * scale]
    axes.hlines(index, at[0], at[1], color=drawn("series-2"), linewidth=width, alpha=0.35)
    axes.hlines(index, at[1], at[2], color=drawn("series-1"), linewidth=width)
    name = f"tip-{index}"
    axes.plot(at[:1], [index], marker="|", markersize=width + 4, color=drawn("ink"), markeredgewidth=1.3, gid=name)
    return name


def _shown(lines: Sequence[CallLine]) -> list[CallLine]:
    if len(lines) <= MOST_LINES:
        return list(lines)
    kept = {round(index * (len(lines) - 1) / (MOST_LINES - 3)) for index in range(MOST_LINES - 2)}
    by_arrival = sorted(range(len(lines)), key=lambda index: lines[index].came)
    return [lines[index] for index in sorted(kept | {by_arrival[0], by_arrival[-1]})]
