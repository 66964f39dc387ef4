"""Tables of a check, for the terminal, after those of Hunold et al. 2016: how many guidelines are violated (their
Table 2), which by which library (3), which at which size (4); and what violating them costs.
"""

import textwrap
from collections.abc import Iterator, Sequence

from rich.text import Text

from ictus.comparison.tables import interval_text, ratio_text
from ictus.guidelines.check.rows import Checked
from ictus.guidelines.rule import Kind
from ictus.guidelines.tallies import Count, SizeTable, by_place, by_size, counts, worst_first
from ictus.guidelines.verdict import GuidelineVerdict, State
from ictus.guidelines.wording import short, side
from ictus.model.quantity import format_duration, format_size, size_text
from ictus.model.registries import Registries
from ictus.render.table import Block, Cell, CellRow, Heading, Table, cell_table

DOTS = {
    State.VIOLATED: "●",
    State.PREDICTED: "○",
    State.CANNOT_DECIDE: "?",
    State.NOT_COMPARABLE: "–",
    State.HOLDS: "",
    State.REFUTED: "",
}
"""A violation, one that medians predict, what cannot be decided or compared; nothing where it holds."""
LEGEND = {
    "●": "violated",
    "○": "predicted by medians, not measured",
    "?": "too few launches to decide",
    "–": "no data on a side",
}
_STYLES = {"●": "magenta", "○": "yellow"}
KINDS = {Kind.MONOTONY: "monotony", Kind.SPLIT: "split-robustness", Kind.PATTERN: "pattern"}
_WORST = 10
_NAME = 40
"""Characters that the name of a guideline takes in the narrowest table of sizes."""


def count_table(found: Checked) -> Table[CellRow]:
    """Of how many guidelines of each kind how many are violated, by library."""
    columns = (Heading("processes"), Heading("kind", "left"), *(Heading(_library(found, i)) for i in _libraries(found)))
    rows: list[CellRow] = []
    for row in counts(found.verdicts):
        by_library = {(place.library, place.algorithm): count for place, count in row.counts.items()}
        shown = [count_text(by_library.get(library)) for library in _libraries(found)]
        rows.append((str(row.n), KINDS[row.kind], *shown))
    return cell_table(columns, [Block("Violated guidelines", "of those that were checked", rows)])


def count_text(count: Count | None) -> str:
    """`2/9`; `2/9 + 1○`: one more that is only predicted; `0/9, 3?` where some cannot be decided."""
    if count is None:
        return ""
    text = f"{count.violated}/{count.checked}"
    text += f" + {count.predicted}○" if count.predicted else ""
    return text + (f", {count.undecided}?" if count.undecided else "")


def guideline_table(found: Checked) -> Table[CellRow]:
    """Each pattern in each place."""
    registries, places = Registries.load(), found.places
    columns = (Heading("", "left", 1), Heading("pattern", "left"), *(Heading(found.name(place)) for place in places))
    rows: list[CellRow] = [
        (row.rule.name, short(row.rule, registries), *(_dot(row.states.get(place)) for place in places))
        for row in by_place(found.verdicts)
    ]
    return cell_table(columns, [Block("Patterns by library", "", rows)] if rows else [])


def size_tables(found: Checked, width: int) -> Iterator[Text]:
    """Each guideline that is violated at any size, at each size; a table for each place."""
    for place in found.places:
        shown = by_size(found.verdicts, place)
        if shown.rows:
            yield from _size_table(shown, f"By message size, {found.name(place)}", width)
            yield Text()


def _size_table(shown: SizeTable, title: str, width: int) -> Iterator[Text]:
    registries = Registries.load()
    names = [f"{row.rule.kind.value[0]}  {short(row.rule, registries)}" for row in shown.rows]
    longest = max(map(len, names))
    each = 2 if 2 + longest + 2 + 2 * len(shown.sizes) <= width else 1
    room = max(12, min(longest, width - 4 - each * len(shown.sizes)))
    yield Text(title, "bold")
    labels = [size_text(size) for size in shown.sizes]
    height = max(map(len, labels))
    for line in range(height):
        cells = "".join(label.rjust(height)[line].ljust(each) for label in labels)
        yield _line(" " * (room + 4) + cells, "dim")
    for name, row in zip(names, shown.rows, strict=True):
        text = Text("  ")
        text.append((name if len(name) <= room else f"{name[: room - 1]}…").ljust(room + 2))
        for size in shown.sizes:
            dot = DOTS[row.states[size]] if size in row.states else ""
            text.append(dot.ljust(each), _STYLES.get(dot))
        text.rstrip()
        yield text


def loss_table(verdicts: Sequence[GuidelineVerdict], found: Checked) -> Table[CellRow]:
    """The violations that cost the most; all of them are in --json."""
    worst = worst_first(verdicts)
    interval = "95 %" if found.options.level == 0.05 else "interval"
    columns = (
        Heading("guideline", "left"),
        Heading("library", "left"),
        Heading("size"),
        Heading("call", importance=3),
        Heading("instead", importance=4),
        Heading("ratio", "point"),
        Heading(f"{interval} of ratio", "left", 5),
        Heading("loss"),
        Heading(f"{interval} of loss", "left", 2),
        Heading("", "left"),
    )
    rows = [_loss(one, found) for one in worst[:_WORST]]
    more = f"the {_WORST} greatest of {len(worst)}" if len(worst) > _WORST else ""
    return cell_table(columns, [Block("What violations cost", more, rows)] if rows else [])


def _loss(one: GuidelineVerdict, found: Checked) -> CellRow:
    name = short(one.rule, Registries.load())
    text = {
        Kind.MONOTONY: f"{name}, {size_text(one.right_size_bytes)} is faster",
        Kind.SPLIT: f"{name}, {parts_text(one)}",
    }
    said = text.get(one.rule.kind, name)
    return (
        Cell(said, short=said if len(said) <= _NAME else f"{said[: _NAME - 1]}…"),
        found.name(one.place),
        at_size(one),
        _time(one.left_s),
        _time(one.right_s),
        Cell(ratio_text(one.ratio), "bold"),
        interval_text(one.ratio_low, one.ratio_high),
        _time(one.loss_s),
        loss_interval(one),
        one.stars or ("○" if one.state is State.PREDICTED else ""),
    )


def loss_interval(one: GuidelineVerdict) -> str:
    """`1.70 … 1.84 µs`, `980 ns … 1.10 µs`; a dash where there is none."""
    if one.difference_low_s is None or one.difference_high_s is None:
        return "–"
    low, high = format_duration(one.difference_low_s), format_duration(one.difference_high_s)
    number, _, unit = low.partition(" ")
    return f"{number if high.endswith(f' {unit}') else low} … {high}"


def parts_text(one: GuidelineVerdict) -> str:
    """`3 x 512 B`: what a split is made of."""
    return f"{one.times} x {format_size(one.right_size_bytes)}"


def instead_text(one: GuidelineVerdict) -> str:
    """What the call is compared with: `MPI_Allgather`, `the next size, 64 B`, `3 x 512 B`."""
    if one.rule.kind is Kind.MONOTONY:
        return f"the next size, {format_size(one.right_size_bytes)}"
    return parts_text(one) if one.rule.kind is Kind.SPLIT else side(one.rule.right, Registries.load())


def at_size(one: GuidelineVerdict) -> str:
    """Its size; a dash of a barrier, which has none."""
    return format_size(one.size_bytes) if sized(one) else "–"


def sized(one: GuidelineVerdict) -> bool:
    """Whether there is a size to speak of: a barrier has none."""
    return Registries.load().operation(one.rule.left.name).volume != "none"


def legend(found: Checked, width: int) -> Iterator[Text]:
    """What the marks mean that are in any table."""
    used = {DOTS[one.state] for one in found.verdicts}
    said = "; ".join(f"{mark} {words}" for mark, words in LEGEND.items() if mark in used)
    for line in textwrap.wrap(f"{said[0].upper()}{said[1:]}; nothing: the guideline holds." if said else "", width):
        yield Text(line, "dim")


def _libraries(found: Checked) -> list[tuple[str, str]]:
    """Libraries with their variants, whatever the number of processes."""
    return list(dict.fromkeys((place.library, place.algorithm) for place in found.places))


def _library(found: Checked, library: tuple[str, str]) -> str:
    several = len({one.algorithm for one in found.places}) > 1
    return " ".join(library) if several else library[0]


def _dot(state: State | None) -> Cell:
    dot = "" if state is None else DOTS[state]
    return Cell(dot, _STYLES.get(dot, ""))


def _time(seconds: float | None) -> str:
    return "NA" if seconds is None else format_duration(seconds)


def _line(text: str, style: str) -> Text:
    line = Text(text, style)
    line.rstrip()
    return line
