"""Calls that libictus-redirect.so made others: what was measured is the mock-up, through the call's own name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verdict import Configuration


@dataclass(frozen=True)
class MeasuredReroute:
    """Calls that libictus-redirect.so made others."""

    operation: str
    from_bytes: int
    """Of the volume that is moved, both ends included."""
    to_bytes: int
    mockup: str


def rerouted(
    measured: GuidelineMedians, reroutes: Mapping[Configuration, Iterable[MeasuredReroute]]
) -> GuidelineMedians:
    """What was measured, each call with what it was made."""
    found = dict(measured.series)
    for cell, own in measured.series.items():
        lines = [one for one in reroutes.get(cell.place, ()) if one.operation == str(cell.operation)]
        if lines:
            found[cell] = tuple(replace(one, becomes=_mockup(one.moved_bytes, lines)) for one in own)
    return GuidelineMedians(found)


def _mockup(moved_bytes: int, lines: Iterable[MeasuredReroute]) -> str:
    return next((one.mockup for one in lines if one.from_bytes <= moved_bytes <= one.to_bytes), "")
