"""Which calls a remedy makes slower that it is not for."""

from collections.abc import Mapping, Sequence

from ictus.guidelines.verdict import Place
from ictus.tuning.before_after import adjusted, compared
from ictus.tuning.candidate import Way
from ictus.tuning.outcome import Call, Fresh, Remedy, remedied

Harm = Mapping[tuple[Place, str], tuple[Call, ...]]
"""By place and operation: the calls that are slower."""


def holds_for_the_program(remedy: Remedy) -> bool:
    """Whether every call is launched otherwise, and not those of its operation alone."""
    return remedy.candidate.way in (Way.SETTING, Way.PLACEMENT)


def harmed(remedies: Sequence[Remedy], fresh: Fresh, level: float) -> Harm:
    """By place and operation that is launched otherwise: the calls that are slower so, but for those to be mended."""
    in_force = [one for one in remedies if one not in fresh.other_calls]
    mended = {(one.cell.place, one.cell.operation, one.cell.size_bytes) for one in in_force}
    launched = {(one.cell.place, one.cell.operation) for one in in_force}
    places = {one.cell.place for one in in_force if holds_for_the_program(one)}
    asked: list[tuple[tuple[Place, str], int, float]] = []
    for key, series in fresh.measured.series.items():
        if (key.place, key.operation) not in launched and key.place not in places:
            continue
        for before in series:
            after = fresh.measured.at(remedied(key.place), key.operation, key.layout, before.size_bytes)
            side = None if after is None else compared(after, before, paired=False)  # the other way: slower
            if side is not None and (key.place, key.operation, before.size_bytes) not in mended:
                asked.append(((key.place, key.operation), before.size_bytes, side.p_faster))
    found: dict[tuple[Place, str], tuple[Call, ...]] = {}
    together = adjusted([p_value for *_, p_value in asked])
    for (where, size_bytes, _), p_value in zip(asked, together, strict=True):
        if p_value <= level:
            found[where] = (*found.get(where, ()), (where[1], size_bytes))
    return found


def harm_of(remedy: Remedy, harm: Harm) -> tuple[Call, ...]:
    """The slower calls that this remedy has to answer for."""
    place, operation = remedy.cell.place, remedy.cell.operation
    if not holds_for_the_program(remedy):
        return harm.get((place, operation), ())
    return tuple(call for (where, _), calls in harm.items() if where == place for call in calls)
