"""Tables of tuning, for the terminal and the page."""

from collections.abc import Sequence

from rich.text import Text

from ictus.model.quantity import format_duration, format_size
from ictus.render.terminal import Block, Cell, Column, table
from ictus.tuning.outcome import SAID, Result, TuningResult, outcome_text, was_tried

HEAD = ("size", "guidelines", "remedy", "way", "before", "after", "ratio", "95 %", "tried", "result")
"""Columns, in the terminal and on the page."""
_COLUMNS = (
    Column("size"),
    Column("guidelines", "left", importance=3),
    Column("remedy", "left"),
    Column("way", "left", importance=4),
    Column("before", importance=1),
    Column("after", importance=1),
    Column("ratio"),
    Column("95 %", "left", importance=2),
    Column("tried", importance=5),
    Column("result", "left"),
)
_SHORT = {SAID[Result.STILL_VIOLATED]: "still violated"}
"""Where the times of before and after would have no room else."""
LEGEND = "Ratio: after to before, in fresh launches; below 1 it is faster. Tried: candidates, with the call itself."


def tune_table(found: Sequence[TuningResult], width: int) -> list[Text]:
    """A block for each library, number of processes and operation."""
    tried = [Block(title, "", [_styled(row) for row in rows]) for title, rows in blocks(found)]
    return table(_COLUMNS, tried, width) if tried else []


def blocks(found: Sequence[TuningResult]) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Title and rows of what was tried, ascending by size."""
    found = [one for one in found if was_tried(one)]
    places = dict.fromkeys((one.cell.operation, one.cell.place) for one in found)
    return [
        (
            f"{operation}, {place.library}, {place.n} processes",
            [
                _row(one)
                for one in sorted(found, key=lambda one: one.cell.size_bytes)
                if (one.cell.operation, one.cell.place) == (operation, place)
            ],
        )
        for operation, place in places
    ]


def _row(one: TuningResult) -> tuple[str, ...]:
    seen, winner = one.confirmation, one.winner
    times = ("–", "–") if seen is None else tuple(map(_time, (seen.before_s, seen.after_s)))
    ratio = "–" if seen is None or seen.ratio is None else f"{seen.ratio:.3f}"
    limits = (
        "–"
        if seen is None or seen.ratio_low is None or seen.ratio_high is None
        else f"{seen.ratio_low:.3f} … {seen.ratio_high:.3f}"
    )
    return (
        format_size(one.cell.size_bytes),
        ",".join(dict.fromkeys(verdict.rule.name for verdict in one.violated)),
        "–" if winner is None else winner.name,
        "–" if winner is None else winner.way.value,
        *times,
        ratio,
        limits,
        str(one.candidates),
        outcome_text(one),
    )


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else format_duration(seconds)


def _styled(row: tuple[str, ...]) -> list[Cell | str]:
    result = Cell(row[-1], "green" if row[-1] == "confirmed" else "", _SHORT.get(row[-1], ""))
    return [*row[:-1], result]
