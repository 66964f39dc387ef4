"""Winning mock-ups as lines of a redirect profile: one line from the first to the last of neighbouring sizes with the
same mock-up.

Sizes are the moved ones, which the library counts: two blocks of a byte are 2 B, whatever was requested.
"""

from collections.abc import Iterable, Sequence

from ictus.guidelines.measured import GuidelineMedians
from ictus.model.call import BASIC
from ictus.programs.redirect.profile import Reroute, substitutes
from ictus.tuning.candidates import TuningCell, Way
from ictus.tuning.outcome import Remedy


def redirectable(remedy: Remedy) -> bool:
    """Whether libictus-redirect.so can replace the call. It does not distinguish layouts, so only calls of data without
    gaps are rerouted, as only these were measured.
    """
    cell, candidate = remedy.cell, remedy.candidate
    return (
        candidate.way is Way.MOCKUP
        and cell.layout == BASIC
        and candidate.size_bytes == cell.size_bytes
        and substitutes().get(candidate.operation.name) == str(cell.operation)
    )


def reroutes_of(remedies: Iterable[Remedy], measured: GuidelineMedians) -> tuple[Reroute, ...]:
    """The lines of those that can be redirected. `measured` says which sizes are neighbours: between two that are not
    nothing is known.
    """
    lines = sorted((_line(remedy, measured) for remedy in filter(redirectable, remedies)), key=_key)
    bytes_by_call = {
        (str(key.operation), key.configuration.n): [series.moved_bytes for series in sizes]
        for key, sizes in measured.series.items()
        if key.layout == BASIC
    }
    joined: list[Reroute] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is not None and _continues(last, line, bytes_by_call.get((line.operation, line.n), ())):
            evidence = ",".join(dict.fromkeys((*last.evidence.split(","), *line.evidence.split(","))))
            joined[-1] = Reroute(line.operation, line.n, last.from_bytes, line.to_bytes, line.mockup, evidence)
        else:
            joined.append(line)
    return tuple(joined)


def moved_bytes(cell: TuningCell, measured: GuidelineMedians) -> int:
    """The bytes that a requested size moves."""
    series = measured.at(cell.place, cell.operation, cell.layout, cell.size_bytes)
    return cell.size_bytes if series is None else series.moved_bytes


def _line(remedy: Remedy, measured: GuidelineMedians) -> Reroute:
    cell, moved = remedy.cell, moved_bytes(remedy.cell, measured)
    evidence = ",".join(dict.fromkeys(verdict.rule.name for verdict in remedy.violated))
    return Reroute(str(cell.operation), cell.place.n, moved, moved, str(remedy.candidate.operation), evidence)


def _key(reroute: Reroute) -> tuple[str, int, int]:
    return reroute.operation, reroute.n, reroute.from_bytes


def _continues(last: Reroute, reroute: Reroute, sizes: Sequence[int]) -> bool:
    same = (last.operation, last.n, last.mockup) == (reroute.operation, reroute.n, reroute.mockup)
    return same and not any(last.to_bytes < size < reroute.from_bytes for size in sizes)
