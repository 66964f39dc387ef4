"""Studies that are campaigns: their record is the campaign, and its folder has their page."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.backend import LauncherChoice
from ictus.engine.event import Observer, ignore
from ictus.engine.measurement import Family, PlanLike, measure_with_defaults, request_with_defaults
from ictus.engine.preview import preview_lines, preview_of
from ictus.model.narrower_options import PLACEMENT
from ictus.model.option import Option
from ictus.model.plan_options import BY_KEY
from ictus.render.page import WARNINGS, Fact, Page, Section, day, render_page
from ictus.render.page_file import write_page
from ictus.render.plan_options import HOSTS, LAUNCHER
from ictus.store.campaign import Campaign, load
from ictus.studies.material import Material, Provenance, StudyAnswer, StudyRequest

LAUNCHER_OR_SIMULATED = replace(LAUNCHER, help=f"{LAUNCHER.help[:-1]}, or simulated.")
SCENARIO = Option(
    "scenario", ("--scenario",), "file", "FILE", "JSON file of the world to measure, for --launcher simulated."
)


@dataclass(frozen=True)
class CampaignSetup:
    """What a campaign is measured from."""

    plan: PlanLike
    defaults: Mapping[str, Any]
    """Defaults by key, which a campaign in the folder overrides."""
    folder: Path | None
    launcher_choice: LauncherChoice
    observer: Observer
    dry: bool = False
    """Whether nothing may be measured to find out what would be."""
    open: str = ""
    """What then stays open."""


R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class PlanMaterial(Material[R]):
    """What a plan measures: its options, and the page in the folder."""

    takes: Sequence[str | Option] = ()
    """Options of the plan, by key or as this study has them; of a study without a command none."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Its defaults, by key, which a campaign in the folder overrides."""
    prefix: str = ""
    """The name of a new folder begins with it."""
    page: str = ""
    """The file of its page."""
    folder_help: str = "A campaign to show; the page is written into it. Without it, a campaign is measured."

    @property
    def options(self) -> Sequence[Option]:
        """Those of the plan, and how ranks are started."""
        taken = [BY_KEY[take] if isinstance(take, str) else take for take in self.takes]
        as_here = [replace(option, default=_text(self.defaults.get(option.key)) or option.default) for option in taken]
        placed = [option for option in PLACEMENT if all(option.key != taken_option.key for taken_option in taken)]
        return [*as_here, *placed, LAUNCHER_OR_SIMULATED, HOSTS, SCENARIO]

    @property
    def output_help(self) -> str:
        """What `-o` is."""
        return f"The folder, continued after an interruption. [default: {self.prefix}-DATE]"

    def written(self, about: Provenance, title: str, answer: StudyAnswer, again: str, facts: Sequence[Fact]) -> None:
        """Write the page into the folder."""
        sections = (Section("warnings", "Warnings", WARNINGS, items=tuple(answer.warnings)), *answer.sections())
        page = Page(
            title=title,
            where=f"{day(about.created)} · {about.host}",
            reproduce_command=again,
            ictus=about.ictus,
            question=f"Asked: {answer.question[:1].lower()}{answer.question[1:]}",
            lead=next(iter(answer.sentences), ""),
            answers=tuple(answer.sentences[1:]),
            facts=(*facts, *answer.facts, Fact("seed", str(about.seed))),
            sections=tuple(section for section in sections if section.items or section.tables or section.panels),
        )
        write_page(about.folder / self.page, render_page(page))


@dataclass(frozen=True, kw_only=True)
class CampaignMaterial(PlanMaterial[Campaign]):
    """A campaign with defaults of its own."""

    single: Collection[str] = ()
    """Factors of which one value is measured at a time."""
    plan: Callable[..., CampaignSetup] = lambda setup, **_: setup
    """What is measured, from what was asked for and the study's own options by keyword."""
    load: Callable[..., Campaign] = lambda folder, **_: load(folder)
    """Reads the folder, for the study's own options that say how it is shown."""
    family: Family | None = None
    """What launches are compared over, where too few of them are to be told before they are measured."""

    def measure(self, request: StudyRequest, observer: Observer) -> Campaign:
        """The campaign, or the missing rest of it."""
        plan, launcher_choice = request.requested_plan, request.launcher_choice
        if request.claim:
            folder = measure_with_defaults(plan, request.folder, request.claim_plan, launcher_choice, observer)
            return request.read(folder) if request.read else self.load(folder, **request.values)
        setup = self.plan(
            CampaignSetup(plan, self.defaults, request.folder, launcher_choice, observer), **request.values
        )
        folder = measure_with_defaults(
            setup.plan,
            setup.folder,
            setup.defaults,
            launcher_choice,
            observer,
            prefix=self.prefix,
            family=self.family,
            single=self.single,
        )
        return self.load(folder, **request.values)

    def preview(self, request: StudyRequest) -> Iterator[str]:
        """The campaign."""
        plan, launcher_choice = request.requested_plan, request.launcher_choice
        if request.claim:
            yield from preview_lines(
                preview_of(request_with_defaults(plan, request.folder, request.claim_plan, launcher_choice))
            )
            return
        dry_setup = CampaignSetup(plan, self.defaults, request.folder, launcher_choice, ignore, dry=True)
        setup = self.plan(dry_setup, **request.values)
        measurement = request_with_defaults(
            setup.plan, setup.folder, setup.defaults, launcher_choice, prefix=self.prefix, single=self.single
        )
        yield from preview_lines(preview_of(measurement))
        if setup.open:
            yield setup.open

    def read(self, folder: Path, **shown_values: Any) -> Campaign:
        """Any campaign."""
        return self.load(folder, **shown_values)

    def provenance(self, record: Campaign, folder: Path) -> Provenance:  # noqa: ARG002 (it knows its own)
        """As its manifest says."""
        return campaign_provenance(record)

    def keep(self, record: Campaign, folder: Path | None, title: str, answer: StudyAnswer, again: str) -> None:
        """The page in the campaign's folder."""
        del folder
        facts = (Fact("libraries", ", ".join(record.labels)), Fact("launches", str(len(record.launches))))
        self.written(campaign_provenance(record), title, answer, again, facts)


def campaign_provenance(campaign: Campaign) -> Provenance:
    """What the manifest of a campaign says."""
    return Provenance(
        campaign.folder,
        campaign.created,
        campaign.ictus,
        campaign.machine.get("host", "unknown host"),
        campaign.labels,
        len(campaign.launches),
        campaign.seed,
        campaign_warnings(campaign),
        is_campaign=True,
    )


def _text(value: Any) -> str:
    """A default as help says it."""
    if value is None:
        return ""
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
