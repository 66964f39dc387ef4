"""The results of the study of overlap: rows for scripts, sentences, and the warnings that a reader needs."""

from collections.abc import Iterator, Sequence
from typing import Any

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration, format_size
from ictus.render.unit import three_digits
from ictus.studies.overlap.analysis import NO_THREAD, RunSummary
from ictus.studies.overlap.progress import LibraryProgress, Verdict, progress_of
from ictus.studies.overlap.record import OverlapStudy


def progress_rows(summaries: Sequence[RunSummary]) -> list[dict[str, Any]]:
    """One verdict a library, number of processes, operation, compute kind and size."""
    return [
        {
            "mpi": progress.library,
            "n": progress.n,
            "operation": progress.operation,
            "compute": progress.compute,
            "size_bytes": progress.size_bytes,
            "progress": progress.verdict,
            "launches": progress.launches,
            "has_interval": progress.has_interval,
            "best_intervals_bytes": list(progress.best.key.intervals_bytes),
            "best_overlap": progress.best.overlap.median,
            "best_overlap_low": progress.best.overlap.low,
            "best_overlap_high": progress.best.overlap.high,
            "alike": [helper_text(helper) for helper in progress.alike],
            "overlap_without_tests": None if progress.alone is None else progress.alone.overlap.median,
        }
        for progress in progress_of(summaries)
    ]


def helper_text(summary: RunSummary) -> str:
    """Who makes progress: `no tests`, `one test`, `test every 4 KiB`, `library thread`, `own thread`."""
    if summary.key.thread != NO_THREAD:
        return f"{summary.key.thread} thread"
    if summary.tests < 2:
        return ("no tests", "one test")[summary.tests]
    return f"test every {' … '.join(dict.fromkeys(map(format_size, _ends(summary.key.intervals_bytes))))}"


def _ends(intervals_bytes: Sequence[int]) -> tuple[int, int]:
    """Whatever lies between comes to the same calls as well."""
    return intervals_bytes[0], intervals_bytes[-1]


def share_text(share: float) -> str:
    """`75 %`, `-120 %`."""
    return f"{round(100 * share)} %"


SAID: dict[Verdict, str] = {
    "by itself": "hides half or more without a test: it makes progress by itself",
    "only with tests": "hides half or more, but only with tests",
    "less than half": "hides less than half, with or without tests",
    "less than half without tests": "hides less than half without tests, and was not measured with tests",
    "less than half with tests": "hides less than half with tests, and was not measured without",
    "undecided": "undecided whether it hides half",
}


def progress_sentences(summaries: Sequence[RunSummary]) -> list[str]:
    """One sentence for each library, number of processes, operation and compute kind: the verdict by size, and what was
    best at the largest one.
    """
    progress_list = progress_of(summaries)
    sentences = []
    for call in dict.fromkeys((entry.library, entry.n, entry.operation, entry.compute) for entry in progress_list):
        of_call = [entry for entry in progress_list if (entry.library, entry.n, entry.operation, entry.compute) == call]
        sentences.append(_sentence(of_call))
    return sentences


def _sentence(of_libraries: Sequence[LibraryProgress]) -> str:
    first, last = of_libraries[0], max(of_libraries, key=lambda progress: progress.size_bytes)
    verdicts = dict.fromkeys(progress.verdict for progress in of_libraries)
    verdicts_text = "; ".join(
        SAID[verdict] + (f" at {_sizes(of_libraries, verdict)}" if len(verdicts) > 1 else "") for verdict in verdicts
    )
    where = f"{first.operation}, {first.library}, {processes(first.n)}, compute {first.compute}"
    best = f"least overhead at {format_size(last.size_bytes)}: {best_text(last)}"
    return f"{where}: {verdicts_text}{_by_medians(of_libraries)}; {best}{alike_text(last)}."


def best_text(progress: LibraryProgress) -> str:
    """`test every 4 KiB, overlap 21 % (10 … 25 %)`; without its interval where there is none."""
    interval = progress.best.overlap
    within = "" if interval.low is None or interval.high is None else f" ({share_range(interval.low, interval.high)})"
    return f"{helper_text(progress.best)}, overlap {share_text(interval.median)}{within}"


def share_range(low: float, high: float) -> str:
    """`61 … 80 %`."""
    return f"{100 * low:.0f} … {100 * high:.0f} %"


def alike_text(progress: LibraryProgress) -> str:
    """What is not distinguished from the best; empty where medians alone decided."""
    if not progress.alike or not progress.has_interval:
        return ""
    return f", not told apart from {', '.join(helper_text(alike) for alike in progress.alike)}"


def _by_medians(of_libraries: Sequence[LibraryProgress]) -> str:
    """That there is no interval, where so few launches have none."""
    launch_counts = [progress.launches for progress in of_libraries if not progress.has_interval]
    return (
        f", by medians of {min(launch_counts)} launch{'' if min(launch_counts) == 1 else 'es'} only"
        if launch_counts
        else ""
    )


def _sizes(of_libraries: Sequence[LibraryProgress], verdict: str) -> str:
    return ", ".join(format_size(progress.size_bytes) for progress in of_libraries if progress.verdict == verdict)


OTHER = 2.0
"""By how many times T_b with a thread differs from that without one where it is another operation's."""


def warnings_of(study: OverlapStudy, summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Unavailable requests, warnings of the core, and reasons why numbers are not comparable, each once."""
    warnings = [*study.document.unavailable, *(text for launch in study.launches for text in launch.setting.warnings)]
    disturbed = sum(launch.setting.disturbed_share is not None for launch in study.launches)
    if disturbed:
        warnings.append(f"{disturbed} of {len(study.launches)} launches were disturbed: others used the ranks' cores")
    missing = len(study.document.slots) - len(study.launches)
    if missing:
        warnings.append(f"{missing} of {len(study.document.slots)} launches are not there yet")
    return tuple(dict.fromkeys((*warnings, *_crowded(study), *_too_short(summaries), *_incomparable(summaries))))


def _crowded(study: OverlapStudy) -> Iterator[str]:
    for launch in study.launches:
        crowding = launch.crowding
        if crowding is None or not crowding.is_crowded:
            continue
        threads = f" and {crowding.n_threads} progress threads ({launch.thread})" if crowding.n_threads else ""
        yield (
            f"{launch.setting.label or launch.setting.library}: {crowding.n_ranks} ranks{threads} share "
            f"{crowding.n_cpus} "
            f"CPU{'' if crowding.n_cpus == 1 else 's'}: they take turns, and times are the scheduler's"
        )


def _too_short(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Runs whose computation ended before T_b: what they could have hidden is unknown."""
    short = [summary for summary in summaries if summary.least_computed < 1]
    if short:
        worst = min(short, key=lambda run_summary: run_summary.least_computed)
        yield (
            f"the computation was shorter than T_b in {len(short)} of {len(summaries)} runs, down to "
            f"{three_digits(worst.least_computed)} of it ({_named(worst)}, {helper_text(worst)}): more could have been "
            f"hidden; --compute-factor 2 computes longer"
        )


def _incomparable(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Threads that change T_b itself, so that overlap beside it says nothing about an operation without one."""
    for library, thread in dict.fromkeys((summary.key.library, summary.key.thread) for summary in summaries):
        beside_thread = {
            (run_summary.key.n, run_summary.key.operation, run_summary.key.size_bytes): run_summary
            for run_summary in summaries
            if (run_summary.key.library, run_summary.key.thread) == (library, thread)
            and run_summary.plain_blocking is not None
        }
        differing = [summary for summary in beside_thread.values() if _times(summary) > OTHER]
        if differing:
            worst = max(differing, key=_times)
            plain = worst.plain_blocking
            assert plain is not None  # only those were taken
            yield (
                f"{library}, {thread} thread: T_b differs more than {OTHER:g} times from that without a thread in "
                f"{len(differing)} of {len(beside_thread)} cases ({format_duration(worst.blocking.median)} instead of "
                f"{format_duration(plain.median)}, {_named(worst)}): heed the overlap of T_b without a thread"
            )


def _times(summary: RunSummary) -> float:
    assert summary.plain_blocking is not None  # the caller left out what has none
    ratio = summary.blocking.median / summary.plain_blocking.median
    return max(ratio, 1 / ratio)


def _named(summary: RunSummary) -> str:
    return (
        f"{summary.key.operation} of {format_size(summary.key.size_bytes)}, {summary.key.library}, compute "
        f"{summary.key.compute}"
    )
