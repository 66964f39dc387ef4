"""Tables of drifting clocks, for every output, and the result in a sentence."""

from collections.abc import Sequence

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import tick_text
from ictus.render.table import Block, Cell, Column, Table, Times, row_columns
from ictus.render.unit import time_unit
from ictus.studies.clock_drift.analysis import DriftSummary
from ictus.studies.clocks.tables import ppm

COLUMNS = row_columns("departures=departures_by_length", "ictus.clocks.drift/1")


def drift_table(ranks: Sequence[DriftSummary]) -> Table[DriftSummary]:
    """One line a rank: how fast it runs away from rank 0, and how straight."""
    unit = time_unit([rank.change_s for rank in ranks])
    column = Column[DriftSummary]
    columns = (
        column("rank", "rank"),
        column("host", "host", align="left", importance=2),
        column(
            "first_offset_s",
            "offset",
            lambda drift_summary: format_duration(drift_summary.first_offset_s),
            importance=3,
        ),
        column("slope", "drift", lambda row: Cell(ppm(row.slope), "bold"), "point", short="ppm", unit="ppm"),
        column("slope_error", "±", lambda row: ppm(row.slope_error), "point", 1),
        column("slope_low", "lowest", lambda row: ppm(row.slope_low), "point", 2),
        column("slope_high", "highest", lambda row: ppm(row.slope_high), "point", 2),
        column("change_s", "run apart", lambda row: unit.number(row.change_s), "point", short="apart", unit=unit.name),
    )
    span = max(summary.span_s for summary in ranks)
    return Table(columns, [Block("Local clocks against rank 0's", f"over {span:.3g} s", ranks)])


def departure_table(ranks: Sequence[DriftSummary]) -> Table[DriftSummary]:
    """How far each rank is from a straight line, by the time that the line spans."""
    lengths = sorted({length for rank in ranks for length, _ in rank.departures})
    unit = time_unit([distance for summary in ranks for _, distance in summary.departures])
    columns = (
        Column[DriftSummary]("rank", "rank"),
        *(_departure(length, 0 if length in (lengths[0], lengths[-1]) else 1) for length in lengths),
    )
    block = Block("Largest distance from a straight line", "by the time that the line spans", ranks, unit, "")
    return Table(columns, [block])


def _departure(length: float, importance: int) -> Column[DriftSummary]:
    def cell(summary: DriftSummary) -> Times | str:
        return next((Times(distance) for span, distance in summary.departures if span == length), "")

    return Column("departures", tick_text(length), cell, "point", importance)


def drift_sentence(ranks: Sequence[DriftSummary]) -> str:
    """The fastest drift and how far from a line it went."""
    fastest = max(ranks, key=lambda rank: abs(rank.slope))
    speed = ppm(abs(fastest.slope))
    furthest = max(ranks, key=lambda summary: summary.departure_s)
    return (
        f"Rank {fastest.rank} runs fastest away from rank 0, by {speed} µs a second: "
        f"{format_duration(abs(fastest.change_s))} in {fastest.span_s:.3g} s. A straight line describes all of it to "
        f"within {format_duration(furthest.departure_s)}."
    )
