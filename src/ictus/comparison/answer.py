"""The answer of `ictus compare`: lines for the terminal, rows and settings for scripts."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from ictus.comparison.comparison import Comparison
from ictus.comparison.decisions import DecisionsReached
from ictus.comparison.gate import Gate
from ictus.comparison.goal import GoalReached, goal_sentences
from ictus.comparison.mode_table import mode_table
from ictus.comparison.rows import compared
from ictus.comparison.tables import comparison_table, ranking_table, share_table
from ictus.comparison.words import (
    alone_note,
    first_places,
    method,
    outlook,
    ranking_note,
    ratio_note,
    sentence,
    share_note,
)
from ictus.model.errors import GateHit
from ictus.render.output import print_note, width, wrapped
from ictus.render.terminal import lines


def row_tables(found: Comparison) -> dict[str, list[dict[str, object]]]:
    """All tables as rows."""
    return {
        "pairs": [row.as_row(found.alternative) for row in found.rows],
        "ranking": [row for ranking in found.rankings for row in ranking.as_rows()],
        "shares": [] if found.shares is None else found.shares.as_rows(),
    }


def settings(found: Comparison) -> dict[str, object]:
    """How it was judged, for the JSON object."""
    names = ("by", "test", "paired", "adjust", "level", "equivalence", "alternative", "stratified")
    return {**{name: getattr(found, name) for name in names}, **found.reduction.as_row()}


def mode_rows(found: Comparison) -> list[dict[str, object]]:
    """The modes of the machine, for the JSON object."""
    return [] if found.modes is None else found.modes.as_rows()


def comparison_lines(
    found: Comparison,
    goal: GoalReached | DecisionsReached | None = None,
    onward: str | None = None,
    *,
    gate: Gate | None = None,
) -> Iterator[Text]:
    """The compared sides and the method, the table, the result in sentences, the command `onward` that adds launches,
    the state of a goal, and what a gate judges.
    """
    columns = width()
    if found.rankings:
        yield from wrapped(ranking_note(found.rankings, found.by), "dim", columns)
        yield Text()
        yield from lines(ranking_table(found.rankings, found.by, found.reduction.summary), columns)
        yield Text()
        yield from wrapped(first_places(found.rankings), "bold", columns)
        yield Text()
    for line in method(found):
        yield from wrapped(line, "dim", columns)
    yield Text()
    yield from lines(comparison_table(found.rows, found.alternative, found.level, found.equivalence), columns)
    if found.stratified:
        yield from _spaced(lines(mode_table(found), columns))
    yield Text()
    yield from wrapped(ratio_note(found.test) + alone_note(found.rows, found.adjust), "dim", columns)
    for a, b in found.pairs:
        rows = [row for row in found.rows if (row.a, row.b) == (a, b)]
        yield Text()
        yield from wrapped(sentence(rows, a, b, found.equivalence), "bold", columns)
        if further := outlook(rows):
            yield from wrapped(further, "", columns)
    if onward is not None and goal is None:
        yield from wrapped(f"`{onward}` measures more.", "dim", columns)
    if found.shares is not None and len(found.shares.factors) > 1:
        yield Text()
        yield from lines(share_table(found.shares), columns)
        yield Text()
        yield from wrapped(share_note(found.shares), "dim", columns)
    for text in goal_sentences(goal) if goal is not None else ():
        yield Text()
        yield from wrapped(text, "dim", columns)
    if gate is not None:
        yield Text()
        yield from wrapped(f"Gate: {gate.sentence(found.pairs)}.", "bold", columns)


def _spaced(table: Sequence[Text]) -> Iterator[Text]:
    if table:
        yield Text()
        yield from table


def judge(gate: Gate, found: Comparison) -> None:
    """GateHit where a case hits; a word where some are open, which no gate of a direction can be hit by."""
    hits, unknown = gate.count(found.rows), found.counts.not_comparable
    if hits:
        raise GateHit(f"gate '{gate.text}' is hit by {hits} of {compared(found.rows)}")
    if found.counts.open:
        open_cases = f"{found.counts.open} of {compared(found.rows)}"
        print_note(
            f"gate not hit; {open_cases} {'is' if found.counts.open == 1 else 'are'} undecided or cannot be decided"
        )
    if unknown:
        print_note(f"gate not hit; {unknown} of {compared(found.rows)} cannot be compared")
