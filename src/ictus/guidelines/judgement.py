"""From p-values to states. The family of the adjustment is every pattern, monotony and confirmed split-robustness of a
campaign, so that an honest library raises any alarm in few campaigns.
"""

from dataclasses import dataclass

import numpy as np

from ictus.guidelines.options import TESTS, Options
from ictus.guidelines.verdict import State
from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.minimum_launches import launches_to_decide


@dataclass(frozen=True)
class Judgement:
    """Columns of shape (questions,)."""

    p_adjusted: FloatArray
    significant: BoolArray
    reachable: BoolArray
    """Whether data of these sizes could be significant at all."""

    def state(self, index: int) -> State:
        """Of a question that is no prediction's confirmation."""
        if np.isnan(self.p_adjusted[index]):
            return State.NOT_COMPARABLE
        if self.significant[index]:
            return State.VIOLATED
        return State.HOLDS if self.reachable[index] else State.CANNOT_DECIDE


def judge(p_values: FloatArray, smallest: FloatArray, options: Options, *, campaigns: int = 1) -> Judgement:
    """Judge all questions by their one-sided p-values and the smallest that data of their sizes can give; NaN is no
    question. Where several campaigns follow one another, of equally many, each is a family of its own.
    """
    adjustment = find_adjustment(options.adjust)

    def adjusted(values: FloatArray) -> FloatArray:
        return adjustment.apply(values.reshape(campaigns, -1)).ravel()

    # Adjustments are monotone, so every question at its smallest p shows what the family can reach at best.
    p_adjusted, best = adjusted(p_values), adjusted(np.where(np.isnan(p_values), np.nan, smallest))
    return Judgement(p_adjusted, p_adjusted <= options.level, best <= options.level)


def launches_needed(questions: int, options: Options) -> int:
    """The least launches with which one of so many questions can be decided."""
    # One side at a level is two sides at twice the level.
    return launches_to_decide(questions, level=2 * options.level, test=TESTS[options.test].name, adjust=options.adjust)
