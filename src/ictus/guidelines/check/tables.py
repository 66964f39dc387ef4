"""Tables of a check, for every output, after those of Hunold et al. 2016: how many guidelines are violated (their Table
2), which by which library (3), which at which size (4); and the cost of the violations.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from ictus.comparison.verdict_texts import interval_text, p_text, ratio_text
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.rule import Kind, short, side
from ictus.guidelines.verdict import (
    Configuration,
    Count,
    CountRow,
    GuidelineRow,
    GuidelineVerdict,
    SizeRow,
    State,
    by_place,
    by_size,
    counts,
    worst_first,
)
from ictus.model.quantity import format_duration, format_size, size_text
from ictus.model.registries import Registries
from ictus.render.table import NONE, Block, Cell, Column, Output, Table, row_columns

COLUMNS = row_columns(
    """
    guideline=rule.name rule.kind rule.source rule.left rule.right rule.layout rule.right_layout mpi=place.library
    place.algorithm place.n loss_low_s=difference_low_s loss_high_s=difference_high_s
    """,
    "ictus.check/1",
)

DOTS = {
    State.VIOLATED: "●",
    State.PREDICTED: "○",
    State.CANNOT_DECIDE: "?",
    State.NOT_COMPARABLE: "–",
    State.HOLDS: "·",
    State.REFUTED: "·",
}
"""A violation, one that medians predict, what cannot be decided or compared, what holds; blank is what was not checked.
"""
LEGEND = {
    "●": "violated",
    "○": "predicted by medians, not measured",
    "?": "too few launches to decide",
    "–": "no data on a side",
    "·": "holds",
}
_STYLES = {"●": "magenta", "○": "yellow", "·": "dim"}
KINDS = {Kind.MONOTONY: "monotony", Kind.SPLIT: "split-robustness", Kind.PATTERN: "pattern"}
_NAME = 40
"""Characters that the name of a guideline takes in the narrowest table of sizes."""


def count_table(result: CheckResult) -> Table[CountRow]:
    """How many guidelines of each kind are violated, out of how many, by library."""
    column = Column[CountRow]
    columns = (
        column("n", "processes", lambda row: str(row.n)),
        column("kind", "kind", lambda row: KINDS[row.kind], "left"),
        *(
            column("state", _library(result, library), partial(_count, library=library))
            for library in _libraries(result)
        ),
    )
    return Table(columns, [Block("Violated guidelines", "of those that were checked", counts(result.verdicts))])


def _count(row: CountRow, library: tuple[str, str]) -> str:
    return count_text(next((n for at, n in row.counts.items() if (at.library, at.algorithm) == library), None))


def count_text(count: Count | None) -> str:
    """`2/9`; `2/9 + 1○`: one more that is only predicted; `0/9, 3?` where some cannot be decided."""
    if count is None:
        return ""
    text = f"{count.violated}/{count.checked}"
    text += f" + {count.predicted}○" if count.predicted else ""
    return text + (f", {count.undecided}?" if count.undecided else "")


def guideline_table(result: CheckResult) -> Table[GuidelineRow]:
    """Each pattern in each place; no block where no pattern was checked."""
    registries = Registries.load()
    column = Column[GuidelineRow]
    columns = (
        column("guideline", "", lambda row: row.rule.name, "left", 1),
        column("left", "pattern", lambda row: short(row.rule, registries), "left"),
        *(
            column("state", result.name(configuration), partial(_state_at, configuration=configuration))
            for configuration in result.places
        ),
    )
    rows = by_place(result.verdicts)
    return Table(columns, [Block("Patterns by library", "", rows)] if rows else [])


def _state_at(row: GuidelineRow, configuration: Configuration) -> Cell:
    return _dot(row.states.get(configuration))


def size_tables(result: CheckResult) -> Iterator[Table[SizeRow]]:
    """Each guideline that is violated at any size, at each size; a table for each place."""
    registries = Registries.load()

    def name(row: SizeRow) -> Cell:
        call = short(row.rule, registries)
        return Cell(f"{KINDS[row.rule.kind]}: {call}", short=f"{row.rule.kind.value[0]}  {call}")

    for configuration in result.places:
        size_table = by_size(result.verdicts, configuration)
        column = Column[SizeRow]
        sizes = (column("state", size_text(size), partial(_state_of, size=size)) for size in size_table.sizes)
        if size_table.rows:
            block = Block(f"By message size, {result.name(configuration)}", "", size_table.rows)
            yield Table((column("left", "", name, "left"), *sizes), [block], kind="marks")


def _state_of(row: SizeRow, size: int) -> Cell:
    return _dot(row.states.get(size))


def loss_table(result: CheckResult, most: int | None = None) -> Table[GuidelineVerdict]:
    """The violations that cost the most, all of them or `most`; --json has all. The page has the interval of the ratio
    and the adjusted p in the table of each guideline.
    """
    worst = worst_first(result.verdicts)
    selection = f"the {most} greatest of {len(worst)}" if most is not None and len(worst) > most else ""
    columns = (Column[GuidelineVerdict]("left", "guideline", _loss_name, "left"), *_verdict_columns(result))
    return Table(columns, [Block("What violations cost", selection, worst[:most])] if worst else [])


def rule_table(result: CheckResult, title: str, verdicts: Sequence[GuidelineVerdict]) -> Table[GuidelineVerdict]:
    """The figures of one guideline, with what each size is compared with where that is not the same for all."""
    rule = verdicts[0].rule
    columns = _verdict_columns(result, on_page=True)
    if rule.kind is not Kind.PATTERN:
        columns = (*columns, Column[GuidelineVerdict]("right_size_bytes", "instead of", instead_text))
    return Table(columns, [Block(title, rule.name, verdicts)])


def _verdict_columns(result: CheckResult, *, on_page: bool = False) -> tuple[Column[GuidelineVerdict], ...]:
    """The columns of a verdict on one guideline at one size; `on_page` for a table that shows all of them on the page
    too.
    """
    interval = "95 %" if result.options.level == 0.05 else "interval"
    column = Column[GuidelineVerdict]
    outputs: Sequence[Output] = ("terminal", "page", "markdown") if on_page else ("terminal", "markdown")
    columns = (
        column("mpi", "library", lambda verdict: result.name(verdict.place), "left"),
        column("size_bytes", "size", at_size),
        column("left_s", "call", lambda verdict: _time(verdict.left_s), importance=3),
        column("right_s", "instead", lambda verdict: _time(verdict.right_s), importance=4),
        column("ratio", "ratio", lambda verdict: Cell(ratio_text(verdict.ratio), "bold"), "point"),
        column("ratio_low", f"{interval} of ratio", _ratio_interval, "range", 5, only=outputs),
        column("loss_s", "loss", lambda verdict: _time(verdict.loss_s)),
        column("loss_low_s", f"{interval} of loss", loss_interval, "range", 2),
        column("stars", "", lambda verdict: verdict.stars or DOTS[verdict.state], "left"),
    )
    p = column(
        "p_adjusted", "adjusted p", lambda verdict: NONE if verdict.p_adjusted is None else p_text(verdict.p_adjusted)
    )
    return (*columns[:-1], p, columns[-1]) if on_page else columns


def _ratio_interval(verdict: GuidelineVerdict) -> str:
    return interval_text(verdict.ratio_low, verdict.ratio_high)


def _loss_name(verdict: GuidelineVerdict) -> Cell:
    name = short(verdict.rule, Registries.load())
    text = {
        Kind.MONOTONY: f"{name}, {size_text(verdict.right_size_bytes)} is faster",
        Kind.SPLIT: f"{name}, {parts_text(verdict)}",
    }
    rule_text = text.get(verdict.rule.kind, name)
    return Cell(rule_text, short=rule_text if len(rule_text) <= _NAME else f"{rule_text[: _NAME - 1]}…")


def loss_interval(verdict: GuidelineVerdict) -> str:
    """`1.70 … 1.84 µs`, `980 ns … 1.10 µs`; a dash where there is none."""
    if verdict.difference_low_s is None or verdict.difference_high_s is None:
        return "–"
    low, high = format_duration(verdict.difference_low_s), format_duration(verdict.difference_high_s)
    number, _, unit = low.partition(" ")
    return f"{number if high.endswith(f' {unit}') else low} … {high}"


def parts_text(verdict: GuidelineVerdict) -> str:
    """`3 x 512 B`: the parts of a split."""
    return f"{verdict.times} x {format_size(verdict.right_size_bytes)}"


def instead_text(verdict: GuidelineVerdict) -> str:
    """The right side: `MPI_Allgather`, `the next size, 64 B`, `3 x 512 B`."""
    if verdict.rule.kind is Kind.MONOTONY:
        return f"the next size, {format_size(verdict.right_size_bytes)}"
    return parts_text(verdict) if verdict.rule.kind is Kind.SPLIT else side(verdict.rule.right, Registries.load())


def at_size(verdict: GuidelineVerdict) -> str:
    """Its size; a dash of a barrier, which has none."""
    return format_size(verdict.size_bytes) if sized(verdict) else "–"


def sized(verdict: GuidelineVerdict) -> bool:
    """Whether there is a size to speak of: a barrier has none."""
    return Registries.load().operation(verdict.rule.left.name).volume != "none"


def legend(result: CheckResult) -> str:
    """The meaning of the marks in any of the tables; empty without marks."""
    used = {DOTS[verdict.state] for verdict in result.verdicts}
    meanings = "; ".join(f"{mark} {words}" for mark, words in LEGEND.items() if mark in used)
    return f"{meanings}; blank: not checked." if meanings else ""


def _libraries(result: CheckResult) -> list[tuple[str, str]]:
    """Libraries with their variants, whatever the number of processes."""
    return list(dict.fromkeys((configuration.library, configuration.algorithm) for configuration in result.places))


def _library(result: CheckResult, library: tuple[str, str]) -> str:
    several = len({configuration.algorithm for configuration in result.places}) > 1
    return " ".join(library) if several else library[0]


def _dot(state: State | None) -> Cell:
    dot = "" if state is None else DOTS[state]
    return Cell(dot, _STYLES.get(dot, ""))


def _time(seconds: float | None) -> str:
    return "NA" if seconds is None else format_duration(seconds)
