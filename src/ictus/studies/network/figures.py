"""The figures of the network: round trips and gaps by size, and the noise of each rank."""

from collections.abc import Callable, Sequence

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import even_ticks
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import MOST_LINES, drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Panel
from ictus.render.unit import plain
from ictus.stats.mean import MeanInterval
from ictus.studies.network.analysis import LinkSummary, NoiseSummary, SizeTimes
from ictus.studies.network.tables import percent

_MOST_TIPS = 400
"""More ranks than this form a cloud, in which no single one can be selected."""


def link_panels(links: Sequence[LinkSummary]) -> tuple[Panel, ...]:
    """Round trips, and gaps in trains, by size; a line for each link."""
    drawn_links = links[:MOST_LINES]
    kinds: tuple[tuple[str, str, Callable[[SizeTimes], MeanInterval]], ...] = (
        ("Round trips", "a message and its answer", lambda times: times.round_trip_s),
        ("Gaps", "from one message of a train to the next", lambda size_times: size_times.gap_s),
    )
    panels = []
    for title, detail, value in kinds:
        lines = [_line(link, index, value) for index, link in enumerate(drawn_links)]
        if any(point.median_s > 0 for line in lines for point in line.points):
            panels.append(Panel(title, detail, latency_figure(lines, title, what=title.lower())))
    return tuple(panels)


def _line(link: LinkSummary, index: int, value: Callable[[SizeTimes], MeanInterval]) -> LatencySeries:
    points = []
    for size in link.sizes:
        interval = value(size)
        low, high = (interval.mean if end is None else end for end in (interval.low, interval.high))
        if interval.mean > 0:  # on a logarithmic axis there is no place for what trains hide altogether
            points.append(LatencyPoint(size.size_bytes, interval.mean, max(low, interval.mean / 10), high))
        else:
            points.append(LatencyPoint(size.size_bytes, *(float("nan"),) * 3))
    return LatencySeries(link.name, index, tuple(points))


def noise_panel(ranks: Sequence[NoiseSummary]) -> Panel:
    """The share of its time that each rank loses."""
    with drawing():
        figure, axes = panel(left=54)
        most = max(*(100 * summary.lost.mean for summary in ranks), 1e-3)
        axes.set_ylim(0, 1.1 * most)
        levels = even_ticks(0, 1.1 * most, 6)
        axes.set_yticks(levels, [plain(level) for level in levels])
        caption_y(axes, "% of the time lost")
        axes.set_xlim(-0.6, len(ranks) - 0.4)
        ticks = [tick for tick in even_ticks(0, max(len(ranks) - 1, 1), 7) if tick == int(tick) and tick < len(ranks)]
        axes.set_xticks(ticks, [str(int(tick)) for tick in ticks])
        axes.set_xlabel("rank")
        tips = {}
        colour = drawn(series_name(0))
        axes.vlines(
            [summary.rank for summary in ranks],
            0,
            [100 * noise_summary.lost.mean for noise_summary in ranks],
            color=colour,
            linewidth=1.2,
        )
        for rank in ranks if len(ranks) <= _MOST_TIPS else ():
            name = f"tip-{rank.rank}"
            axes.plot([rank.rank], [100 * rank.lost.mean], "o", markersize=4.2, color=colour, mew=0, gid=name)
            longest = f"at most {format_duration(rank.largest_s)} at once"
            tips[name] = f"rank {rank.rank}, {rank.host}: {percent(rank.lost.mean)}, {longest}"
        svg = to_svg(figure, "Time lost by each rank", tips)
    return Panel("Time lost", "a fixed piece of work, again and again", svg)
