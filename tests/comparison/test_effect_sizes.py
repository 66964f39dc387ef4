"""How large the differences are and where: what a sentence says of each size is read back and held against its row."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ictus.comparison.effect_sizes import at_most_apart, effects, faster_by
from ictus.comparison.rows import ComparisonRow
from ictus.model.quantity import format_size
from ictus.stats import verdict as verdicts
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import Verdict, VerdictKind, decided

SIZES = tuple(8 * 2**k for k in range(12))
FASTER, SLOWER = (decided(kind, None, 0.05) for kind in (VerdictKind.FASTER, VerdictKind.SLOWER))
SAME = decided(VerdictKind.SAME, 0.05, 0.05)
OPEN = verdicts.undecided(12)


def row(size: int, verdict: Verdict, low: float | None, high: float | None, **case: Any) -> ComparisonRow:
    """One size with the interval of its ratio A / B."""
    ratio = None if low is None or high is None else (low * high) ** 0.5
    numbers = CaseComparison(10, 10, 1e-6, 1e-6, ratio, low, high, 0.01, 0.01, 0.99, 0.02, verdict, ())
    return ComparisonRow({"operation": "bcast", "size_bytes": size, "n": 2, **case}, "mpich", "openmpi", numbers)


def said(rows: Sequence[ComparisonRow]) -> list[str]:
    """The sentences of a pair."""
    return [effect.sentence for effect in effects(rows)]


def test_the_sentence_of_the_issue() -> None:
    """Winners first, the most proven first; what nobody has won behind them, as the rest where it is in pieces."""
    rows = [row(size, SLOWER, 1.55, 1.84) for size in SIZES[:6]]
    rows += [row(512, OPEN, 0.942, 1.085), row(1024, OPEN, 0.939, 1.093)]
    rows += [row(4096, FASTER, 0.631, 0.723), row(16384, OPEN, 0.871, 1.087)]
    (sentence,) = said(rows)
    assert sentence == (
        "MPI_Bcast: openmpi 1.5 to 1.9 times faster up to 256 B; mpich 1.3 to 1.6 times faster at 4 KiB; the rest "
        "undecided (at most 15 % apart)."
    )


def test_places_are_named_as_people_name_them() -> None:
    """At one size, from one to another, up to, from on, at all; operations with the largest proven factor first."""
    scan = [row(8, OPEN, 0.99, 1.02, operation="scan"), row(64, OPEN, 0.98, 1.004, operation="scan")]
    bcast = [row(8, SAME, 0.99, 1.01), row(16, FASTER, 0.91, 0.97), row(32, FASTER, 0.94, 0.98), row(64, SAME, 1, 1.02)]
    assert said([*scan, *bcast]) == [
        "MPI_Bcast: mpich 1.02 to 1.1 times faster from 16 B to 32 B; the rest the same within 5 %.",
        "MPI_Scan: undecided at all sizes (at most 3 % apart).",
    ]


def test_nothing_is_claimed_that_no_interval_says() -> None:
    """Without an interval, or one that contradicts the verdict, no factor; one that touches 1 has no lower limit."""
    assert faster_by([row(8, FASTER, None, None)]) == "faster (by how much is not known)"
    assert faster_by([row(8, FASTER, 1.1, 1.3)]) == "faster (by how much is not known)"
    assert faster_by([row(8, FASTER, 0.8, 0.999)]) == "up to 1.3 times faster"
    assert faster_by([row(8, SLOWER, 12.7, 21.2)]) == "12 to 22 times faster"
    assert at_most_apart([row(8, OPEN, None, None)]) == ""
    assert at_most_apart([row(8, OPEN, 0.4, 1.1)]) == "at most 2.5 times apart"
    assert at_most_apart([row(8, OPEN, 0.999, 1.004)]) == "at most 0.4 % apart"


def test_what_proves_nothing_has_no_sizes() -> None:
    """Campaigns apart, a single case, and cases of which nothing is known keep their own words."""
    apart = verdicts.apart(1.2, None)
    lost = verdicts.missing("only in old; none of 8 launches of new has it")
    assert said([row(8, apart, 1.1, 1.3), row(16, apart, 1.1, 1.3)]) == []
    assert said([row(8, FASTER, 0.5, 0.6)]) == []
    assert said([row(8, SAME, 0.99, 1.01), row(16, SAME, 0.99, 1.01)]) == []
    assert said([row(8, lost, None, None), row(16, verdicts.not_comparable("x"), None, None)]) == []
    assert said([row(8, lost, None, None), row(16, FASTER, 0.5, 0.6)]) == [
        "MPI_Bcast: mpich 1.6 to 2.0 times faster at 16 B; only in old at 8 B."
    ]


@dataclass(frozen=True)
class Claim:
    """What a sentence says of one size."""

    words: str
    low: float | None = None
    high: float | None = None


_TIMES = re.compile(r"^(.+?) (?:up to ([\d.,]+)|([\d.,]+)(?: to ([\d.,]+))?) times faster")
_BOUND = re.compile(r" \(at most ([\d.,]+) (%|times) apart\)$")


def claims(sentence: str, sizes: Sequence[int]) -> dict[int, Claim]:
    """A sentence read back: a claim for each size. A size that is claimed twice, or never, is an error."""
    found: dict[int, Claim] = {}
    for part in sentence.partition(": ")[2].removesuffix(".").split("; "):
        bound = _BOUND.search(part)
        text = _BOUND.sub("", part)
        times = _TIMES.match(text)
        where = [size for size in sizes if size not in found]
        if text.startswith("the rest "):
            text = text.removeprefix("the rest ")
        elif len(sizes) > 1:
            begin = times.end() if times else 0
            at = re.search(r" (at|from|up to) (\d|all sizes)", text[begin:])
            assert at, part
            where = places(text[begin + at.start() :].strip(), sizes)
            text = text[: begin + at.start()]
        low = high = None
        if times:
            one = times[2] or times[4] or times[3]
            low, high = (None if times[2] else number(times[3])), number(one)
            text = f"{times[1]} faster"
        if bound:
            high = number(bound[1]) if bound[2] == "times" else 1 + number(bound[1]) / 100
        for size in where:
            assert size not in found, (sentence, size)
            found[size] = Claim(text, low, high)
    assert sorted(found) == list(sizes), sentence
    return found


def number(text: str) -> float:
    """`1,200` is one."""
    return float(text.replace(",", ""))


def places(text: str, sizes: Sequence[int]) -> list[int]:
    """The sizes that `up to 32 B, at 1 KiB and from 8 KiB on` names."""
    index: Mapping[str, int] = {format_size(size): at for at, size in enumerate(sizes)}
    chosen: list[int] = []
    for one in re.split(r", | and ", text):
        if one == "at all sizes":
            return list(sizes)
        begin, end = 0, len(sizes) - 1
        if match := re.fullmatch(r"at (.+)", one):
            begin = end = index[match[1]]
        elif match := re.fullmatch(r"up to (.+)", one):
            end = index[match[1]]
        elif match := re.fullmatch(r"from (.+) on", one):
            begin = index[match[1]]
        else:
            match = re.fullmatch(r"from (.+) to (.+)", one)
            assert match, text
            begin, end = index[match[1]], index[match[2]]
        chosen += sizes[begin : end + 1]
    return chosen


_WORDS = {
    "same": "the same within 5 %",
    "undecided": "undecided",
    "cannot-decide": "too few launches to decide",
    "distributions-differ": "different in distribution",
    "not-comparable": "not comparable",
    "missing": "only in old",
}


def check(row: ComparisonRow, claim: Claim) -> None:
    """What is said of a size is what its row says, and no more than its interval proves."""
    low, high = row.result.ratio_low, row.result.ratio_high
    if row.winner is None:
        assert claim.words == _WORDS[row.outcome]
        if claim.high is not None:
            assert low is not None
            assert high is not None
            assert max(high, 1 / low) <= claim.high + 1e-7
        return
    if low is None or high is None:
        assert claim == Claim(f"{row.winner} faster (by how much is not known)")
        return
    least, most = (1 / high, 1 / low) if row.winner == row.a else (low, high)
    assert claim.words == f"{row.winner} faster"
    assert claim.high is not None
    assert most <= claim.high + 1e-9
    assert claim.low is None or 1 < claim.low <= least + 1e-9


def check_tight(rows: Sequence[ComparisonRow], found: Mapping[int, Claim]) -> None:
    """What is said of several sizes is no wider than they are together, but for its rounding."""
    for claim in set(found.values()):
        if not claim.words.endswith(" faster"):
            continue
        limits = [one.result for one in rows if found[one.case["size_bytes"]] == claim]
        own = [(one.ratio_low, one.ratio_high) for one in limits if one.ratio_low and one.ratio_high]
        if claim.words.startswith("mpich"):
            own = [(1 / high, 1 / low) for low, high in own]
        assert (claim.low or 1.0) >= min(low for low, _ in own) - (0.1 if (claim.low or 1.0) < 10 else 1)
        assert (claim.high or 1.0) <= max(high for _, high in own) + (0.1 if (claim.high or 1.0) <= 10 else 1)


def drawn(chance: random.Random) -> list[ComparisonRow]:
    """A row for each of some sizes, in stretches, with an interval that its verdict may have."""
    rows: list[ComparisonRow] = []
    sizes = SIZES[: chance.randint(2, len(SIZES))]
    while len(rows) < len(sizes):
        kind = chance.choice(list(_DRAWN))
        for size in sizes[len(rows) : len(rows) + chance.randint(1, 4)]:
            low, high = _DRAWN[kind](chance)
            unknown = chance.random() < 0.1 and kind is not SAME
            rows.append(row(size, kind, *((None, None) if unknown else (low, high))))
    return rows


def _slower(chance: random.Random) -> tuple[float, float]:
    low = 1 + 10 ** chance.uniform(-3, 1.2)
    return low, low * (1 + 10 ** chance.uniform(-3, 0))


def _around(chance: random.Random) -> tuple[float, float]:
    return 1 / (1 + 10 ** chance.uniform(-3, 0.5)), 1 + 10 ** chance.uniform(-3, 0.5)


def _faster(chance: random.Random) -> tuple[float, float]:
    low, high = _slower(chance)
    return 1 / high, 1 / low


_DRAWN: Mapping[Verdict, Callable[[random.Random], tuple[float, float]]] = {
    FASTER: _faster,
    SLOWER: _slower,
    SAME: lambda _: (0.97, 1.02),
    OPEN: _around,
    verdicts.cannot_decide(3, 3, 5, 4): _around,
    decided(VerdictKind.DISTRIBUTIONS, None, 0.05): _around,
    verdicts.not_comparable("no launch"): lambda _: (0.5, 2.0),
    verdicts.missing("only in old; none of 8 launches of new has it"): lambda _: (0.5, 2.0),
}


@pytest.mark.parametrize("seed", range(150))
def test_what_is_said_of_each_size_is_what_its_row_says(seed: int) -> None:
    """Over drawn verdicts and intervals: read back, every size is said once, by its verdict, within its interval."""
    rows = drawn(random.Random(seed))
    for sentence in said(rows):
        found = claims(sentence, [one.case["size_bytes"] for one in rows])
        check_tight(rows, found)
        for one in rows:
            check(one, found[one.case["size_bytes"]])


@pytest.mark.parametrize("seed", range(40))
def test_a_corrupted_row_is_noticed(seed: int) -> None:
    """One verdict turned round, or one interval widened, behind the sentence's back."""
    chance = random.Random(seed)
    rows = drawn(chance)
    sentences = said(rows)
    if not sentences:
        return
    at = chance.randrange(len(rows))
    wrong = {VerdictKind.FASTER: SLOWER, VerdictKind.SLOWER: FASTER}.get(rows[at].result.verdict.kind, FASTER)
    turned = replace(rows[at], result=replace(rows[at].result, verdict=wrong))
    found = claims(sentences[0], [one.case["size_bytes"] for one in rows])[turned.case["size_bytes"]]
    with pytest.raises(AssertionError):
        check(turned, found)
    if rows[at].winner is not None and rows[at].result.ratio_low is not None:
        wider = replace(rows[at], result=replace(rows[at].result, ratio_low=1e-6, ratio_high=1e6))
        with pytest.raises(AssertionError):
            check(wider, found)
