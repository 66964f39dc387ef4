"""Studies that the core measures: its answers, launch by launch, become one document in a folder of its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ictus.engine.event import Observer, ignore
from ictus.engine.folder import check_free
from ictus.engine.launch_loop import disk_errors
from ictus.engine.study import look_up_study, prepare_study, run_study, study_preview
from ictus.engine.study_options import CLOCK_DOMAINS, HERE, StudyOptions, check_real
from ictus.launch.launchers import LAUNCHERS, is_known
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import OptionError, UsageError
from ictus.model.job_size import ANYWHERE, MAPPINGS, one_placement
from ictus.model.library import library_names
from ictus.model.narrower_options import NO_PIN, ONE_CLOCK, ONE_NODES, ONE_ORDER, ONE_PPN, ONE_SETTING
from ictus.model.option import Option
from ictus.model.plan_options import BY_KEY
from ictus.model.spec import parse_spec
from ictus.model.unknown import unknown
from ictus.render.option_values import check_member, counts, one_of, positive
from ictus.render.page import WARNINGS, Fact, Page, Panel, Section, day, render_page
from ictus.render.plan_options import HOSTS, LAUNCHER
from ictus.store.document import write_document
from ictus.store.durable import make_folder
from ictus.studies.clocks.document import StudyDocument, StudySetting
from ictus.studies.clocks.setting import setting_section, setting_text
from ictus.studies.core_launches import PlannedLaunches, StudySetup, usual_launches
from ictus.studies.keeping import document_of, keep, read_kept
from ictus.studies.material import Material, Provenance, StudyAnswer, StudyRequest

COMMON_OPTIONS = (
    replace(
        BY_KEY["platform"],
        metavar="PLACE",
        help="Where ranks run: here, namespaces (two hosts with clocks of their own), or a platform that SimGrid "
        "simulates: flat, fat-tree, 'two-level(ranks_per_host=8)'.",
        default=HERE,
    ),
    replace(BY_KEY["mpi"], kind="text", help="The library by label, flavour or wrapper.", default="the first found"),
    replace(BY_KEY["n"], help="Numbers of processes; each is a launch of its own.", default="2"),
    replace(ONE_NODES, help="Nodes that the processes are spread over evenly."),
    ONE_PPN,
    replace(
        ONE_CLOCK,
        help="Where ranks read their time; 'skewed(drift=20ppm)' has a known truth.",
        default="tsc; on namespaces monotonic, simulated 'skewed(scope=host)'",
    ),
    BY_KEY["clock-domain"],
    replace(BY_KEY["seed"], default="1"),
    LAUNCHER,
    HOSTS,
    ONE_ORDER,
    replace(BY_KEY["timeout"], default="3600s"),
    ONE_SETTING,
    NO_PIN,
)


class CoreRecord(Protocol):
    """What the document of a study holds, typed."""

    @property
    def settings(self) -> Sequence[StudySetting]:
        """Under what each launch was measured."""

    @property
    def document(self) -> Any:
        """The document, as it is kept."""


R = TypeVar("R", bound=CoreRecord)


def check_core(request: StudyRequest, *, simulates: bool = True) -> None:
    """UsageError for the simulated launcher, which runs no core; `simulates` says whether a platform can."""
    if request.claim and request.launcher_choice.launcher == "simulated":
        instead = "--platform flat simulates its ranks" if simulates else "leave it out for real ranks"
        raise UsageError(f"--launcher simulated: '{request.claim}' runs the core itself; {instead}")


@dataclass(frozen=True, kw_only=True)
class RanksMaterial(Material[R]):
    """What ranks of the core's own programs measure: the options of all such studies, and their pages."""

    core: str
    """Its program, as `ictus-bench` calls it: `clocks drift`."""
    without: Sequence[str] = ()
    """Keys of common options that it does not have."""
    least_processes: int = 0
    """Of a study of one launch; 0: it takes several numbers of processes."""
    several_libraries: bool = False
    unsimulated: str = ""
    """Why it needs a real place; empty: it does not."""
    check: Callable[..., None] = lambda *_, **__: None
    """Raises UsageError for a place or numbers of processes that do not suit the study and its own options, which it
    takes by keyword: before a library is built.
    """
    folder_help: str = "A study that -o kept: shown again, nothing is measured."
    output_help: str = "Keep the study: its numbers, figures, report.html."

    @property
    def options(self) -> Sequence[Option]:
        """Those of all studies, as far as this one has them."""
        differs = {}
        if self.several_libraries:
            differs["mpi"] = replace(BY_KEY["mpi"], default="the first found")
        if self.least_processes:
            differs["n"] = replace(
                BY_KEY["n"],
                kind="count",
                metavar="COUNT",
                help="Number of processes.",
                default="2",
                least=self.least_processes,
            )
        return [differs.get(option.key, option) for option in COMMON_OPTIONS if option.key not in self.without]

    def accepts(self, key: str) -> bool:
        """Those of all studies."""
        return key in {option.key for option in COMMON_OPTIONS}

    def common_options(self, request: StudyRequest) -> tuple[StudyOptions, Sequence[str | None]]:
        """The common options, and the libraries; None is the first that is found. Raises UsageError."""
        check_core(request, simulates=not self.unsimulated)
        typed = {**request.claim_plan, **{key: value for key, value in request.options.items() if value is not None}}
        named = typed.get("mpi") or ()
        named = (named,) if isinstance(named, str) else named
        libraries = list(dict.fromkeys(library_names(named) if self.several_libraries else named[:1])) or [None]
        common = replace(parse_study_options({**typed, "mpi": libraries[0]}), output=request.folder)
        self.check(common, **request.values)
        if self.unsimulated:
            check_real(common, self.unsimulated)
        return common, libraries

    def conditions(self, record: R) -> Sequence[str]:
        """The ranks, their hosts, clocks and libraries."""
        return [f"{setting_text(record.settings)}."]

    def result(self, record: R, rows: Any) -> R:  # noqa: ARG002 (campaigns give them)
        """The record."""
        return record

    def provenance(self, record: R, folder: Path) -> Provenance:
        """As its launches say."""
        settings, first = record.settings, record.settings[0]
        return Provenance(
            folder,
            record.document.created or "unknown",
            record.document.ictus,
            ", ".join(dict.fromkeys(first.hosts)) if first.n_hosts <= 4 else f"{first.n_hosts} hosts",
            tuple(dict.fromkeys(setting.label or setting.library.split()[0].lower() for setting in settings)),
            len(settings),
            first.seed,
            tuple(dict.fromkeys(text for study_setting in settings for text in study_setting.warnings)),
        )

    @staticmethod
    def drawn(record: R, title: str, answer: StudyAnswer, again: str) -> tuple[str, list[Panel]]:
        """The page as HTML, and all of its figures."""
        settings = list(record.settings)
        warnings = Section("warnings", "Warnings", WARNINGS, items=tuple(answer.warnings))
        seeds = ", ".join(dict.fromkeys(str(setting.seed) for setting in settings))
        page = Page(
            title=title,
            where=f"{day(record.document.began)} · {'simulated' if settings[0].simulated else settings[0].hosts[0]}",
            reproduce_command=again,
            ictus=record.document.ictus,
            question=f"Asked: {answer.question[:1].lower()}{answer.question[1:]}",
            lead=next(iter(answer.sentences), ""),
            answers=tuple(answer.sentences[1:]),
            facts=(Fact("ran on", setting_text(settings)), *answer.facts, Fact("seed", seeds)),
            sections=tuple(
                section
                for section in (warnings, *answer.noted_sections(), setting_section(settings))
                if section.items or section.tables or section.panels or section.groups
            ),
        )
        return render_page(page), [panel for section in page.sections for panel in section.panels]


@dataclass(frozen=True, kw_only=True)
class CoreMaterial(RanksMaterial[R]):
    """What the core answers in one or more launches, as one document."""

    document: type[StudyDocument]
    study: str
    """What the document calls it."""
    record_of: Callable[[Any], R] = lambda document: document
    """From the document, which is the record itself where nothing else is said."""
    launches: Callable[..., PlannedLaunches] | None = None
    """Of a `StudySetup` and the values of the study's own options, by keyword; None: the usual ones (core_launches.py).
    """
    keeps_elsewhere: bool = True

    def measure(self, request: StudyRequest, observer: Observer) -> R:
        """All launches; nothing is kept before `keep`, but what is measured for a claim."""
        if request.claim and (request.place / self.document.FILE).is_file():
            return self.read(request.place)
        common, libraries = self.common_options(request)
        check_free(common.output, self.document.FILE)
        backends = [prepare_study(replace(common, mpi=library), observer) for library in libraries]
        planned = self.planned(StudySetup(common, backends, observer), request.values)
        answers = run_study(planned.launches, observer)
        made = document_of(self.document, self.study, answers, {"on": common.platform, **planned.extra_keys})
        record = self.record_of(made)
        if request.claim:
            with disk_errors(request.place):
                make_folder(request.place)
                write_document(request.place / self.document.FILE, made.raw)
        return record

    def planned(self, setup: StudySetup, values: Mapping[str, Any]) -> PlannedLaunches:
        """The launches for these values of the study's own options."""
        return usual_launches(self.core, setup, values) if self.launches is None else self.launches(setup, **values)

    def preview(self, request: StudyRequest) -> Iterator[str]:
        """The launches. With a budget, the first launch decides which settings are within it."""
        common, libraries = self.common_options(request)
        check_free(common.output, self.document.FILE)
        backends = [look_up_study(replace(common, mpi=library)) for library in libraries]
        limited = request.values.get("budget_s") is not None
        values = {**request.values, "budget_s": None} if limited else request.values
        planned = self.planned(StudySetup(common, backends, ignore), values).launches
        yield from study_preview(planned, common.output)
        if limited:
            yield "Settings that take longer than --time-budget are left out; a launch before them finds which."

    def read(self, folder: Path, **_: Any) -> R:
        """From the document in the folder, or the file itself."""
        return self.record_of(read_kept(self.document, folder))

    def keep(self, record: R, folder: Path | None, title: str, answer: StudyAnswer, again: str) -> None:
        """The folder whole."""
        if folder is not None:
            keep(folder, record.document, *self.drawn(record, title, answer, again))


def parse_study_options(plan_values: Mapping[str, Any]) -> StudyOptions:
    """The common options, by key, checked as far as possible without a search. Raises UsageError."""
    typed = {key: value for key, value in plan_values.items() if value is not None}
    launcher, clock, domain = typed.get("launcher", Mpiexec.name), typed.get("clock"), typed.get("clock-domain")
    if not is_known(launcher):
        raise unknown(f"--launcher '{launcher}'", launcher, [member.name for member in LAUNCHERS])
    if clock is not None:
        check_member("--clock", "clock", clock)
    nodes, ppn = typed.get("nodes", ANYWHERE), typed.get("ppn", ANYWHERE)
    hosts = typed.get("hosts")
    return StudyOptions(
        platform=typed.get("platform", HERE),
        mpi=typed.get("mpi"),
        launcher=launcher,
        processes=tuple(job_size.n for job_size in one_placement(counts("-n", str(typed.get("n", 2))), nodes, ppn)),
        nodes=nodes,
        ppn=ppn,
        map_by=one_of("--map-by", typed.get("map-by", MAPPINGS[0]), MAPPINGS),
        hosts=None if hosts is None else Path(hosts),
        clock=None if clock is None else str(parse_spec(clock)),
        clock_domain=CLOCK_DOMAINS[0] if domain is None else one_of("--clock-domain", domain, CLOCK_DOMAINS),
        seed=typed.get("seed", 1),
        timeout_s=positive("--timeout", typed.get("timeout", "3600s")),
        environment=typed.get("env", {}),
        pin=typed.get("pin", True),
    )


def check_several(common: StudyOptions, **_: Any) -> None:
    """UsageError where no launch has two processes."""
    if max(common.processes) < 2:
        raise OptionError(("n", 1, "a single process has no other clock to compare with; use 2 or more"))
