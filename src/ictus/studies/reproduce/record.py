"""reproduction.json: the request of a study of reproducibility, and the files beside it.

    FOLDER/reproduction.json     the request; it never changes
    FOLDER/journal.jsonl         the progress
    FOLDER/rehearsal/WAY         a campaign of one launch, which predicts the time of the others
    FOLDER/trials/NN/WAY         trial NN: a whole campaign of Ictus (`ictus`), one run of each other suite

The command's help shows the defaults, so this module imports nothing heavy.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import AliasChoices, Field

from ictus.model.document import Document
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plan import Plan
from ictus.store.document import PlanValues, now, version, write_document
from ictus.store.durable import make_folder

SUITES = "osu,imb,skampi"
FULL: dict[str, Any] = {"op": "bcast", "sizes": "8..32Ki", "launches": 30, "nrep": 1000}
QUICK: dict[str, Any] = {"op": "bcast", "sizes": "8,1Ki,32Ki", "launches": 5, "nrep": 100}
"""By TOML key."""
TRIALS, QUICK_TRIALS = 30, 5


DOCUMENT = "reproduction.json"
OWN = "ictus"
"""The way of whole campaigns; every other way is a lens, in full form."""


class Reproduction(Document):
    """The request."""

    FILE: ClassVar = DOCUMENT

    created: str = "unknown"
    trials: int
    summary: str = Field(validation_alias=AliasChoices("summary", "average"))
    """What a launch of our campaigns says of a case, over its kept samples; `average` in files of earlier versions."""
    suites: tuple[str, ...]
    """Lenses, in full form."""
    plan: PlanValues
    """The plan of our campaigns; its seed is that of the study."""

    @property
    def ways(self) -> tuple[str, ...]:
        """Ours first."""
        return (OWN, *self.suites)


def trial_folder(trial: int, way: str) -> str:
    """Where a way's part of a trial (0, 1, ...) is, relative to the study: `trials/07/osu`."""
    return f"trials/{trial + 1:02}/{slug(way)}"


def rehearsal_folder(way: str) -> str:
    """Where its rehearsal is."""
    return f"rehearsal/{slug(way)}"


def slug(way: str) -> str:
    """A way as the name of a folder: `skampi-sync-window-threshold-0.1`."""
    return re.sub(r"[^a-z0-9.]+", "-", way.lower()).strip("-.")


def new_reproduction(trials: int, summary: str, suites: Sequence[str], plan: Plan) -> Reproduction:
    """A study that begins now."""
    return Reproduction(ictus=version(), created=now(), trials=trials, summary=summary, suites=tuple(suites), plan=plan)


def write_reproduction(folder: Path, study: Reproduction) -> None:
    """Write the document, whose presence makes the folder a study. Raises MeasurementError where that is refused."""
    try:
        make_folder(folder)
        write_document(folder / DOCUMENT, study)
    except OSError as error:
        raise MeasurementError(f"study '{folder}' cannot be written: {error.strerror}") from error


def read_reproduction(folder: Path) -> Reproduction:
    """The study in a folder. Raises UsageError where there is none, MeasurementError for one that is damaged."""
    path = folder / DOCUMENT
    if not path.is_file():
        raise UsageError(f"'{folder}' is not a study of reproducibility: it has no {DOCUMENT}")
    return Reproduction.read(path)
