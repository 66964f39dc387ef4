"""The figures of exit skew. Summaries in, panels out.

One shows a bar per start with its interval, and the truth where it is known; another shows when each rank leaves after
the first one (after Fig. 10 of "MPI benchmarking revisited"). Bars begin at the left edge of a logarithmic axis, so
only their ends have a meaning: ratios are lengths.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import SHORTEST, even_ticks, log_durations
from ictus.render.figures.over_processes import Scale, Scaling, over_processes_figure
from ictus.render.figures.panel import caption_y, key, panel, room
from ictus.render.figures.scheme import MOST_LINES, dashes, drawn, line_colour, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Legend, Panel
from ictus.render.table import short
from ictus.studies.exit_skew.analysis import SkewPlace, StartSummary
from ictus.studies.exit_skew.tables import by_place, is_baseline, start_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _AROUND = 17, 72
"""Points that a bar takes, and that title and axis take around all of them."""
_LETTERS, _NAMES = 27, 172
"""The longest name of a barrier is written whole, in so many points at the left."""


@dataclass(frozen=True)
class SkewBar:
    """One start: median and 95th percentile of its repetitions, seconds, and the median of the true skews, where it is
    known. `index` chooses the colour.
    """

    label: str
    index: int
    median_s: float
    p95_s: float
    true_s: float | None


def skew_bars_figure(bars: Sequence[SkewBar], what: str, label: str) -> str:
    """SVG: bars from the first at the top down; a ring is the true value, the thin line reaches to the percentile."""
    if not bars:
        raise ValueError("a figure of skews needs at least one start")
    values = [v for bar in bars for v in (bar.median_s, bar.p95_s, bar.true_s) if v is not None and v > 0]
    with drawing():
        figure, axes = panel(height=_AROUND + _ROW * len(bars), left=_NAMES, right=16)
        log_durations(axes, "x", values, at_most=4)
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.set_yticks(range(len(bars)), [short(skew_bar.label, _LETTERS) for skew_bar in bars])
        axes.grid(visible=False, axis="y")
        axes.grid(visible=True, axis="x")
        axes.set_xlabel(what)
        tips: dict[str, str] = {}
        for index, bar in enumerate(bars):
            tips |= _draw_bar(axes, index, bar)
        return to_svg(figure, label, tips)


def _draw_bar(axes: "Axes", index: int, bar: SkewBar) -> dict[str, str]:
    left, colour, name = axes.get_xlim()[0], drawn(series_name(bar.index)), f"tip-{index}"
    end = max(bar.median_s, SHORTEST, left)
    axes.hlines(index, left, end, color=colour, linewidth=8, alpha=0.55, gid=name)
    axes.hlines(index, end, max(bar.p95_s, end), color=drawn("ink"), linewidth=1.3)
    axes.plot([end], [index], "|", color=colour, markersize=10, markeredgewidth=2)
    true = ""
    if bar.true_s is not None:
        ring = max(bar.true_s, SHORTEST, left)
        axes.plot([ring], [index], "o", color=drawn("ink"), markersize=4.4, markerfacecolor="none", markeredgewidth=1.1)
        true = f", true {format_duration(bar.true_s)}"
    return {name: f"{bar.label}: {format_duration(bar.median_s)}{true}, 95th percentile {format_duration(bar.p95_s)}"}


_MOST_BARS = 48
"""With more ranks than this the intervals would be one grey surface, and the marks one line."""


@dataclass(frozen=True)
class RankExit:
    """One rank's mean, seconds, and its interval; the limits are None where there is none."""

    rank: int
    mean_s: float
    low_s: float | None
    high_s: float | None


@dataclass(frozen=True)
class ExitLine:
    """One start, ranks ascending. `index` chooses colour, marker and dashes, None is grey: one of many that do not
    matter.
    """

    label: str
    index: int | None
    ranks: tuple[RankExit, ...]


def exit_profile_figure(lines: Sequence[ExitLine], label: str) -> str:
    """SVG: mean time after the first exit against rank."""
    rank_exits = [rank for line in lines for rank in line.ranks]
    if not rank_exits:
        raise ValueError("an exit profile needs at least one rank")
    with drawing():
        named = [(line.label, line.index) for line in lines if line.index is not None]
        figure, axes = panel(height=280, left=54, right=9 + room(short(label) for label, _ in named))
        log_durations(axes, "y", [max(rank_exit.mean_s, SHORTEST) for rank_exit in rank_exits if rank_exit.mean_s > 0])
        last = max(rank_exit.rank for rank_exit in rank_exits)
        axes.set_xlim(-0.02 * max(last, 1) - 0.3, 1.02 * max(last, 1) + 0.3)
        ticks = [int(tick) for tick in even_ticks(0, max(last, 1), 7) if tick == int(tick)]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.set_xlabel("rank")
        caption_y(axes, "exit after the first exit")
        tips: dict[str, str] = {}
        for line in sorted(lines, key=lambda line: line.index is not None):
            tips |= _draw_exits(axes, line)
        key(axes, [(short(label), index) for label, index in named])
        return to_svg(figure, label, tips)


def _draw_exits(axes: "Axes", line: ExitLine) -> dict[str, str]:
    colour, floor = line_colour(line.index), axes.get_ylim()[0]
    shape, dash = ("o", "solid") if line.index is None else (marker(line.index), dashes(line.index))
    x = [rank.rank for rank in line.ranks]
    y = [max(rank_exit.mean_s, floor) for rank_exit in line.ranks]
    axes.plot(x, y, color=colour, linewidth=1.1, linestyle=dash, alpha=0.8)
    if len(x) > _MOST_BARS:
        return {}
    tips = {}
    for rank_exit, height in zip(line.ranks, y, strict=True):
        if rank_exit.low_s is not None and rank_exit.high_s is not None and rank_exit.high_s > floor:
            axes.vlines(
                rank_exit.rank, max(rank_exit.low_s, floor), rank_exit.high_s, color=colour, linewidth=1.2, alpha=0.3
            )
        name = f"tip-{line.label}-{rank_exit.rank}"
        axes.plot([rank_exit.rank], [height], shape, color=colour, markersize=4, markeredgewidth=0, gid=name)
        tips[name] = f"{line.label}, rank {rank_exit.rank}: {format_duration(rank_exit.mean_s)}"
    return tips


MOST_RANKS = 256
"""With more ranks than this every k-th is drawn."""


def legend_of(summaries: Sequence[StartSummary]) -> Legend:
    """A series for each start."""
    return Legend(tuple(sorted({start_label(summary.start) for summary in summaries})))


def bar_panels(summaries: Sequence[StartSummary], legend: Legend) -> tuple[Panel, ...]:
    """Exit skew of every start, the least first: a panel for each place."""
    panels = []
    for skew_place, starts in _places(summaries).items():
        bars = [_bar(start, legend) for start in starts]
        svg = skew_bars_figure(bars, "exit skew, median", f"Exit skew, {skew_place.text}")
        panels.append(Panel("Exit skew", skew_place.text, svg))
    return tuple(panels)


def _bar(summary: StartSummary, legend: Legend) -> SkewBar:
    assert summary.skew is not None  # the caller left out what has none
    name = start_label(summary.start)
    true_s = None if summary.true_skew is None else summary.true_skew.median_s
    return SkewBar(name, legend.index(name), summary.skew.median_s, summary.skew.p95_s, true_s)


def exit_panels(summaries: Sequence[StartSummary], legend: Legend) -> tuple[Panel, ...]:
    """When each rank leaves: a panel for each place."""
    panels = []
    for skew_place, starts in _places(summaries).items():
        with_exits = [start for start in starts if start.exits]
        matter = _matter(with_exits)
        lines = [_line(summary, matter or legend.labels) for summary in with_exits]
        panels.append(
            Panel("Exits by rank", skew_place.text, exit_profile_figure(lines, f"Exits by rank, {skew_place.text}"))
        )
    return tuple(panels)


def _matter(ordered: Sequence[StartSummary]) -> tuple[str, ...]:
    """Of more starts than there are colours, the least skew first, the names of those that are coloured: the closest,
    MPI_Barrier and the farthest; empty where all are.
    """
    if len(ordered) <= MOST_LINES:
        return ()
    baseline = [summary for summary in ordered if is_baseline(summary.start)]
    return tuple(
        dict.fromkeys(start_label(start_summary.start) for start_summary in (ordered[0], *baseline, ordered[-1]))
    )


def _line(summary: StartSummary, coloured: Sequence[str]) -> ExitLine:
    exits, every = summary.true_exits or summary.exits, math.ceil(summary.place.n_ranks / MOST_RANKS)
    drawn_exits = tuple(RankExit(r, e.mean, e.low, e.high) for r, e in enumerate(exits) if r % every == 0)
    name = start_label(summary.start)
    return ExitLine(name, coloured.index(name) if name in coloured else None, drawn_exits)


def scaling_panels(summaries: Sequence[StartSummary], legend: Legend) -> tuple[Panel, ...]:
    """Exit skew against processes, a panel for each library and time; nothing of a single number."""
    panels = []
    for library, wait_s in dict.fromkeys((summary.place.library, summary.place.wait_s) for summary in summaries):
        of_library = [
            start_summary
            for start_summary in summaries
            if (start_summary.place.library, start_summary.place.wait_s) == (library, wait_s)
        ]
        most = max(start.place.n_ranks for start in of_library)
        if len({start.place.n_ranks for start in of_library}) < 2:
            continue
        matter = _matter([start for start in of_library if start.place.n_ranks == most])
        lines = [
            _scaling(name, [start for start in of_library if start_label(start.start) == name], matter or legend.labels)
            for name in legend.labels
        ]
        scaling_lines = [line for line in lines if line.scales]
        if scaling_lines:
            svg = over_processes_figure(scaling_lines, "exit skew, median", f"Exit skew against processes, {library}")
            later = f", {format_duration(wait_s)} after synchronising" if wait_s else ""
            panels.append(Panel("Exit skew over processes", f"{library}{later}", svg))
    return tuple(panels)


def _scaling(name: str, summaries: Sequence[StartSummary], coloured: Sequence[str]) -> Scaling:
    scales = tuple(
        Scale(summary.place.n_ranks, summary.best_skew.median_s, (summary.best_skew.p95_s,))
        for summary in summaries
        if summary.best_skew is not None
    )
    return Scaling(name, coloured.index(name) if name in coloured else None, scales)


def _places(summaries: Sequence[StartSummary]) -> dict[SkewPlace, list[StartSummary]]:
    """Of those starts of which anything is known."""
    return by_place([summary for summary in summaries if summary.skew is not None])
