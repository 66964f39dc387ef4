"""The cases of campaigns that can grow, judged at their looks from the launches that they have."""

from collections.abc import Sequence

from ictus.comparison.matching import MatchedCase
from ictus.model.looks import Looks
from ictus.stats.looks import nominal_level
from ictus.stats.modes import DEPENDENT
from ictus.stats.sequential import LookSample, SequentialResult, follow
from ictus.stats.verdict import CaseRules
from ictus.store.campaign import Campaign
from ictus.store.modes import modes_of, places_of, probes_of


def at_looks(
    campaigns: Sequence[Campaign],
    looks: Looks,
    matched_cases: Sequence[MatchedCase],
    rules: CaseRules,
    labels: tuple[str, str],
    *,
    stratified: bool,
) -> list[SequentialResult]:
    """The cases of one campaign, or of the first against the second, each judged at the looks at which every launch of
    them is there.
    """
    rounds = min(map(complete_rounds, campaigns))

    def samples(launches: int, cases: Sequence[int]) -> list[LookSample]:
        early = rounds < looks.first  # before the first look: what there is, as if it were at it
        until = launches if not early else 1 + max(slot.block for campaign in campaigns for slot in campaign.slots)
        return _samples(campaigns, [matched_cases[case] for case in cases], until, stratified=stratified)

    return follow(looks, rounds, len(matched_cases), samples, rules, labels=labels)


def complete_rounds(campaign: Campaign) -> int:
    """The rounds of which every launch is there, from the first."""
    missing = {slot.slot for slot in campaign.slots} - {
        launch.slot.slot for launch in campaign.launches if launch.accepted
    }
    complete = min((slot.block for slot in campaign.slots if slot.slot in missing), default=None)
    return 1 + max(slot.block for slot in campaign.slots) if complete is None else complete


def dependence_level(campaigns: Sequence[Campaign], looks: Looks | None) -> float:
    """The level at which modes that depend on a side are seen: of a growing campaign the part of its last look."""
    if looks is None:
        return DEPENDENT
    return nominal_level(looks, max(1, len(looks.until(min(map(complete_rounds, campaigns))))), DEPENDENT)


def _samples(
    campaigns: Sequence[Campaign], cases: Sequence[MatchedCase], launches: int, *, stratified: bool
) -> list[LookSample]:
    """Both sides of each matched case in the first so many rounds, with the modes that these show."""
    every = [
        (index, number, launch.slot.block < launches)
        for index, campaign in enumerate(campaigns)
        for number, launch in enumerate(campaign.launches, 1)
    ]
    early_launches = [(index, number) for index, number, early in every if early]
    places = [launch_place for launch_place, (*_, early) in zip(places_of(*campaigns), every, strict=True) if early]
    modes = modes_of(probes_of(*campaigns)[[early for *_, early in every]], places)
    mode_of = dict(zip(early_launches, map(int, modes), strict=True))
    last = len(campaigns) - 1
    halves = [
        [
            [
                (time, mode_of[index, number])
                for time, number in zip(times, numbers, strict=True)
                if (index, number) in mode_of
            ]
            for times, numbers, index in ((case.a, case.launches_a, 0), (case.b, case.launches_b, last))
        ]
        for case in cases
    ]
    return [
        LookSample(
            [time for time, _ in a],
            [time for time, _ in b],
            ([mode for _, mode in a], [mode for _, mode in b]) if stratified else None,
        )
        for a, b in halves
    ]
