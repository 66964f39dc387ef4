"""Rows of the study of overlap, for scripts, and what a reader must know."""

from collections.abc import Sequence
from typing import Any

from ictus.model.quantity import format_size
from ictus.overlap.progress import progress_of
from ictus.overlap.record import OverlapStudy
from ictus.overlap.summary import RunSummary
from ictus.plot.unit import plain


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
        "interval_bytes": key.interval_bytes,
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
    }


def progress_rows(summaries: Sequence[RunSummary]) -> list[dict[str, Any]]:
    """One verdict a library, number of processes, operation, compute kind and size."""
    return [
        {
            "mpi": one.library,
            "n": one.n,
            "operation": one.operation,
            "compute": one.compute,
            "size_bytes": one.size_bytes,
            "by_itself": one.verdict,
            "best_interval_bytes": one.best.key.interval_bytes,
            "best_overlap": one.best.overlap.median,
            "overlap_without_tests": None if one.alone is None else one.alone.overlap.median,
        }
        for one in progress_of(summaries)
    ]


def helper_text(one: RunSummary) -> str:
    """Who makes progress: `no tests`, `test every 4 KiB`, `library thread`, `own thread`."""
    if one.key.thread != "none":
        return f"{one.key.thread} thread"
    interval = one.key.interval_bytes
    return "no tests" if interval is None else f"test every {format_size(interval)}"


def share_text(share: float) -> str:
    """`75 %`, `-120 %`."""
    return f"{plain(round(100 * share))} %"


def warnings_of(study: OverlapStudy) -> tuple[str, ...]:
    """What cannot be had, and what the core found disturbing, each once."""
    said = [text for one in study.launches for text in one.setting.warnings]
    disturbed = sum(one.setting.disturbed_share is not None for one in study.launches)
    if disturbed:
        said.append(f"{disturbed} of {len(study.launches)} launches were disturbed: others used the ranks' cores")
    missing = len(study.document["slots"]) - len(study.launches)
    if missing:
        said.append(f"{missing} of {len(study.document['slots'])} launches are not there yet")
    return tuple(dict.fromkeys((*study.unavailable, *said)))
