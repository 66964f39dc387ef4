"""Checks, before anything is built, what a folder holds and whether the request may be measured in it."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ictus.model.design import Design
from ictus.model.errors import UsageError
from ictus.store.check import DOCUMENT as CHECK, SPLIT
from ictus.store.journal import check_name
from ictus.store.manifest import CAMPAIGN, SCHEDULE, CampaignManifest

_DOCUMENTS = "|".join(map(re.escape, (CAMPAIGN, SCHEDULE, CHECK)))
_OURS = re.compile(
    rf"({_DOCUMENTS})(\.writing)?|journal\.jsonl|launches|aside|nrep|jobs|lock\.\d+|\.lock-\w+|{SPLIT}(-\d+)?"
)


def check_folder(folder: Path) -> None:
    """Find out before anything is built that the campaign's folder cannot be one. Raises UsageError."""
    check_name(folder.absolute())
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"-o '{folder}' is a file, not a folder")
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for new_folder in missing:  # only a try: nothing is left of a campaign that does not begin
            new_folder.rmdir()
    except OSError as error:
        raise UsageError(f"-o '{folder}' cannot be created: {error.strerror}") from error
    if folder.is_dir():
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UsageError(f"-o '{folder}' cannot be written to")
        if not (folder / CAMPAIGN).exists():
            check_vacant(folder)


def check_vacant(folder: Path) -> None:
    """UsageError when a folder without campaign.json holds anything that a campaign about to begin did not make."""
    foreign = sorted(path.name for path in folder.iterdir() if not _OURS.fullmatch(path.name))
    if foreign:
        raise UsageError(f"'{folder}' is not a campaign folder and not empty (it has '{foreign[0]}'); give another -o")


def check_same(folder: Path, manifest: CampaignManifest, design: Design) -> None:
    """UsageError with the difference between the campaign in the folder and the requested one. The time budget may
    differ: a larger one continues the same campaign.
    """
    requested = design.plan.model_copy(update={"seed": None}) if design.seed_drawn else design.plan
    requested = requested.model_copy(update={"time_budget_s": manifest.plan.time_budget_s})
    differences = [f"{line} asked for" for line in manifest.plan.differences(requested)]
    here = {library.label: library for library in manifest.libraries}
    recorded = {library.label: library for library in design.libraries}
    if not differences and set(here) != set(recorded):
        differences = [f"libraries: {', '.join(here)} there, {', '.join(recorded)} asked for"]
    for label in here.keys() & recorded.keys():
        differences += [f"library {label}, {line} asked for" for line in here[label].differences(recorded[label])]
    if not differences and manifest.cases != design.cases:
        differences = [f"the cases that the same plan stood for in Ictus {manifest.ictus}"]
    refuse_other(folder, "campaign", differences)


def refuse_other(folder: Path, what: str, differences: Sequence[str]) -> None:
    """UsageError where a folder holds a `what` (campaign, check, ...) that differs from the requested one."""
    if differences:
        raise UsageError(
            f"'{folder}' holds a {what} that differs in\n  " + "\n  ".join(differences) + "\n"
            "Launches of different plans are never mixed: give another -o, or leave out what differs."
        )


def check_free(folder: Path | None, document: str) -> None:
    """UsageError where a study cannot be kept in `folder`: it holds one already, by its `document`, or nothing can be
    written there.
    """
    if folder is None:
        return
    if (folder / document).exists():
        raise UsageError(f"-o '{folder}' holds a study already: name another folder, or remove that one")
    check_folder(folder)


def check_same_values(folder: Path, what: str, recorded: Mapping[str, Any], requested: Mapping[str, Any]) -> None:
    """UsageError where the `what` in `folder` started with other values than the requested ones."""
    differing = [key for key, value in requested.items() if recorded.get(key) != value]
    refuse_other(
        folder, what, [f"{key}: {recorded.get(key)!r} there, {requested[key]!r} asked for" for key in differing]
    )
