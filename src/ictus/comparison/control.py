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
    campaigns: Sequence[Campaign], by: str, named: Sequence[object], asked: str | None
) -> tuple[str | None, str]:
    """The library that stands for the state of the machine, and why one that could is none."""
    shared = [
        str(label) for label in values(campaigns[0], LIBRARY)
        if all(label in values(other, LIBRARY) for other in campaigns[1:])
    ]  # fmt: skip
    if asked is not None and asked != NO_CONTROL:
        _check_control(campaigns, by, named, asked, shared)
        return asked, ""
    logs = not all(one.in_turn for one in campaigns)  # the libraries of one folder were not in turn either
    if asked == NO_CONTROL or by != LIBRARY or logs:
        return None, ""
    alone = len(shared) < 2 and not named
    free = [] if alone else [label for label in shared if label not in named]
    unchanged = [label for label in free if not _changes(campaigns, label)]
    known = [label for label in unchanged if _recorded(campaigns, label)]
    plans = [campaign.plan.control for campaign in campaigns]
    marked = dict.fromkeys(label for label in plans if label is not None and label not in named)
    chosen = next((label for label in marked if label in known), None)
    lost = "" if chosen or not marked else _lost(campaigns, next(iter(marked)))
    if known or not unchanged:
        return chosen or (known[-1] if known else None), lost
    return None, f"The checksum of {unchanged[-1]} is not recorded: --control {unchanged[-1]} says it is the same."


def with_control(history: Sequence[Campaign], campaigns: Sequence[Campaign], control: str) -> list[Campaign]:
    """The campaigns of a history that are none of the compared ones and have the same control in turn."""
    known = {campaign.folder.resolve() for campaign in campaigns}
    return [
        one
        for one in history
        if one.folder.resolve() not in known
        and one.in_turn
        and control in values(one, LIBRARY)
        and not _changes((*campaigns, one), control)
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
    campaigns: Sequence[Campaign], by: str, named: Sequence[object], asked: str, shared: Sequence[str]
) -> None:
    """UsageError where the library that was asked for cannot be the control."""
    if by != LIBRARY:
        raise OptionError(("control", asked, f"a control is for libraries, and {by} is compared"))
    if asked not in shared:
        raise unknown(f"--control '{asked}'", asked, shared)
    logs = next((campaign.folder for campaign in campaigns if not campaign.in_turn), None)
    if logs is not None:
        reason = f"nobody said that the logs in '{logs}' were in turn (`ictus import --interleaved`); leave it out"
        raise OptionError(("control", asked, reason))
    if len(shared) < 2 and not named:
        raise OptionError(("control", asked, "no other library is in all campaigns: there is nothing to compare"))
    if asked in named:
        raise OptionError(("control", asked, "it is compared itself; name another library"))
    changed = _changes(campaigns, asked)
    if changed:
        raise OptionError(("control", asked, f"it is not the same in all campaigns: {', '.join(changed)}"))


def _changes(campaigns: Sequence[Campaign], label: str) -> list[str]:
    """What of a library, its settings or its machine is not the same in all campaigns; what is unknown never
    differs.
    """

    def facts(campaign: Campaign) -> dict[str, str]:
        library = next(one for one in campaign.libraries if one.label == label)
        machine = {name: str(campaign.machine.get(name) or _UNKNOWN) for name in _SAME_MACHINE}
        return {**library_facts(library), **machine, **conditions(campaign), **steady_settings(campaign, label)}

    every = [facts(campaign) for campaign in campaigns]
    names = dict.fromkeys(name for one in every for name in one)
    found = {name: {one.get(name, "unset") for one in every} - {_UNKNOWN} for name in names}
    return [name.replace("_", " ") for name, texts in found.items() if len(texts) > 1]


def _recorded(campaigns: Sequence[Campaign], label: str) -> bool:
    return all(
        library.checksum != _UNKNOWN for each in campaigns for library in each.libraries if library.label == label
    )
