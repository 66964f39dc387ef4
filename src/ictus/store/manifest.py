"""campaign.json and schedule.json: every decision before the first launch, written and read back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, PlainSerializer

from ictus.model.case import Case
from ictus.model.design import Design, Slot
from ictus.model.document import Document
from ictus.model.errors import UsageError
from ictus.model.library import Library
from ictus.model.plan import Plan
from ictus.store.document import PlanValues, now, version, write_document
from ictus.store.journal import check_own

CAMPAIGN = "campaign.json"
SCHEDULE = "schedule.json"


def _library(values: object) -> object:
    """Unknown facts of a library are "unknown", except its label."""
    if not isinstance(values, Mapping):
        return values
    if "label" not in values:
        raise ValueError("a library has no 'label'")
    return Library(**{field.name: str(values.get(field.name, "unknown")) for field in fields(Library)})


def _case(values: object) -> object:
    try:
        return Case.from_json(values) if isinstance(values, Mapping) else values
    except KeyError as error:
        raise ValueError(f"a case has no key {error}") from error
    except TypeError as error:
        raise ValueError(str(error)) from error


def _slot(values: object) -> object:
    try:
        return Slot.from_json(values) if isinstance(values, Mapping) else values
    except KeyError as error:
        raise ValueError(f"a slot has no key {error}") from error


def _slot_values(slot: Slot) -> dict[str, Any]:
    own = {key: value for key, value in vars(slot).items() if key != "more" and (key != "nrep" or slot.nrep)}
    return {**own, **slot.more}


class CampaignDocument(Document):
    """campaign.json."""

    FILE: ClassVar = CAMPAIGN

    created: str = "unknown"
    plan: PlanValues
    seed: int
    libraries: tuple[Annotated[Library, BeforeValidator(_library), PlainSerializer(asdict)], ...]
    cases: tuple[Annotated[Case, BeforeValidator(_case), PlainSerializer(Case.record)], ...]
    notes: tuple[str, ...] = ()
    machine: dict[str, Any] = Field(default_factory=dict)
    algorithms: dict[str, list[dict[str, Any]]] = Field(default_factory=dict)
    """By label: the library's variants, as `Variant.record` has them."""


class ScheduleDocument(Document):
    """schedule.json."""

    FILE: ClassVar = SCHEDULE

    seed: int = 0
    slots: tuple[Annotated[Slot, BeforeValidator(_slot), PlainSerializer(_slot_values)], ...]


@dataclass(frozen=True)
class CampaignManifest:
    """The content of a campaign folder: the design with which it started, and its schedule."""

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
    document = CampaignDocument(
        format=CampaignDocument.SCHEMA,
        ictus=version(),
        created=now(),
        plan=design.plan,
        seed=design.seed,
        libraries=design.libraries,
        cases=design.cases,
        notes=design.notes,
        machine=dict(design.machine),
        algorithms={label: [one.record() for one in variants] for label, variants in design.variants.items()},
    )
    write_document(folder / CAMPAIGN, document)


def write_launches(folder: Path, launches: int) -> None:
    """Write campaign.json with another number of launches; all else stays."""
    document = CampaignDocument.read(folder / CAMPAIGN)
    plan = {**document.raw["plan"], "launches": launches}
    write_document(folder / CAMPAIGN, {**document.raw, "plan": plan})


def write_schedule(folder: Path, seed: int, slots: Sequence[Slot]) -> None:
    """Write schedule.json whole, in place of one with fewer slots."""
    schedule = ScheduleDocument(format=ScheduleDocument.SCHEMA, ictus=version(), seed=seed, slots=tuple(slots))
    write_document(folder / SCHEDULE, schedule)


def read_manifest(folder: Path) -> CampaignManifest:
    """The decisions before the first launch."""
    if not folder.is_dir():
        raise UsageError(f"'{folder}' {'is not a folder' if folder.exists() else 'does not exist'}")
    if not (folder / CAMPAIGN).exists():
        raise UsageError(f"'{folder}' is not a campaign folder: it has no {CAMPAIGN}")
    check_own(folder / "launches")
    campaign = CampaignDocument.read(folder / CAMPAIGN)
    return CampaignManifest(
        ictus=campaign.ictus,
        created=campaign.created,
        plan=campaign.plan,
        seed=campaign.seed,
        cases=campaign.cases,
        libraries=campaign.libraries,
        notes=campaign.notes,
        machine=campaign.machine,
        slots=ScheduleDocument.read(folder / SCHEDULE).slots,
    )
