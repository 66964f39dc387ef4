"""The table of a tuning, for every output."""

from collections.abc import Sequence

from ictus.comparison.case_titles import operation_title
from ictus.guidelines.verdict import Configuration
from ictus.model.quantity import format_duration, format_size
from ictus.render.table import NONE, Block, Cell, Column, Table
from ictus.tuning.outcome import SAID, Result, TuningResult, outcome_text, was_tried

_SHORT = {SAID[Result.STILL_VIOLATED]: "still violated"}
"""Where the times of before and after would have no room else."""
LEGEND = "Ratio: after to before, in fresh launches; below 1 it is faster. Tried: candidates, with the call itself."


def tune_table(results: Sequence[TuningResult]) -> Table[TuningResult]:
    """A block for each library, number of processes and operation, ascending by size."""
    tried = sorted(
        (tuning_result for tuning_result in results if was_tried(tuning_result)),
        key=lambda tuning_result: tuning_result.cell.size_bytes,
    )
    places = dict.fromkeys((tuned.cell.operation, tuned.cell.place) for tuned in results if was_tried(tuned))
    blocks = [
        Block(
            operation_title({"operation": operation}),
            place_text(configuration),
            [tuned for tuned in tried if (tuned.cell.operation, tuned.cell.place) == (operation, configuration)],
        )
        for operation, configuration in places
    ]
    return Table(_COLUMNS, blocks, important_first=True)


def place_text(configuration: Configuration) -> str:
    """`library mpich, 2 processes`: what filters of a page know."""
    return f"library {configuration.library}, {configuration.n} processes"


def _rules(result: TuningResult) -> str:
    return ",".join(dict.fromkeys(verdict.rule.name for verdict in result.violated))


def _before(result: TuningResult) -> str:
    return NONE if result.confirmation is None else _time(result.confirmation.before_s)


def _after(result: TuningResult) -> str:
    return NONE if result.confirmation is None else _time(result.confirmation.after_s)


def _ratio(result: TuningResult) -> str:
    ratio = None if result.confirmation is None else result.confirmation.ratio
    return NONE if ratio is None else f"{ratio:.3f}"


def _interval(result: TuningResult) -> str:
    confirmation = result.confirmation
    if confirmation is None or confirmation.ratio_low is None or confirmation.ratio_high is None:
        return NONE
    return f"{confirmation.ratio_low:.3f} … {confirmation.ratio_high:.3f}"


def _result(result: TuningResult) -> Cell:
    text = outcome_text(result)
    return Cell(text, "green" if text == "confirmed" else "", _SHORT.get(text, ""))


def _time(seconds: float | None) -> str:
    return NONE if seconds is None else format_duration(seconds)


_column = Column[TuningResult]
_COLUMNS = (
    _column("size_bytes", "size", lambda tuning_result: format_size(tuning_result.cell.size_bytes)),
    _column("guidelines", "guidelines", _rules, "left", 3),
    _column("winner", "remedy", lambda tuned: NONE if tuned.winner is None else tuned.winner.name, "left"),
    _column("way", "way", lambda tuned: NONE if tuned.winner is None else tuned.winner.way.value, "left", 4),
    _column("before_s", "before", _before, importance=1),
    _column("after_s", "after", _after, importance=1),
    _column("ratio", "ratio", _ratio),
    _column("ratio_low", "95 %", _interval, "range", 2),
    _column("candidates", "tried", lambda tuned: str(tuned.candidates), importance=5),
    _column("result", "result", _result, "left"),
)
