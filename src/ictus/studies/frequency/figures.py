"""Figures of frequencies: calibrated frequencies against the stated one, rank by rank.

After Fig. 2 of "MPI benchmarking revisited".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ictus.render.figures.axes import even_ticks, tick_text
from ictus.render.figures.panel import caption_y, end_labels, panel, room
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Panel
from ictus.render.table import short
from ictus.render.unit import plain
from ictus.studies.frequency.analysis import FrequencySummary


@dataclass(frozen=True)
class FrequencyCloud:
    """One way to a frequency: errors relative to the reference (plain ratios), per rank, per repeat."""

    label: str
    index: int
    relative: tuple[tuple[float, ...], ...]


def frequency_figure(clouds: Sequence[FrequencyCloud], label: str) -> str:
    """SVG: every calibration as a dot, in parts per million of the reference, and each rank's median as a bar."""
    values = [1e6 * value for cloud in clouds for rank in cloud.relative for value in rank]
    if not values:
        raise ValueError("a frequency figure needs at least one calibration")
    with drawing():
        figure, axes = panel(left=54, right=room(short(cloud.label) for cloud in clouds))
        low, high = min(*values, 0.0), max(*values, 0.0)
        margin = 0.08 * (high - low) or 1.0
        axes.set_ylim(low - margin, high + margin)
        levels = even_ticks(low - margin, high + margin, 6)
        axes.set_yticks(levels, [plain(level) for level in levels])
        caption_y(axes, "parts per million off (µs a second)")
        axes.axhline(0, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        n_ranks = max(len(cloud.relative) for cloud in clouds)
        axes.set_xlim(-0.6, n_ranks - 0.4)
        ticks = [int(tick) for tick in even_ticks(0, max(n_ranks - 1, 1), 7) if tick == int(tick) and tick < n_ranks]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.set_xlabel("rank")
        for index, cloud in enumerate(clouds):
            colour = drawn(series_name(cloud.index))
            aside = 0.7 * ((index + 0.5) / len(clouds) - 0.5)
            for rank, ratios in enumerate(cloud.relative):
                dots = [1e6 * value for value in ratios]
                if not dots:
                    continue
                middle = sorted(dots)[len(dots) // 2]
                x = rank + aside
                axes.plot([x] * len(dots), dots, marker(cloud.index), color=colour, markersize=4, alpha=0.45, mew=0)
                axes.hlines(middle, x - 0.28 / len(clouds), x + 0.28 / len(clouds), color=colour, linewidth=2.2)
        middles = [(cloud, sorted(1e6 * v for rank in cloud.relative for v in rank)) for cloud in clouds]
        ends = [
            (short(cloud.label), dots[len(dots) // 2], drawn(series_name(cloud.index)))
            for cloud, dots in middles
            if dots
        ]
        end_labels(axes, axes.get_xlim()[1], ends)
        return to_svg(figure, label)


def frequency_panels(sources: Sequence[FrequencySummary]) -> tuple[Panel, ...]:
    """Every calibration of every rank against the reference; stated frequencies are the line at 0."""
    measured = [source for source in sources if source.duration_s is not None]
    if not measured:
        return ()
    clouds = [FrequencyCloud(_brief_source(summary), index, summary.relative) for index, summary in enumerate(measured)]
    return (Panel("Calibrations", "each a dot, the bar is a rank's median", frequency_figure(clouds, "Frequencies")),)


def _brief_source(summary: FrequencySummary) -> str:
    """A name with room beside a figure: how long it took, and whether each rank took its own."""
    each = "per rank" if summary.source == "calibrated-per-rank" else "over"
    return f"{each} {tick_text(summary.duration_s or 0)}"
