"""Overlap from phases: formulas by hand, corrupted phases caught, what time and work make of a stolen core."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ictus.model.errors import MeasurementError
from ictus.studies.overlap.analysis import imb_overlap, osu_overlap, overlap, summarise
from ictus.studies.overlap.progress import progress_of
from ictus.studies.overlap.reading import launch_of
from ictus.studies.overlap.record import PHASE, OverlapAnswer, OverlapDocument, OverlapLaunch, OverlapSlot, OverlapStudy
from ictus.studies.overlap.words import helper_text, progress_sentences, warnings_of


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
    """A run of ten equal repetitions on two equal ranks; a test interval, or none."""
    total = sum(phases.values())
    overhead = total - alone if compute == "work" else total - phases["compute"]
    return {
        "run": number, "compute": compute, "intervals_bytes": [] if interval is None else [interval],
        "tests": 0 if interval is None else 65536 // interval + 1,
        "attempted": 10, "valid": 10, "alone_s": [alone, alone],
        "mean": {**{f"{key}_s": [value] * 2 for key, value in phases.items()}, "total_s": [total] * 2},
        "record": {**phases, "total": total, "overhead": overhead}, **more,
    }  # fmt: skip


def written(runs: list[dict[str, Any]], **changed: Any) -> tuple[dict[str, Any], NDArray[np.void]]:
    """Document and records of a launch with one case, as the core writes them."""
    records = np.zeros(10 * len(runs), PHASE)
    for place, one in enumerate(runs):
        part = records[10 * place : 10 * place + 10]
        part["run"], part["repetition"] = one["run"], range(10)
        for key, value in one["record"].items():
            part[key] = value
    case = {"case_id": 0, "operation": "iallreduce", "size_bytes": 65536, "target_s": 100 * US}
    document = {
        "format": 1, "study": "overlap", "n_ranks": 2, "seed": 1, "simulated": False, "places": {"host": [0, 0]},
        "clock": {"spec": "tsc"}, "mpi": {"library_version": "Library 1", "thread_level": "single"},
        "launcher": {"library": {"label": "library"}}, "threads": [1, 1], "control_variables": {},
        "cases": [{**case, "runs": [{key: one[key] for key in one if key != "record"} for one in runs]}],
    }  # fmt: skip
    return json.loads(json.dumps({**document, **changed})), records


BLOCKING = {"init": 10 * US, "test": 0.0, "compute": 0.0, "wait": 90 * US}


def parse_launch(values: Mapping[str, Any], records: "NDArray[np.void]", thread: str, source: str) -> OverlapLaunch:
    """The launch read by the product's own code."""
    return launch_of(OverlapAnswer.parse(values, source), records, thread, source)


def parsed(*runs: dict[str, Any], thread: str = "none", blocking: Mapping[str, float] = BLOCKING) -> OverlapLaunch:
    """A launch with a blocking run and these."""
    return parse_launch(*written([run(0, "none", None, blocking, 0.0), *runs]), thread, "launch")


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
    [
        (0.8, 0.9, "by itself"),
        (0.1, 0.9, "only with tests"),
        (0.1, 0.3, "less than half"),
        (-0.5, -0.8, "less than half"),
        (0.8, None, "by itself"),
        (0.1, None, "less than half without tests"),
        (None, 0.3, "less than half with tests"),
        (None, 0.9, "undecided"),
    ],
)
def test_verdict_on_progress(alone: float | None, tested: float | None, verdict: str) -> None:
    """By itself, only with tests, less than half; what was not measured is not judged. The best interval is the one
    with the least overhead.
    """
    shares = {None: alone, 4096: tested}
    runs = [
        run(number, "time", interval, waiting(share), 100 * US)
        for number, (interval, share) in enumerate(shares.items(), 1)
        if share is not None
    ]
    (found,) = progress_of(summarise([parsed(*runs)] * 6))
    assert found.verdict == verdict
    best = max((share, interval) for interval, share in shares.items() if share is not None)
    assert found.best.key.intervals_bytes == (() if best[1] is None else (best[1],))
    assert found.alike == ()


def waiting(share: float) -> dict[str, float]:
    """Phases that leave so much of T_b hidden."""
    return {**TIME, "wait": (1 - share) * 100 * US - TIME["init"]}


def test_few_launches_say_that_medians_decided() -> None:
    """Two launches have no interval: the sentence says so, and claims of what hides a third no absence."""
    runs = [run(1, "time", None, waiting(0.01), 100 * US), run(2, "time", 4096, waiting(0.38), 100 * US)]
    (said,) = progress_sentences(summarise([parsed(*runs)] * 2))
    assert said == (
        "iallreduce, library, 2 processes, compute time: hides less than half, with or without tests, by medians of 2 "
        "launches only; least overhead at 64 KiB: test every 4 KiB, overlap 38 %."
    )
    (only,) = progress_sentences(summarise([parsed(runs[0])] * 6))
    assert only == (
        "iallreduce, library, 2 processes, compute time: hides less than half without tests, and was not measured with "
        "tests; least overhead at 64 KiB: no tests, overlap 1 % (1 … 1 %)."
    )


def test_the_best_is_told_with_its_interval_and_what_is_as_good() -> None:
    """Six launches each: 4 KiB hides 20 to 30 %, 16 KiB 19 to 29 %, so that their intervals meet; no tests nothing."""
    launches = [
        parsed(
            run(1, "time", None, waiting(0.0), 100 * US),
            run(2, "time", 4096, waiting(0.20 + step), 100 * US),
            run(3, "time", 16384, waiting(0.19 + step), 100 * US),
        )
        for step in (0, 0.02, 0.04, 0.06, 0.08, 0.1)
    ]
    (said,) = progress_sentences(summarise(launches))
    assert "test every 4 KiB, overlap 25 % (20 … 30 %), not told apart from test every 16 KiB." in said


def asked(slots: int) -> OverlapDocument:
    """A study of so many launches."""
    made = (OverlapSlot(number=i, library="lib", n=2, thread="none", launch=i) for i in range(slots))
    return OverlapDocument(plan={}, slots=tuple(made))


def test_a_thread_that_makes_the_blocking_operation_dear_is_held_against_the_one_without() -> None:
    """With the thread T_b is 1000 us instead of 100, and an overhead of 50 hides 95 % of that; of T_b without a thread
    it hides half. Computing for 100 us is a tenth of what there was to hide.
    """
    dear = {**BLOCKING, "wait": 990 * US}
    plain = parsed(run(1, "time", None, waiting(0.9), 100 * US))
    helped = parsed(run(1, "time", None, TIME, 100 * US), thread="library", blocking=dear)
    summaries = summarise([plain, helped] * 6)
    one = next(one for one in summaries if one.key.thread == "library")
    assert one.overlap.median == pytest.approx(0.95)
    assert one.plain_overlap is not None
    assert (one.plain_overlap.median, one.plain_overlap.low) == pytest.approx((0.5, 0.5))
    assert one.least_computed == pytest.approx(0.1)
    study = OverlapStudy((plain, helped), asked(2))
    said = " ".join(warnings_of(study, summaries))
    assert "shorter than T_b in 1 of 2 runs, down to 0.100 of it (iallreduce of 64 KiB, library" in said
    assert "library, library thread: T_b differs more than 2 times" in said
    assert "(1.00 ms instead of 100 µs, iallreduce of 64 KiB, library" in said


@pytest.mark.parametrize(
    ("thread", "place", "allowed", "said"),
    [
        ("none", "none", ("0", "1"), ""),
        ("library", "none", ("0", "1"), "2 ranks and 2 progress threads (library) share 2 CPUs"),
        ("library", "none", ("0-1", "2-3"), ""),
        ("own", "same", ("0", "1"), "2 ranks and 2 progress threads (own) share 2 CPUs"),
        ("own", "2,3", ("0", "1"), ""),
        ("own", "any", ("0", "1"), ""),
        ("none", "none", ("0", "0"), "2 ranks share 1 CPU:"),
    ],
)
def test_who_has_to_take_turns_is_told(thread: str, place: str, allowed: tuple[str, str], said: str) -> None:
    """A library's thread inherits its rank's CPUs, ours goes where it was put: on a host of four CPUs."""
    ranks = [{"rank": rank, "host": "a", "cpus_allowed": cpus} for rank, cpus in enumerate(allowed)]
    changed = {"ranks": ranks, "hosts": [{"host": "a", "n_cpus": 4}], "thread": {"place": place}}
    launch = parse_launch(*written([run(0, "none", None, BLOCKING, 0.0)], **changed), thread, "launch")
    found = warnings_of(OverlapStudy((launch,), asked(1)), ())
    assert (said in " ".join(found)) if said else not found


def test_intervals_that_are_the_same_test_are_one_row() -> None:
    """At 64 KiB an interval of 96 KiB and one of 128 KiB are one test each, at the start."""
    same = {**run(1, "time", None, TIME, 100 * US), "intervals_bytes": [131072, 98304], "tests": 1}
    (one,) = summarise([parsed(same)])
    assert one.key.intervals_bytes == (98304, 131072)
    assert helper_text(one) == "one test"
    twice = {**run(1, "time", None, TIME, 100 * US), "intervals_bytes": [40960, 36864], "tests": 2}
    assert helper_text(summarise([parsed(twice)])[0]) == "test every 36 KiB … 40 KiB"


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
    document, records = written([run(0, "none", None, BLOCKING, 0.0), run(1, "time", None, TIME, 100 * US)])
    parse_launch(document, records, "none", "launch")
    records[field][13] = value
    with pytest.raises(MeasurementError, match=f"launch, iallreduce of 65536 B, run 1.*{reason}"):
        parse_launch(document, records, "none", "launch")


def test_records_that_belong_to_nothing_are_caught() -> None:
    """More records than repetitions, another study, a missing key."""
    document, records = written([run(0, "none", None, BLOCKING, 0.0)])
    more = np.concatenate([records, records[:1]])
    more["case_id"][-1] = 7
    with pytest.raises(MeasurementError, match="11 records of phases, 10 repetitions"):
        parse_launch(document, more, "none", "launch")
    with pytest.raises(MeasurementError, match="'study' is 'skew', expected 'overlap'"):
        parse_launch({**document, "study": "skew"}, records, "none", "launch")
    del document["threads"]
    with pytest.raises(MeasurementError, match="key 'threads' is missing"):
        parse_launch(document, records, "none", "launch")
