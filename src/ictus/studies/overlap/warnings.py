"""What must be known before a number of the study of overlap is believed."""

from collections.abc import Iterator, Sequence

from ictus.model.quantity import format_duration, format_size
from ictus.render.unit import three_digits
from ictus.studies.overlap.analysis import RunSummary
from ictus.studies.overlap.record import OverlapStudy
from ictus.studies.overlap.rows import helper_text

OTHER = 2.0
"""By how many times T_b with a thread differs from that without one where it is another operation's."""


def warnings_of(study: OverlapStudy, summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """What cannot be had, what the core found disturbing, and what makes numbers incomparable, each once."""
    said = [*study.unavailable, *(text for one in study.launches for text in one.setting.warnings)]
    disturbed = sum(one.setting.disturbed_share is not None for one in study.launches)
    if disturbed:
        said.append(f"{disturbed} of {len(study.launches)} launches were disturbed: others used the ranks' cores")
    missing = len(study.document["slots"]) - len(study.launches)
    if missing:
        said.append(f"{missing} of {len(study.document['slots'])} launches are not there yet")
    return tuple(dict.fromkeys((*said, *_crowded(study), *_too_short(summaries), *_incomparable(summaries))))


def _crowded(study: OverlapStudy) -> Iterator[str]:
    for one in study.launches:
        found = one.crowding
        if found is None or not found.is_crowded:
            continue
        threads = f" and {found.n_threads} progress threads ({one.thread})" if found.n_threads else ""
        yield (
            f"{one.setting.label or one.setting.library}: {found.n_ranks} ranks{threads} share {found.n_cpus} "
            f"CPU{'' if found.n_cpus == 1 else 's'}: they take turns, and times are the scheduler's"
        )


def _too_short(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Runs whose computation ended before T_b: what they could have hidden is not known."""
    short = [one for one in summaries if one.least_computed < 1]
    if short:
        worst = min(short, key=lambda one: one.least_computed)
        yield (
            f"the computation was shorter than T_b in {len(short)} of {len(summaries)} runs, down to "
            f"{three_digits(worst.least_computed)} of it ({_named(worst)}, {helper_text(worst)}): more could have been "
            f"hidden; --compute-factor 2 computes longer"
        )


def _incomparable(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Threads that change T_b itself, so that overlap beside it says nothing about an operation without one."""
    for library, thread in dict.fromkeys((one.key.library, one.key.thread) for one in summaries):
        own = {
            (one.key.n, one.key.operation, one.key.size_bytes): one
            for one in summaries
            if (one.key.library, one.key.thread) == (library, thread) and one.plain_blocking is not None
        }
        other = [one for one in own.values() if _times(one) > OTHER]
        if other:
            worst = max(other, key=_times)
            plain = worst.plain_blocking
            assert plain is not None  # only those were taken
            yield (
                f"{library}, {thread} thread: T_b differs more than {OTHER:g} times from that without a thread in "
                f"{len(other)} of {len(own)} cases ({format_duration(worst.blocking.median)} instead of "
                f"{format_duration(plain.median)}, {_named(worst)}): heed the overlap of T_b without a thread"
            )


def _times(one: RunSummary) -> float:
    assert one.plain_blocking is not None  # the caller left out what has none
    ratio = one.blocking.median / one.plain_blocking.median
    return max(ratio, 1 / ratio)


def _named(one: RunSummary) -> str:
    return f"{one.key.operation} of {format_size(one.key.size_bytes)}, {one.key.library}, compute {one.key.compute}"
