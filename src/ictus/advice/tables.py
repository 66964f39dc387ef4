"""The tables of advice: the calls that matter, and remedies in the program."""

from collections.abc import Mapping, Sequence
from typing import Any

from ictus.advice.outcome import STATES, CallState
from ictus.model.quantity import format_duration, format_size
from ictus.render.table import NONE, Block, Cell, Column, Table

Row = Mapping[str, Any]


def advice_table(rows: Sequence[Row]) -> Table[Row]:
    """Calls by cost, each with what came of it."""
    columns = (
        Column[Row]("operation", "operation", align="left", tells_apart=True),
        Column[Row]("size_bytes", "size", _size, tells_apart=True),
        Column[Row]("n", "processes", importance=3, tells_apart=True),
        Column[Row]("datatype", "datatype", align="left", importance=4, tells_apart=True),
        Column[Row]("operator", "operator", align="left", importance=5, tells_apart=True),
        Column[Row]("share", "share of time", lambda row: f"{row['share']:.2%}"),
        Column[Row]("waiting_share", "waiting at least", lambda row: f"{row['waiting_share']:.2%}", importance=2),
        Column[Row]("guidelines", "violated", lambda row: ",".join(row["guidelines"]) or NONE, "left", 2),
        Column[Row]("remedy", "remedy", lambda row: row["remedy"] or NONE, "left", 1),
        Column[Row]("ratio", "ratio", lambda row: NONE if row["ratio"] is None else f"{row['ratio']:.3f}", "right", 1),
        Column[Row]("state", "result", _state, "left"),
    )
    return Table(columns, [Block("Calls that matter", "", rows)])


def _size(row: Row) -> str:
    return format_size(row["size_bytes"]) if row["size_bytes"] else ""


def proof_table(rows: Sequence[Row]) -> Table[Row]:
    """Remedies in the program: its run time before and after, the ratios with their intervals."""
    columns = (
        Column[Row]("remedy_for", "remedy for", align="left"),
        Column[Row]("run_before_s", "before", lambda row: _time(row, "run_before_s"), importance=2),
        Column[Row]("run_after_s", "after", lambda row: _time(row, "run_after_s"), importance=2),
        Column[Row]("run_ratio", "run time", lambda row: _number(row, "run_ratio")),
        Column[Row]("run_ratio_low", "95 %", lambda row: _interval(row, "run"), "range", 1),
        Column[Row]("run_verdict", "verdict", align="left"),
        Column[Row]("calls_ratio", "in calls", lambda row: _number(row, "calls_ratio"), importance=3),
        Column[Row]("calls_ratio_low", "95 %", lambda row: _interval(row, "calls"), "range", 4),
    )
    return Table(columns, [Block("Remedies in the program", "ratios: with it to as it is", rows)])


def _state(row: Row) -> Cell:
    return Cell(STATES[CallState(row["state"])], "green" if row["state"] == CallState.REMEDIED.value else "")


def _time(row: Row, key: str) -> str:
    return NONE if row.get(key) is None else format_duration(row[key])


def _number(row: Row, key: str) -> str:
    return NONE if row.get(key) is None else f"{row[key]:.3f}"


def _interval(row: Row, what: str) -> str:
    low, high = row.get(f"{what}_ratio_low"), row.get(f"{what}_ratio_high")
    return NONE if low is None or high is None else f"{low:.3f} … {high:.3f}"
