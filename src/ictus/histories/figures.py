"""One case over time: a point a campaign, a line a level, a mark where the level changed."""

import math
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

import numpy as np

from ictus.histories.analysis import CaseHistory
from ictus.histories.tables import case_detail, case_title
from ictus.model.quantity import format_duration
from ictus.render.figures.axes import apart, latency_axis
from ictus.render.figures.panel import WIDTH, panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Panel
from ictus.render.unit import time_unit

_MOST_DATES = 4
_LETTER, _BETWEEN = 6.6, 8.0
"""Points of a letter of a date, and between two dates."""


def history_panels(histories: Sequence[CaseHistory], others: Sequence[str]) -> tuple[Panel, ...]:
    """A figure for each case; those with the largest changes first."""
    return tuple(
        Panel(case_title(history), case_detail(history, others), history_figure(history))
        for history in sorted(histories, key=_calm)
    )


def history_figure(history: CaseHistory) -> str:
    """SVG: the median of each campaign at its date, the median of each level as a line."""
    values = history.values_s
    dates = [datetime.fromisoformat(day.created).timestamp() for day in history.days]
    with drawing():
        figure, axes = panel(right=34)
        unit = time_unit(values)
        latency_axis(axes, float(values.min()), float(values.max()), unit, "median of a campaign")
        axes.autoscale(enable=False)
        margin = 0.03 * max(dates[-1] - dates[0], 1.0)
        axes.set_xlim(dates[0] - margin, dates[-1] + margin)
        each = axes.get_position().width * WIDTH / (dates[-1] - dates[0] + 2 * margin)
        ticks = date_ticks([date * each for date in dates], [day.created[:10] for day in history.days])
        axes.set_xticks([dates[i] for i in ticks], [history.days[i].created[:10] for i in ticks])
        tips = {}
        colour = drawn(series_name(0))
        for index, (date, day) in enumerate(zip(dates, history.days, strict=True)):
            name = f"tip-{index}"
            axes.plot([date], [day.value_s * unit.per_second], "o", color=colour, markersize=3.4, gid=name, zorder=3)
            tips[name] = (
                f"{day.created[:10]}, {day.campaign}: {format_duration(day.value_s)}, {day.n_launches} launches"
            )
        bounds = (0, *(change.point.index for change in history.changes), len(dates))
        for begin, end in pairwise(bounds):
            level = float(np.median(values[begin:end])) * unit.per_second
            axes.hlines(level, dates[begin], dates[end - 1], color=drawn("ink"), linewidth=1.2, zorder=2)
        for change in history.changes:
            axes.axvline(dates[change.point.index], color=drawn("soft"), linewidth=0.9, dashes=(4, 3), zorder=1)
        return to_svg(figure, f"{case_title(history)} over {len(dates)} campaigns", tips)


def date_ticks(places: Sequence[float], texts: Sequence[str]) -> list[int]:
    """Which of the ascending dates have a label: few, each once, none over another one; `places` in points."""
    news = [index for index, text in enumerate(texts) if index == 0 or text != texts[index - 1]]
    drawn_dates = news[:: max(1, math.ceil(len(news) / _MOST_DATES))]
    kept = apart(
        [places[index] for index in drawn_dates], [_LETTER * len(texts[index]) for index in drawn_dates], _BETWEEN
    )
    return [drawn_dates[index] for index in kept]


def _calm(history: CaseHistory) -> float:
    """Small for a case that changed much."""
    return -max((abs(float(np.log(change.point.ratio))) for change in history.changes), default=0.0)
