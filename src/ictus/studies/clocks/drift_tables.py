"""Tables of drifts and frequencies, for the terminal."""

import math
from collections.abc import Sequence

from rich.text import Text

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import tick_text
from ictus.render.terminal import Block, Cell, Column, table
from ictus.render.unit import three_digits, time_unit
from ictus.studies.clock_drift.analysis import DriftSummary
from ictus.studies.frequency.analysis import FrequencySummary, Reference


def drift_table(ranks: Sequence[DriftSummary], width: int) -> list[Text]:
    """One line a rank: how fast it runs away from rank 0 and how straight; then distances by length of time."""
    unit = time_unit([one.change_s for one in ranks])
    columns = (
        Column("rank"),
        Column("host", "left", 2),
        Column("offset", importance=3),
        Column("drift, ppm", "point", short="ppm"),
        Column("±", "point", 1),
        Column("lowest", "point", 2),
        Column("highest", "point", 2),
        Column(f"run apart, {unit.name}", "point", short="apart"),
    )
    rows = [
        (
            str(one.rank),
            one.host,
            format_duration(one.first_offset_s),
            Cell(_ppm(one.slope), "bold"),
            _ppm(one.slope_error),
            _ppm(one.slope_low),
            _ppm(one.slope_high),
            unit.number(one.change_s),
        )
        for one in ranks
    ]
    span = max(one.span_s for one in ranks)
    lines = table(columns, [Block("Local clocks against rank 0's", f"over {span:.3g} s", rows)], width)
    return [*lines, Text(), *_departures(ranks, width)]


def _departures(ranks: Sequence[DriftSummary], width: int) -> list[Text]:
    lengths = sorted({length for one in ranks for length, _ in one.departures})
    unit = time_unit([distance for one in ranks for _, distance in one.departures])
    last = len(lengths) - 1
    columns = (
        Column("rank"),
        *(Column(tick_text(length), "point", 0 if place in (0, last) else 1) for place, length in enumerate(lengths)),
    )
    rows = []
    for one in ranks:
        found = dict(one.departures)
        rows.append((str(one.rank), *(unit.number(found[length]) if length in found else "" for length in lengths)))
    detail = f"by the time that the line spans, in {unit.name}"
    return table(columns, [Block("Largest distance from a straight line", detail, rows)], width)


def frequency_table(sources: Sequence[FrequencySummary], reference: Reference, width: int) -> list[Text]:
    """One line for each way to a frequency: how far from the reference, and how far ranks run apart by it."""
    columns = (
        Column("source", "left"),
        Column("takes", importance=1),
        Column("ranks", importance=3),
        Column("repeats", importance=2),
        Column("MHz", "point"),
        Column("ppm off", "point", short="ppm"),
        Column("at worst", "point", short="worst"),
        Column("ranks apart", "point", short="apart"),
    )
    rows = [
        (
            one.source,
            "" if one.duration_s is None else format_duration(one.duration_s),
            str(one.ranks),
            str(one.repeats),
            f"{one.median_hz / 1e6:.6f}",
            Cell(_ppm(one.error), "bold"),
            _ppm(one.worst),
            _ppm(one.apart),
        )
        for one in sources
    ]
    detail = f"against {reference.hz / 1e6:.6f} MHz, {reference.source}; 1 ppm is 1 µs a second"
    return table(columns, [Block("From ticks to seconds", detail, rows)], width)


def _ppm(ratio: float) -> str:
    """Parts per million with three significant digits, nothing finer than a millionth of one."""
    return "NA" if math.isnan(ratio) else three_digits(round(1e6 * ratio, 6))
