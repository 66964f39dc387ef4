"""The order of the verdicts (decision 27), rule by rule, on hand-made evidence."""

from dataclasses import replace

import numpy as np
import pytest

from ictus.model.errors import UsageError
from ictus.stats.evidence import Evidence
from ictus.stats.verdict import KINDS, CaseRules, judge

RULES = CaseRules(paired=False, test=None, adjust="none", level=0.05, equivalence=0.05).resolve()


def evidence(p_value, less, greater, low, high, *, smallest=1e-5):
    """One case with these p-values and limits of the ratio."""
    one = {name: np.array([1.0]) for name in ("median_a", "median_b", "reached", "spread")}
    return Evidence(
        n_a=np.array([10]), n_b=np.array([10]), shift=np.array([0.0]), **one,
        shift_low=np.log([low]), shift_high=np.log([high]),
        p_value=np.array([p_value]), p_less=np.array([less]), p_greater=np.array([greater]),
        smallest_p=np.array([smallest]),
    )  # fmt: skip


def kinds(found):
    """The words of a judgement."""
    return [KINDS[code].value for code in found.codes]


@pytest.mark.parametrize(
    ("case", "kind", "inside"),
    [
        (evidence(0.05, 0.025, 0.98, 0.7, 0.9), "faster", False),
        (evidence(0.01, 0.995, 0.005, 1.1, 1.3), "slower", False),
        (evidence(0.01, 0.005, 0.995, 0.96, 0.99), "faster", True),
        (evidence(0.051, 0.026, 0.98, 0.97, 1.001), "same", True),
        (evidence(0.8, 0.4, 0.6, 0.953, 1.0499), "same", True),
        (evidence(0.8, 0.4, 0.6, 0.952, 1.04), "undecided", False),
        (evidence(0.8, 0.4, 0.6, 0.96, 1.051), "undecided", False),
        (evidence(0.1, 0.05, 0.99, 0.5, 0.99, smallest=0.1), "cannot-decide", False),
        (evidence(0.8, 0.4, 0.6, 0.96, 1.04, smallest=0.1), "same", True),
        (evidence(0.02, 0.3, 0.3, 0.5, 2.0), "undecided", False),
        (evidence(np.nan, np.nan, np.nan, 0.96, 1.04), "not-comparable", True),
    ],
)  # fmt: skip
def test_rules_apply_in_their_order(case, kind, inside):
    """Significance first, then equivalence, then reach, then undecided; 0.952 lies outside 1 / 1.05 = 0.9524."""
    found = judge(case, RULES)
    assert (kinds(found), found.inside.tolist()) == ([kind], [inside])


def together(*cases):
    """Several cases in one table."""
    columns = {name: np.concatenate([getattr(case, name) for case in cases]) for name in vars(cases[0])}
    return replace(cases[0], **columns)


def test_verdicts_are_adjusted_for_the_family():
    """A p of 0.03 alone is faster, and undecided beside another case under Holm."""
    case = evidence(0.03, 0.015, 0.99, 0.7, 0.9)
    other = evidence(0.6, 0.3, 0.7, 0.7, 1.2)
    holm = CaseRules(paired=False, test=None, adjust="holm", level=0.05, equivalence=0.05).resolve()
    assert kinds(judge(case, holm)) == ["faster"]
    assert kinds(judge(together(case, other), holm)) == ["undecided", "undecided"]
    assert kinds(judge(together(case, other), RULES)) == ["faster", "undecided"]


def test_campaigns_are_families_of_their_own():
    """Two campaigns of one case each are not one of two."""
    case = evidence(0.03, 0.015, 0.99, 0.7, 0.9)
    holm = CaseRules(paired=False, test=None, adjust="holm", level=0.05, equivalence=0.05).resolve()
    assert kinds(judge(together(case, case), holm, campaigns=2)) == ["faster", "faster"]


def test_reach_is_judged_after_adjustment_and_without_the_untestable():
    """A smallest p of 0.02 suffices for two cases, not for three; a case without data is not counted."""
    case = evidence(0.6, 0.3, 0.7, 0.7, 1.2, smallest=0.02)
    missing = evidence(np.nan, np.nan, np.nan, 1.0, 1.0, smallest=np.nan)
    holm = CaseRules(paired=False, test=None, adjust="holm", level=0.05, equivalence=0.05).resolve()
    assert kinds(judge(together(case, case, missing), holm)) == ["undecided", "undecided", "not-comparable"]
    assert kinds(judge(together(case, case, case), holm)) == ["cannot-decide"] * 3


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"level": 0.0}, "level=0.0: must lie between 0 and 1"),
        ({"level": 1.0}, "level=1.0"),
        ({"equivalence": 0.0}, "equivalence=0.0: must be a positive ratio"),
        ({"equivalence": float("nan")}, "equivalence=nan"),
    ],
)
def test_levels_and_margins_out_of_range_are_usage_errors(changed, message):
    """The message names the option, the value and an example."""
    asked = {"paired": False, "test": None, "adjust": "holm", "level": 0.05, "equivalence": 0.05, **changed}
    with pytest.raises(UsageError, match=message):
        CaseRules(**asked).resolve()
