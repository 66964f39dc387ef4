"""The figures of exit skew: which starts go into which panel. Summaries in, panels out."""

import math
from collections.abc import Sequence

from ictus.comparison.case_titles import processes
from ictus.render.figures.exit_skew import ExitLine, RankExit, SkewBar, exit_profile_figure, skew_bars_figure
from ictus.render.figures.over_processes import Scale, Scaling, over_processes_figure
from ictus.render.page import Legend, Panel
from ictus.studies.exit_skew.analysis import StartSummary
from ictus.studies.exit_skew.labels import start_label

MOST_RANKS = 256
"""Of more ranks than this every k-th is drawn."""


def legend_of(summaries: Sequence[StartSummary]) -> Legend:
    """A series for each start."""
    return Legend(tuple(sorted({start_label(one.start) for one in summaries})))


def bar_panels(summaries: Sequence[StartSummary], legend: Legend) -> tuple[Panel, ...]:
    """Exit skew of every start, the least first: a panel for each library and number of processes."""
    panels = []
    for n_ranks, library in _places(summaries):
        bars = [_bar(one, legend) for one in _of(summaries, n_ranks, library) if one.skew is not None]
        svg = skew_bars_figure(bars, "exit skew", f"Exit skew, {library}, {processes(n_ranks)}")
        panels.append(_panel("Exit skew", f"{library}, {processes(n_ranks)}", svg))
    return tuple(panels)


def _bar(one: StartSummary, legend: Legend) -> SkewBar:
    assert one.skew is not None  # the caller left out what has none
    name = start_label(one.start)
    true_s = None if one.true_skew is None else one.true_skew.mean.mean
    return SkewBar(name, legend.index(name), one.skew.mean.mean, one.skew.mean.low, one.skew.mean.high, true_s)


def exit_panels(summaries: Sequence[StartSummary], legend: Legend) -> tuple[Panel, ...]:
    """When each rank leaves: a panel for each library and number of processes."""
    panels = []
    for n_ranks, library in _places(summaries):
        lines = [_line(one, legend) for one in _of(summaries, n_ranks, library) if one.exits]
        svg = exit_profile_figure(lines, f"Exits by rank, {library}, {processes(n_ranks)}")
        panels.append(_panel("Exits by rank", f"{library}, {processes(n_ranks)}", svg))
    return tuple(panels)


def _line(one: StartSummary, legend: Legend) -> ExitLine:
    exits, every = one.true_exits or one.exits, math.ceil(one.n_ranks / MOST_RANKS)
    shown = tuple(RankExit(r, e.mean, e.low, e.high) for r, e in enumerate(exits) if r % every == 0)
    name = start_label(one.start)
    return ExitLine(name, legend.index(name), shown)


def scaling_panels(summaries: Sequence[StartSummary], legend: Legend) -> tuple[Panel, ...]:
    """Exit skew against processes, a panel for each library; nothing of a single number."""
    panels = []
    for library in dict.fromkeys(one.library for one in summaries):
        own = [one for one in summaries if one.library == library]
        if len({one.n_ranks for one in own}) < 2:
            continue
        lines = [
            _scaling(name, [one for one in own if start_label(one.start) == name], legend) for name in legend.labels
        ]
        known = [line for line in lines if line.scales]
        if known:
            svg = over_processes_figure(known, "exit skew, median", f"Exit skew against processes, {library}")
            panels.append(_panel("Exit skew over processes", library, svg))
    return tuple(panels)


def _scaling(name: str, own: Sequence[StartSummary], legend: Legend) -> Scaling:
    scales = tuple(
        Scale(one.n_ranks, one.best_skew.median_s, (one.best_skew.p95_s,)) for one in own if one.best_skew is not None
    )
    return Scaling(name, legend.index(name), scales)


def _places(summaries: Sequence[StartSummary]) -> list[tuple[int, str]]:
    """Numbers of processes and libraries of which anything is known."""
    return list(dict.fromkeys((one.n_ranks, one.library) for one in summaries if one.skew is not None))


def _of(summaries: Sequence[StartSummary], n_ranks: int, library: str) -> list[StartSummary]:
    return [one for one in summaries if (one.n_ranks, one.library) == (n_ranks, library)]


def _panel(title: str, detail: str, svg: str) -> Panel:
    return Panel(title, detail, svg)
