"""Every test of the family on the same awkward samples: a defined result or a clear error, and never a warning."""

import numpy as np
import pytest
from scipy import stats

from ictus.stats.hypothesis import ALTERNATIVES
from ictus.stats.registry import TESTS

INF, NAN = float("inf"), float("nan")
REFERENCES = {
    "rank-sum": lambda a, b, side: stats.mannwhitneyu(a, b, alternative=side, method="exact"),
    "signed-rank": lambda a, b, side: stats.wilcoxon(np.log(a / b[: a.size]), alternative=side, method="exact"),
    "welch": lambda a, b, side: stats.ttest_ind(np.log(a), np.log(b), equal_var=False, alternative=side),
    # scipy's `less` speaks of the distribution function, ours of the values.
    "kolmogorov-smirnov": lambda a, b, side: stats.ks_2samp(
        a, b, alternative={"less": "greater", "greater": "less"}.get(side, side), method="exact"
    ),
}
DEFINED = [
    # name, a, b, two-sided p of rank-sum, signed-rank, welch, kolmogorov-smirnov; None: an error
    ("constant, equal", [1.0] * 4, [1.0] * 4, (1.0, 1.0, NAN, 1.0)),
    ("constant, different", [1.0] * 4, [2.0] * 4, (2 / 70, 0.125, NAN, 2 / 70)),
    ("one value a side", [1.0], [2.0], (1.0, 1.0, NAN, 1.0)),
    ("one against three", [1.0], [2.0, 3.0, 4.0], (0.5, None, NAN, 0.5)),
    ("infinite", [1.0, 2.0, 3.0], [4.0, 5.0, INF], (0.1, None, NAN, 0.1)),
    ("all infinite", [INF] * 3, [INF] * 3, (1.0, None, NAN, 1.0)),
    ("empty", [], [1.0], (None, None, None, None)),
    ("NaN", [1.0, NAN], [1.0, 2.0], (None, None, None, None)),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "a", "b", "expected"), DEFINED, ids=[case[0] for case in DEFINED])
def test_awkward_samples_have_a_defined_result_or_a_clear_error(name, a, b, expected):
    """The table above, for every test: NaN stands for a test without meaning, which becomes NA in a verdict."""
    assert list(TESTS) == ["rank-sum", "signed-rank", "welch", "kolmogorov-smirnov"]
    for test, p_value in zip(TESTS.values(), expected, strict=True):
        if p_value is None:
            with pytest.raises(ValueError, match=r"empty|NaN|needs pairs|not positive and finite"):
                test.apply(a, b)
        else:
            assert test.apply(a, b).p_value == pytest.approx(p_value, rel=1e-12, nan_ok=True), f"{test.name}, {name}"


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", TESTS)
def test_p_is_that_of_scipy_to_twelve_digits(name, alternative):
    """Unequal sizes (pairs excepted) without ties, each side in turn the larger; another sample has another p."""
    random = np.random.default_rng(11)
    for n, m in ((12, 17), (17, 12), (2, 9), (30, 31)):
        a, b = random.lognormal(0.1, 0.3, n), random.lognormal(0, 0.2, n if TESTS[name].paired else m)
        reference = REFERENCES[name](a, b, alternative).pvalue
        assert TESTS[name].apply(a, b, alternative).p_value == pytest.approx(float(reference), rel=1e-12)
    assert TESTS[name].apply(1.5 * a, b, alternative).p_value != pytest.approx(float(reference), rel=1e-12)


@pytest.mark.parametrize("digits", [1, 0])
def test_ties_of_kolmogorov_smirnov_are_those_of_scipy(digits):
    """Rounded values, some and many equal, both ways of computing p."""
    random = np.random.default_rng(12)
    a, b = np.round(random.normal(5, 1, 13), digits), np.round(random.normal(5.5, 1, 18), digits)
    reference = stats.ks_2samp(a, b, method="exact")
    found = TESTS["kolmogorov-smirnov"].apply(a, b)
    assert (found.statistic, found.p_value) == pytest.approx((reference.statistic, reference.pvalue), rel=1e-12)
