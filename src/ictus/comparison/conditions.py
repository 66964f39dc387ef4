"""Conditions that all launches of a campaign share and that change its numbers. Two campaigns that differ in one are
compared only where it is said to be meant: a regression must not be a heap that was forgotten.

Ranks, clock, start, cache and the other factors of a case need no such rule: cases that differ in one do not match.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ictus.comparison.import_facts import differing_records
from ictus.comparison.matching import values
from ictus.model.errors import UsageError
from ictus.model.launch_factor import LAUNCHER_OPTIONS, NAMED
from ictus.model.unknown import unknown
from ictus.store.campaign import Campaign

UNKNOWN = "unknown"
"""Of a log that does not say it."""
CONDITIONS = (*NAMED, "validation", "platform")
"""Their names: factors of launches, and fields of the plan."""


def conditions(campaign: Campaign) -> Mapping[str, str]:
    """The value of each condition; several where the launches differ among themselves."""
    plan = campaign.plan
    launches = {name: " or ".join(sorted(str(value) or "usual" for value in values(campaign, name))) for name in NAMED}
    if campaign.imported is not None:
        stated = {launch.started_with or UNKNOWN for launch in campaign.imported.launches}
        launches[LAUNCHER_OPTIONS] = UNKNOWN if UNKNOWN in stated else " or ".join(sorted(stated))
    platform = "none" if plan.platform is None else str(plan.platform)
    return {**launches, "validation": "on" if plan.validation else "off", "platform": platform}


def differing_conditions(current: Campaign, baseline: Campaign) -> dict[str, tuple[str, str]]:
    """By condition the values of both, where they differ; what a log does not say never differs."""
    here, baseline_conditions = conditions(current), conditions(baseline)
    both = {name: (here[name], baseline_conditions[name]) for name in CONDITIONS}
    differing = {name: pair for name, pair in both.items() if pair[0] != pair[1] and UNKNOWN not in pair}
    return differing | differing_records(current, baseline)


def check_between(
    allow: Sequence[str], besides: Sequence[str], history: Sequence[Campaign | Path], *, several: bool
) -> None:
    """What is said of campaigns that are compared with each other. UsageError for names in `allow` that are no
    conditions, nor among the names that are allowed besides; and for a history where there are not `several` campaigns.
    """
    for name in allow:
        if name not in (*CONDITIONS, *besides):
            raise unknown(f"condition '{name}' that may differ (--allow)", name, (*CONDITIONS, *besides))
    if history and not several:
        path = history[0].folder if isinstance(history[0], Campaign) else history[0]
        raise UsageError(
            f"--history '{path}': how far campaigns lie apart says nothing about launches in turn; name a second "
            f"campaign, or leave it out"
        )


def check_alike(campaign: Campaign, other: Campaign, by: str, allow: Sequence[str]) -> None:
    """UsageError for two campaigns that were not measured, or not loaded, alike."""
    if other.reduction != campaign.reduction:
        raise UsageError(
            f"one campaign was loaded with {campaign.reduction}, the other with {other.reduction}: load both alike"
        )
    check_conditions(campaign, other, by, allow)


def check_conditions(current: Campaign, baseline: Campaign, by: str, allow: Sequence[str]) -> None:
    """UsageError where the campaigns differ in a condition that is neither compared nor among those that are allowed to
    differ.
    """
    differing = {
        name: both for name, both in differing_conditions(current, baseline).items() if name not in (by, *allow)
    }
    if differing:
        texts = ", ".join(
            f"{name} ({here} against {baseline_value})" for name, (here, baseline_value) in differing.items()
        )
        raise UsageError(
            f"'{current.folder}' and '{baseline.folder}' differ in {texts}, which may be all that a comparison finds; "
            f"measure both alike, or say that it is meant with --allow {','.join((*allow, *differing))}"
        )
