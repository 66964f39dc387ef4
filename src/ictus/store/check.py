"""check.json: the guidelines that a campaign was measured for, and how they are judged.

FOLDER/check.json       the request; it never changes, except for more launches
FOLDER/nrep             the campaign that predicted the repetitions, where the user gave none
FOLDER/campaign.json    an ordinary campaign: both sides of all guidelines
FOLDER/returned         a campaign of the guidelines that depend on the heap, with freed memory returned
FOLDER/split, split-2   campaigns that confirm predicted violations of split-robustness
FOLDER/entered.json     library functions that violated calls entered (guidelines/check/algorithm_trace.py)
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ictus.model.document import Document, DocumentPart
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plan import Plan
from ictus.store.document import PlanValues, now, version, write_document
from ictus.store.durable import make_folder
from ictus.store.manifest import CAMPAIGN

DOCUMENT = "check.json"
IN_RETURNED = "returned"
"""The folder of the campaign with freed memory returned."""
SPLIT = "split"
"""The first folder of confirmations; those of later predictions are numbered from 2."""
_SPLIT = re.compile(rf"{SPLIT}(-(\d+))?")


class RuleFields(DocumentPart):
    """A guideline as check.json has it (`ictus.guidelines.rule.Rule`)."""

    name: str
    kind: str
    source: str
    left: str
    right: str
    layout: str
    other_layout: str | None = None
    """Of the right side, where it is not `layout`."""


class CheckRecord(Document):
    """The request of a check: plan, guidelines and options."""

    FILE: ClassVar = DOCUMENT

    created: str = "unknown"
    plan: PlanValues
    """The plan of the campaign; its seed is the seed of the check."""
    options: dict[str, Any]
    """Default options of the judgement: `test`, `tolerance`."""
    rules: tuple[RuleFields, ...]
    """The guidelines that apply."""
    left_out: tuple[str, ...]
    """Requested guidelines that do not apply, each with the reason."""


def new_check(
    plan: Plan, rules: Sequence[RuleFields], left_out: Sequence[str], options: Mapping[str, Any]
) -> CheckRecord:
    """A new check, created now."""
    return CheckRecord(
        ictus=version(),
        created=now(),
        plan=plan,
        options=dict(options),
        rules=tuple(rules),
        left_out=tuple(left_out),
    )


def write_check(folder: Path, check: CheckRecord) -> None:
    """Write check.json, which makes the folder a check. Raises MeasurementError where the file cannot be written."""
    try:
        make_folder(folder)
        write_document(folder / DOCUMENT, check)
    except OSError as error:
        raise MeasurementError(f"check '{folder}' cannot be written: {error.strerror}") from error


def is_check(folder: Path) -> bool:
    """Whether the folder holds a check."""
    return (folder / DOCUMENT).is_file()


def read_check(folder: Path) -> CheckRecord:
    """The check in a folder. Raises UsageError where there is none, MeasurementError for a damaged file."""
    path = folder / DOCUMENT
    if not path.is_file():
        raise UsageError(f"'{folder}' is not a check of guidelines: it has no {DOCUMENT}")
    return CheckRecord.read(path)


def split_folders(folder: Path) -> tuple[Path, ...]:
    """Folders of the campaigns that confirmed predicted violations, in the order of measurement."""
    numbers = {_split_number(path.name): path for path in folder.glob(f"{SPLIT}*") if (path / CAMPAIGN).is_file()}
    return tuple(path for number, path in sorted(numbers.items()) if number)


def next_split(folder: Path, planned: int = 0) -> Path:
    """Folder of the next campaign that confirms predicted violations, after so many that are planned but not there."""
    last = max((_split_number(path.name) for path in split_folders(folder)), default=0) + planned
    return folder / (SPLIT if last == 0 else f"{SPLIT}-{last + 1}")


def _split_number(name: str) -> int:
    """1 for `split`, 2 for `split-2`; 0 for any other name."""
    match = _SPLIT.fullmatch(name)
    return 0 if match is None else int(match[2] or 1)
