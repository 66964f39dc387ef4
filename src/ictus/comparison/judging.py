"""The matched cases of a comparison, judged as its evidence allows: launches that were in turn, or campaigns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ictus.comparison.across import Campaigns
from ictus.comparison.control import with_control
from ictus.comparison.evidence import ComparisonEvidence, EvidenceKind
from ictus.comparison.looks import at_looks, dependence_level
from ictus.comparison.matching import MatchedCase, Side, match
from ictus.comparison.missing import Matched
from ictus.comparison.modes import Strata, machine_modes, strata_of
from ictus.model.errors import OptionError
from ictus.model.looks import Looks
from ictus.stats.compare import STRATA, CaseComparison, compare_cases
from ictus.stats.registry import find_test
from ictus.stats.sequential import SequentialResult
from ictus.stats.verdict import CaseRules, VerdictKind, apart, missing
from ictus.store.campaign import Campaign

CONTROL_TESTS = ("welch", "student")
"""Of a comparison through a control: of launches, and where the spread between campaigns counts."""


@dataclass(frozen=True)
class JudgedCases:
    """The cases in their order, each with its result."""

    matched: Matched
    results: list[CaseComparison]
    test: str
    """The test that was made."""
    looked: list[SequentialResult | None]
    """Of a campaign that grows: the look of each case."""
    strata: Strata | None = None
    """The modes of the machine; None where they were not looked for."""

    @property
    def pairs(self) -> list[tuple[Side, Side]]:
        """The sides that have a case in common, each once."""
        return list({(a.name, b.name): (a, b) for a, b, _ in self.matched}.values())


def judge_launches(
    pairs: Sequence[tuple[Side, Side]],
    campaigns: Sequence[Campaign],
    by: str,
    rules: CaseRules,
    *,
    strata: str,
    looks: Looks | None,
) -> JudgedCases:
    """Launch against launch, of one campaign or of two that are compared as they are."""
    paired = rules.paired
    matched = [
        (left, right, matched_case) for left, right in pairs for matched_case in match(left, right, by, paired=paired)
    ]
    chance = dependence_level(campaigns, looks)
    modes = machine_modes(*campaigns) if strata == STRATA[0] else None
    strata_by_mode = None if modes is None else strata_of(matched, modes, first=campaigns[0], level=chance)
    names = list(dict.fromkeys((left.name, right.name) for left, right, _ in matched))
    labels = names[0] if len(names) == 1 else ("a", "b")
    cases = [_comparable(case) for *_, case in matched]
    looked: list[SequentialResult | None] = [None] * len(matched)
    if looks is None:
        results = compare_cases(
            [case.a for case in cases],
            [case.b for case in cases],
            rules,
            labels=labels,
            strata=None if strata_by_mode is None else strata_by_mode.of_cases,
        )
    else:
        looked = [*at_looks(campaigns, looks, cases, rules, labels, stratified=strata == STRATA[0])]
        results = [sequential.result for sequential in looked if sequential is not None]
    return JudgedCases(matched, results, find_test(rules.test, paired=paired).name, looked, strata_by_mode)


def judge_campaigns(
    pairs: Sequence[tuple[Side, Side]],
    sides: tuple[Sequence[Campaign], Sequence[Campaign]],
    by: str,
    rules: CaseRules,
    *,
    evidence: ComparisonEvidence,
    history: Sequence[Campaign] = (),
) -> JudgedCases:
    """Through the control, or with the campaign as the unit. `history` has earlier campaigns with the same control.
    OptionError for a test that a control does not take.
    """
    every = [*sides[0], *sides[1]]
    past = (
        [] if evidence.control is None or not evidence.spread_counts else with_control(history, every, evidence.control)
    )
    campaigns = Campaigns(*sides, by, past)
    matched = campaigns.match(pairs, evidence.control)
    test = rules.test
    if evidence.kind is EvidenceKind.CONTROL and evidence.control is not None:
        test_by_evidence = CONTROL_TESTS[evidence.spread_counts]
        if test not in (None, test_by_evidence):
            raise OptionError(
                ("test", test, f"through a control the test is {test_by_evidence}; leave it out, or --control none")
            )
        results, test = campaigns.judge_by_control(matched, evidence.control, rules), test_by_evidence
    else:
        results, test = campaigns.judge_by_campaign(matched, rules), find_test(test, paired=False).name
    return JudgedCases(matched, results, test, [None] * len(matched))


def apart_result(result: CaseComparison, usual_ratio: float | None) -> CaseComparison:
    """The ratio and its interval stay, as those of two campaigns; there is no p-value, as nothing is exchangeable."""
    if result.verdict.kind is VerdictKind.NOT_COMPARABLE or result.ratio is None:
        return result
    verdict = apart(result.ratio, usual_ratio)
    return replace(
        result, p_value=None, p_less=None, p_greater=None, p_adjusted=None, verdict=verdict, by_stratum=(),
        usual_ratio=usual_ratio,
    )  # fmt: skip


def missing_result(case: MatchedCase, unit: str) -> CaseComparison:
    """The numbers of the side that has the case, and why there is no ratio."""
    (n_a, median_a), (n_b, median_b) = (
        (len(medians_s), float(np.median(medians_s)) if medians_s else None)
        for medians_s in ([median_s for median_s in side if median_s is not None] for side in (case.a, case.b))
    )
    return CaseComparison(
        n_a, n_b, median_a, median_b, *(None,) * 7, verdict=missing(case.missing), remarks=(), unit=unit
    )  # fmt: skip


def _comparable(case: MatchedCase) -> MatchedCase:
    """The match, without numbers where its sides are of different metrics."""
    if case.metrics[0] == case.metrics[1]:
        return case
    return replace(case, a=(None,) * len(case.a), b=(None,) * len(case.b))
