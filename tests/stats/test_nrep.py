"""The number of repetitions: sequences whose metrics are derived by hand, and a second implementation written from the
definitions with the standard library.
"""

import statistics

import numpy as np
import numpy.typing as npt
import pytest

from ictus.model.registries import Registries
from ictus.stats.nrep import CHOSEN, METRICS, NrepRule, predict
from ictus.studies.nrep.study import rule_of


def alternating(n: int) -> npt.NDArray[np.float64]:
    """0.9, 1.1, 0.9, ... in microseconds."""
    return np.where(np.arange(n) % 2 == 0, 0.9e-6, 1.1e-6)


def only(threshold: float, metric: str = "rse", **more: int) -> NrepRule:
    """A rule of one metric."""
    return NrepRule({metric: threshold}, **more)


def test_rse_of_alternating_values_falls_as_one_over_the_root() -> None:
    """Of n = 2m values: 0.1 / sqrt(n - 1); at most 0.02 from n = 26 on, so at the look of 30; at most 0.025 at 20."""
    found = predict(alternating(1000), only(0.02))
    assert (found.nrep, found.converged) == (30, True)
    assert found.running["rse"] == pytest.approx(0.1 / np.sqrt(found.totals - 1), rel=1e-12)
    assert predict(alternating(1000), only(0.025)).nrep == 20
    assert predict(alternating(1000), only(0.0200001, step=2)).nrep == 26
    assert predict(alternating(1000), only(0.0199999, step=2)).nrep == 28


def test_looks_are_at_min_then_every_step_then_at_max() -> None:
    """20, 30, ..., 90, 95: the last look is at max also where the steps miss it."""
    rule = NrepRule(most=95)
    assert [*range(20, 95, 10), 95] == rule.totals(200).tolist()
    assert rule.totals(39).tolist() == [20, 30]
    assert rule.totals(19).tolist() == []


def test_medians_that_jump_never_settle() -> None:
    """Prefix medians 1 and 0.9 in turn: of twenty the deviation is 0.05 sqrt(20/19), the mean 0.95."""
    variation = 0.05 * np.sqrt(20 / 19) / 0.95
    found = predict(alternating(100), only(variation * 0.999, "cov_median", most=100))
    assert found.running["cov_median"] == pytest.approx(variation, rel=1e-12)
    assert (found.nrep, found.converged) == (100, False)
    assert predict(alternating(100), only(variation * 1.001, "cov_median", most=100)).converged


def test_a_step_in_the_samples_shows_in_the_means_for_a_window() -> None:
    """1 up to sample 50, then 2: the mean of n = 50 + k samples is 1 + k/n. At 60 with a window of 5 the means are 1 +
    k/(50 + k) for k = 6 ... 10.
    """
    series = np.where(np.arange(200) < 50, 1.0, 2.0)
    found = predict(series, NrepRule({"cov_mean": 1e-9}, windows={"cov_mean": 5}))
    means = [1 + k / (50 + k) for k in range(6, 11)]
    at_60 = found.running["cov_mean"][found.totals.tolist().index(60)]
    assert at_60 == pytest.approx(statistics.stdev(means) / statistics.mean(means), rel=1e-12)
    assert found.nrep == 20, "before the step nothing varies: the windows know nothing of what comes"


def test_all_chosen_metrics_must_be_small_at_once() -> None:
    """Alternating values: rse alone ends at 20, the medians never; together never."""
    both = NrepRule({"rse": 0.025, "cov_median": 0.01}, most=200)
    assert not predict(alternating(200), both).converged
    assert predict(alternating(200), NrepRule({"rse": 0.025}, most=200)).nrep == 20


def test_outliers_are_left_out_of_rse_only() -> None:
    """One value in ten a hundred times as long is outside the fences, yet moves the means."""
    spiked = alternating(200) * np.where(np.arange(200) % 10 == 9, 100.0, 1.0)
    assert predict(spiked, only(0.03)).nrep == 20
    assert not predict(spiked, only(0.01, "cov_mean", most=200)).converged


def test_what_is_looked_at_unless_said_otherwise_is_one_thing() -> None:
    """In Python, in the core's registry, and on the command line."""
    assert NrepRule() == NrepRule.of(Registries.load().check("repetition", "nrep"))
    assert rule_of({"metrics": ",".join(CHOSEN)}) == rule_of({"step": 10}) == NrepRule()


def by_definition(series: list[float], rule: NrepRule) -> tuple[int, bool]:
    """The same, one total after the other, every prefix anew."""

    def variation(values: list[float]) -> float:
        return statistics.stdev(values) / statistics.fmean(values)

    def metric(name: str, n: int) -> float:
        if name == "rse":
            q1, _, q3 = statistics.quantiles(series[:n], n=4, method="inclusive")
            inside = [x for x in series[:n] if q1 - 1.5 * (q3 - q1) <= x <= q3 + 1.5 * (q3 - q1)]
            return variation(inside) / len(inside) ** 0.5
        if n < rule.windows[name]:
            return float("inf")
        of = statistics.fmean if name == "cov_mean" else statistics.median
        return variation([of(series[:k]) for k in range(n - rule.windows[name] + 1, n + 1)])

    n = rule.least
    while n <= len(series):
        if all(metric(name, n) <= threshold for name, threshold in rule.thresholds.items()):
            return n, True
        if n == rule.most:
            break
        n = min(n + rule.step, rule.most)
    return min(len(series), rule.most), False


@pytest.mark.parametrize("chosen", [("rse",), ("cov_mean",), ("cov_median",), ("rse", "cov_mean"), tuple(METRICS)])
def test_an_independent_implementation_agrees(chosen: tuple[str, ...]) -> None:
    """Noisy, correlated and drifting sequences with outliers, several windows and steps."""
    random = np.random.default_rng(len(chosen))
    seen = set()
    for noise, step, window in ((0.02, 10, 20), (0.2, 10, 20), (0.2, 7, 33), (0.6, 10, 5)):
        drift = np.exp(np.cumsum(random.normal(0, noise / 30, 300)))
        series = 1e-5 * drift * np.exp(random.normal(0, noise, 300)) * np.where(random.random(300) < 0.03, 8, 1)
        rule = NrepRule({name: METRICS[name] for name in chosen}, 20, 300, step, dict.fromkeys(METRICS, window))
        found = predict(series, rule)
        seen.add(found.nrep)
        assert by_definition(series.tolist(), rule) == (found.nrep, found.converged)
        shifted = predict(np.roll(series, 150), rule)
        assert by_definition(np.roll(series, 150).tolist(), rule) == (shifted.nrep, shifted.converged)
    assert len(seen) > 1, "sequences that all end alike would show nothing"


def test_samples_that_run_out_are_not_converged() -> None:
    """Fewer than the first look, or too few for a window."""
    assert ((short := predict(alternating(15), NrepRule())).nrep, short.converged) == (15, False)
    assert not predict(np.ones(30), NrepRule({"cov_mean": 0.01}, windows={"cov_mean": 41})).converged
    assert predict(np.ones(60), NrepRule({"cov_mean": 0.01}, windows={"cov_mean": 41})).nrep == 50


def test_what_has_no_relative_error_is_never_enough() -> None:
    """All zero: 0/0 is not small. NaN, infinity and nothing are refused."""
    assert not predict(np.zeros(100), NrepRule({"rse": 0.5, "cov_mean": 0.5})).converged
    for wrong in ([], [1.0, np.nan], [1.0, np.inf]):
        with pytest.raises(ValueError, match=r"."):
            predict(wrong, NrepRule())


def test_a_rule_is_read_from_the_repetition_that_the_core_had() -> None:
    """Metrics that are off are not looked at."""
    registries = Registries.load()
    rule = NrepRule.of(registries.check("repetition", "nrep(max=500,rse=off,cov_median=0.02,median_window=7)"))
    assert rule.thresholds == {"cov_mean": 0.01, "cov_median": 0.02}
    assert (rule.least, rule.most, rule.step, rule.windows) == (20, 500, 10, {"cov_mean": 20, "cov_median": 7})
    with pytest.raises(ValueError, match="'fixed' predicts no number"):
        NrepRule.of(registries.check("repetition", "fixed"))
