"""Compares libraries, settings or campaigns, all cases judged together; lists the cases of each library."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import ALGORITHM, IDENTITY, LIBRARY, side_prefix
from ictus.comparison.compared_factor import chosen_factor, varying_factors
from ictus.comparison.conditions import check_conditions
from ictus.comparison.differences import differences
from ictus.comparison.looks import at_looks, dependence_level, has_grown, shared_looks
from ictus.comparison.matching import Match, match, nothing_in_common
from ictus.comparison.modes import MachineModes, machine_modes, strata_of
from ictus.comparison.ranking import CaseRanking, factor_shares, rankings
from ictus.comparison.rows import CaseRow, ComparisonRow, Counts, count
from ictus.comparison.sides import sides
from ictus.comparison.unmatched import UnmatchedCase, unmatched, unmatched_values, unmatched_warnings
from ictus.comparison.warnings import campaign_warnings, grown_warning, too_few_repetitions
from ictus.model.errors import UsageError
from ictus.model.goal import USUAL_MARGIN
from ictus.model.job_size import LINKED
from ictus.model.launch_factor import NAMED, is_launch_factor
from ictus.model.looks import Looks
from ictus.model.reduction import USUAL, Reduction
from ictus.model.unknown import probable, unknown
from ictus.stats.compare import STRATA, CaseComparison, compare_cases
from ictus.stats.hypothesis import ALTERNATIVES, Alternative
from ictus.stats.registry import find_test
from ictus.stats.sequential import SequentialResult
from ictus.stats.variance import VarianceShares
from ictus.stats.verdict import not_comparable
from ictus.store.campaign import Campaign

BETWEEN_LAUNCHES = (LIBRARY, ALGORITHM, *LINKED, "clock", "clocksync")
"""Factors that are fixed for a whole launch: their values never share one, so that they are compared unpaired."""


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison, and how it was judged."""

    rows: tuple[ComparisonRow, ...]
    by: str
    """The compared factor, `mpi` for libraries."""
    test: str
    paired: bool
    adjust: str
    level: float
    equivalence: float
    alternative: Alternative
    """Which p-value is shown; stars and verdicts are always two-sided and adjusted."""
    warnings: tuple[str, ...]
    unmatched: tuple[UnmatchedCase, ...] = ()
    """With two campaigns: the cases that only one of them has."""
    rankings: tuple[CaseRanking, ...] = ()
    """With three or more values: the test of each case over all of them, and the groups."""
    modes: MachineModes | None = None
    """The modes of the machine; None where they were not looked for."""
    stratified: bool = False
    """Whether launches were compared within modes."""
    reduction: Reduction = USUAL
    """How each launch became one number."""
    shares: VarianceShares | None = None
    """Which of the campaign's factors matter; None for two campaigns, and where no factor varies."""
    looks: Looks | None = None
    """The looks that the error is spent over; None where the number of launches is fixed."""
    numbers: str = ""
    """What the numbers are that another suite measured; nothing where Ictus did."""

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
        return frame_of(row.as_row(self.alternative) for row in self.rows)


@dataclass(frozen=True)
class Cases:
    """Every library's cases over its launches."""

    rows: tuple[CaseRow, ...]
    confidence: float
    warnings: tuple[str, ...]
    reduction: Reduction = USUAL
    """How each launch became one number."""

    def to_frame(self) -> pl.DataFrame:
        """One row per library and case: a column for every factor, then the numbers. Times in seconds."""
        return frame_of(row.as_row() for row in self.rows)


def cases(campaign: Campaign, confidence: float = 0.95) -> Cases:
    """Median of the launches' numbers of every library and case, with its interval over launches."""
    rows = tuple(case_rows(campaign, confidence))
    return Cases(rows, confidence, campaign_warnings(campaign, rows), campaign.reduction)


def compare(
    campaign: Campaign,
    a: str | None = None,
    b: str | None = None,
    *,
    reference: str | None = None,
    other: Campaign | None = None,
    by: str | None = None,
    test: str | None = None,
    adjust: str | None = None,
    level: float | None = None,
    equivalence: float | None = None,
    alternative: Alternative = "two-sided",
    strata: str = STRATA[0],
    allow: Sequence[str] = (),
) -> Comparison:
    """Compare `a` with `b` in all cases that are equal in everything but the factor `by`.

    `a` and `b` are labels of libraries, or values of another factor with `by` (for example `by="procsync"`,
    "window", "barrier"; `by="env.NAME"` is what a variable was in the environment of the launches, `by="heap"` what
    became of freed memory, `by="pin"` and `by="map-by"` where ranks were placed, `by="launcher-options"` the launcher's
    words, `by="core-flags"` how the core was built).
    Without `by` libraries are compared, or the only factor that varies in the campaign of one library. Without `a` and
    `b` every pair of values is compared, and three or more are ranked too; with `reference` every other value is
    compared with that one. With `other`, a second campaign, `a` is taken from the first and `b` from the second, and
    without them every value that both have. Two campaigns whose launches differ in a condition (heap, pin, validation,
    ...) are refused unless `allow` names it. Libraries run in different launches and are compared by the rank-sum test;
    factors that vary inside a launch are compared launch by launch, by the signed-rank test. `adjust` and `level`
    default to the campaign's plan, the margin of `equivalence` to that of its goal, else 5 %. All cases are judged
    together; in a campaign that can grow, at each of its looks. To include launches that were disturbed, load with
    `contended=True`. With `strata="modes"` launches are compared within the modes of the machine that their probes
    show; "off" ignores modes.

    Raises UsageError for unknown names, for sides that have no case in common and for conditions that differ.
    """
    if strata not in STRATA:
        raise unknown(f"strata '{strata}'", strata, STRATA)
    if alternative not in ALTERNATIVES:
        raise unknown(f"alternative '{alternative}'", alternative, ALTERNATIVES)
    by = chosen_factor(campaign, other, by)
    if by not in (LIBRARY, *IDENTITY) and not is_launch_factor(by):
        raise _unknown_factor(campaign, by)
    if other is not None:
        _check_alike(campaign, other, by, allow)
    paired = other is None and by not in BETWEEN_LAUNCHES and not is_launch_factor(by)
    adjust, level = adjust or campaign.plan.adjust, campaign.plan.level if level is None else level
    goal = campaign.plan.goal
    if equivalence is None:
        equivalence = goal.share if goal is not None and goal.of_verdicts else USUAL_MARGIN
    pairs = list(sides(campaign, other, by, a, b, reference=reference))
    matched = [(left, right, found) for left, right in pairs for found in match(left, right, by, paired=paired)]
    if not matched:
        raise UsageError(nothing_in_common(*pairs[0], by))
    campaigns = [campaign] if other is None else [campaign, other]
    looks = shared_looks(campaign, other, adjust)
    chance = dependence_level(campaigns, looks)
    own = strata_of(matched, machine_modes(*campaigns), first=campaign, level=chance) if strata == STRATA[0] else None
    labels = (pairs[0][0].name, pairs[0][1].name) if len(pairs) == 1 else ("a", "b")
    rules: dict[str, Any] = {
        "paired": paired,
        "test": test,
        "level": level,
        "adjust": adjust,
        "equivalence": equivalence,
    }
    cases = [_comparable(found) for *_, found in matched]
    looked: list[SequentialResult | None] = [None] * len(matched)
    if looks is None:
        results = compare_cases(
            [one.a for one in cases],
            [one.b for one in cases],
            **rules,
            labels=labels,
            strata=None if own is None else own.of_cases,
        )
    else:
        looked = [*at_looks(campaigns, looks, cases, rules, labels, stratified=strata == STRATA[0])]
        results = [one.result for one in looked if one is not None]
    rows = tuple(
        ComparisonRow(
            found.case,
            left.name,
            right.name,
            _explained(result, found, campaign.reduction),
            found.clock_bound_a_s,
            found.clock_bound_b_s,
            " against ".join(dict.fromkeys(found.metrics)),
            campaign.summary,
            found.heap_matters_a,
            found.heap_matters_b,
            side_prefix(by),
            None if one is None else one.launches,
        )
        for (left, right, found), result, one in zip(matched, results, looked, strict=True)
    )
    warnings = [warning for one in campaigns for warning in campaign_warnings(one)]
    left_out = unmatched(pairs, by)
    if other is not None:
        warnings += [
            *differences(campaign, other),
            *(grown_warning(one.folder) for one in campaigns if looks is None and has_grown(one)),
        ]
        same = a is None and all(left.value == right.value for left, right in pairs)
        left_out += unmatched_values(campaign, other, by) if same else ()
    warnings += unmatched_warnings(left_out)
    if own is not None and own.remark is not None:
        warnings.append(own.remark)
    name = find_test(test, paired=paired).name
    ranked: tuple[CaseRanking, ...] = ()
    shares = None
    if other is None:
        modes = own.modes.of_launches[0] if own is not None and own.modes.several else None
        within = modes if own is not None and own.of_cases is not None else None
        ranked = () if reference is not None else rankings(pairs, rows, by, paired=paired, adjust=adjust, modes=within)
        shares = factor_shares(campaign, by, modes)
    return Comparison(
        rows,
        by,
        name,
        paired,
        adjust,
        level,
        equivalence,
        alternative,
        tuple(warnings),
        left_out,
        ranked,
        None if own is None else own.modes,
        any(row.result.n_strata > 1 for row in rows),
        campaign.reduction,
        shares,
        looks,
        " ".join(dict.fromkeys(one.imported.caption for one in campaigns if one.imported is not None)),
    )


def _unknown_factor(campaign: Campaign, by: str) -> UsageError:
    """Not all factors that exist, but those that have something to compare here."""
    guess = probable(by, (LIBRARY, *IDENTITY, *NAMED)) or ";"
    varied = ", ".join(varying_factors(campaign)) or "nothing"
    return UsageError(f"unknown factor '{by}' to compare by{guess} what varies in '{campaign.folder}': {varied}")


def _check_alike(campaign: Campaign, other: Campaign, by: str, allow: Sequence[str]) -> None:
    """UsageError for two campaigns that were not measured, or not loaded, alike."""
    if other.reduction != campaign.reduction:
        raise UsageError(
            f"one campaign was loaded with {campaign.reduction}, the other with {other.reduction}: load both alike"
        )
    check_conditions(campaign, other, by, allow)


def _comparable(found: Match) -> Match:
    """The match, without numbers where its sides are of different metrics."""
    if found.metrics[0] == found.metrics[1]:
        return found
    return replace(found, a=(None,) * len(found.a), b=(None,) * len(found.b))


def _explained(result: CaseComparison, found: Match, reduction: Reduction) -> CaseComparison:
    """The result, with the reason why there is none where the reduction is it."""
    a, b = found.metrics
    if a != b:
        reason = f"{a} against {b}: clocks are synchronised on one side only; give --metric max, or another of both"
    elif found.too_few is not None:
        reason = too_few_repetitions(reduction, found.too_few)
    else:
        return result
    return replace(result, verdict=not_comparable(reason), remarks=())


def frame_of(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Rows as a frame, the factors of a case as columns of their own."""
    flat = [{**row["case"], **{name: value for name, value in row.items() if name != "case"}} for row in rows]
    return pl.DataFrame(flat, infer_schema_length=None)
