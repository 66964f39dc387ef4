"""campaign.json and schedule.json: every decision before the first launch, written and read back."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer

from ictus.model.case import Case
from ictus.model.design import Design, Slot
from ictus.model.document import Document
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.imported import ImportRecord
from ictus.model.library import Library
from ictus.model.looks import Looks
from ictus.model.plan import Plan
from ictus.model.start import StartRecord
from ictus.store.document import PlanValues, now, version, write_document
from ictus.store.journal import check_name, check_own

CAMPAIGN = "campaign.json"
SCHEDULE = "schedule.json"
OTHER_FOLDERS = {
    "advise.json": "`ictus advise`",
    "tune.json": "`ictus tune`",
    "reproduction.json": "`ictus reproduce`",
    "overlap.json": "`ictus overlap`",
    "network.json": "`ictus network`",
    "skew.json": "`ictus barriers skew`",
    "clocks.json": "`ictus clocks`",
    "rtt.json": "`ictus clocks rtt`",
    "communicators.json": "`ictus communicators`",
    "dims.json": "`ictus dims`",
    "rank-0.counters": "`ictus profile`",
}
"""Folders of other commands, by a file in them."""


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
    except TypeError as error:
        raise ValueError(str(error)) from error


_OPTIONAL = ("nrep", "nodes", "ppn")
"""What a slot that has none leaves out."""


def _slot_values(slot: Slot) -> dict[str, Any]:
    known_keys = (key for key in vars(slot) if key != "unknown_keys")
    values = {key: vars(slot)[key] for key in known_keys if key not in _OPTIONAL or vars(slot)[key]}
    return {**values, **slot.unknown_keys}


def _some_libraries(libraries: tuple[Library, ...]) -> tuple[Library, ...]:
    _once("label", [library.label for library in libraries])
    return libraries


def _numbered_cases(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    _once("case", [case.case_id for case in cases])
    return cases


def _numbered_slots(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    _once("slot", [slot.slot for slot in slots])
    return slots


def _once(what: str, names: Sequence[object]) -> None:
    """ValueError where there is none, or two have one name."""
    if not names:
        raise ValueError(f"expected at least one {what}, found none")
    known_names = set(names)
    if len(known_names) < len(names):
        twice = next(name for name, count in Counter(names).items() if count > 1)
        raise ValueError(f"{what} {twice!r} is there twice")


def _looks(values: object) -> object:
    try:
        return Looks(**values) if isinstance(values, Mapping) else values
    except TypeError as error:
        raise ValueError(str(error)) from error


class CampaignDocument(Document):
    """campaign.json."""

    FILE: ClassVar = CAMPAIGN

    created: str = "unknown"
    plan: PlanValues
    seed: int
    libraries: Annotated[
        tuple[Annotated[Library, BeforeValidator(_library), PlainSerializer(asdict)], ...],
        AfterValidator(_some_libraries),
    ]
    cases: Annotated[
        tuple[Annotated[Case, BeforeValidator(_case), PlainSerializer(Case.record)], ...],
        AfterValidator(_numbered_cases),
    ]
    notes: tuple[str, ...] = ()
    machine: dict[str, Any] = Field(default_factory=dict)
    algorithms: dict[str, list[dict[str, Any]]] = Field(default_factory=dict)
    """By label: the library's variants, as `Variant.record` has them."""
    looks: Annotated[Looks | None, BeforeValidator(_looks)] = None
    """The looks that error is reserved for; null where the number of launches is fixed."""
    imported: ImportRecord | None = None
    """What the numbers are of a campaign that another suite measured; null where Ictus did."""
    start: StartRecord | None = None
    """How launches were started when the campaign began; null where that is not known."""


class ScheduleDocument(Document):
    """schedule.json."""

    FILE: ClassVar = SCHEDULE

    seed: int = 0
    slots: Annotated[
        tuple[Annotated[Slot, BeforeValidator(_slot), PlainSerializer(_slot_values)], ...],
        AfterValidator(_numbered_slots),
    ]


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
    looks: Looks | None = None
    imported: ImportRecord | None = None
    start: StartRecord | None = None


class Started(Protocol):
    """A campaign, of which is known how its launches were started."""

    @property
    def libraries(self) -> Sequence[Library]:
        """Those that were launched."""

    @property
    def start(self) -> StartRecord | None:
        """What campaign.json says of it."""


def starting_words(campaign: Started) -> tuple[str, ...]:
    """What a command needs, besides the folder, to start launches as this campaign did. Where that was not recorded:
    simulated libraries are not found on any machine.
    """
    if campaign.start is not None:
        return campaign.start.words
    simulated = any(library.flavour == "simulated" for library in campaign.libraries)
    return ("--launcher", "simulated") if simulated else ()


def continue_command(folder: Path, campaign: Started) -> str:
    """The command that measures what a campaign lacks."""
    return shlex.join(["ictus", "run", "-o", str(folder), *starting_words(campaign)])


def write_campaign(folder: Path, design: Design, slots: Sequence[Slot], *, created: str | None = None) -> None:
    """Write schedule.json, then campaign.json, whose presence makes the folder a campaign. `created`: now."""
    write_schedule(folder, design.seed, slots)
    document = CampaignDocument(
        format=CampaignDocument.SCHEMA,
        ictus=version(),
        created=created or now(),
        plan=design.plan,
        seed=design.seed,
        libraries=design.libraries,
        cases=design.cases,
        notes=design.notes,
        machine=dict(design.machine),
        algorithms={label: [variant.record() for variant in variants] for label, variants in design.variants.items()},
        looks=design.looks,
        imported=design.imported,
        start=design.start,
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
    check_name(folder)
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise UsageError(f"'{folder}' {what}; name the folder of a campaign")
    if not (folder / CAMPAIGN).exists():
        whose = next((who for name, who in OTHER_FOLDERS.items() if (folder / name).exists()), "")
        raise UsageError(f"'{folder}' is not a campaign folder: it has no {CAMPAIGN}{whose and f'; {whose} wrote it'}")
    check_own(folder / "launches")
    campaign = CampaignDocument.read(folder / CAMPAIGN)
    schedule = ScheduleDocument.read(folder / SCHEDULE)
    _check_agreement(folder, campaign, schedule)
    return CampaignManifest(
        ictus=campaign.ictus,
        created=campaign.created,
        plan=campaign.plan,
        seed=campaign.seed,
        cases=campaign.cases,
        libraries=campaign.libraries,
        notes=campaign.notes,
        machine=campaign.machine,
        slots=schedule.slots,
        looks=campaign.looks,
        imported=campaign.imported,
        start=campaign.start,
    )


def _check_agreement(folder: Path, campaign: CampaignDocument, schedule: ScheduleDocument) -> None:
    """MeasurementError for a schedule that is not of this campaign."""
    cases, labels = {case.case_id for case in campaign.cases}, {library.label for library in campaign.libraries}
    for slot in schedule.slots:
        foreign = [case_id for case_id in slot.cases if case_id not in cases]
        if foreign:
            raise MeasurementError(
                f"{folder / SCHEDULE}: slot {slot.slot} has case {foreign[0]}, {CAMPAIGN} has no such"
            )
        if slot.mpi not in labels:
            raise MeasurementError(
                f"{folder / SCHEDULE}: slot {slot.slot} is of '{slot.mpi}', {CAMPAIGN} has no such label"
            )
