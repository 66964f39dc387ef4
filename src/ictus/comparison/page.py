"""The comparison on the page: headline, tally and the table with its drawn intervals."""

import math
from collections.abc import Sequence

from markupsafe import Markup

from ictus.comparison.clock_mark import NOTE, marked
from ictus.comparison.rows import OPEN, ComparisonRow, count, group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.tables import interval_text, p_text, ratio_text, verdict_text
from ictus.comparison.words import outlook, sentence
from ictus.model.quantity import format_size
from ictus.render.content import PairHeadline, Table, TableGroup, TableRow, TableSide, TallyPart
from ictus.render.figures.unit import time_unit
from ictus.render.legend import Legend
from ictus.stats.stars import stars
from ictus.stats.verdict import percent

_STRIP_WIDTH, _STRIP_HEIGHT = 160, 20
_LAST = "1e9"
"""Sorts what has no value behind everything else."""


def headline(rows: Sequence[ComparisonRow], legend: Legend, equivalence: float) -> PairHeadline:
    """The headline of one pair; all rows have the same `a` and `b`."""
    a, b = rows[0].a, rows[0].b
    counts = count(rows)
    stuck = 0 < counts.open == counts.cannot_decide
    tally = (
        TallyPart("faster", counts.faster, f"{a} faster", legend.colour(a)),
        TallyPart("same", counts.same, f"same within {percent(equivalence)}", "soft"),
        TallyPart("distributions-differ", counts.distributions, "differ in distribution", "line"),
        TallyPart("undecided", counts.open, "cannot decide" if stuck else "undecided", "line"),
        TallyPart("unmeasured", counts.not_comparable, "not comparable", "line"),
        TallyPart("slower", counts.slower, f"{b} faster", legend.colour(b)),
    )
    shown = tuple(part for part in tally if part.count or part.outcome not in ("unmeasured", "distributions-differ"))
    return PairHeadline(a, b, sentence(rows, a, b, equivalence), shown, outlook(rows))


def comparison_table(
    rows: Sequence[ComparisonRow], legend: Legend, equivalence: float, level: float, alternative: str
) -> Table:
    """The table of one pair; all rows have the same `a` and `b`."""
    a, b = rows[0].a, rows[0].b
    names = varying([row.case for row in rows])
    reach = _reach(rows, equivalence)
    groups = []
    for group in grouped(rows, lambda row: group_key(row.case, names)):
        unit = time_unit([time for row in group for time in (row.result.median_a, row.result.median_b)])
        shown = tuple(
            TableRow(
                size=format_size(int(row.case["size_bytes"])),
                size_bytes=int(row.case["size_bytes"]),
                median_a=marked(unit.number(row.result.median_a), near=row.near_clock_bound_a),
                median_b=marked(unit.number(row.result.median_b), near=row.near_clock_bound_b),
                ratio=ratio_text(row.result.ratio),
                ratio_key=_LAST if row.result.ratio is None else f"{row.result.ratio:.6g}",
                strip=_strip(row, equivalence, reach),
                interval=interval_text(row.result.ratio_low, row.result.ratio_high),
                p=p_text(row.p_value(alternative)),
                p_key=_key(row.p_value(alternative)),
                stars=stars(row.p_value(alternative)),
                verdict=verdict_text(row),
                outcome="undecided" if row.outcome in OPEN else row.outcome,
                colour=_winner(row, legend),
            )
            for row in group
        )
        detail = f"{group_detail(group[0].case, names)}, times in {unit.name}"
        groups.append(TableGroup(operation_title(group[0].case), detail, shown))
    sides = (TableSide(a, legend.colour(a)), TableSide(b, legend.colour(b)))
    near = any(row.near_clock_bound_a or row.near_clock_bound_b for row in rows)
    return Table(*sides, f"{percent(1 - level)} interval", tuple(groups), NOTE if near else "")


def _key(value: float | None) -> str:
    return _LAST if value is None else f"{value:.6g}"


def _winner(row: ComparisonRow, legend: Legend) -> str:
    """Colour of the faster side, grey where none is known."""
    return {"faster": legend.colour(row.a), "slower": legend.colour(row.b)}.get(row.outcome, "soft")


def _reach(rows: Sequence[ComparisonRow], equivalence: float) -> float:
    """How far the strips' common axis goes from 1 in either direction: nine tenths of all intervals fit, at least a
    third more or less.
    """
    ends = sorted(
        max(row.result.ratio_high, 1 / row.result.ratio_low)
        for row in rows
        if row.result.ratio_low is not None and row.result.ratio_high is not None
    )
    common = ends[math.ceil(0.9 * len(ends)) - 1] if ends else 1.0
    return min(max(common * 1.05, (1 + equivalence) ** 3, 1.34), 20.0)


def _strip(row: ComparisonRow, equivalence: float, reach: float) -> Markup:
    """The interval and the ratio on a logarithmic axis around 1, as one small drawing; what lies beyond ends in an
    arrow.
    """

    def x(ratio: float) -> float:
        share = 0.5 + math.log(ratio) / math.log(reach) / 2
        return round(min(max(share, 0.0), 1.0) * (_STRIP_WIDTH - 12) + 6, 1)

    middle = _STRIP_HEIGHT / 2
    band = x(1 / (1 + equivalence)), x(1 + equivalence)
    parts = [
        f'<rect x="{band[0]}" width="{band[1] - band[0]:.1f}" height="{_STRIP_HEIGHT}" style="fill:var(--band)"/>',
        f'<path d="M{x(1)} 0V{_STRIP_HEIGHT}" style="stroke:var(--line)"/>',
    ]
    result = row.result
    if result.ratio is not None:
        if result.ratio_low is not None and result.ratio_high is not None:
            parts.append(
                f'<path d="M{x(result.ratio_low)} {middle:g}H{x(result.ratio_high)}" '
                'style="stroke:var(--of);stroke-width:2"/>'
            )
        parts.append(_mark(row, x(result.ratio), middle, reach))
    label = f"ratio {ratio_text(result.ratio)}, interval {interval_text(result.ratio_low, result.ratio_high)}"
    inside = "".join(parts)
    return Markup(  # noqa: S704 (numbers only)
        f'<svg viewBox="0 0 {_STRIP_WIDTH} {_STRIP_HEIGHT}" role="img" aria-label="{label}">{inside}</svg>'
    )


def _mark(row: ComparisonRow, x: float, y: float, reach: float) -> str:
    """A disc where decided, a ring where open, an arrow where the ratio itself is off the axis."""
    if not 1 / reach <= row.ratio <= reach:
        sign = 1 if row.ratio > 1 else -1
        return f'<path d="M{x + 5 * sign} {y:g}l{-7 * sign}-5v10z" style="fill:var(--of)"/>'
    style = "fill:var(--card);stroke:var(--of);stroke-width:1.6" if row.outcome in OPEN else "fill:var(--of)"
    return f'<circle cx="{x}" cy="{y:g}" r="3.6" style="{style}"/>'
