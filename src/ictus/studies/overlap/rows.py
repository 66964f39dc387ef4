"""Rows of the study of overlap, for scripts."""

from collections.abc import Sequence
from typing import Any

from ictus.model.quantity import format_size
from ictus.stats.median import MedianInterval
from ictus.studies.overlap.analysis import NO_THREAD, RunSummary
from ictus.studies.overlap.progress import progress_of


def flat(one: RunSummary) -> dict[str, Any]:
    """One run over launches; times in seconds, shares as they are, unclipped but for OSU's and IMB's."""
    key = one.key
    return {
        "mpi": key.library,
        "n": key.n,
        "operation": key.operation,
        "size_bytes": key.size_bytes,
        "thread": key.thread,
        "compute": key.compute,
        "intervals_bytes": list(key.intervals_bytes),
        "tests": one.tests,
        "launches": one.launches,
        "attempted": one.attempted,
        "valid": one.valid,
        "blocking_s": one.blocking.median,
        "blocking_low_s": one.blocking.low,
        "blocking_high_s": one.blocking.high,
        "init_s": one.init_s,
        "test_s": one.test_s,
        "compute_s": one.compute_s,
        "wait_s": one.wait_s,
        "overhead_s": one.overhead.median,
        "overhead_low_s": one.overhead.low,
        "overhead_high_s": one.overhead.high,
        "overlap": one.overlap.median,
        "overlap_low": one.overlap.low,
        "overlap_high": one.overlap.high,
        "osu_overlap": one.osu,
        "imb_overlap": one.imb,
        "least_computed": one.least_computed,
        **_interval("plain_blocking", one.plain_blocking, "_s"),
        **_interval("plain_overlap", one.plain_overlap),
    }


def _interval(name: str, found: MedianInterval | None, unit: str = "") -> dict[str, float | None]:
    """Median and limits as three keys, null where there is nothing."""
    values = (None, None, None) if found is None else (found.median, found.low, found.high)
    return dict(zip((f"{name}{unit}", f"{name}_low{unit}", f"{name}_high{unit}"), values, strict=True))


def progress_rows(summaries: Sequence[RunSummary]) -> list[dict[str, Any]]:
    """One verdict a library, number of processes, operation, compute kind and size."""
    return [
        {
            "mpi": one.library,
            "n": one.n,
            "operation": one.operation,
            "compute": one.compute,
            "size_bytes": one.size_bytes,
            "progress": one.verdict,
            "launches": one.launches,
            "has_interval": one.has_interval,
            "best_intervals_bytes": list(one.best.key.intervals_bytes),
            **_interval("best_overlap", one.best.overlap),
            "alike": [helper_text(other) for other in one.alike],
            "overlap_without_tests": None if one.alone is None else one.alone.overlap.median,
        }
        for one in progress_of(summaries)
    ]


def helper_text(one: RunSummary) -> str:
    """Who makes progress: `no tests`, `one test`, `test every 4 KiB`, `library thread`, `own thread`."""
    if one.key.thread != NO_THREAD:
        return f"{one.key.thread} thread"
    if one.tests < 2:
        return ("no tests", "one test")[one.tests]
    return f"test every {' … '.join(dict.fromkeys(map(format_size, _ends(one.key.intervals_bytes))))}"


def _ends(intervals_bytes: Sequence[int]) -> tuple[int, int]:
    """Whatever lies between comes to the same calls as well."""
    return intervals_bytes[0], intervals_bytes[-1]


def share_text(share: float) -> str:
    """`75 %`, `-120 %`."""
    return f"{round(100 * share)} %"
