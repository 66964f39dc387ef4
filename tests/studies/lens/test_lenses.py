"""Every lens on small known data: the numbers are derived here by hand, and wrong data give other ones."""

import math
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pytest

from ictus.model.errors import UsageError
from ictus.model.spec import Spec, parse_spec
from ictus.studies.lens.suites.lens import SuiteReport
from ictus.studies.lens.suites.measured import FloatArray, RankSummaries, SuiteSamples
from ictus.studies.lens.suites.registry import ALL, LENSES, find_look

MICRO = 1e-6

LOCAL_US = (
    (1.0, 2.0, 1.0, 4.0),  # rank 0: mean 2, median 1.5
    (2.0, 2.0, 3.0, 3.0),  # rank 1: mean 2.5, median 2.5
    (6.0, 1.0, 2.0, 3.0),  # rank 2: mean 3, median 2.5
)
"""Four calls of three ranks, microseconds: the slowest ranks are 6, 2, 3, 4."""


def measured(local_us: object, *, calls: int = 1, size_bytes: int = 8) -> SuiteSamples:
    """What a method would have left of these durations, shape (ranks, repetitions), microseconds."""
    local = np.asarray(local_us, np.float64) * MICRO
    return SuiteSamples(
        size_bytes=size_bytes,
        calls=calls,
        local_max=local.max(axis=0),
        root=local[0],
        ranks=RankSummaries(local.mean(axis=1), local.min(axis=1), local.max(axis=1), np.median(local, axis=1)),
        local=local,
        resolution_s=1e-9,
    )


def slowest(times_us: object) -> SuiteSamples:
    """Two ranks of which the second is always the slower one, by these times."""
    times = np.asarray(times_us, np.float64)
    return measured(np.stack((times / 2, times)))


def texts(report: SuiteReport) -> dict[str, str]:
    """The line as printed."""
    return {number.name: number.text for number in report.numbers}


PRINTED = {
    # mean over ranks of 2, 2.5, 3
    "osu": {"Avg Latency(us)": "2.50", "Min Latency(us)": "2.00", "Max Latency(us)": "3.00", "Iterations": "4"},
    "imb": {"#bytes": "8", "#repetitions": "4", "t_min[usec]": "2.00", "t_max[usec]": "3.00", "t_avg[usec]": "2.50"},
    # four loops of 100 calls each: the smallest of rank 0 is 1
    "mpptest": {"len": "8", "time (us)": "1.000"},
    # the mean of 1, 2, 1 and 4
    "mpbench": {"bytes": "8", "latency (us)": "2.000"},
    "phloem": {"bytes": "8", "min (us)": "2.00", "max (us)": "3.00", "avg (us)": "2.50"},
    "phloem(barrier)": {"bytes": "8", "min (us)": "2.00", "max (us)": "3.00", "avg (us)": "2.50"},
    "imb-loop": {
        "#bytes": "8",
        "#repetitions": "100",
        "t_min[usec]": "2.00",
        "t_max[usec]": "3.00",
        "t_avg[usec]": "2.50",
    },
    "mpibench-llnl": {"Bytes": "8", "Iters": "100", "Avg": "2.5000", "Min": "2.0000", "Max": "3.0000"},
    "mpibench-llnl(pipelined)": {"Bytes": "8", "Iters": "100", "Avg": "2.5000", "Min": "2.0000", "Max": "3.0000"},
    # ordered 2, 3, 4, 6; one left out at either end; 3 and 4 remain: mean 3.5, s = sqrt(1/2), s / sqrt(2) = 0.5;
    # they are the calls 2 and 3, in which the ranks took (1, 4), (3, 3), (2, 3)
    "skampi": {
        "size": "8",
        "time": "3.5",
        "standard error": "0.5",
        "n": "4",
        "rank 0": "2.5",
        "rank 1": "3.0",
        "rank 2": "2.5",
    },
    "nbcbench": {"size": "8", "t_{MPI}": "2.50"},
    "nbcbench(of=mean)": {"size": "8", "t_{MPI}": "3.00"},
    "nbcbench(of=max)": {"size": "8", "t_{MPI}": "6.00"},
    "nbcbench(of=min)": {"size": "8", "t_{MPI}": "2.00"},
    # pooled 1 1 1 2 2 2 2 3 3 3 4 6, sum 30; the 99th percentile is near 6, and nothing is above twice that
    "mpibench": {"size": "8", "min": "1.00", "mean": "2.50", "max": "6.00", "outliers": "0"},
    # (6 + 2 + 3 + 4) / 4 = 3.75; t(0.95, 3) = 2.3533634, s = 1.7078251: half width 2.0095656
    "mpiblib": {"M": "8", "T": "0.000003750", "wtick": "0.000000001", "reps": "4", "ci": "0.000002010"},
    # (1 + 2 + 1 + 4) / 4 = 2; s = sqrt(2): 2.3533634 * 0.7071068
    "mpiblib(root)": {"M": "8", "T": "0.000002000", "wtick": "0.000000001", "reps": "4", "ci": "0.000001664"},
    "mpicroscope": {"size": "8", "min": "2.00", "avg": "3.75", "max": "6.00", "repetitions": "4"},
}
"""By lens: its line for the durations above."""

LOOPS = ("imb-loop", "mpptest", "mpbench", "phloem", "mpibench-llnl")


def seen(text: str, local_us: object = LOCAL_US) -> SuiteReport:
    """What the lens says of these durations, loops being of a hundred calls."""
    calls = 100 if text.startswith(LOOPS) else 1
    return find_look(text).report(measured(local_us, calls=calls))


@pytest.mark.parametrize("text", PRINTED)
def test_the_line_of_each_suite_is_the_one_derived_by_hand(text: str) -> None:
    """Names, units and decimals as the suite prints them. Two ranks swapped in one call: mean and maximum move."""
    assert texts(seen(text)) == PRINTED[text]
    wrong = ((9.0, 9.0, 9.0, 9.0), *LOCAL_US[1:])
    assert texts(seen(text, wrong)) != PRINTED[text]


def test_every_lens_is_derived_above_and_looked_through_by_default() -> None:
    """No lens without a derivation, and none left out of the table."""
    assert {text.partition("(")[0] for text in PRINTED} == {lens.name for lens in LENSES}
    assert {text.partition("(")[0] for text in ALL} == {lens.name for lens in LENSES}
    assert set(ALL) <= {*PRINTED, "skampi(window)"}


def test_labels_are_texts_that_name_the_lens() -> None:
    """What a table calls a lens can be typed."""
    for text in (*ALL, *PRINTED, "skampi(threshold=0.03)", "mpibench(window,factor=3)", "nbcbench(window,of=max)"):
        assert find_look(text).label == text
        assert find_look(find_look(text).label).spec == find_look(text).spec


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("osy", "unknown lens 'osy', did you mean 'osu'"),
        ("skampi(0.03)", "expected one of barrier, window"),
        ("skampi(threshold=2)", "allowed is 0 to 1"),
        ("mpibench(a=3)", "unknown parameter 'a' of lens 'mpibench'"),
        ("osu(1)", "osu takes 0 arguments"),
    ],
)
def test_a_wrong_name_says_what_is_known(text: str, said: str) -> None:
    """As everywhere in the grammar of names."""
    with pytest.raises(UsageError) as error:
        find_look(text)
    assert said in str(error.value)


def test_skampi_trims_quartiles_and_stops_after_a_batch() -> None:
    """Batches of 4, 8, 8, 8: constant times stop at the first batch that has 8 calls, times that jump about at 33 or
    more, which is the fifth.
    """
    look = find_look("skampi")
    steady = look.report(slowest(np.full(100, 5.0)))
    assert texts(steady)["n"] == "12"
    assert steady.headline_s == pytest.approx(5 * MICRO)
    wild = np.where(np.arange(100) % 2, 1.0, 19.0)  # mean 10; n/4 are left out at either end, ones and nineteens alike
    report = look.report(slowest(wild))
    assert texts(report)["n"] == "36"
    assert report.headline_s == pytest.approx(10 * MICRO)
    # 12 calls: 6 of 1 and 6 of 19; s = 9 sqrt(12/11), standard error 2.71: 27 % of the mean
    assert texts(find_look("skampi(threshold=0.28)").report(slowest(wild)))["n"] == "12"
    assert texts(find_look("skampi(threshold=0.27)").report(slowest(wild)))["n"] != "12"
    assert texts(look.report(slowest(wild[:30])))["n"] == "30", "the record ends before the rule does"


def test_mpiblib_stops_when_the_one_sided_interval_is_narrow() -> None:
    """From the thirtieth call on, at the first n with t(0.95, n - 1) s / sqrt(n) below 5 % of the mean."""
    times = 10.0 + np.tile([-1.0, 1.0], 200)
    times[:10] *= 4
    n = int(texts(find_look("mpiblib").report(slowest(times)))["reps"])

    def relative(count: int) -> float:
        """Half width in relation to the mean; 1.645 to 1.70 is what the quantile is for 30 calls and more."""
        return stdev(times[:count]) / math.sqrt(count) / mean(times[:count])

    assert n > 30
    assert 1.64 * relative(n) < 0.05 < 1.70 * relative(n - 1)
    assert texts(find_look("mpiblib").report(slowest(np.full(100, 3.0))))["reps"] == "30"
    assert texts(find_look("mpiblib(most=40)").report(slowest(times)))["reps"] == "40"


def test_mpicroscope_decays_while_no_minimum_is_found() -> None:
    """Rounds of 10, step 1: without a new minimum 10 + 10 + 9 + ... + 1 calls, the first round setting the minimum;
    halved 10 + 10 + 5 + 2 + 1. A new minimum in each round keeps their length.
    """
    flat = slowest(np.full(1000, 4.0))
    assert texts(find_look("mpicroscope(round=10)").report(flat))["repetitions"] == "65"
    assert texts(find_look("mpicroscope(exponential,round=10)").report(flat))["repetitions"] == "28"
    falling = slowest(np.linspace(9.0, 1.0, 1000))
    assert texts(find_look("mpicroscope(round=10)").report(falling))["repetitions"] == "1000"


def test_mpibench_removes_what_is_far_above_the_99th_percentile() -> None:
    """200 pooled calls of 1 us and one of 30 us: the percentile is 1, the limit 2, or 40 by another factor."""
    times = np.ones((2, 100))
    times[1, 50] = 30.0
    found = texts(find_look("mpibench").report(measured(times)))
    assert (found["max"], found["mean"], found["outliers"]) == ("1.00", "1.00", "1")
    kept = texts(find_look("mpibench(factor=40)").report(measured(times)))
    assert (kept["max"], kept["outliers"]) == ("30.00", "0")
    with pytest.raises(ValueError, match="kept no raw data"):
        find_look("mpibench").report(replace(measured(times), local=None))


def test_skampi_without_raw_data_leaves_out_the_ranks() -> None:
    """Its first columns need none."""
    report = find_look("skampi").report(replace(measured(LOCAL_US), local=None))
    assert list(texts(report)) == ["size", "time", "standard error", "n"]


def test_methods_are_those_of_the_suites() -> None:
    """What each is measured by: synchronisation, scheme, repetitions."""
    found = {text: find_look(text).method(1000) for text in ALL}
    loops = {text: str(method.scheme) for text, method in found.items() if method.scheme.name != "per-call"}
    assert loops == {
        "imb-loop": "loop(1000)",
        "mpptest": "loop(100)",
        "mpbench": "loop(1000)",
        "phloem": "loop(1000)",
        "phloem(barrier)": "loop-barrier(1000,library)",
        "mpibench-llnl": "loop-barrier(1000,library)",
        "mpibench-llnl(pipelined)": "loop(1000)",
    }
    assert [text for text, method in found.items() if method.procsync == Spec("none")] == ["mpbench"]
    assert found["mpptest"].repetition == parse_spec("fixed(10)")
    assert found["osu"].procsync == parse_spec("barrier(library)")


BROKEN = {
    "a repetition is lost": lambda one: replace(one, root=one.root[:-1]),
    "nothing is valid": lambda one: replace(one, local_max=one.local_max[:0], root=one.root[:0]),
    "a time is negative": lambda one: replace(one, local_max=negative(one.local_max)),
    "a time is not a number": lambda one: replace(one, root=one.root * np.nan),
    "a rank is lost": lambda one: replace(one, local=one.local[:-1]),
    "a rank never ended": lambda one: replace(one, ranks=replace(one.ranks, max=one.ranks.max * np.inf)),
}


def negative(times: FloatArray) -> FloatArray:
    """The times with the first one turned round."""
    return np.concatenate((-times[:1], times[1:]))


@pytest.mark.parametrize("how", BROKEN)
def test_data_that_no_method_leaves_is_refused(how: str) -> None:
    """A lens never turns damaged data into a number."""
    whole = measured(LOCAL_US)
    assert find_look("osu").report(whole).headline_s == pytest.approx(2.5 * MICRO)
    with pytest.raises(ValueError, match=r"repetitions|durations|duration"):
        BROKEN[how](whole)
