"""The cases of which nothing is known, in words: those that a side lacks, and those of which it has no number."""

from collections import Counter
from collections.abc import Sequence

from ictus.comparison.case_titles import case_title, first_ones, grouped
from ictus.comparison.rows import UNKNOWN, ComparisonRow
from ictus.comparison.verdict_texts import verdict_text

_NAMED = 3
"""Reasons that a message names."""


def missing_parts(rows: Sequence[ComparisonRow]) -> list[str]:
    """`2 are only in old`, for all that lack a case."""
    whose = Counter(verdict_text(row) for row in rows if row.missing)
    return [f"{number} {'is' if number == 1 else 'are'} {who}" for who, number in whose.items()]


def _unknown_reason(row: ComparisonRow) -> str:
    return row.result.verdict.text.removeprefix("NA: ")


def unknown_reasons(rows: Sequence[ComparisonRow]) -> str:
    """Why nothing is known of the cases, each reason once; of several the commonest, with the number of cases."""
    reasons = Counter(_unknown_reason(row) for row in rows if row.outcome in UNKNOWN)
    if len(reasons) == 1:
        return next(iter(reasons))
    named = [f"{reason} ({number} case{'' if number == 1 else 's'})" for reason, number in reasons.most_common(_NAMED)]
    return ", ".join(named) + (f" and {len(reasons) - _NAMED} more reasons" if len(reasons) > _NAMED else "")


def unknown_cases(rows: Sequence[ComparisonRow]) -> str:
    """`MPI_Bcast 32 KiB n=2 and 4 more (only in old; none of 8 launches of new has it)`, each reason with its cases."""
    groups = grouped(rows, _unknown_reason)
    named = ((first_ones(case_title(row.case) for row in group), _unknown_reason(group[0])) for group in groups)
    return ", ".join(f"{names} ({reason})" for names, reason in named)


def missing_sentences(rows: Sequence[ComparisonRow]) -> tuple[str, ...]:
    """`Only in old: none of 8 launches of new has it.`, each once."""
    texts = dict.fromkeys(row.result.verdict.text for row in rows if row.missing)
    return tuple(f"{text[:1].upper()}{text[1:].replace('; ', ': ', 1)}." for text in texts)
