"""Compares libraries, settings or campaigns, all cases judged together; lists the cases of each library."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.comparison.case_titles import ALGORITHM, IDENTITY, LIBRARY, side_prefix
from ictus.comparison.compared_factor import chosen_factor, unknown_factor
from ictus.comparison.conditions import check_alike, check_between
from ictus.comparison.differences import differences
from ictus.comparison.evidence import APART, SIDE_BY_SIDE, ComparisonEvidence, EvidenceKind, evidence_of
from ictus.comparison.first_launches import first_launches
from ictus.comparison.import_facts import allowable_facts, allowed_facts, not_compared, unlike_facts, without_facts
from ictus.comparison.judged_pairs import JudgedPairs
from ictus.comparison.judging import (
    apart_result,
    judge_campaigns,
    judge_launches,
    missing_result,
)
from ictus.comparison.matching import MatchedCase, Side, nothing_in_common
from ictus.comparison.missing import with_missing
from ictus.comparison.modes import MachineModes
from ictus.comparison.ranking import CaseRanking, factor_shares, rankings
from ictus.comparison.request import ComparisonRequest
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.sides import name_all, side_campaigns, sides
from ictus.comparison.span import MeasuredSpan, span_of
from ictus.comparison.unlike import explained
from ictus.comparison.usual import usual_of, usual_spreads
from ictus.comparison.warnings import campaign_warnings
from ictus.model.errors import UsageError
from ictus.model.job_size import LINKED
from ictus.model.launch_factor import is_launch_factor
from ictus.model.looks import Looks
from ictus.model.reduction import USUAL, Reduction
from ictus.stats.compare import STRATA, CaseComparison
from ictus.stats.hypothesis import Alternative
from ictus.stats.sequential import SequentialResult
from ictus.stats.variance import VarianceShares
from ictus.stats.verdict import UNIT_CAMPAIGN, UNIT_LAUNCH
from ictus.store.campaign import Campaign

BETWEEN_LAUNCHES = (LIBRARY, ALGORITHM, *LINKED, "clock", "clocksync")
"""Factors that are fixed for a whole launch: their values never share one, so that they are compared unpaired."""


@dataclass(frozen=True, repr=False)
class Comparison(JudgedPairs):
    """The result of a comparison, and how it was judged. Printed, it is its answer in sentences."""

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
    evidence: ComparisonEvidence = SIDE_BY_SIDE
    """What its verdicts rest on."""
    span: MeasuredSpan | None = None
    """The time that its launches cover, which its verdicts hold for; None where it is not known."""


def compare(
    campaign: Campaign | Sequence[Campaign],
    a: str | None = None,
    b: str | None = None,
    *,
    reference: str | None = None,
    other: Campaign | Sequence[Campaign] | None = None,
    by: str | None = None,
    test: str | None = None,
    adjust: str | None = None,
    level: float | None = None,
    equivalence: float | None = None,
    alternative: Alternative = "two-sided",
    strata: str = STRATA[0],
    allow: Sequence[str] = (),
    control: str | None = None,
    history: Sequence[Campaign | Path] = (),
) -> Comparison:
    """Compare `a` with `b` in all cases that are equal in everything but the factor `by`.

    `a` and `b` are labels of libraries, or values of another factor with `by` (for example `by="procsync"`,
    "window", "barrier"; `by="env.NAME"` is what a variable was in the environment of the launches, `by="heap"` what
    became of freed memory, `by="pin"` and `by="map-by"` where ranks were placed, `by="launcher-options"` the launcher's
    words, `by="core-flags"` how the core was built).
    Without `by` libraries are compared, or the only factor that varies in the campaign of one library. Without `a` and
    `b` every pair of values is compared, and three or more are ranked too; with `reference` every other value is
    compared with that one. Libraries run in different launches and are compared by the rank-sum test; factors that vary
    inside a launch are compared launch by launch, by the signed-rank test. `adjust` and `level` default to the
    campaign's plan, the margin of `equivalence` to that of its goal, else 5 %. All cases are judged together; in a
    campaign that can grow, at each of its looks. To include launches that were disturbed, load with `contended=True`.
    With `strata="modes"` launches are compared within the modes of the machine that their probes show; "off" ignores
    modes.

    With `other`, one or several campaigns, `a` is taken from `campaign`, one or several too, and `b` from `other`;
    without them every value that both have. `evidence` of the result says what that proves: launches of two campaigns
    are not exchangeable. A library that is the same in all of them is the `control` ("none": none is); several
    campaigns a side count as one observation each; of one campaign a side every verdict is `apart`. `history` has other
    campaigns, or stores of `ictus history`: apart, the usual spread between them stands beside the ratio; through a
    control, the spread of the difference between such campaigns counts, and two of them suffice for a verdict.
    Campaigns whose launches differ in a condition (heap, pin, validation, ...) are refused unless `allow` names it;
    "apart" among them accepts such evidence. Facts of imported tables that `allow` names (`allow=["send"]`) are left
    out of their operations, so that unlike cases match.

    A case that a side lacks is a row all the same, with the verdict `missing` and the reason where it is known.

    Raises UsageError for unknown names, for sides that have no case in common and for conditions that differ.
    """
    request = ComparisonRequest(
        a=a,
        b=b,
        reference=reference,
        by=by,
        test=test,
        adjust=adjust,
        level=level,
        equivalence=equivalence,
        alternative=alternative,
        strata=strata,
        allow=allow,
        control=control,
        history=history,
    )
    return compare_as_asked(campaign, other, request)


def compare_as_asked(
    campaign: Campaign | Sequence[Campaign], other: Campaign | Sequence[Campaign] | None, request: ComparisonRequest
) -> Comparison:
    """`compare` of what a request says."""
    allow, history = request.allow, request.history
    ours, others = side_campaigns(campaign), () if other is None else side_campaigns(other)
    check_between(allow, (APART, *allowable_facts([*ours, *others])), history, several=other is not None)
    as_imported = [*ours, *others]
    ours, others = (tuple(without_facts(side_campaign, allow) for side_campaign in side) for side in (ours, others))
    campaign, other = ours[0], others[0] if others else None
    by = chosen_factor(campaign, other, request.by)
    if by not in (LIBRARY, *IDENTITY) and not is_launch_factor(by):
        raise unknown_factor(campaign, by)
    for our in (*ours[1:], *others):
        check_alike(campaign, our, by, [name for name in allow if name != APART])
    paired = other is None and by not in BETWEEN_LAUNCHES and not is_launch_factor(by)
    rules = request.rules(campaign, paired=paired)
    pairs = list(sides(campaign, other, by, request.a, request.b, reference=request.reference))
    named = [side.value for pair in pairs for side in pair] if request.a is not None else ()
    earlier = [past for past in history if isinstance(past, Campaign)]
    accepted = APART in allow
    evidence = evidence_of(
        (ours, others), by, named, control=request.control, paired=paired, accepted=accepted, history=earlier
    )
    pairs = [name_all(pair, ours, others) for pair in pairs if evidence.control not in (pair[0].value, pair[1].value)]
    every = [*ours, *others]
    looks = campaign.looks if evidence.kind is EvidenceKind.SIDE_BY_SIDE and other is None else None
    judged = (
        judge_campaigns(pairs, (ours, others), by, rules, evidence=evidence, history=earlier)
        if evidence.kind in (EvidenceKind.CONTROL, EvidenceKind.CAMPAIGNS)
        else judge_launches(pairs, every, by, rules, strata=request.strata, looks=looks)
    )
    every_case = with_missing(pairs, judged.matched, (ours, others), by, evidence.control)
    unlike = unlike_facts(case for *_, case in every_case) if campaign.imported is not None else {}
    if not judged.matched:
        why = nothing_in_common(
            *pairs[0], by, [matched_case.missing for a, _, matched_case in every_case if a is pairs[0][0]]
        )
        meant = f"; say that it is meant with --allow {','.join((*allow, *unlike))}" if unlike else ""
        raise UsageError(f"{why}{meant}")
    apart = not evidence.proves
    results = judged.results
    if apart:
        # of times, which says nothing of how far differences to a control spread
        spreads = usual_spreads(history if evidence.control is None else (), every)
        usual_ratios = [usual_of(spreads, row, by, campaign.summary) for row in judged.matched]
        results = [apart_result(result, usual_ratio) for result, usual_ratio in zip(results, usual_ratios, strict=True)]
    unit = UNIT_CAMPAIGN if len(every) > 2 else UNIT_LAUNCH
    judgements = zip(judged.matched, results, judged.looked, strict=True)
    judged_cases = {id(match): (result, looked) for (*_, match), result, looked in judgements}
    rows = tuple(
        _row(matched, *judged_cases.get(id(matched[2]), (missing_result(matched[2], unit), None)), by, campaign)
        for matched in every_case
    )
    strata = judged.strata
    libraries = [(label, imported) for imported in as_imported for label in imported.labels]
    warnings = (
        *_campaign_warnings(ours, others),
        *allowed_facts(libraries, allow),
        *([not_compared(unlike, allow)] if unlike else []),
        *((strata.remark,) if strata is not None and strata.remark else ()),
    )
    ranked: tuple[CaseRanking, ...] = ()
    shares = None
    if other is None:
        modes = strata.modes.of_launches[0] if strata is not None and strata.modes.several else None
        within = modes if strata is not None and strata.of_cases is not None else None
        plain = request.reference is not None or apart
        ranked = () if plain else rankings(judged.pairs, rows, by, paired=paired, adjust=rules.adjust, modes=within)
        shares = factor_shares(campaign, by, modes)
    return Comparison(
        rows,
        by,
        judged.test,
        paired,
        rules.adjust,
        rules.level,
        rules.equivalence,
        request.alternative,
        warnings,
        ranked,
        None if strata is None else strata.modes,
        any(row.result.n_strata > 1 for row in rows),
        campaign.reduction,
        shares,
        looks,
        " ".join(dict.fromkeys(measured.imported.caption for measured in every if measured.imported is not None)),
        evidence,
        span_of(every),
    )


def _campaign_warnings(ours: Sequence[Campaign], others: Sequence[Campaign]) -> Iterator[str]:
    """Of every campaign, and what differs between those of two sides, each text once."""
    every = (*ours, *others)
    yield from dict.fromkeys(warning for campaign in every for warning in campaign_warnings(campaign))
    yield from dict.fromkeys(text.sentence for their in others for text in differences(ours[0], their))
    if others and not any(
        whole_campaign.imported for whole_campaign in every
    ):  # the files of an import are told of with each
        yield from first_launches(*every)


def _row(
    pair: tuple[Side, Side, MatchedCase],
    result: CaseComparison,
    looked: SequentialResult | None,
    by: str,
    campaign: Campaign,
) -> ComparisonRow:
    a, b, case = pair
    return ComparisonRow(
        case.case,
        a.name,
        b.name,
        explained(result, case, campaign.reduction, (a.campaign, b.campaign)),
        case.clock_bound_a_s,
        case.clock_bound_b_s,
        " against ".join(dict.fromkeys(case.metrics)),
        campaign.summary,
        case.heap_matters_a,
        case.heap_matters_b,
        side_prefix(by),
        None if looked is None else looked.launches,
    )
