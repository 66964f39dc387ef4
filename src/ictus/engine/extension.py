"""More launches for a campaign that has all of its own.

A campaign can grow where its manifest reserved error for further looks before the first launch. Elsewhere whoever adds
launches because a result was not yet clear, and judges again, finds differences that are not there: then the command of
a new campaign is given.
"""

import shlex
from dataclasses import replace
from pathlib import Path

from ictus.engine.folder import check_same
from ictus.engine.journal import Journal
from ictus.engine.schedule import schedule_of
from ictus.model.design import Design
from ictus.model.errors import UsageError
from ictus.model.looks import Looks
from ictus.model.plan import Plan
from ictus.stats.sequential import UNUSABLE
from ictus.store.check import is_check
from ictus.store.manifest import (
    CAMPAIGN,
    CampaignManifest,
    read_manifest,
    starting_words,
    write_launches,
    write_schedule,
)

FIRST_SHARE = 0.9
"""Of the error, for the launches that a plan says; a tenth is kept for more of them. It costs less than half a percent
of the power (docs/decisions/0036).
"""


def extendable(design: Design, fewest: int = 1) -> Design:
    """The design with error reserved for twice, four times, ... the launches, where it has a fixed number of them. The
    first look is at `fewest` or more: what can decide nothing spends no error.
    """
    plan = design.plan
    if plan.goal is not None or plan.adjust == UNUSABLE:
        return design
    first = plan.launches
    while first < fewest:
        first *= 2
    return replace(design, looks=Looks(first, 2, FIRST_SHARE))


def check_growth(folder: Path, plan: Plan) -> None:
    """UsageError where the plan has more launches than the campaign in the folder, which may not have so many."""
    if not (folder / CAMPAIGN).is_file():
        return
    manifest = read_manifest(folder)
    planned, requested = manifest.plan.launches, plan.launches
    if requested <= planned or not _counted(plan):
        return
    if manifest.looks is None:
        raise UsageError(
            f"launches '{requested}': '{folder}' has {planned} of each library and reserved no error for more: judging "
            f"again would make false alarms likelier. {_anew(folder, manifest, requested)}"
        )
    if plan.goal is None and manifest.looks.from_on(requested) != requested:
        looks = manifest.looks.from_on(requested)
        raise UsageError(
            f"launches '{requested}': '{folder}' grows in steps, and the next is {looks} launches; comparing at these "
            f"alone keeps the chance of a wrong verdict; give --launches {looks}"
        )


def _anew(folder: Path, manifest: CampaignManifest, launches: int) -> str:
    """How so many launches are had instead."""
    if is_check(folder):
        return f"Begin a new check with --launches {launches} and another -o"
    new_folder = folder.with_name(f"{folder.resolve().name}-{launches}")
    new = ["ictus", "run", str(folder / CAMPAIGN), "--launches", str(launches), "-o", str(new_folder)]
    new += starting_words(manifest)
    return f"A new campaign of the same plan: `{shlex.join(new)}`"


def _counted(plan: Plan) -> bool:
    """Whether launches are the number, or the most, and not the least."""
    return plan.goal is None or plan.goal.of_verdicts


def grow(folder: Path, design: Design) -> None:
    """Let the campaign in the folder have the launches of the design, where its looks allow it; else nothing changes.
    Raises UsageError where it differs in more than that, or another process runs it.
    """
    if not (folder / CAMPAIGN).is_file():
        return
    manifest = read_manifest(folder)
    if design.plan.launches <= manifest.plan.launches or not _counted(design.plan) or manifest.looks is None:
        return
    if design.plan.goal is None:
        extend(folder, design)
        return
    fewer = design.plan.model_copy(update={"launches": manifest.plan.launches})
    check_same(folder, manifest, replace(design, plan=fewer))
    with Journal(folder.absolute()) as journal:
        write_launches(folder.absolute(), design.plan.launches)
        journal.append("extended", {"launches": design.plan.launches, "before": manifest.plan.launches})


def extend(folder: Path, design: Design) -> None:
    """Schedule all launches of the design, where the folder holds the same campaign with fewer.

    The schedule is written first; that of fewer launches is a prefix of it. After a crash in between, the campaign has
    more slots than its plan says; it continues with all of them, and is extended again to the same.

    Raises UsageError where it differs in more than that, or another process runs it.
    """
    folder = folder.absolute()
    if not (folder / CAMPAIGN).is_file():
        return
    manifest = read_manifest(folder)
    launches = design.plan.launches
    if launches <= manifest.plan.launches:
        return
    fewer = design.plan.model_copy(update={"launches": manifest.plan.launches})
    check_same(folder, manifest, replace(design, plan=fewer))
    longer = design.with_plan(manifest.plan.model_copy(update={"launches": launches}))
    with Journal(folder) as journal:
        write_schedule(folder, longer.seed, schedule_of(longer))
        write_launches(folder, launches)
        journal.append("extended", {"launches": launches, "before": manifest.plan.launches})
