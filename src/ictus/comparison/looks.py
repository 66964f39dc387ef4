"""The cases of a campaign that can grow, judged at its looks from the launches that it has."""

from collections.abc import Sequence
from typing import Any

from ictus.comparison.matching import Match
from ictus.model.looks import Looks
from ictus.stats.looks import nominal_level
from ictus.stats.modes import DEPENDENT
from ictus.stats.sequential import LookSample, SequentialResult, follow
from ictus.store.campaign import Campaign
from ictus.store.modes import modes_of, probes_of


def at_looks(
    campaign: Campaign,
    looks: Looks,
    found: Sequence[Match],
    rules: dict[str, Any],
    labels: tuple[str, str],
    *,
    stratified: bool,
) -> list[SequentialResult]:
    """The cases, each judged at the looks at which every launch of them is there."""
    rounds = complete_rounds(campaign)

    def samples(launches: int, cases: Sequence[int]) -> list[LookSample]:
        early = rounds < looks.first  # before the first look: what there is, as if it were at it
        until = launches if not early else 1 + max(slot.block for slot in campaign.slots)
        return _samples(campaign, [found[case] for case in cases], until, stratified=stratified)

    return follow(looks, rounds, len(found), samples, labels=labels, **rules)


def complete_rounds(campaign: Campaign) -> int:
    """The rounds of which every launch is there, from the first."""
    missing = {slot.slot for slot in campaign.slots} - {one.slot.slot for one in campaign.launches if one.accepted}
    complete = min((slot.block for slot in campaign.slots if slot.slot in missing), default=None)
    return 1 + max(slot.block for slot in campaign.slots) if complete is None else complete


def dependence_level(campaign: Campaign, looks: Looks | None) -> float:
    """The level at which modes that depend on a side are seen: of a growing campaign the part of its last look."""
    if looks is None:
        return DEPENDENT
    return nominal_level(looks, max(1, len(looks.until(complete_rounds(campaign)))), DEPENDENT)


def _samples(campaign: Campaign, found: Sequence[Match], launches: int, *, stratified: bool) -> list[LookSample]:
    """Both sides of each matched case in the first so many rounds of a campaign, within the modes that these show."""
    seen = [number for number, one in enumerate(campaign.launches, 1) if one.slot.block < launches]
    modes = modes_of(probes_of(campaign)[[number - 1 for number in seen]])
    mode_of = dict(zip(seen, map(int, modes), strict=True))
    halves = [
        [
            [(time, mode_of[number]) for time, number in zip(times, numbers, strict=True) if number in mode_of]
            for times, numbers in ((one.a, one.launches_a), (one.b, one.launches_b))
        ]
        for one in found
    ]
    return [
        LookSample(
            [time for time, _ in a],
            [time for time, _ in b],
            ([mode for _, mode in a], [mode for _, mode in b]) if stratified else None,
        )
        for a, b in halves
    ]
