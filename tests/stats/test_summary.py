"""Samples of one launch to one row per case."""

import statistics
from dataclasses import asdict

import numpy as np
import pytest

from ictus.stats.summary import summarise, summarise_launch


def described(values, flags, factor=1.5):
    """The same in plain Python: filter, sort, interpolate, count."""
    good = [v for v, f in zip(values, flags, strict=True) if f == 0]

    def quantile(ordered, share):
        position = (len(ordered) - 1) * share
        below = int(position)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] * (1 - (position - below)) + ordered[above] * (position - below)

    ordered = sorted(good)
    q1, q3 = quantile(ordered, 0.25), quantile(ordered, 0.75)
    kept = [v for v in good if q1 - factor * (q3 - q1) <= v <= q3 + factor * (q3 - q1)]
    half = len(kept) // 2
    return {
        "attempted": len(values),
        "valid": len(good),
        "late": sum(f & 1 for f in flags),
        "long": sum(f >> 1 & 1 for f in flags),
        "outliers": len(good) - len(kept),
        "kept": len(kept),
        "median": statistics.median(kept),
        "mean": statistics.fmean(kept),
        "min": min(kept),
        "max": max(kept),
        "q1": quantile(sorted(kept), 0.25),
        "q3": quantile(sorted(kept), 0.75),
        "half_shift": statistics.median(kept[-half:]) / statistics.median(kept[:half]) - 1,
    }


def latencies(size, seed):
    """Log-normal latencies with stalls, and flags on some of them."""
    random = np.random.default_rng(seed)
    values = random.lognormal(-11, 0.1, size) * np.where(random.random(size) < 0.05, 8.0, 1.0)
    return values, random.choice([0, 1, 2, 3], size, p=[0.85, 0.06, 0.06, 0.03]).astype(np.uint16)


@pytest.mark.parametrize("size", [10, 101, 1000])
def test_summary_agrees_with_plain_python_to_twelve_digits(size):
    """Every count exactly, every value to 1e-12 relative."""
    values, flags = latencies(size, size)
    expected = described(values.tolist(), flags.tolist())
    found = asdict(summarise(values, flags))
    found.pop("shift_matters")
    assert expected["outliers"] > 0 or size < 100
    assert {k: v for k, v in found.items() if isinstance(v, int)} == {
        k: v for k, v in expected.items() if isinstance(v, int)
    }
    assert found == pytest.approx(expected, rel=1e-12)


def test_launch_summary_gives_each_case_what_it_has_alone():
    """All cases at once, in shuffled order, is the same as one by one; rows come ascending by case."""
    cases = {7: latencies(500, 1), 2: latencies(90, 2), 5: latencies(1, 3), 4: latencies(33, 4)}
    ids = np.concatenate([np.full(len(values), case) for case, (values, _) in cases.items()])
    values, flags = (np.concatenate([pair[i] for pair in cases.values()]) for i in (0, 1))
    found = summarise_launch(ids, values, flags)
    assert found.case_id.tolist() == [2, 4, 5, 7]
    for index, case in enumerate(found.case_id):
        assert found.row(index) == summarise(*cases[int(case)])


def test_a_case_measured_in_several_stretches_is_one_case():
    """Interleaved repetitions are brought together in the order measured."""
    values, flags = latencies(400, 5)
    ids = np.tile([1, 0], 200)
    found = summarise_launch(ids, values, flags)
    assert found.row(0) == summarise(values[1::2], flags[1::2])
    assert found.row(1) == summarise(values[::2], flags[::2])


def test_no_valid_sample_gives_none_and_never_zero():
    """Five late repetitions are five attempts and no number."""
    found = summarise([1.0] * 5, [1] * 5)
    assert (found.attempted, found.valid, found.late, found.kept, found.outliers) == (5, 0, 5, 0, 0)
    assert [found.median, found.mean, found.min, found.max, found.q1, found.q3, found.half_shift] == [None] * 7
    assert found.shift_matters is False


def test_no_sample_at_all_is_a_summary_too():
    """Empty in, zero counts and None out; an empty launch has no case."""
    assert summarise([], []).median is None
    assert summarise([], []).attempted == 0
    assert summarise_launch([], [], []).case_id.size == 0


def test_a_case_without_valid_samples_leaves_its_neighbours_alone():
    """The middle of three cases lost every sample."""
    found = summarise_launch([0, 0, 1, 1, 2, 2], [1.0, 3.0, 9.0, 9.0, 5.0, 7.0], [0, 0, 1, 2, 0, 0])
    assert found.median[[0, 2]].tolist() == [2.0, 6.0]
    assert np.isnan(found.median[1])
    assert (found.valid.tolist(), found.late.tolist(), found.long.tolist()) == ([2, 0, 2], [0, 1, 0], [0, 1, 0])


def test_values_that_are_not_finite_are_no_measurements():
    """NaN and inf count as attempted, not as valid, whatever their flag says."""
    found = summarise([1.0, float("nan"), 2.0, float("inf")], [0, 0, 0, 0])
    assert (found.attempted, found.valid, found.median) == (4, 2, 1.5)


def test_without_a_factor_every_valid_sample_is_kept():
    """`outlier_factor=None` switches the filter off."""
    values = [1.0, 2.0, 3.0, 4.0, 100.0]
    assert summarise(values, [0] * 5).outliers == 1
    assert summarise(values, [0] * 5, outlier_factor=None).max == 100.0


def test_a_settling_launch_is_marked_and_a_steady_one_is_not():
    """The flag reaches the summary: the second half is 20 % faster."""
    noise = np.random.default_rng(1).lognormal(0, 0.05, 1000)
    settling = noise * np.where(np.arange(1000) < 500, 1.2, 1.0)
    assert summarise(settling, np.zeros(1000, int)).shift_matters is True
    assert summarise(settling, np.zeros(1000, int)).half_shift == pytest.approx(1 / 1.2 - 1, abs=0.02)
    assert summarise(noise, np.zeros(1000, int)).shift_matters is False


def test_columns_are_named_as_in_the_summary_table():
    """summary.parquet takes these names but `quantile`, which is of a reduction."""
    columns = summarise_launch([3], [1.0], [0]).columns()
    assert list(columns) == [
        "case_id", "attempted", "valid", "late", "long", "outliers", "kept",
        "median", "mean", "min", "max", "q1", "q3", "quantile", "half_shift", "shift_matters",
    ]  # fmt: skip
    assert {column.shape for column in columns.values()} == {(1,)}


def test_shapes_that_differ_and_negative_factors_are_refused():
    """Both would give wrong numbers in silence."""
    with pytest.raises(ValueError, match="differ in shape"):
        summarise_launch([0, 0], [1.0], [0, 0])
    with pytest.raises(ValueError, match="negative"):
        summarise([1.0], [0], outlier_factor=-0.5)
