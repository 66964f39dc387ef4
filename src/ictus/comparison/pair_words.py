"""The result of a pair of sides in a sentence, and what more launches would decide."""

from collections.abc import Sequence

from ictus.comparison.case_titles import LIBRARY, joined
from ictus.comparison.effect_sizes import at_most_apart, faster_by
from ictus.comparison.rows import OPEN, ComparisonRow, count
from ictus.comparison.unknown_words import missing_parts, unknown_reasons
from ictus.comparison.verdict_texts import ratio_text
from ictus.model.quantity import percent
from ictus.stats.planning import MOST_LAUNCHES
from ictus.stats.verdict import UNIT_CAMPAIGN, UNIT_LAUNCH, VerdictKind, plural


def unit_of(rows: Sequence[ComparisonRow]) -> str:
    """What the rows count: launches, or campaigns."""
    return UNIT_CAMPAIGN if any(row.result.unit == UNIT_CAMPAIGN for row in rows) else UNIT_LAUNCH


def sentence(rows: Sequence[ComparisonRow], a: str, b: str, equivalence: float) -> str:
    """`mpich is faster than openmpi in 21 of 42 cases and slower in 9; 4 are the same within 5 %, 8 are undecided.`"""
    counts = count(rows)
    if counts.apart:
        return _apart(rows, a, b)
    if counts.total == counts.unknown:
        where = "" if counts.total == 1 else f" in any of {counts.total} cases"
        return f"{a} and {b} cannot be compared{where}: {unknown_reasons(rows)}."
    return _single(rows[0], a, b) if counts.total == 1 else _of_many(rows, a, b, equivalence)


def _of_many(rows: Sequence[ComparisonRow], a: str, b: str, equivalence: float) -> str:
    counts = count(rows)
    cases = f"{counts.total} cases"
    parts = [
        *_part(counts.same, "is", "are", f"the same within {percent(equivalence)}"),
        *_part(counts.open - counts.cannot_decide, "is", "are", "undecided"),
        *_part(counts.cannot_decide, "cannot", "cannot", f"be decided by so few {plural(unit_of(rows))}"),
        *_part(counts.not_comparable, "cannot", "cannot", "be compared"),
        *missing_parts(rows),
    ]
    unordered = f"in distribution in {_share(counts.distributions, counts.total)} without either being proven faster"
    if counts.faster == counts.slower == 0 < counts.distributions:
        return f"{a} and {b} differ {unordered}{f'; {joined(parts)}' if parts else ''}."
    if counts.distributions:
        parts.insert(0, f"they differ {unordered}")
    if counts.faster == counts.slower == 0 and len(parts) == 1 and counts.same:
        return f"{a} and {b} are the same within {percent(equivalence)} in {_every(counts.total)}."
    if counts.faster == counts.slower == 0:
        verdict = parts[0].partition(" ")[2]
        overall = f"{_every(counts.total)} {verdict}" if len(parts) == 1 else f"of {cases}, {joined(parts)}"
        if len(parts) == 1 and counts.cannot_decide:
            overall = f"none of {cases} can {verdict.removeprefix('cannot ')}"
        return f"No difference between {a} and {b} is proven: {overall}."
    if counts.slower == 0:
        first = f"{a} is faster than {b} in {_share(counts.faster, counts.total)} and slower in none"
    elif counts.faster == 0:
        first = f"{a} is slower than {b} in {_share(counts.slower, counts.total)} and faster in none"
    else:
        first = f"{a} is faster than {b} in {counts.faster} of {cases} and slower in {counts.slower}"
    return f"{first}; {joined(parts)}." if parts else f"{first}."


def _apart(rows: Sequence[ComparisonRow], a: str, b: str) -> str:
    """`a / b, apart: ratios 0.97 to 1.2 in 8 cases prove nothing; 2 of 8 lie beyond the usual spread between
    campaigns.`
    """
    ratios = sorted(row.ratio for row in rows if row.outcome == VerdictKind.APART.value)
    low, high = ratio_text(ratios[0]), ratio_text(ratios[-1])
    ratios_text = f"a ratio of {low} proves nothing"
    if len(ratios) > 1:
        ratios_text = f"ratios of {low if low == high else f'{low} to {high}'} in {len(ratios)} cases prove nothing"
    beyond_flags = [row.beyond_usual for row in rows if row.beyond_usual is not None]
    beyond = f"{sum(beyond_flags)} of {len(beyond_flags)} {'lies' if sum(beyond_flags) == 1 else 'lie'} beyond"
    usual_texts = [f"{beyond} the usual spread between campaigns"] if beyond_flags else []
    lost = [*_part(count(rows).not_comparable, "cannot", "cannot", "be compared"), *missing_parts(rows)]
    return f"{a} / {b}, apart: {'; '.join((ratios_text, *usual_texts, *lost))}."


def outlook(rows: Sequence[ComparisonRow]) -> str:
    """The expected gain of more launches, by the open cases' own estimates; empty without an open case."""
    verdicts = [row.result.verdict for row in rows if row.outcome in OPEN]
    if not verdicts:
        return ""
    more_words = "more launches" if any(LIBRARY in row.case for row in rows) else "more launches of each library"
    more_words = "more campaigns a side" if unit_of(rows) == UNIT_CAMPAIGN else more_words
    if any(verdict.at_least for verdict in verdicts):
        least = max(verdict.more_launches or 0 for verdict in verdicts if verdict.at_least)
        each = "The open case takes" if len(verdicts) == 1 else f"The {len(verdicts)} open cases take"
        cannot = f"how many decide, one {unit_of(rows)} a side cannot tell"
        return f"{each} at least {least:,} {_of_number(least, more_words)}; {cannot}."
    return _forecast([verdict.more_launches for verdict in verdicts], more_words)


def _forecast(needed: Sequence[int | None], more_words: str) -> str:
    """By the estimates of the open cases; `more_words` is what there are more of."""
    counts = sorted(number for number in needed if number is not None)
    far = len(needed) - len(counts)
    which = "The open case" if len(needed) == 1 else f"Of the {len(needed)} open cases"
    if not counts:
        verb = "needs" if len(needed) == 1 else "each needs"
        what = " ".join(more_words.split()[:2])
        return f"{which} {verb} more than {MOST_LAUNCHES:,} {what}: the difference is too small for this noise."
    if len(needed) == 1:
        return f"{which} would be decided by about {counts[0]:,} {_of_number(counts[0], more_words)}."
    half = counts[(len(counts) - 1) // 2]
    decided = sum(number <= half for number in counts)
    number = decided if decided < len(needed) else "all"
    parts = [f"about {half:,} {_of_number(half, more_words)} would decide {number}"]
    if counts[-1] > half:
        parts.append(f"about {counts[-1]:,} more would decide {len(counts) if far else 'all'}")
    if far:
        parts.append(f"{far} {'needs' if far == 1 else 'need'} more than {MOST_LAUNCHES:,}")
    return f"{which}, {joined(parts)}."


def _of_number(number: int, more_words: str) -> str:
    """`more launches`, or `more launch` of one."""
    return more_words if number != 1 else more_words.replace("launches", "launch").replace("campaigns", "campaign")


def _single(row: ComparisonRow, a: str, b: str) -> str:
    text = row.result.verdict.text
    if row.winner is not None:
        _, _, within = text.partition(", ")
        return (
            f"{row.winner} is {faster_by([row])} than {b if row.winner == a else a}{f', {within}' if within else ''}."
        )
    if row.outcome == VerdictKind.DISTRIBUTIONS.value:
        return f"{a} and {b} differ in distribution, but neither is proven faster."
    if row.outcome == "same":
        return f"{a} and {b} are the {text}."
    bound = at_most_apart([row])
    return f"{a} against {b}: {text}{f'; {bound}' if bound else ''}."


def _every(total: int) -> str:
    """`both cases`, `all 41 cases`."""
    return "both cases" if total == 2 else f"all {total} cases"


def _share(number: int, total: int) -> str:
    return _every(total) if number == total else f"{number} of {total} cases"


def _part(number: int, singular: str, plural_verb: str, words: str) -> list[str]:
    return [f"{number} {singular if number == 1 else plural_verb} {words}"] if number else []
