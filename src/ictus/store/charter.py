"""campaign.json and schedule.json: all that was decided before the first launch, written and read back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from ictus.model.case import Case
from ictus.model.design import Design, Slot
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.library import Library
from ictus.model.plan import Plan
from ictus.model.sample import FORMAT
from ictus.store.document import read_document, version, write_document
from ictus.store.journal import check_own

CAMPAIGN = "campaign.json"
SCHEDULE = "schedule.json"

T = TypeVar("T")


@dataclass(frozen=True)
class Charter:
    """What a campaign folder says of itself: the design that it was begun with, and its schedule."""

    ictus: str
    created: str
    plan: Plan
    seed: int
    cases: tuple[Case, ...]
    libraries: tuple[Library, ...]
    notes: tuple[str, ...]
    machine: Mapping[str, Any]
    slots: tuple[Slot, ...]


def write_campaign(folder: Path, design: Design, slots: Sequence[Slot]) -> None:
    """Write schedule.json, then campaign.json, whose presence makes the folder a campaign."""
    write_schedule(folder, design.seed, slots)
    write_document(
        folder / CAMPAIGN,
        {
            "format": FORMAT,
            "ictus": version(),
            "created": datetime.now().astimezone().isoformat(timespec="seconds"),
            "plan": design.plan.values(),
            "seed": design.seed,
            "libraries": [asdict(library) for library in design.libraries],
            "cases": [case.record() for case in design.cases],
            "notes": list(design.notes),
            "machine": dict(design.machine),
            "algorithms": {label: [one.record() for one in variants] for label, variants in design.variants.items()},
        },
    )


def write_launches(folder: Path, launches: int) -> None:
    """Write campaign.json with another number of launches; all else stays."""
    document = dict(read_document(folder / CAMPAIGN))
    write_document(folder / CAMPAIGN, {**document, "plan": {**document["plan"], "launches": launches}})


def write_schedule(folder: Path, seed: int, slots: Sequence[Slot]) -> None:
    """Write schedule.json whole, in place of one with fewer slots."""
    write_document(folder / SCHEDULE, {"format": FORMAT, "seed": seed, "slots": [_slot(slot) for slot in slots]})


def _slot(slot: Slot) -> dict[str, Any]:
    return {key: value for key, value in vars(slot).items() if key != "nrep" or slot.nrep}


def read_charter(folder: Path) -> Charter:
    """What was decided before the first launch.

    Raises UsageError for a folder that is no campaign or of an unknown format, MeasurementError for a damaged one.
    """
    if not folder.is_dir():
        raise UsageError(f"'{folder}' is no folder")
    if not (folder / CAMPAIGN).exists():
        raise UsageError(f"'{folder}' is no campaign folder: it has no {CAMPAIGN}")
    check_own(folder / "launches")
    campaign, schedule = read_document(folder / CAMPAIGN), read_document(folder / SCHEDULE)
    try:
        return Charter(
            ictus=str(campaign.get("ictus", "unknown")),
            created=str(campaign.get("created", "unknown")),
            plan=Plan.from_values(campaign["plan"], source=f"{folder / CAMPAIGN}, plan"),
            seed=int(campaign["seed"]),
            cases=_each(Case.from_json, campaign["cases"]),
            libraries=_each(_library, campaign["libraries"]),
            notes=_each(str, campaign.get("notes", ())),
            machine=dict(campaign.get("machine", {})),
            slots=_each(Slot.from_json, schedule["slots"]),
        )
    except KeyError as error:
        raise MeasurementError(f"{folder}: {CAMPAIGN} or {SCHEDULE} has no key {error}") from error
    except (TypeError, ValueError) as error:
        raise MeasurementError(f"{folder}: {CAMPAIGN} or {SCHEDULE} is not as documented: {error}") from error


def _library(values: Mapping[str, Any]) -> Library:
    """A library; what a writer did not know is "unknown", but not its label."""
    known = {field.name: str(values.get(field.name, "unknown")) for field in fields(Library)}
    return Library(**{**known, "label": str(values["label"])})


def _each(make: Callable[[Any], T], values: Sequence[Any]) -> tuple[T, ...]:
    return tuple(make(value) for value in values)
