"""The table of frequencies, for every output, and the result in a sentence."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ictus.model.quantity import format_duration
from ictus.model.spec import parse_spec
from ictus.render.figures.axes import tick_text
from ictus.render.table import Block, Cell, Column, Table, row_columns
from ictus.studies.clocks.accuracy import SynchronisationRun
from ictus.studies.clocks.errors import AlgorithmSummary
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.tables import ppm
from ictus.studies.frequency.analysis import FrequencySummary, Reference

COLUMNS = row_columns(schema="ictus.clocks.frequency/1")


def _duration(summary: FrequencySummary) -> str:
    return "" if summary.duration_s is None else format_duration(summary.duration_s)


_column = Column[FrequencySummary]
_COLUMNS = (
    _column("source", "source", align="left"),
    _column("duration_s", "takes", _duration, importance=1),
    _column("ranks", "ranks", importance=3),
    _column("repeats", "repeats", importance=2),
    _column("median_hz", "MHz", lambda summary: f"{summary.median_hz / 1e6:.6f}", "point"),
    _column("error", "ppm off", lambda row: Cell(ppm(row.error), "bold"), "point", short="ppm"),
    _column("worst", "at worst", lambda row: ppm(row.worst), "point", short="worst"),
    _column("apart", "ranks apart", lambda row: ppm(row.apart), "point", short="apart"),
)


def frequency_table(sources: Sequence[FrequencySummary], reference: Reference) -> Table[FrequencySummary]:
    """One line for each way to a frequency: how far from the reference, and how far ranks run apart by it."""
    detail = f"against {reference.hz / 1e6:.6f} MHz, {reference.source}; 1 ppm is 1 µs a second"
    return Table(_COLUMNS, [Block("From ticks to seconds", detail, sources)])


def frequency_sentence(sources: Sequence[FrequencySummary]) -> str:
    """The drift by the worst and by the best calibration."""
    measured = [source for source in sources if source.duration_s is not None]
    if not measured:
        return "Nothing was calibrated."
    texts = [f"{format_duration(abs(summary.worst))} with {_source_name(summary)}" for summary in measured]
    return f"Lost in a second, at worst: {', '.join(texts)}."


def _source_name(summary: FrequencySummary) -> str:
    """`calibrated, 100 ms`, or the name alone of a stated frequency."""
    return summary.source if summary.duration_s is None else f"{summary.source}, {tick_text(summary.duration_s)}"


def by_clock(study: ClocksStudy) -> list[SynchronisationRun]:
    """The runs of the watched clocks, named after their frequency: what differs between them, not the algorithm."""
    return [
        replace(run, algorithm=str(parse_spec(launch.setting.clock).argument("frequency") or launch.setting.clock))
        for launch in study.accuracy
        for run in launch.runs
    ]


def watched_row(summary: AlgorithmSummary) -> dict[str, Any]:
    """A row for scripts of a clock that was watched."""
    return {"clock": summary.algorithm, "errors": [vars(error) for error in summary.errors]}
