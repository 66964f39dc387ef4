"""A comparison as Markdown, for the summary of a continuous integration: what was found first, every case behind it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from ictus.comparison.gate import Gate
from ictus.comparison.rows import ComparisonRow, compared
from ictus.comparison.tables import comparison_table
from ictus.comparison.unmatched import Unmatched, case_name
from ictus.render.markdown import escaped, table_lines


def comparison_markdown(
    title: str,
    *,
    rows: Sequence[ComparisonRow],
    sentences: Iterable[str],
    method: Iterable[str],
    gate: Gate | None,
    left_out: Sequence[Unmatched],
    warnings: Sequence[str],
    level: float,
    equivalence: float,
) -> str:
    """The whole summary: heading with the gate's outcome, sentences, the cases that hit, warnings, all cases folded.

    `sentences` say what was found, `method` how it was judged; `rows` are those of the comparison.
    """
    table = partial(comparison_table, rows, "two-sided", level, equivalence)
    hits = [row for row in rows if gate is not None and gate.hits(row)]
    lines = [f"## {title}", "", *_outcome(gate, len(hits), compared(rows)), *_paragraphs(sentences)]
    if hits:
        lines += [*table_lines(table(shown=hits)), ""]
    if warnings:
        lines += ["**Warnings**", "", *(f"- {escaped(warning)}" for warning in warnings), ""]
    folded = f"{'All' if hits else 'The'} {compared(rows)}"
    lines += [
        "<details>",
        f"<summary>{folded}</summary>",
        "",
        *table_lines(table()),
        "",
    ]
    lines += [*_paragraphs(method), "</details>"]
    if left_out:
        number = f"{len(left_out)} case{'' if len(left_out) == 1 else 's'} that only one side has"
        lines += ["", "<details>", f"<summary>{number}</summary>", ""]
        lines += [
            f"- {escaped(case_name(one.case))}: in {escaped(one.there)}, not in {escaped(one.not_in)}"
            for one in left_out
        ]
        lines += ["", "</details>"]
    return "\n".join(lines) + "\n"


def _outcome(gate: Gate | None, n_hits: int, all_of_them: str) -> Iterator[str]:
    if gate is not None:
        found = f"**hit by {n_hits} of {all_of_them}**" if n_hits else f"not hit by any of {all_of_them}"
        yield from (f"Gate `{gate.text}`: {found}.", "")


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (escaped(text), "")
