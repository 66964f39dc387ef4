"""The looks of a check that can grow: what its launches had shown at each of them."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from ictus.comparison.looks import complete_rounds
from ictus.guidelines.check.medians import in_returned, measured_of
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verify import GuidelineLook
from ictus.model.errors import OptionError
from ictus.stats.looks import InterimLook
from ictus.stats.sequential import UNUSABLE
from ictus.store.campaign import Campaign


def looks_of(
    campaign: Campaign, besides: Sequence[Campaign], confirmations: Sequence[Campaign], adjust: str
) -> tuple[GuidelineLook, ...]:
    """All looks at which every launch of the check is there, before the first one it with the launches so far; nothing
    for a check of fixed launches. OptionError for an adjustment that may take a verdict back.
    """
    looks = campaign.looks
    if looks is None:
        return ()
    if adjust == UNUSABLE:
        raise OptionError(("adjust", adjust, "a check that can grow needs holm or none: bh may take a verdict back"))
    at_looks = []
    for number, rounds in enumerate(looks.until(complete_rounds(campaign)) or (looks.first,), 1):
        main, *beside = (_first_rounds(each_campaign, rounds) for each_campaign in (campaign, *besides))
        split = confirmed_by([_first_rounds(confirmation, rounds) for confirmation in confirmations], campaign)
        at_looks.append(GuidelineLook(InterimLook(looks, number), measured_of(main, *beside), split))
    return tuple(at_looks)


def confirmed_by(confirmations: Sequence[Campaign], campaign: Campaign) -> tuple[GuidelineMedians, ...]:
    """The launch medians of campaigns that confirm predictions of a check."""
    return tuple(
        in_returned(measured_of(confirmation))
        if confirmation.plan.heap != campaign.plan.heap
        else measured_of(confirmation)
        for confirmation in confirmations
    )


def _first_rounds(campaign: Campaign, rounds: int) -> Campaign:
    """The campaign as it was after so many rounds."""
    launches = tuple(launch for launch in campaign.launches if launch.slot.block < rounds)
    if len(launches) == len(campaign.launches):
        return campaign
    slots = [launch.slot.slot for launch in launches]
    return replace(campaign, launches=launches, summaries=campaign.summaries.filter(pl.col("slot").is_in(slots)))
