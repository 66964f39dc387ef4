"""What a finding is judged from: a campaign, or the record of a measuring study; how it is measured and read again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.engine.launch_loop import disk_errors
from ictus.engine.measurement import measure_with_defaults
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.model.reduction import Reduction
from ictus.store.campaign import Campaign, load
from ictus.store.document import write_document
from ictus.store.durable import make_folder
from ictus.studies.clocks.document import StudyDocument, StudySetting
from ictus.studies.core_material import CoreMaterial, RanksMaterial, parse_study_options
from ictus.studies.study import Study, StudyRequest, values_of


@dataclass(frozen=True)
class Provenance:
    """What a folder says of how it was measured."""

    folder: Path
    created: str
    ictus: str
    """The version that measured."""
    host: str
    labels: tuple[str, ...]
    """The libraries."""
    launches: int
    seed: int
    warnings: tuple[str, ...]
    is_campaign: bool = False


@dataclass(frozen=True)
class FindingRequest:
    """What is to be measured for a finding."""

    name: str
    plan: Mapping[str, Any]
    """Its options, by TOML key."""
    given: Mapping[str, Any]
    """Those of the user, which go before."""
    folder: Path | None
    """Where; None for a new folder."""


def folder_of(request: FindingRequest) -> Path:
    """The folder that was asked for, or a new one."""
    return request.folder or Path(f"{request.name}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")


class Material(Protocol):
    """Where a finding's data come from."""

    def takes(self, key: str) -> bool:
        """Whether an option of the plan, by TOML key, means something here."""

    def measure(self, request: FindingRequest, world: World, observer: Observer) -> Path:
        """Measures, or continues what the folder holds. Returns the folder."""

    def read(self, folder: Path) -> Any:
        """The data. Raises UsageError where there are none."""

    def provenance(self, data: Any, folder: Path) -> Provenance:
        """How they were measured."""


def given_to(material: Material, request: FindingRequest) -> Mapping[str, Any]:
    """What the user gave. Raises UsageError for an option that means nothing to a material that is not a campaign."""
    given = {key: value for key, value in request.given.items() if value is not None}
    wrong = next((key for key in given if not material.takes(key)), None)
    if wrong is not None:
        raise UsageError(f"--{wrong}: study '{request.name}' is not a campaign and has no such option; leave it out")
    return given


@dataclass(frozen=True)
class CampaignMaterial:
    """A campaign."""

    load: Callable[[Path], Campaign] = load

    def takes(self, _: str) -> bool:
        """Every option."""
        return True

    def measure(self, request: FindingRequest, world: World, observer: Observer) -> Path:
        """As every campaign."""
        return measure_with_defaults(request.given, request.folder, request.plan, world, observer, prefix=request.name)

    def read(self, folder: Path) -> Campaign:
        """The campaign."""
        return self.load(folder)

    def provenance(self, data: Campaign, _: Path) -> Provenance:
        """As its manifest says."""
        return Provenance(
            data.folder,
            data.created,
            data.ictus,
            data.machine.get("host", "unknown host"),
            data.labels,
            len(data.launches),
            data.seed,
            campaign_warnings(data),
            is_campaign=True,
        )


CAMPAIGN = CampaignMaterial()
EVERY_SAMPLE = CampaignMaterial(partial(load, reduction=Reduction(outliers=None)))
"""Fences would cut off what some findings are about."""

COMMON = ("mpi", "n", "platform", "clock", "clock-domain", "seed", "timeout", "env", "pin")
"""Options of every measuring study, by TOML key."""


class Record(Protocol):
    """What a measuring study gives back."""

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""

    @property
    def document(self) -> StudyDocument:
        """The document that is kept."""


def check_core(request: FindingRequest, world: World, *, simulates: bool = True) -> None:
    """UsageError for the simulated launcher, which runs no core; `simulates` says whether a platform can."""
    if world.launcher == "simulated":
        instead = "--platform flat simulates its ranks" if simulates else "leave it out for real ranks"
        raise UsageError(f"--launcher simulated: '{request.name}' runs the core itself; {instead}")


def options_of(
    material: Material, request: FindingRequest, world: World, own_names: Sequence[str]
) -> tuple[StudyOptions, dict[str, Any]]:
    """Those of all studies, and by its keywords those of a study that has `own_names` beside. Raises UsageError."""
    check_core(request, world)
    merged = {**request.plan, **given_to(material, request)}
    own = {key: value for key, value in merged.items() if key not in COMMON}
    common = {key: value for key, value in merged.items() if key in COMMON}
    if "mpi" in common and not isinstance(common["mpi"], str):
        own |= {"libraries": common["mpi"]} if "libraries" in own_names else {}
        common["mpi"] = common["mpi"][0]
    return parse_study_options({**common, "launcher": world.launcher}), own


def provenance_of(settings: Sequence[StudySetting], created: str | None, ictus: str, folder: Path) -> Provenance:
    """As the launches of a study say."""
    return Provenance(
        folder,
        created or "unknown",
        ictus,
        ", ".join(dict.fromkeys(settings[0].hosts)) if settings[0].n_hosts <= 4 else f"{settings[0].n_hosts} hosts",
        tuple(dict.fromkeys(one.label or one.library.split()[0].lower() for one in settings)),
        len(settings),
        settings[0].seed,
        tuple(dict.fromkeys(text for one in settings for text in one.warnings)),
    )


@dataclass(frozen=True)
class StudyMaterial:
    """The record of a study that the core measures. Its plan has options of all studies by TOML key, and the study's
    own by keyword.
    """

    study: Study[Any, Any]
    own: tuple[str, ...] = ()
    """Options of a campaign's plan that it takes beside those of all studies, by its keyword."""

    @property
    def ranks(self) -> RanksMaterial[Any]:
        """How it is measured."""
        ranks = self.study.material
        assert isinstance(ranks, RanksMaterial)
        return ranks

    @property
    def document(self) -> str:
        """The file with which a folder is whole; empty where launches are kept one by one."""
        return self.ranks.document.FILE if isinstance(self.ranks, CoreMaterial) else ""

    def takes(self, key: str) -> bool:
        """Options of all studies, and its own."""
        return key in {*COMMON, *self.own}

    def measure(self, request: FindingRequest, world: World, observer: Observer) -> Path:
        """A folder that is whole is measured no more."""
        place = folder_of(request)
        if self.document and (place / self.document).is_file():
            return place
        check_core(request, world, simulates=not self.ranks.unsimulated)
        merged = {**request.plan, **given_to(self, request)}
        common = {key: value for key, value in merged.items() if key in COMMON}
        if not self.ranks.several_libraries and not isinstance(common.get("mpi", ""), str):
            common["mpi"] = common["mpi"][0]
        values = values_of(self.study, {key: value for key, value in merged.items() if key not in COMMON}, python=True)
        asked = StudyRequest({**common, "launcher": world.launcher}, values, place)
        record = self.ranks.measure(asked, observer)
        if self.document:
            with disk_errors(place):
                make_folder(place)
                write_document(place / self.document, record.document.raw)
        return place

    def read(self, folder: Path) -> Record:
        """From the folder. Raises UsageError where it holds something else."""
        if self.document and not (folder / self.document).is_file():
            raise UsageError(f"'{folder}' was not measured for this study: it has no {self.document}")
        record: Record = self.study.material.read(folder)
        return record

    def provenance(self, data: Record, folder: Path) -> Provenance:
        """As its launches say."""
        return provenance_of(data.settings, data.document.created, data.document.ictus, folder)
