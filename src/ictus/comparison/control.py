"""The control of a comparison: the library that is the same in every campaign and stands for the state of the machine.

It is the same by checksum, version, compiler, settings and processor; cases are matched for it as for the others
(decision 65).
"""

from collections.abc import Sequence

from ictus.comparison.case_titles import LIBRARY
from ictus.comparison.conditions import conditions
from ictus.comparison.differences import library_facts, steady_settings
from ictus.comparison.matching import values
from ictus.model.errors import OptionError
from ictus.model.library import NO_CONTROL
from ictus.model.unknown import unknown
from ictus.store.campaign import Campaign

_SAME_MACHINE = ("cpu_model", "architecture")
_UNKNOWN = "unknown"


def find_control(
    campaigns: Sequence[Campaign], by: str, named: Sequence[object], requested: str | None
) -> tuple[str | None, str]:
    """The library that stands for the state of the machine, and why one that could is none."""
    shared = [
        str(label) for label in values(campaigns[0], LIBRARY)
        if all(label in values(campaign, LIBRARY) for campaign in campaigns[1:])
    ]  # fmt: skip
    if requested is not None and requested != NO_CONTROL:
        _check_control(campaigns, by, named, requested, shared)
        return requested, ""
    logs = not all(campaign.in_turn for campaign in campaigns)  # the libraries of one folder were not in turn either
    if requested == NO_CONTROL or by != LIBRARY or logs:
        return None, ""
    alone = len(shared) < 2 and not named
    free = [] if alone else [label for label in shared if label not in named]
    unchanged = [label for label in free if not _changes(campaigns, label)]
    recorded = [label for label in unchanged if _recorded(campaigns, label)]
    plans = [campaign.plan.control for campaign in campaigns]
    marked = dict.fromkeys(label for label in plans if label is not None and label not in named)
    chosen = next((label for label in marked if label in recorded), None)
    lost = "" if chosen or not marked else _lost(campaigns, next(iter(marked)))
    if recorded or not unchanged:
        return chosen or (recorded[-1] if recorded else None), lost
    return None, f"The checksum of {unchanged[-1]} is not recorded: --control {unchanged[-1]} says it is the same."


def with_control(history: Sequence[Campaign], campaigns: Sequence[Campaign], control: str) -> list[Campaign]:
    """The campaigns of a history that are none of the compared ones and have the same control in turn."""
    compared = {campaign.folder.resolve() for campaign in campaigns}
    return [
        past
        for past in history
        if past.folder.resolve() not in compared
        and past.in_turn
        and control in values(past, LIBRARY)
        and not _changes((*campaigns, past), control)
    ]


def _lost(campaigns: Sequence[Campaign], marked: str) -> str:
    """Why the control of a plan is none between these campaigns."""
    if any(marked not in values(campaign, LIBRARY) for campaign in campaigns):
        return f"{marked}, the control of a plan, is not in all campaigns."
    changed = _changes(campaigns, marked)
    if changed:
        why = f"is not the same in all campaigns: {', '.join(changed)}"
    elif _recorded(campaigns, marked):
        why = "is the only library in all campaigns: name one of each to compare"
    else:
        why = "has no checksum in all campaigns"
    return f"{marked}, the control of a plan, {why}."


def _check_control(
    campaigns: Sequence[Campaign], by: str, named: Sequence[object], requested: str, shared: Sequence[str]
) -> None:
    """UsageError where the library that was asked for cannot be the control."""
    if by != LIBRARY:
        raise OptionError(("control", requested, f"a control is for libraries, and {by} is compared"))
    if requested not in shared:
        raise unknown(f"--control '{requested}'", requested, shared)
    logs = next((campaign.folder for campaign in campaigns if not campaign.in_turn), None)
    if logs is not None:
        reason = f"nobody said that the logs in '{logs}' were in turn (`ictus import --interleaved`); leave it out"
        raise OptionError(("control", requested, reason))
    if len(shared) < 2 and not named:
        raise OptionError(("control", requested, "no other library is in all campaigns: there is nothing to compare"))
    if requested in named:
        raise OptionError(("control", requested, "it is compared itself; name another library"))
    changed = _changes(campaigns, requested)
    if changed:
        raise OptionError(("control", requested, f"it is not the same in all campaigns: {', '.join(changed)}"))


def _changes(campaigns: Sequence[Campaign], label: str) -> list[str]:
    """What of a library, its settings or its machine is not the same in all campaigns; what is unknown never
    differs.
    """

    def facts(campaign: Campaign) -> dict[str, str]:
        library = next(candidate for candidate in campaign.libraries if candidate.label == label)
        machine = {name: str(campaign.machine.get(name) or _UNKNOWN) for name in _SAME_MACHINE}
        return {**library_facts(library), **machine, **conditions(campaign), **steady_settings(campaign, label)}

    every = [facts(campaign) for campaign in campaigns]
    names = dict.fromkeys(name for campaign_facts in every for name in campaign_facts)
    texts_by_name = {
        name: {campaign_facts.get(name, "unset") for campaign_facts in every} - {_UNKNOWN} for name in names
    }
    return [name.replace("_", " ") for name, texts in texts_by_name.items() if len(texts) > 1]


def _recorded(campaigns: Sequence[Campaign], label: str) -> bool:
    return all(
        library.checksum != _UNKNOWN for each in campaigns for library in each.libraries if library.label == label
    )
