"""Launches of which a reader of the page must know: those that were repeated, and those whose machine changed."""

from collections.abc import Iterator

from ictus.comparison.case_titles import naming
from ictus.store.campaign import Campaign


def launch_warnings(campaign: Campaign) -> Iterator[str]:
    """Whole sentences; nothing of a campaign without such launches."""
    slots = {slot.slot: f"launch {slot.slot} ({slot.mpi}, n={slot.n})" for slot in campaign.slots}
    total = len(campaign.slots)
    if campaign.repeated:
        tries = sum(campaign.repeated.values())
        set_aside = "1 disturbed try was" if tries == 1 else f"{tries} disturbed tries were"
        names = (slots[number] for number in sorted(campaign.repeated))
        yield naming(
            f"{len(campaign.repeated)} of {total} launches were repeated, and {set_aside} set aside: {{}}", names
        )
    changed = [
        launch
        for launch in campaign.launches
        if launch.record.head.machine is not None and launch.record.head.machine.changed
    ]
    if changed:
        names = (slots[launch.slot.slot] for launch in changed)
        yield naming(f"the mode of the machine changed during {len(changed)} of {total} launches: {{}}", names)
