"""The result in sentences, as a person would summarise the whole table."""

from collections.abc import Sequence

from ictus.comparison.case_titles import LIBRARY, joined
from ictus.comparison.comparison import Comparison
from ictus.comparison.evidence import EvidenceKind
from ictus.comparison.modes import MachineModes
from ictus.comparison.ranking_words import first_places
from ictus.comparison.rows import OPEN, ComparisonRow, compared, count, side_names
from ictus.comparison.unknown_words import missing_parts, unknown_reasons
from ictus.comparison.verdict_texts import ratio_text
from ictus.model.quantity import percent
from ictus.render.output import command
from ictus.stats.planning import MOST_LAUNCHES
from ictus.stats.registry import find_test
from ictus.stats.verdict import (
    UNIT_CAMPAIGN,
    UNIT_LAUNCH,
    VerdictKind,
    plural,
)
from ictus.store.campaign import Campaign
from ictus.store.manifest import CAMPAIGN, starting_words


def method(found: Comparison) -> tuple[str, ...]:
    """The text above the table: the direction of the ratio, and how it was judged."""
    rows, (a, b) = found.compared, side_names(found.rows)
    launches = _launches_a_side(rows)
    through = f" of differences to {found.evidence.control}" if found.evidence.control is not None else ""
    shared = ", the same on both" if found.paired else ""
    shown = "" if found.alternative == "two-sided" else f"; p is one-sided ({found.alternative})"
    adjusted = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no"}[found.adjust]
    direction = f"{a} / {b}: a ratio below 1 means that {a} is faster."
    within = ", within modes of the machine" if found.stratified else ""
    judged = f"{found.test}{through}, {launches}{shared}{within}; {adjusted} adjustment over {compared(rows)}"
    direction = " ".join(filter(None, (direction, found.numbers, found.reduction.caption)))
    if found.evidence.kind is EvidenceKind.APART:
        told = (
            f"{percent(1 - found.level)} intervals over the launches that were measured, {launches}; no test is made."
        )
        return (direction, told, *mode_sentence(found.modes))
    return (
        direction,
        f"{judged}, level {percent(found.level)}{shown}.",
        *look_sentence(found),
        *mode_sentence(found.modes),
        *_hopeless(rows),
    )


def mode_sentence(modes: MachineModes | None) -> tuple[str, ...]:
    """`Modes of the machine: 1: cores 27 ns apart in 9 launches; 2: cores 104 ns apart in 6.`, if several."""
    if modes is None or not modes.several:
        return ()
    parts = [
        f"{one.number}: {one.text} in {one.n_launches}{'' if index else ' launches'}"
        for index, one in enumerate(modes.modes)
    ]
    unknown = sum(launches.count(-1) for launches in modes.of_launches)
    rest = f"; in {unknown} unknown, or changed during the launch" if unknown else ""
    return (f"Modes of the machine: {'; '.join(parts)}{rest}.",)


def _launches_a_side(rows: Sequence[ComparisonRow]) -> str:
    counts = sorted({number for row in rows for number in (row.result.n_a, row.result.n_b) if number}) or [0]
    number = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
    unit = unit_of(rows)
    return f"{number} {unit if counts == [1] else plural(unit)} a side"


def unit_of(rows: Sequence[ComparisonRow]) -> str:
    """What the rows count: launches, or campaigns."""
    return UNIT_CAMPAIGN if any(row.result.unit == UNIT_CAMPAIGN for row in rows) else UNIT_LAUNCH


def _hopeless(rows: Sequence[ComparisonRow]) -> tuple[str, ...]:
    """`3 launches a side can never decide 8 cases; at least 5 a side are needed.`, where that is so."""
    stuck = [row for row in rows if row.outcome == VerdictKind.CANNOT_DECIDE.value]
    needed = max((row.result.verdict.needed or 0 for row in stuck), default=0)
    if not stuck:
        return ()
    which = compared(rows)
    which = which if len(stuck) == len(rows) else f"{len(stuck)} of {which}"
    return (f"{_launches_a_side(stuck)} can never decide {which}; at least {needed} a side are needed.",)


def ratio_note(found: Comparison) -> str:
    """The meaning of the ratio, in one line under the table: dividing the shown medians gives another number."""
    if found.evidence.control is not None:
        return f"Ratio: of the sides' distances from {found.evidence.control}, by geometric means over launches."
    member = find_test(found.test, paired=True)
    if member.own_shifts is not None:
        return "Ratio: of the geometric means over launches, not the medians' quotient."
    over = "the launches' own ratios" if member.paired else f"all pairs of {plural(unit_of(found.rows))}"
    return f"Ratio: Hodges-Lehmann over {over}, not the medians' quotient."


def alone_note(rows: Sequence[ComparisonRow], adjust: str) -> str:
    """The meaning of an `undecided` beside a small p; empty without adjustment."""
    if adjust == "none" or len(rows) < 2 or count(rows).apart:
        return ""
    return " p and interval: each case alone; stars and verdicts: adjusted."


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
    rest = [
        *_part(counts.same, "is", "are", f"the same within {percent(equivalence)}"),
        *_part(counts.open - counts.cannot_decide, "is", "are", "undecided"),
        *_part(counts.cannot_decide, "cannot", "cannot", f"be decided by so few {plural(unit_of(rows))}"),
        *_part(counts.not_comparable, "cannot", "cannot", "be compared"),
        *missing_parts(rows),
    ]
    unordered = f"in distribution in {_share(counts.distributions, counts.total)} without either being proven faster"
    if counts.faster == counts.slower == 0 < counts.distributions:
        return f"{a} and {b} differ {unordered}{f'; {joined(rest)}' if rest else ''}."
    if counts.distributions:
        rest.insert(0, f"they differ {unordered}")
    if counts.faster == counts.slower == 0 and len(rest) == 1 and counts.same:
        return f"{a} and {b} are the same within {percent(equivalence)} in all {cases}."
    if counts.faster == counts.slower == 0:
        verdict = rest[0].partition(" ")[2]
        found = f"all {cases} {verdict}" if len(rest) == 1 else f"of {cases}, {joined(rest)}"
        if len(rest) == 1 and counts.cannot_decide:
            found = f"none of {cases} can {verdict.removeprefix('cannot ')}"
        return f"No difference between {a} and {b} is proven: {found}."
    if counts.slower == 0:
        first = f"{a} is faster than {b} in {_share(counts.faster, counts.total)} and slower in none"
    elif counts.faster == 0:
        first = f"{a} is slower than {b} in {_share(counts.slower, counts.total)} and faster in none"
    else:
        first = f"{a} is faster than {b} in {counts.faster} of {cases} and slower in {counts.slower}"
    return f"{first}; {joined(rest)}." if rest else f"{first}."


def _apart(rows: Sequence[ComparisonRow], a: str, b: str) -> str:
    """`a / b, apart: ratios 0.97 to 1.2 in 8 cases prove nothing; 2 of 8 lie beyond the usual spread between
    campaigns.`
    """
    ratios = sorted(row.ratio for row in rows if row.outcome == VerdictKind.APART.value)
    low, high = ratio_text(ratios[0]), ratio_text(ratios[-1])
    said = f"a ratio of {low} proves nothing"
    if len(ratios) > 1:
        said = f"ratios of {low if low == high else f'{low} to {high}'} in {len(ratios)} cases prove nothing"
    known = [row.beyond_usual for row in rows if row.beyond_usual is not None]
    beyond = f"{sum(known)} of {len(known)} {'lies' if sum(known) == 1 else 'lie'} beyond"
    usual = [f"{beyond} the usual spread between campaigns"] if known else []
    lost = [*_part(count(rows).not_comparable, "cannot", "cannot", "be compared"), *missing_parts(rows)]
    return f"{a} / {b}, apart: {'; '.join((said, *usual, *lost))}."


MOST_SENTENCES = 6
"""Of an answer: what is more is told behind the tables."""


def pair_sentences(found: Comparison) -> tuple[str, ...]:
    """For each pair its result, and what more launches would decide."""
    said: list[str] = []
    for pair in found.pairs:
        rows = [row for row in found.rows if (row.a, row.b) == pair]
        said += [sentence(rows, *pair, found.equivalence), *filter(None, (outlook(rows),))]
    return tuple(said)


def result_sentences(found: Comparison) -> tuple[str, ...]:
    """The result in few lines: of three and more values who is first, and each pair as far as there is room."""
    first = (first_places(found.rankings),) if found.rankings else ()
    said = (*first, *pair_sentences(found))
    return said if len(said) <= MOST_SENTENCES else first or said[:MOST_SENTENCES]


def outlook(rows: Sequence[ComparisonRow]) -> str:
    """The expected gain of more launches, by the open cases' own estimates; empty without an open case."""
    verdicts = [row.result.verdict for row in rows if row.outcome in OPEN]
    if not verdicts:
        return ""
    more = "more launches" if any(LIBRARY in row.case for row in rows) else "more launches of each library"
    more = "more campaigns a side" if unit_of(rows) == UNIT_CAMPAIGN else more
    if any(verdict.at_least for verdict in verdicts):
        least = max(verdict.more_launches or 0 for verdict in verdicts if verdict.at_least)
        each = "The open case takes" if len(verdicts) == 1 else f"The {len(verdicts)} open cases take"
        cannot = f"how many decide, one {unit_of(rows)} a side cannot tell"
        return f"{each} at least {least:,} {_of_number(least, more)}; {cannot}."
    return _forecast([verdict.more_launches for verdict in verdicts], more)


def _forecast(needed: Sequence[int | None], more: str) -> str:
    """By the estimates of the open cases; `more` is what there are more of."""
    known = sorted(number for number in needed if number is not None)
    far = len(needed) - len(known)
    which = "The open case" if len(needed) == 1 else f"Of the {len(needed)} open cases"
    if not known:
        verb = "needs" if len(needed) == 1 else "each needs"
        what = " ".join(more.split()[:2])
        return f"{which} {verb} more than {MOST_LAUNCHES:,} {what}: the difference is too small for this noise."
    if len(needed) == 1:
        return f"{which} would be decided by about {known[0]:,} {_of_number(known[0], more)}."
    half = known[(len(known) - 1) // 2]
    decided = sum(number <= half for number in known)
    number = decided if decided < len(needed) else "all"
    parts = [f"about {half:,} {_of_number(half, more)} would decide {number}"]
    if known[-1] > half:
        parts.append(f"about {known[-1]:,} more would decide {len(known) if far else 'all'}")
    if far:
        parts.append(f"{far} {'needs' if far == 1 else 'need'} more than {MOST_LAUNCHES:,}")
    return f"{which}, {joined(parts)}."


def _of_number(number: int, more: str) -> str:
    """`more launches`, or `more launch` of one."""
    return more if number != 1 else more.replace("launches", "launch").replace("campaigns", "campaign")


def wanted_launches(rows: Sequence[ComparisonRow], patience: int = 90) -> int | None:
    """A number of launches to try next: with it about half of the open cases would be decided.

    Where that takes more than `patience` more launches, the most cases that it can decide; None where no case is open,
    or none can be decided.
    """
    verdicts = [row.result.verdict for row in rows if row.outcome in OPEN]
    known = sorted(verdict.more_launches for verdict in verdicts if verdict.more_launches is not None)
    if not known:
        return None
    half = known[(len(known) - 1) // 2]
    within = [number for number in known if number <= patience]
    more = within[-1] if within and half > patience else half
    return more + max(max(row.result.n_a, row.result.n_b) for row in rows)


def more_command(campaign: Campaign, found: Comparison) -> str | None:
    """The command that measures as many launches as would decide about half of the open cases: the same campaign where
    error was reserved for another look, else a new one of the same plan. None where no number would decide any.
    """
    launches = wanted_launches(found.rows)
    if launches is None or campaign.imported is not None:  # nobody can measure in another suite's name
        return None
    starting = starting_words(campaign)
    if campaign.looks is not None:
        return command("run", campaign.folder, "--launches", campaign.looks.from_on(launches), *starting)
    longer = campaign.folder.with_name(f"{campaign.folder.resolve().name}-{launches}")
    return command("run", campaign.folder / CAMPAIGN, "--launches", launches, "-o", longer, *starting)


def more_sentence(found: Comparison, onward: str) -> str:
    """`ictus run camp --launches 12` measures more, up to the next planned comparison."""
    return f"`{onward}` measures more{', up to the next planned comparison' if found.looks else ''}."


def look_sentence(found: Comparison) -> tuple[str, ...]:
    """Over which looks the error is spent, once there was more than one."""
    at = sorted({row.look_launches for row in found.rows if row.look_launches is not None})
    if found.looks is None or not at or at == [found.looks.first]:
        return ()
    looked = str(at[0]) if len(at) == 1 else f"{at[0]} to {at[-1]}"
    following = found.looks.from_on(at[-1] + 1)
    return (f"Judged at looks of {looked} launches a side (the next: {following}); the level holds over all looks.",)


def _single(row: ComparisonRow, a: str, b: str) -> str:
    text = row.result.verdict.text
    if row.outcome in ("faster", "slower"):
        word, _, within = text.partition(", ")
        return f"{a} is {word} than {b}, by a ratio of {row.ratio:.3g}{f', {within}' if within else ''}."
    if row.outcome == VerdictKind.DISTRIBUTIONS.value:
        return f"{a} and {b} differ in distribution, but neither is proven faster."
    if row.outcome == "same":
        return f"{a} and {b} are the {text}."
    return f"{a} against {b}: {text}."


def _share(number: int, total: int) -> str:
    return f"all {total} cases" if number == total else f"{number} of {total} cases"


def _part(number: int, one: str, many: str, words: str) -> list[str]:
    return [f"{number} {one if number == 1 else many} {words}"] if number else []
