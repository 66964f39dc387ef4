"""Ictus from Python: load a campaign folder, look at its samples, compare what was measured.

import ictus

campaign = ictus.load("demo")
campaign.samples                                     # polars LazyFrame of all samples
ictus.cases(campaign).to_frame()                     # one row per library and case
ictus.compare(campaign, "mpich", "openmpi").rows     # one row per case, with verdicts
ictus.lenses(ictus.load("lens"), "osu").to_frame()   # what a suite would have reported (`ictus lens -o lens`)

study = ictus.load_clocks("study")                   # what `ictus clocks accuracy -o study` kept
ictus.clock_errors(study)                            # one summary per algorithm
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ictus.clocks.errors import AlgorithmSummary, summarise
from ictus.clocks.reading import parse_study
from ictus.clocks.record import Study
from ictus.lens.registry import find_look
from ictus.model.errors import UsageError
from ictus.model.registries import Registries, unknown
from ictus.report.cases import case_rows
from ictus.report.lens_material import material
from ictus.report.lens_rows import LensRow, lens_rows
from ictus.report.matching import LIBRARY, Side, differing, match, values
from ictus.report.provenance import differences
from ictus.report.rows import ALGORITHM, IDENTITY, SPECS, CaseRow, ComparisonRow, Counts, brief, count
from ictus.report.start_rows import start_rows
from ictus.report.unmatched import Unmatched, unmatched, unmatched_values, unmatched_warnings
from ictus.report.warnings import campaign_warnings
from ictus.stats.compare import compare_cases
from ictus.stats.hypothesis import ALTERNATIVES, Alternative
from ictus.stats.registry import find_test
from ictus.store.campaign import Campaign, load
from ictus.store.document import read_document

__all__ = ["Cases", "Comparison", "Lenses", "cases", "clock_errors", "compare", "lenses", "load", "load_clocks"]

BETWEEN_LAUNCHES = (LIBRARY, ALGORITHM, "n", "clock", "clocksync")
"""Factors that are fixed for a whole launch: their values never share one, so that they are compared unpaired."""


@dataclass(frozen=True)
class Comparison:
    """What came of a comparison, and how it was judged."""

    rows: tuple[ComparisonRow, ...]
    by: str
    """The compared factor, `mpi` for libraries."""
    test: str
    paired: bool
    adjust: str
    level: float
    equivalence: float
    alternative: Alternative
    """Which p-value and stars are shown; verdicts are always two-sided."""
    warnings: tuple[str, ...]
    unmatched: tuple[Unmatched, ...] = ()
    """Of two campaigns: the cases that only one of them has."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The (a, b) that were compared, in order."""
        return tuple(dict.fromkeys((row.a, row.b) for row in self.rows))

    @property
    def counts(self) -> Counts:
        """How many cases have each verdict."""
        return count(self.rows)

    def to_frame(self) -> pl.DataFrame:
        """One row per case: a column for every factor of the case, then the columns of `--json`."""
        return _frame(row.flat(self.alternative) for row in self.rows)


@dataclass(frozen=True)
class Cases:
    """Every library's cases over its launches."""

    rows: tuple[CaseRow, ...]
    confidence: float
    warnings: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row per library and case: a column for every factor, then the numbers. Times in seconds."""
        return _frame(row.flat() for row in self.rows)


@dataclass(frozen=True)
class Lenses:
    """What other suites, and other process synchronisations, would have reported."""

    rows: tuple[LensRow, ...]
    confidence: float
    warnings: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row per library, case and lens: a column for every factor, then the numbers. Times in seconds."""
        return _frame(row.flat() for row in self.rows)


def cases(campaign: Campaign, confidence: float = 0.95) -> Cases:
    """Median of the launch medians of every library and case, with its interval over launches."""
    rows = tuple(case_rows(campaign, confidence))
    return Cases(rows, confidence, campaign_warnings(campaign, rows))


def compare(
    campaign: Campaign,
    a: str | None = None,
    b: str | None = None,
    *,
    other: Campaign | None = None,
    by: str = LIBRARY,
    test: str | None = None,
    adjust: str | None = None,
    level: float | None = None,
    equivalence: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Comparison:
    """Compare `a` with `b` in all cases that are equal in everything but the factor `by`.

    `a` and `b` are labels of libraries, or values of another factor with `by` (for example `by="procsync"`,
    "window", "barrier").
    Left out, every pair of values is compared; with `other`, a second campaign, `a` is taken from the first and `b`
    from the
    second, and left out every value that both have. Libraries run in different launches and are compared by the
    rank-sum test; factors that vary inside a launch are compared launch by launch, by the signed-rank test. `adjust`
    and `level` default to the campaign's plan. All cases are judged together. To include launches that were
    disturbed, load with `contended=True`.

    Raises UsageError for unknown names and for sides that have no case in common.
    """
    if alternative not in ALTERNATIVES:
        raise unknown(f"alternative '{alternative}'", alternative, ALTERNATIVES)
    if by not in (LIBRARY, *IDENTITY):
        raise unknown(f"factor '{by}' to compare by", by, (LIBRARY, *IDENTITY))
    paired = other is None and by not in BETWEEN_LAUNCHES
    adjust, level = adjust or campaign.plan.adjust, campaign.plan.level if level is None else level
    pairs = list(_sides(campaign, other, by, a, b))
    matched = [(left, right, found) for left, right in pairs for found in match(left, right, by, paired=paired)]
    if not matched:
        raise UsageError(_nothing_in_common(*pairs[0], by))
    results = compare_cases(
        [found.a for *_, found in matched],
        [found.b for *_, found in matched],
        paired=paired,
        test=test,
        level=level,
        adjust=adjust,
        equivalence=equivalence,
        labels=(pairs[0][0].name, pairs[0][1].name) if len(pairs) == 1 else ("a", "b"),
    )
    rows = tuple(
        ComparisonRow(found.case, left.name, right.name, result, found.clock_bound_a_s, found.clock_bound_b_s)
        for (left, right, found), result in zip(matched, results, strict=True)
    )
    campaigns = [campaign] if other is None else [campaign, other]
    warnings = [warning for one in campaigns for warning in campaign_warnings(one)]
    left_out = unmatched(pairs, by)
    if other is not None:
        warnings += differences(campaign, other)
        same = a is None and all(left.value == right.value for left, right in pairs)
        left_out += unmatched_values(campaign, other, by) if same else ()
    warnings += unmatched_warnings(left_out)
    name = find_test(test, paired=paired).name
    return Comparison(rows, by, name, paired, adjust, level, equivalence, alternative, tuple(warnings), left_out)


def lenses(campaign: Campaign, *names: str, procsyncs: Sequence[str] = (), confidence: float = 0.95) -> Lenses:
    """What the suites of these lenses (all that the campaign has the data for) would have reported of its calls, in
    relation to the medians of the campaign's first method; before them the rows of `procsyncs`.

    Raises UsageError for an unknown lens, and for one whose method the campaign did not measure.
    """
    known = material(campaign)
    rows = lens_rows(known, tuple(map(find_look, names)) or None, confidence)
    starts = start_rows(known, procsyncs, confidence) if procsyncs else ()
    return Lenses((*starts, *rows), confidence, campaign_warnings(campaign))


def _sides(
    campaign: Campaign, other: Campaign | None, by: str, a: str | None, b: str | None
) -> Iterable[tuple[Side, Side]]:
    """The pairs to compare, by what was named."""
    here, there = values(campaign, by), values(campaign if other is None else other, by)
    if a is not None:
        first = _value(by, a, here)
        second = _value(by, a if b is None else b, there) if other is not None else _second(by, first, b, there)
        if first == second and (other is None or _same_folder(campaign, other)):
            raise UsageError(f"'{a}' against itself: same launches on both sides")
        return [_pair(campaign, other, by, first, second)]
    if other is None:
        if len(here) < 2:
            only = f"only '{here[0]}'" if here else "nothing"
            raise UsageError(f"nothing to compare: the campaign has {only} for {by}; --by names another factor")
        return [_pair(campaign, None, by, x, y) for x, y in itertools.combinations(here, 2)]
    if _same_folder(campaign, other):
        raise UsageError(f"'{campaign.folder}' against itself: same launches on both sides")
    shared = [value for value in here if value in there]
    if not shared and len(here) == len(there) == 1:
        return [_pair(campaign, other, by, here[0], there[0])]
    if not shared:
        raise UsageError(
            f"the campaigns share no {by}: {', '.join(map(str, here))} against {', '.join(map(str, there))}; name one "
            f"of each"
        )
    return [_pair(campaign, other, by, value, value) for value in shared]


def _same_folder(one: Campaign, other: Campaign) -> bool:
    return one.folder.resolve() == other.folder.resolve()


def _second(by: str, first: object, b: str | None, there: Sequence[object]) -> object:
    if b is not None:
        return _value(by, b, there)
    others = [value for value in there if value != first]
    if len(others) != 1:
        raise UsageError(
            f"'{first}' against what? name one of {', '.join(map(str, others)) or 'none: there is no other'}"
        )
    return others[0]


def _pair(campaign: Campaign, other: Campaign | None, by: str, x: object, y: object) -> tuple[Side, Side]:
    """Two sides with names that differ: in one campaign its values, in two the folders too where the values are
    equal.
    """
    second = campaign if other is None else other
    names = [_name(by, x), _name(by, y)]
    if names[0] == names[1]:
        names = [f"{one.folder.resolve().name}:{name}" for one, name in zip((campaign, second), names, strict=True)]
    if names[0] == names[1]:
        names = [f"{one.folder}:{_name(by, x)}" for one in (campaign, second)]
    return Side(campaign, x, names[0]), Side(second, y, names[1])


def _name(by: str, value: object) -> str:
    return str(Registries.load().brief(by, str(value))) if by in SPECS else str(value)


def _value(by: str, text: str, known: Sequence[object]) -> object:
    """The value of a factor that was typed as `text`; a member of a family may be typed briefly, and by its bare name
    where only one value has that name.
    """
    found = next((value for value in known if str(value) == text), None)
    if found is None and by in SPECS:
        full = str(Registries.load().check(by, text))
        found = next((value for value in known if str(value) == full), None)
        alike = [value for value in known if str(value).partition("(")[0] == text]
        found = alike[0] if found is None and len(alike) == 1 else found
    if found is None:
        raise unknown(f"{'library' if by == LIBRARY else by} '{text}' in this campaign", text, map(str, known))
    return found


def _nothing_in_common(a: Side, b: Side, by: str) -> str:
    found = differing(a, b, by)
    texts = [
        f"{name} ({', '.join(brief(name, one) for one in here)} against {', '.join(brief(name, one) for one in there)})"
        for name, (here, there) in found.items()
    ]
    why = f"they differ in {', '.join(texts)}" if texts else "no combination of factors was measured on both sides"
    return f"'{a.name}' and '{b.name}' have no case in common: {why}"


def _frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame, the factors of a case as columns of their own."""
    flat = [{**row["case"], **{name: value for name, value in row.items() if name != "case"}} for row in rows]
    return pl.DataFrame(flat, infer_schema_length=None)


def load_clocks(path: Path | str) -> Study:
    """A study of clocks that `ictus clocks` kept in a folder, or a clocks.json itself.

    Raises UsageError for a format of a later version, MeasurementError where it is missing or damaged.
    """
    place = Path(path)
    file = place / "clocks.json" if place.is_dir() else place
    return parse_study(read_document(file), str(file))


def clock_errors(study: Study) -> tuple[AlgorithmSummary, ...]:
    """For each number of ranks and algorithm: time spent, messages, and the errors at each wait, seconds."""
    return summarise(study.runs)
