"""The table of clock errors that the studies of accuracy and of frequency both show."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, short
from ictus.render.unit import TimeUnit, three_digits, time_unit
from ictus.studies.clocks.errors import AlgorithmSummary
from ictus.studies.clocks.label import label, seconds


@dataclass(frozen=True)
class Contender:
    """An algorithm among those with as many processes."""

    summary: AlgorithmSummary
    best: dict[float, float | None]
    """By wait, the smallest error of all of them, seconds; None where there is but one."""


def overview(summaries: Sequence[AlgorithmSummary], waits_s: Sequence[float]) -> Table[Contender]:
    """One line an algorithm: the largest error at each wait. Waits between the first and the last give way first."""
    unit = unit_of(summaries, waits_s)
    column, ends = Column[Contender], {*waits_s[:1], *waits_s[-1:]}
    columns = (
        column("algorithm", "", _name, "left"),
        column("elapsed_s", "spent", lambda contender: format_duration(contender.summary.elapsed_s)),
        column("messages", "messages", lambda row: f"{row.summary.messages:,.0f}", importance=3),
        *(
            column("max_s", seconds(wait), partial(_largest, wait=wait), "point", 0 if wait in ends else 2)
            for wait in waits_s
        ),
        column("beyond", "beyond", lambda row: beyond_cell(row.summary.beyond, row.summary.bounded), importance=1),
    )
    blocks = []
    for n_ranks in dict.fromkeys(summary.n_ranks for summary in summaries):
        of_size = [summary for summary in summaries if summary.n_ranks == n_ranks]
        judged = [summary for summary in of_size if summary.synchronises]
        errors = {wait: [e.max_s for summary in judged if (e := summary.at(wait))] for wait in waits_s}
        best = {wait: min(errors_s, default=None) if len(judged) > 1 else None for wait, errors_s in errors.items()}
        rows = [Contender(summary, best) for summary in of_size]
        blocks.append(Block("Largest error over ranks", processes(n_ranks), rows, unit, ""))
    return Table(columns, blocks)


def _name(contender: Contender) -> Cell:
    name = label(contender.summary.algorithm)
    return Cell(name, short=short(name, 26))


def _largest(contender: Contender, wait: float) -> Cell:
    error = contender.summary.at(wait)
    return (
        Cell(NONE) if error is None else Cell(Times(error.max_s), "bold" if error.max_s == contender.best[wait] else "")
    )


def beyond_cell(beyond: int, bounded: int) -> Cell:
    """`0 of 63`: checks beyond their proven bound; a dash without a proof."""
    if bounded == 0:
        return Cell(NONE)
    return Cell(f"{beyond} of {bounded}", "bold red" if beyond else "", f"{beyond}/{bounded}")


def unit_of(summaries: Sequence[AlgorithmSummary], waits_s: Sequence[float]) -> TimeUnit:
    """The unit for synchronised clocks, if there are any: unsynchronised ones may be seconds apart."""
    judged = [summary for summary in summaries if summary.synchronises] or summaries
    return time_unit([error.max_s for summary in judged for error in summary.errors if error.wait_s in waits_s])


def ppm(ratio: float) -> str:
    """Parts per million with three significant digits, nothing finer than a millionth of one."""
    return "NA" if math.isnan(ratio) else three_digits(round(1e6 * ratio, 6))
