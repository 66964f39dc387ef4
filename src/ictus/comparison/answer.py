"""The answer of `ictus compare`: lines for the terminal, rows and settings for scripts."""

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from ictus.comparison.comparison import Comparison
from ictus.comparison.decisions import DecisionsReached
from ictus.comparison.evidence import span_sentence
from ictus.comparison.folding import fold_note, folded
from ictus.comparison.gate import Gate
from ictus.comparison.goal import GoalReached, goal_sentences
from ictus.comparison.judged_pairs import pair_sentences, result_sentences
from ictus.comparison.mode_table import mode_table
from ictus.comparison.ranking_words import ranking_note, share_note
from ictus.comparison.rows import compared, comparison_record
from ictus.comparison.span import span_row
from ictus.comparison.tables import RANKING_COLUMNS, comparison_table, ranked, ranking_table, share_table
from ictus.comparison.unknown_words import missing_sentences, unknown_cases, unknown_reasons
from ictus.comparison.words import alone_note, method, ratio_note, step_sentence
from ictus.model.errors import UsageError
from ictus.render.output import next_line, print_note, width, wrapped
from ictus.render.table import records
from ictus.render.terminal import lines


def row_tables(comparison: Comparison) -> dict[str, Sequence[Mapping[str, object]]]:
    """All tables as rows."""
    return {
        "pairs": [comparison_record(row, comparison.alternative) for row in comparison.rows],
        "ranking": records(ranked(comparison.rankings), RANKING_COLUMNS),
        "shares": [] if comparison.shares is None else records(comparison.shares.sources),
    }


def settings(comparison: Comparison) -> dict[str, object]:
    """How it was judged, for the JSON object."""
    names = ("by", "test", "paired", "adjust", "level", "equivalence", "alternative", "stratified")
    return {
        **{name: getattr(comparison, name) for name in names},
        **comparison.reduction.as_object(),
        **span_row(comparison.span),
    }


def mode_rows(comparison: Comparison) -> list[Mapping[str, object]]:
    """The modes of the machine, for the JSON object."""
    return [] if comparison.modes is None else records(comparison.modes.modes)


def comparison_lines(
    comparison: Comparison,
    goal: GoalReached | DecisionsReached | None = None,
    onward: str | None = None,
    *,
    gate: Gate | None = None,
    fold: bool = False,
    every: str = "--all shows every case.",
    selecting: Sequence[str] = (),
) -> Iterator[Text]:
    """The answer first: what was found, how sure, and the command `onward` that adds launches; then the tables, and the
    state of a goal. With `fold` long operations are folded, and `every` says how all are shown; `selecting` says which
    variables select algorithms.
    """
    columns = width()
    answer = result_sentences(comparison)
    span = span_sentence(comparison.span, comparison.evidence, len(comparison.compared))
    plain = (comparison.evidence.sentence, *span, *selecting)
    for text in (*answer[:1], *plain, *answer[1:]):
        yield from wrapped(text, "" if text in plain else "bold", columns)
    direction, *judged = method(comparison)
    for text in judged:
        yield from wrapped(text, "dim", columns)
    if gate is not None:
        yield from wrapped(f"Gate: {gate.sentence(comparison.pairs)}.", "", columns)
    if onward is not None and goal is None:
        for text in step_sentence(comparison):
            yield from wrapped(text, "", columns)
        yield next_line(onward)
    yield Text()
    if comparison.rankings:
        yield from wrapped(ranking_note(comparison.rankings, comparison.by), "dim", columns)
        yield Text()
        yield from lines(ranking_table(comparison.rankings, comparison.by, comparison.reduction.summary), columns)
        yield Text()
    yield from wrapped(direction, "dim", columns)
    yield Text()
    visible = folded(comparison.rows) if fold else comparison.rows
    table = comparison_table(
        comparison.rows, comparison.alternative, comparison.level, comparison.equivalence, visible=visible
    )
    yield from lines(table, columns)
    yield from wrapped(fold_note(visible, comparison.rows, every), "dim", columns)
    yield from wrapped(" ".join(missing_sentences(comparison.rows)), "", columns)
    if comparison.stratified:
        yield from _spaced(lines(mode_table(comparison), columns))
    yield Text()
    yield from wrapped(ratio_note(comparison) + alone_note(comparison.rows, comparison.adjust), "dim", columns)
    for text in pair_sentences(comparison):
        if text not in answer:
            yield Text()
            yield from wrapped(text, "", columns)
    if comparison.shares is not None and len(comparison.shares.factors) > 1:
        yield Text()
        yield from lines(share_table(comparison.shares), columns)
        yield Text()
        yield from wrapped(share_note(comparison.shares), "dim", columns)
    for text in goal_sentences(goal) if goal is not None else ():
        yield Text()
        yield from wrapped(text, "dim", columns)


def check_compared(comparison: Comparison) -> None:
    """UsageError where no case can be compared, with the reason."""
    if comparison.counts.total == comparison.counts.unknown:
        raise UsageError(f"no case can be compared: {unknown_reasons(comparison.rows)}")


def _spaced(table: Sequence[Text]) -> Iterator[Text]:
    if table:
        yield Text()
        yield from table


def gate_row(condition: Gate, comparison: Comparison) -> dict[str, object]:
    """JSON of the gate: cases that hit it, where something judges them, and cases of which nothing is known."""
    return {
        "condition": condition.text,
        "judges": condition.sentence(comparison.pairs),
        "hit_by": condition.count(comparison.rows) if comparison.evidence.judged else None,
        "unanswered": len(condition.unanswered(comparison.rows)),
    }


def judge(gate: Gate, comparison: Comparison, onward: str | None = None, deciding: Sequence[str] = ()) -> None:
    """GateHit where a case hits; a word where some are open, which no gate of a direction can be hit by, and the
    command `onward` that decides more of them. UsageError where the evidence proves nothing, with the commands that
    would decide, and where nothing is known of a case that the gate may not pass over.
    """
    if not comparison.evidence.judged:
        commands = "".join(f"\n  {line}" for line in deciding)
        why = (
            "what was measured apart"
            if comparison.evidence.control is None
            else "one campaign a side through a control"
        )
        raise UsageError(
            f"gate '{gate.text}' cannot be judged: {why} proves nothing. What decides:{commands}\n"
            "  --allow apart accepts it: then the ratio and interval of these two measurements are judged"
        )
    hits, unanswered = gate.count(comparison.rows), gate.unanswered(comparison.rows)
    lost = f"nothing is known of {len(unanswered)} of {compared(comparison.rows)}" if unanswered else ""
    gate.end(f"{hits} of {compared(comparison.rows)}" if hits else "", lost, unknown_cases(unanswered))
    if comparison.counts.open:
        open_cases = f"{comparison.counts.open} of {compared(comparison.rows)}"
        print_note(
            f"gate not hit; {open_cases} {'is' if comparison.counts.open == 1 else 'are'} undecided or cannot be "
            "decided"
        )
    if comparison.counts.unknown:
        print_note(f"gate not hit; nothing is known of {comparison.counts.unknown} of {compared(comparison.rows)}")
    if comparison.counts.open and onward is not None:
        print_note(next_line(onward))
