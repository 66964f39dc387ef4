"""Every process synchronisation and every scheme in ictus-bench itself: what it counts and records, recomputed from raw
stamps.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.native.launching import LIBRARIES
from tests.native.test_ictus_bench import Measured, bench, measure

pytestmark = pytest.mark.mpi

PLAN = """\
launch ranks=2 clocksync=hca3(span=20ms,fitpoints=50,exchanges=20) raw=on output={output}
case id=0 op=bcast size=8 nrep=30 procsync=window scheme=loop(calls=10)
case id=1 op=bcast size=8 nrep=20 procsync=barrier(linear) scheme=loop-barrier(calls=5,barrier=dissemination)
case id=2 op=bcast size=8 nrep=50 procsync=round-time(slice=5ms)
case id=3 op=bcast size=8 nrep=50 procsync=window-adaptive
case id=4 op=bcast size=8 nrep=40 procsync=window-adaptive(rule=nbcbench,size=100us)
case id=5 op=bcast size=8 nrep=50 procsync=arrival(pattern=one-late(rank=1),size=200us,start=window(size=500us))
case id=6 op=bcast size=8 nrep=50 procsync=barrier(double-ring)
"""


@pytest.fixture(scope="module", params=LIBRARIES)
def measured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """One launch with raw output on each library."""
    return measure(request.param, 2, tmp_path_factory.mktemp(request.param), PLAN)


def of_case(measured: Measured, case_id: int) -> tuple[dict[str, Any], npt.NDArray[np.void], npt.NDArray[np.void]]:
    """A case of launch.json, its samples, and its stamps, shape (ranks, samples)."""
    assert measured.raw is not None
    (case,) = (case for case in measured.launch["cases"] if case["case_id"] == case_id)
    stamps = measured.raw[measured.raw["case_id"] == case_id].reshape(2, -1)
    return case, measured.samples[measured.samples["case_id"] == case_id], stamps


def test_every_count_agrees_with_the_flags(measured: Measured) -> None:
    """Attempted, valid, late, long and rejected of every case; no flag that is not documented is recorded."""
    for case_id in range(7):
        case, samples, _ = of_case(measured, case_id)
        flags = samples["flags"]
        assert case["attempted"] == samples.size > 0
        assert case["valid"] == np.count_nonzero(flags == 0)
        for bit, name in ((1, "late"), (2, "long"), (4, "rejected")):
            assert case[name] == np.count_nonzero(flags & bit), name
        assert not (flags & ~np.uint16(7)).any()


def test_loops_are_recorded_per_call(measured: Measured) -> None:
    """Durations are the loop's over its calls; the start skew is the loop's own; the window holds the whole loop."""
    hertz = measured.launch["clock"]["frequency_hz"]
    for case_id, calls in ((0, 10), (1, 5), (2, 1)):
        case, samples, stamps = of_case(measured, case_id)
        assert case["calls"] == calls
        loops = (stamps["end"] - stamps["start"]) / hertz
        assert np.allclose(samples["local_max"], loops.max(axis=0) / calls, rtol=1e-12, atol=0)
        assert np.allclose(samples["root"], loops[0] / calls, rtol=1e-12, atol=0)
        valid = loops[:, samples["flags"] == 0]
        assert np.allclose(case["per_rank"]["median_s"], np.median(valid, axis=1) / calls, rtol=1e-12, atol=0)
        skew, makespan = samples["start_skew"], samples["makespan"]
        longest = calls * samples["local_max"]
        slack = 1e-9 + 10e-6 * longest  # the drift learned: 1 ns is soon passed where a loop lost its core
        assert (calls * makespan >= longest - slack).all()
        assert (calls * makespan <= longest + skew + slack).all()
    window, samples, _ = of_case(measured, 0)
    good = samples[samples["flags"] == 0]
    assert window["window_s"] > 10 * np.median(good["makespan"])


def test_round_time_ignores_the_repetition(measured: Measured) -> None:
    """As many as the slice holds: not 50, and none of them long. A start is announced once all have ended what was
    before, and none behind the slice's end: so all but the last have ended within the slice, however late a rank that
    was kept from its core began the last. Each time is known as well as the clocks were kept.
    """
    case, samples, _ = of_case(measured, 2)
    assert case["window_s"] is None
    assert case["attempted"] > 0
    assert case["long"] == case["rejected"] == 0
    slice_s = 5e-3
    clocks_s = 2 * measured.launch["blocks"][0]["closing"]["residual_max_s"] + 1e-6
    ended = samples["start"] + samples["makespan"]
    assert (ended[:-1] - samples["start"][0] <= slice_s + clocks_s).all()


def test_skampis_rule_keeps_what_is_valid(measured: Measured) -> None:
    """A first batch of four in windows of no size, then longer ones until 50 are valid."""
    case, samples, _ = of_case(measured, 3)
    assert (samples["flags"][:4] != 0).all()
    assert case["rejected"] == 0
    assert case["valid"] == 50 or case["attempted"] == 150
    assert case["window_s"] > 0


def test_nbcbenchs_rule_rejects_the_trial_and_what_it_takes_again(measured: Measured) -> None:
    """Four trial calls, then whole cases of 40, of which the last is the result."""
    case, samples, _ = of_case(measured, 4)
    rejected = samples["flags"] & 4 != 0
    assert rejected[:4].all()
    assert (case["attempted"] - 4) % 40 == 0
    assert case["rejected"] in (case["attempted"] - 40, case["attempted"])
    if case["rejected"] < case["attempted"]:
        assert not rejected[-40:].any()
        assert case["valid"] >= 30
        warnings = measured.launch["warnings"]
        assert not any(text.startswith("case 4 ") for text in warnings), "what was rejected makes nothing doubtful"


def test_ranks_arrive_as_was_asked_for(measured: Measured) -> None:
    """Rank 1 starts 200 us after rank 0; with an ordinary start it does not."""
    _, late, _ = of_case(measured, 5)
    good = late["flags"] == 0
    assert np.quantile(late["start_skew"][good], 0.25) == pytest.approx(200e-6, abs=2e-6)
    _, ordinary, _ = of_case(measured, 6)
    assert np.quantile(ordinary["start_skew"], 0.25) < 100e-6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--procsync", "round-time", "--clocksync", "none"), "procsync 'round-time' needs a global time"),
        (("--procsync", "window-adaptive", "--clocksync", "none"), "procsync 'window-adaptive' needs a global time"),
        (("--procsync", "arrival(start=barrier)"), "'barrier' gives no common instant after which ranks could arrive"),
        (("--procsync", "arrival(pattern=one-late(rank=2))"), "2 is not below the number of ranks, 2"),
        (("--scheme", "loop(calls=0)"), "'calls'"),
        (("--scheme", "loop-barrier(barrier=rings)"), "double-ring"),
        (("--procsync", "barrier(k-dissemination(k=1))"), "'k'"),
        (("--procsync", "round-time", "--repetition", "rse"), "would ignore repetition 'rse'"),
        (("--procsync", "window-adaptive(nbcbench)", "--repetition", "time"), "would ignore repetition 'time'"),
        (("--procsync", "arrival(start=round-time)", "--repetition", "nrep"), "would ignore repetition 'nrep'"),
        (("--repetition", "interval(min=20,max=10)"), "'max': 10 is below min, 20"),
        (("--repetition", "nrep(rse=off,cov_mean=off)"), "all off"),
    ],
)
def test_what_cannot_be_is_refused_by_name(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """A usage error that names what was asked and what may be, before anything is measured."""
    ended = bench("mpich", 2, "--op", "bcast", "--sizes", "8", *words, folder=tmp_path)
    assert ended.exit_code == 2, ended.output + ended.error
    assert said in ended.error
