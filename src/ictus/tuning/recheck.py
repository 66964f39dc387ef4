"""Whether a call keeps its guidelines with a remedy in force: they are judged again, more strictly than the check."""

from collections.abc import Iterator
from dataclasses import replace

from ictus.guidelines.measured import Cell as MeasuredCell
from ictus.guidelines.measured import Measured
from ictus.guidelines.options import Options
from ictus.guidelines.rule import Kind
from ictus.guidelines.verdict import Verdict
from ictus.guidelines.verify import verify
from ictus.tuning.candidate import Candidate, Way
from ictus.tuning.outcome import Fresh, Remedy, remedied


def judged_again(remedy: Remedy, fresh: Fresh, options: Options) -> tuple[Verdict, ...]:
    """The guidelines that the call broke, judged with the remedy in its place."""
    cell, other_call = remedy.cell, remedy in fresh.other_calls
    place = cell.place if other_call else remedied(cell.place)
    only = Measured({key: series for key, series in fresh.measured.series.items() if key.place == place})
    only = _replaced(only, remedy) if other_call else only
    strict = replace(options, adjust="none")
    # With another call in its place a guideline that names this one compares it with itself.
    asked = [one for one in remedy.violated if not (other_call and _names(one, remedy.candidate))]
    again = [(broken, one) for broken in asked for one in verify([broken.rule], only, strict, [only])]
    found = tuple(
        one
        for broken, one in again
        if one.size_bytes == cell.size_bytes
        and (one.right_size_bytes == broken.right_size_bytes or broken.kind is Kind.SPLIT)
    )
    beside = [] if remedy.candidate.way is not Way.MOCKUP or other_call else _beside(remedy, fresh, strict)
    return (*found, *beside)


def _names(broken: Verdict, candidate: Candidate) -> bool:
    """Whether the candidate is what the guideline compares with."""
    ways = {Kind.MONOTONY: Way.PADDING, Kind.SPLIT: Way.SPLITTING, Kind.PATTERN: Way.MOCKUP}
    if ways[broken.kind] is not candidate.way or broken.right_size_bytes != candidate.size_bytes:
        return False
    return broken.kind is not Kind.PATTERN or broken.rule.right == candidate.operation


def _beside(remedy: Remedy, fresh: Fresh, options: Options) -> Iterator[Verdict]:
    """The redirected call against what its guidelines name, in launches without the redirect library."""
    cell = remedy.cell
    place = remedied(cell.place)
    for broken in remedy.violated:
        left = fresh.measured.at(place, cell.operation, cell.layout, cell.size_bytes)
        right = fresh.measured.at(cell.place, broken.rule.right, cell.layout, broken.right_size_bytes)
        if broken.kind is Kind.PATTERN and left is not None and right is not None:
            sides = {MeasuredCell(place, broken.rule.left, cell.layout): (left,)}
            sides[MeasuredCell(place, broken.rule.right, cell.layout)] = (right,)
            yield from verify([broken.rule], Measured(sides), replace(options, test="rank-sum"))


def _replaced(measured: Measured, remedy: Remedy) -> Measured:
    """What was measured, with the other call in the place of the original at its size."""
    cell, candidate = remedy.cell, remedy.candidate
    other = measured.at(cell.place, candidate.operation, cell.layout, candidate.size_bytes)
    key = MeasuredCell(cell.place, cell.operation, cell.layout)
    if other is None or key not in measured.series:
        return measured
    series = tuple(
        replace(one, medians_s=other.medians_s) if one.size_bytes == cell.size_bytes else one
        for one in measured.series[key]
    )
    return Measured({**measured.series, key: series})
