"""A comparison as Markdown, for the summary of a continuous integration: what was found first, every case behind it."""

from collections.abc import Iterable, Iterator, Sequence

from ictus.comparison.case_titles import size_title
from ictus.comparison.clock_mark import NOTE, marked
from ictus.comparison.gate import Gate
from ictus.comparison.rows import ComparisonRow, compared, group_detail, operation_title, side_names, varying
from ictus.comparison.tables import interval_text, p_text, ratio_text
from ictus.comparison.unmatched import Unmatched, case_name
from ictus.model.quantity import format_duration
from ictus.stats.verdict import percent


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
) -> str:
    """The whole summary: heading with the gate's outcome, sentences, the cases that hit, warnings, all cases folded.

    `sentences` say what was found, `method` how it was judged; `rows` are those of the comparison.
    """
    hits = [row for row in rows if gate is not None and gate.hits(row)]
    lines = [f"## {title}", "", *_outcome(gate, len(hits), compared(rows)), *_paragraphs(sentences)]
    if hits:
        lines += [*_table(hits, rows, level), ""]
    if warnings:
        lines += ["**Warnings**", "", *(f"- {_escaped(warning)}" for warning in warnings), ""]
    folded = f"{'All' if hits else 'The'} {compared(rows)}"
    lines += ["<details>", f"<summary>{folded}</summary>", "", *_table(rows, rows, level), ""]
    lines += [*_paragraphs(method), "</details>"]
    if left_out:
        number = f"{len(left_out)} case{'' if len(left_out) == 1 else 's'} that only one side has"
        lines += ["", "<details>", f"<summary>{number}</summary>", ""]
        lines += [
            f"- {_escaped(case_name(one.case))}: in {_escaped(one.there)}, not in {_escaped(one.not_in)}"
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
        yield from (_escaped(text), "")


_TEXTS = ("compared", "operation", "case", "verdict")
"""Columns of text; the others hold numbers, and are aligned at the right."""


def _table(shown: Sequence[ComparisonRow], rows: Sequence[ComparisonRow], level: float) -> Iterator[str]:
    """One line a case; pairs and whatever else varies among `rows` get columns of their own."""
    names = varying([row.case for row in rows])
    several = len({(row.a, row.b) for row in rows}) > 1
    a, b = side_names(rows)
    head = [*(["compared"] if several else []), "operation", "case", "size", a, b, "ratio"]
    head += [f"{percent(1 - level)} interval", "adjusted p", "verdict"]
    yield f"| {' | '.join(map(_escaped, head))} |"
    yield f"|{'|'.join(' --- ' if name in _TEXTS else ' ---: ' for name in head)}|"
    for row in shown:
        result = row.result
        cells = [
            *([f"{row.a} / {row.b}"] if several else []),
            operation_title(row.case),
            group_detail(row.case, names),
            size_title(row.case),
            marked(_time(result.median_a), near=row.near_clock_bound_a),
            marked(_time(result.median_b), near=row.near_clock_bound_b),
            ratio_text(result.ratio),
            interval_text(result.ratio_low, result.ratio_high),
            p_text(result.p_adjusted),
            result.verdict.text,
        ]
        yield f"| {' | '.join(map(_escaped, cells))} |"
    if any(row.near_clock_bound_a or row.near_clock_bound_b for row in shown):
        yield from ("", NOTE)


def _time(seconds: float | None) -> str:
    return "NA" if seconds is None else format_duration(seconds)


def _escaped(text: str) -> str:
    """Text that no Markdown reader takes for anything else, on one line."""
    plain = " ".join(text.split()).replace("\\", "\\\\")
    for sign in "|<*_`":
        plain = plain.replace(sign, f"\\{sign}")
    return plain
