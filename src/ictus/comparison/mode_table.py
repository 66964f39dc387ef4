"""The cases whose ratio depends on the mode of the machine: each mode's own verdict."""

from collections.abc import Sequence

from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, size_title, varying
from ictus.comparison.comparison import Comparison
from ictus.comparison.modes import Mode
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.verdict_texts import ratio_text
from ictus.render.table import NONE, Block, Cell, Column, Table
from ictus.stats.verdict import VerdictKind

_WORDS = {VerdictKind.NOT_COMPARABLE: "NA", VerdictKind.CANNOT_DECIDE: "too few launches"}


def mode_table(comparison: Comparison) -> Table[ComparisonRow]:
    """A row for each such case, a column for each mode; without rows where the ratio depends on no mode."""
    rows = [row for row in comparison.rows if row.result.by_stratum]
    modes = () if comparison.modes is None else comparison.modes.modes
    names = varying([row.case for row in comparison.rows])
    columns = (
        Column[ComparisonRow](
            "operation", "operation", lambda row: operation_title(row.case), "left", only=("markdown",)
        ),
        Column[ComparisonRow]("size_bytes", "size", lambda row: size_title(row.case)),
        *(_column(mode) for mode in modes),
    )
    blocks = [
        Block(operation_title(block[0].case), _detail(block[0], names, comparison), block)
        for block in grouped(rows, lambda row: (row.a, row.b, *group_key(row.case, names)))
    ]
    return Table(columns, blocks, "Ratio and verdict of each mode of the machine.", title="By mode", kind="modes")


def _detail(row: ComparisonRow, names: Sequence[str], comparison: Comparison) -> str:
    who = f"{row.a} / {row.b}" if len(comparison.pairs) > 1 else ""
    return ", ".join(filter(None, (who, group_detail(row.case, names))))


def _column(mode: Mode) -> Column[ComparisonRow]:
    def cell(row: ComparisonRow) -> Cell:
        comparison = next(
            (stratum_row for stratum_row in row.result.by_stratum if stratum_row.stratum + 1 == mode.number), None
        )
        if comparison is None:
            return Cell(NONE)
        winner = {VerdictKind.FASTER: row.a, VerdictKind.SLOWER: row.b}.get(comparison.kind)
        words = _WORDS.get(comparison.kind, comparison.kind.value) if winner is None else f"{winner} faster"
        return Cell(f"{ratio_text(comparison.ratio)} {words}", "bold" if winner else "dim")

    return Column[ComparisonRow]("by_mode", f"{mode.number}: {mode.text}", cell, "left", short=f"mode {mode.number}")
