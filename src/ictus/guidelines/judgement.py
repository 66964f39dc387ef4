"""How guidelines are judged: the test, the adjustment over the campaign's family, the level, the tolerance.

The family has every pattern, monotony and confirmed split-robustness of a campaign, so that a correct library raises
any alarm in few campaigns only. Before a check is measured, a note says how many tests there will be and how many
launches the smallest p of that family needs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ictus.guidelines.measured import LaunchMedian, gather_medians
from ictus.guidelines.question import monotony_questions, pattern_questions
from ictus.guidelines.rule import Kind, Rule
from ictus.guidelines.verdict import State
from ictus.model.case import Case
from ictus.model.errors import OptionError
from ictus.model.reduction import USUAL, Reduction, parse_reduction
from ictus.model.registries import Registries
from ictus.model.unknown import unknown
from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.compare import STRATA, STRATIFIED
from ictus.stats.kolmogorov_smirnov_test import KOLMOGOROV_SMIRNOV
from ictus.stats.looks import InterimLook
from ictus.stats.planning import launches_to_decide
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.stats.signed_rank_test import SIGNED_RANK
from ictus.stats.verdict import too_few_launches

TESTS = {test.name: test for test in (SIGNED_RANK, RANK_SUM, KOLMOGOROV_SMIRNOV)}
"""Signed-rank uses that both sides were measured in the same launches; the others are the paper's."""


@dataclass(frozen=True)
class Options:
    """By `make_options`."""

    test: str = SIGNED_RANK.name
    adjust: str = "holm"
    level: float = 0.05
    """What an honest library's chance of any violation in a campaign is kept under."""
    tolerance: float = 0.05
    """As a ratio: by how much k calls must be faster before a violation of split-robustness is predicted, and by how
    much a call may be slower than the mock-up that libictus-redirect.so makes of it.
    """
    strata: str = "modes"
    """`modes`: launches are compared within modes of the machine, by the tests that can; `off`: regardless of them."""
    reduction: Reduction = USUAL
    """How each launch becomes one number."""

    @property
    def within_modes(self) -> bool:
        """Whether launches are compared within modes of the machine."""
        return self.strata == STRATA[0] and self.test in STRATIFIED


def make_options(
    *,
    test: str = "signed-rank",
    adjust: str = "holm",
    level: float = 0.05,
    tolerance: float = 0.05,
    strata: str = "modes",
    metric: str | None = None,
    summary: str | None = None,
    outliers: str | None = None,
) -> Options:
    """The options by their names; `UsageError` for unknown ones, a level outside (0, 1) or a tolerance below 0."""
    if test not in TESTS:
        raise unknown(f"test '{test}' (--test)", test, TESTS)
    find_adjustment(adjust)
    if not 0 < level < 1:
        raise OptionError(("level", level, "must lie between 0 and 1, for example 0.05"))
    if not 0 <= tolerance < inf:
        raise OptionError(("tolerance", tolerance, "must be a ratio of 0 or more, for example 0.05 for 5 %"))
    if strata not in STRATA:
        raise unknown(f"strata '{strata}' (--strata)", strata, STRATA)
    return Options(test, adjust, level, tolerance, strata, parse_reduction(metric, summary, outliers))


@dataclass(frozen=True)
class GuidelineJudgement:
    """Columns of shape (questions,)."""

    p_adjusted: FloatArray
    significant: BoolArray
    reachable: BoolArray
    """Whether data of these sizes could be significant at all."""

    def state(self, index: int) -> State:
        """The state of a question, except for one that confirms a prediction."""
        if np.isnan(self.p_adjusted[index]):
            return State.NOT_COMPARABLE
        if self.significant[index]:
            return State.VIOLATED
        return State.HOLDS if self.reachable[index] else State.CANNOT_DECIDE


def judge(p_values: FloatArray, smallest: FloatArray, options: Options, *, campaigns: int = 1) -> GuidelineJudgement:
    """Judge all questions by their one-sided p-values and the smallest that data of their sizes can give; NaN is no
    question. Where several campaigns follow one another, of equally many, each is a family of its own.
    """
    adjustment = find_adjustment(options.adjust)

    def adjusted(values: FloatArray) -> FloatArray:
        return adjustment.apply(values.reshape(campaigns, -1)).ravel()

    # Adjustments are monotone, so every question at its smallest p shows what the family can reach at best.
    p_adjusted, best = adjusted(p_values), adjusted(np.where(np.isnan(p_values), np.nan, smallest))
    return GuidelineJudgement(p_adjusted, p_adjusted <= options.level, best <= options.level)


def launches_needed(questions: int, options: Options, look: InterimLook | None = None) -> int:
    """The least launches with which one of this number of questions can be decided, at a `look` of a growing check."""
    level = 2 * options.level  # one side at a level is two sides at twice the level
    level = level if look is None else look.nominal_level(level)
    return launches_to_decide(questions, level=level, test=TESTS[options.test].name, adjust=options.adjust)


def n_tests(
    rules: Iterable[Rule], cases: Sequence[Case], libraries: Iterable[tuple[str, str]], registries: Registries
) -> int:
    """Tests of a campaign with these cases, in each library and variant: every pattern and every two adjacent sizes.
    Confirmed splits come on top, and are not known yet.
    """
    places = [
        LaunchMedian(label, variant, case.case_id, 0, None) for label, variant in libraries for case in cases
    ]  # fmt: skip
    measured = gather_medians(cases, places, registries)
    questions_of = {Kind.MONOTONY: monotony_questions, Kind.PATTERN: pattern_questions}
    return sum(
        len(questions_of[rule.kind](rule, configuration, measured))
        for rule in rules
        if rule.kind in questions_of
        for configuration in measured.places
    )


def too_few(launches: int, tests: int, options: Options, look: InterimLook | None = None) -> str:
    """Why so few launches will decide nothing, and how many would; nothing where they may, or nothing is tested."""
    if not tests:
        return ""
    needed = launches_needed(tests, options, look)
    if launches >= needed:
        return ""
    return too_few_launches(launches, tests, needed, f"{options.test}, {options.adjust}")
