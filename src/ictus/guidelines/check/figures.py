"""The figures of a check, after Fig. 2 and 3 of Hunold et al. 2016: the call and what it is compared with against the
size, violated sizes shaded and starred. One panel for each place.
"""

import math
from collections.abc import Iterable, Sequence

from ictus.comparison.case_titles import processes
from ictus.comparison.tables import ratio_text
from ictus.guidelines.check.rows import Checked
from ictus.guidelines.check.tables import DOTS, instead_text, sized
from ictus.guidelines.measured import SizeSeries
from ictus.guidelines.rule import Kind, Rule
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.guidelines.wording import formula
from ictus.model.quantity import format_duration, format_size
from ictus.model.registries import Registries
from ictus.render.figures.latency import LatencyPoint, LatencySeries, ShadedSize, latency_figure
from ictus.render.page import Panel
from ictus.stats.median import median_interval

CALL, INSTEAD, PARTS = "call", "instead", "k calls"
LABELS = (CALL, INSTEAD, PARTS)
"""The lines of the figures, in the order of their colours."""
_SHADED = (State.VIOLATED, State.PREDICTED)


def panels(found: Checked, rule: Rule, own: Sequence[GuidelineVerdict]) -> tuple[Panel, ...]:
    """The figures of one guideline; none where nothing was valid, and for a call that has no size."""
    made = []
    for place in found.places:
        here = [one for one in own if one.place == place]
        lines = _lines(found, rule, place, here)
        if here and sized(here[0]) and any(not math.isnan(point.median_s) for line in lines for point in line.points):
            label = f"{formula(rule, Registries.load())}, {found.name(place)}"
            svg = latency_figure(lines, label, tuple(_shaded(one) for one in here if one.state in _SHADED))
            made.append(Panel(found.name(place), processes(place.n), svg))
    return tuple(made)


def _lines(found: Checked, rule: Rule, place: Configuration, own: Sequence[GuidelineVerdict]) -> list[LatencySeries]:
    """The call, and what it is compared with: of monotony the call itself, of a split k calls."""
    call = LatencySeries(CALL, 0, _points(found.measured.sizes(place, rule.left, rule.layout)))
    if rule.kind is Kind.MONOTONY:
        return [call]
    if rule.kind is Kind.SPLIT:
        points = tuple(_split_point(one) for one in own)
        return [call, LatencySeries(PARTS, 2, points)] if points else [call]
    return [call, LatencySeries(INSTEAD, 1, _points(found.measured.sizes(place, rule.right, rule.layout)))]


def _points(series: Iterable[SizeSeries]) -> tuple[LatencyPoint, ...]:
    return tuple(_point(one) for one in series)


def _point(one: SizeSeries) -> LatencyPoint:
    """Median and interval over launches; from the smallest to the largest where there are too few for an interval."""
    times = [time for time in one.medians_s.values() if not math.isnan(time)]
    if not times:
        return LatencyPoint(one.size_bytes, math.nan, math.nan, math.nan)
    found = median_interval(times)
    low = min(times) if found.low is None else found.low
    return LatencyPoint(one.size_bytes, found.median, low, max(times) if found.high is None else found.high)


def _split_point(one: GuidelineVerdict) -> LatencyPoint:
    """The k calls that are best, at the size that they stand for: measured, or k times their median."""
    time = math.nan if one.right_s is None else one.right_s
    return LatencyPoint(one.size_bytes, time, time, time)


def _shaded(one: GuidelineVerdict) -> ShadedSize:
    mark = "*" * len(one.stars) or DOTS[one.state]
    ratio, loss = ratio_text(one.ratio), format_duration(one.loss_s or 0.0)
    what = "predicted" if one.state is State.PREDICTED else "violated"
    tip = f"{format_size(one.size_bytes)}: {what}, {ratio} times as long as {instead_text(one)}, {loss} a call"
    return ShadedSize(one.size_bytes, mark, tip)
