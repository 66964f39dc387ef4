"""Overlap from phases: formulas by hand, corrupted phases caught, what time and work make of a stolen core."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ictus.model.errors import MeasurementError
from ictus.overlap.formulas import imb_overlap, osu_overlap, overlap
from ictus.overlap.progress import progress_of
from ictus.overlap.reading import parse_launch
from ictus.overlap.record import PHASE, OverlapLaunch
from ictus.overlap.summary import summarise


def test_overlap_by_hand() -> None:
    """T_b = 100: of an overhead of 25 three quarters are hidden, of 100 nothing, and 150 is worse than blocking."""
    assert overlap(25e-6, 100e-6) == pytest.approx(0.75)
    assert overlap(100e-6, 100e-6) == pytest.approx(0)
    assert overlap(150e-6, 100e-6) == pytest.approx(-0.5)
    with pytest.raises(ValueError, match="blocking time of 0"):
        overlap(1e-6, 0)


def test_other_suites_by_hand() -> None:
    """OSU averages over ranks, IMB looks at the slowest rank; both cut what we show.

    OSU: pure (8 + 12) / 2 = 10, total 25, compute 20: 1 - 5 / 10. IMB: rank 1 has the largest total, 30:
    (12 + 20 - 30) / max(12, 20) = 0.1.
    """
    assert osu_overlap([8, 12], [20, 20], [20, 30]) == pytest.approx(0.5)
    assert imb_overlap([8, 12], [20, 20], [20, 30]) == pytest.approx(0.1)
    assert osu_overlap([10], [20], [45]) == 0
    assert imb_overlap([10], [20], [45]) == 0


US = 1e-6
TIME = {"init": 5 * US, "test": 0.0, "compute": 100 * US, "wait": 45 * US}


def run(
    number: int, compute: str, interval: int | None, phases: Mapping[str, float], alone: float, **more: Any
) -> dict[str, Any]:
    """A run of ten equal repetitions on two equal ranks."""
    total = sum(phases.values())
    overhead = total - alone if compute == "work" else total - phases["compute"]
    return {
        "run": number, "compute": compute, "interval_bytes": interval, "tests": 0 if interval is None else 5,
        "attempted": 10, "valid": 10, "alone_s": [alone, alone],
        "mean": {**{f"{key}_s": [value] * 2 for key, value in phases.items()}, "total_s": [total] * 2},
        "record": {**phases, "total": total, "overhead": overhead}, **more,
    }  # fmt: skip


def launch_of(runs: list[dict[str, Any]], **changed: Any) -> tuple[dict[str, Any], NDArray[np.void]]:
    """Document and records of a launch with one case, as the core writes them."""
    records = np.zeros(10 * len(runs), PHASE)
    for place, one in enumerate(runs):
        part = records[10 * place : 10 * place + 10]
        part["run"], part["repetition"] = one["run"], range(10)
        for key, value in one["record"].items():
            part[key] = value
    case = {"case_id": 0, "operation": "iallreduce", "size_bytes": 65536}
    document = {
        "format": 1, "study": "overlap", "n_ranks": 2, "seed": 1, "simulated": False, "places": {"host": [0, 0]},
        "clock": {"spec": "tsc"}, "mpi": {"library_version": "Library 1", "thread_level": "single"},
        "launcher": {"library": {"label": "library"}}, "threads": [1, 1], "control_variables": {},
        "cases": [{**case, "runs": [{key: one[key] for key in one if key != "record"} for one in runs]}],
    }  # fmt: skip
    return json.loads(json.dumps({**document, **changed})), records


BLOCKING = {"init": 10 * US, "test": 0.0, "compute": 0.0, "wait": 90 * US}


def parsed(*runs: dict[str, Any]) -> OverlapLaunch:
    """The launch read by the product's own code."""
    return parse_launch(*launch_of([run(0, "none", None, BLOCKING, 0.0), *runs]), "none", "launch")


def test_a_launch_comes_to_the_overlap_that_was_put_in() -> None:
    """T_b 100 us, init 5, wait 45: overhead 50, overlap 1/2, whatever way it is reduced; OSU 1/2, IMB 1/2."""
    for how in ("median", "mean"):
        (one,) = summarise([parsed(run(1, "time", None, TIME, 100 * US))], how)
        assert one.blocking.median == pytest.approx(100 * US)
        assert one.overhead.median == pytest.approx(50 * US)
        assert (one.overlap.median, one.osu, one.imb) == pytest.approx((0.5, 0.5, 0.5))
        assert (one.launches, one.overlap.low) == (1, None)
    (many,) = summarise([parsed(run(1, "time", None, TIME, 100 * US))] * 6)
    assert many.overlap.low == pytest.approx(0.5)


def test_stolen_time_is_seen_by_work_and_hidden_by_time() -> None:
    """Another thread takes the core for 30 us of the computation. Computing until the clock says so ends in time, and
    nothing is missed; the same amount of work ends 30 us late. Without it both say the same.
    """
    stolen = {**TIME, "compute": 130 * US}
    quiet = summarise([parsed(run(1, "time", None, TIME, 100 * US), run(2, "work", None, TIME, 100 * US))])
    assert quiet[0].overlap.median == pytest.approx(quiet[1].overlap.median)
    disturbed = summarise([parsed(run(1, "time", None, TIME, 100 * US), run(2, "work", None, stolen, 100 * US))])
    by = {one.key.compute: one.overlap.median for one in disturbed}
    assert by == pytest.approx({"time": 0.5, "work": 0.2})


@pytest.mark.parametrize(
    ("alone", "tested", "verdict"),
    [(0.8, 0.9, "yes"), (0.1, 0.9, "only with tests"), (0.1, 0.3, "no"), (-0.5, -0.8, "no")],
)
def test_verdict_on_progress(alone: float, tested: float, verdict: str) -> None:
    """By itself, only with tests, not at all; the best interval is the one with the least overhead."""

    def waiting(share: float) -> dict[str, float]:
        return {**TIME, "wait": (1 - share) * 100 * US - TIME["init"]}

    runs = [run(1, "time", None, waiting(alone), 100 * US), run(2, "time", 4096, waiting(tested), 100 * US)]
    (found,) = progress_of(summarise([parsed(*runs)] * 6))
    assert found.verdict == verdict
    assert found.best.key.interval_bytes == (4096 if tested > alone else None)


def test_launches_that_disagree_decide_nothing() -> None:
    """Half of the launches hide much, half little: the interval reaches across the half."""
    launches = [parsed(run(1, "time", None, {**TIME, "wait": wait * US}, 100 * US)) for wait in (5, 5, 5, 85, 85, 85)]
    assert progress_of(summarise(launches))[0].verdict == "undecided"


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("wait", 200 * US, "contradict each other"),
        ("init", -1 * US, "contradict each other"),
        ("total", 151 * US, "contradict each other"),
        ("compute", np.nan, "contradict each other"),
        ("overhead", np.inf, "contradict each other"),
        ("flags", 1, "9 valid"),
        ("run", 9, "9 valid"),
    ],
)
def test_corrupted_phases_are_caught(field: str, value: float, reason: str) -> None:
    """A single repetition with a phase that cannot have been is refused, and named; untouched it is read."""
    document, records = launch_of([run(0, "none", None, BLOCKING, 0.0), run(1, "time", None, TIME, 100 * US)])
    parse_launch(document, records, "none", "launch")
    records[field][13] = value
    with pytest.raises(MeasurementError, match=f"launch, iallreduce of 65536 B, run 1.*{reason}"):
        parse_launch(document, records, "none", "launch")


def test_records_that_belong_to_nothing_are_caught() -> None:
    """More records than repetitions, another study, a missing key."""
    document, records = launch_of([run(0, "none", None, BLOCKING, 0.0)])
    more = np.concatenate([records, records[:1]])
    more["case_id"][-1] = 7
    with pytest.raises(MeasurementError, match="11 records of phases, 10 repetitions"):
        parse_launch(document, more, "none", "launch")
    with pytest.raises(MeasurementError, match="'skew' is not 'overlap'"):
        parse_launch({**document, "study": "skew"}, records, "none", "launch")
    del document["threads"]
    with pytest.raises(MeasurementError, match="key 'threads' is missing"):
        parse_launch(document, records, "none", "launch")
