"""The interval of a ratio, drawn on an axis that all rows of a table share."""

import math
from collections.abc import Sequence

from ictus.comparison.rows import OPEN, ComparisonRow

_WIDTH, _HEIGHT = 160, 20


def common_reach(rows: Sequence[ComparisonRow], equivalence: float) -> float:
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


def strip(row: ComparisonRow, equivalence: float, reach: float) -> str:
    """The interval and the ratio on a logarithmic axis around 1, as one small drawing; what lies beyond ends in an
    arrow.
    """

    def x(ratio: float) -> float:
        share = 0.5 + math.log(ratio) / math.log(reach) / 2
        return round(min(max(share, 0.0), 1.0) * (_WIDTH - 12) + 6, 1)

    middle = _HEIGHT / 2
    band = x(1 / (1 + equivalence)), x(1 + equivalence)
    parts = [
        f'<rect x="{band[0]}" width="{band[1] - band[0]:.1f}" height="{_HEIGHT}" style="fill:var(--band)"/>',
        f'<path d="M{x(1)} 0V{_HEIGHT}" style="stroke:var(--line)"/>',
    ]
    result = row.result
    if result.ratio is not None:
        if result.ratio_low is not None and result.ratio_high is not None:
            parts.append(
                f'<path d="M{x(result.ratio_low)} {middle:g}H{x(result.ratio_high)}" '
                'style="stroke:var(--of);stroke-width:2"/>'
            )
            parts += [
                _clipped(x(end), middle, sign) for end, sign in _beyond(result.ratio_low, result.ratio_high, reach)
            ]
        parts.append(_mark(row, x(result.ratio), middle, reach))
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'


def _beyond(low: float, high: float, reach: float) -> list[tuple[float, int]]:
    """The ends of an interval that are off the axis, each with its side."""
    return [(low, -1)] * (low < 1 / reach) + [(high, 1)] * (high > reach)


def _clipped(x: float, y: float, sign: int) -> str:
    """An open arrow: the line goes on."""
    style = "fill:none;stroke:var(--of);stroke-width:1.6"
    return f'<path class="clipped" d="M{x} {y - 4:g}l{5 * sign} 4l{-5 * sign} 4" style="{style}"/>'


def _mark(row: ComparisonRow, x: float, y: float, reach: float) -> str:
    """A disc where decided, a ring where open, an arrow where the ratio itself is off the axis."""
    if not 1 / reach <= row.ratio <= reach:
        sign = 1 if row.ratio > 1 else -1
        return f'<path d="M{x + 5 * sign} {y:g}l{-7 * sign}-5v10z" style="fill:var(--of)"/>'
    style = "fill:var(--card);stroke:var(--of);stroke-width:1.6" if row.outcome in OPEN else "fill:var(--of)"
    return f'<circle cx="{x}" cy="{y:g}" r="3.6" style="{style}"/>'
