"""Everything in a folder that holds campaigns: a campaign itself, a check with its splits, a tuning, advice, a study.

Each campaign is checked as such, wherever it lies; a document is read, and its last line has its checksum. What a
document says of its campaigns is for the command that wrote it, and named as not checked.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ictus.model.document import read_object, unsealed
from ictus.model.errors import IctusError, UsageError
from ictus.model.input_file import file_content, regular_file
from ictus.store.launch_files import COMMAND
from ictus.store.manifest import CAMPAIGN, SCHEDULE
from ictus.verification.campaign import Verification, verify as verify_campaign
from ictus.verification.problem import CaseLocation, Problem

_INSIDE = ("launches", "aside")
"""Folders of a campaign that hold no other one."""


def verify(folder: Path) -> Verification:
    """Check all that is in a folder; it is not changed. Raises UsageError for one without a campaign and a document of
    Ictus.
    """
    campaigns, documents, others = [], [], []
    for parent, names, files in os.walk(folder):
        here = Path(parent)
        if CAMPAIGN in files:
            campaigns.append(here)
        names[:] = sorted(name for name in names if not (CAMPAIGN in files and name in _INSIDE))
        documents += [here / name for name in files if name.endswith(".json") and name not in (CAMPAIGN, SCHEDULE)]
        others += [here / name for name in files if CAMPAIGN not in files and not name.endswith(".json")]
    if not campaigns and not any(map(_is_ours, documents)):
        raise UsageError(f"'{folder}' has no {CAMPAIGN} and no document of a study, and no folder in it has one")
    if campaigns == [folder] and not documents:
        return verify_campaign(folder)
    below = {path.relative_to(folder).parts[0] for path in (*campaigns, *documents) if path != folder}
    parts = [
        _named(folder, campaign, verify_campaign(campaign, below if campaign == folder else ()))
        for campaign in sorted(campaigns)
    ]
    problems = [problem for path in sorted(documents) for problem in _document(folder, path)]
    unchecked = [sentence for part in parts for sentence in part.unchecked]
    if documents:
        named = ", ".join(str(path.relative_to(folder)) for path in sorted(documents))
        unchecked.append(
            f"{named}: read, and compared with the checksum in the last line, but what is concluded there is not"
        )
    if others:
        unchecked.append(f"{len(others)} other files outside of campaigns, such as {others[0].relative_to(folder)}")
    return Verification(
        folder,
        (*problems, *(problem for part in parts for problem in part.problems)),
        launches=sum(part.launches for part in parts),
        cases=sum(part.cases for part in parts),
        samples=sum(part.samples for part in parts),
        from_stamps=sum(part.from_stamps for part in parts),
        files=sum(part.files for part in parts),
        unchecked=tuple(unchecked),
        campaigns=len(campaigns),
    )


_HEAD_BYTES = 300
"""A document of Ictus names the version that wrote it among its first keys."""


def _is_ours(path: Path) -> bool:
    """Whether Ictus wrote it, as far as its beginning says: what is cut short must not be taken for a stranger's. A
    launch alone is no study.
    """
    if (path.parent / COMMAND).exists():
        return False
    try:
        with regular_file(path) as file:
            return b'"ictus":' in file.read(_HEAD_BYTES)
    except (IctusError, OSError):
        return False


def _named(folder: Path, campaign: Path, verification: Verification) -> Verification:
    """What was found, with the campaign's place in the folder in front."""
    if campaign == folder:
        return verification
    name = campaign.relative_to(folder)
    problems = (
        replace(problem, launch=f"{name}/{problem.launch}")
        if problem.launch
        else replace(problem, file=f"{name}/{problem.file}" if problem.file else str(name))
        for problem in verification.problems
    )
    return replace(
        verification, problems=tuple(problems), unchecked=tuple(f"in {name}, {text}" for text in verification.unchecked)
    )


def _document(folder: Path, path: Path) -> Iterator[Problem]:
    location = CaseLocation(file=str(path.relative_to(folder)))
    try:
        read_object(path)
        if unsealed(file_content(path))[1] is None and '"checksum"' in file_content(path).decode("utf-8", "replace"):
            yield location.wrong("checksum", "none in the last line", "the file as Ictus wrote it")
    except IctusError as error:
        yield location.wrong("", str(error), "a document that can be read")
