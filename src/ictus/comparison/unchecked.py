"""Launches whose files nobody can compare with what was measured: their journal has no checksums."""

from ictus.store.campaign import Campaign


def unchecked_text(unchecked: int, launches: int) -> str:
    """`3 of 6 launches are unchecked: ...`."""
    verb = "launch is" if launches == 1 else "launches are"
    return (
        f"{unchecked} of {launches} {verb} unchecked: the journal has no checksums of their files, "
        "so a file that changed would not be noticed"
    )


def unchecked_sentences(campaign: Campaign) -> tuple[str, ...]:
    """How many launches are unchecked; nothing where none is."""
    return (f"{unchecked_text(campaign.unchecked, len(campaign.launches))}.",) if campaign.unchecked else ()
