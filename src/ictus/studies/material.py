"""What a study is answered from: how it is measured, kept and read again."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from ictus.engine.backend import LauncherChoice
from ictus.engine.event import Observer
from ictus.launch.launchers import with_hosts
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.option import Option
from ictus.render.page import Fact, Section
from ictus.render.table import Table

R = TypeVar("R")

_STARTED = ("launcher", "scenario", "hosts")
"""Keys that say how ranks are started."""


@dataclass(frozen=True)
class Provenance:
    """What a record says of how it was measured."""

    folder: Path
    created: str
    ictus: str
    """The version that measured."""
    host: str
    labels: tuple[str, ...]
    """The libraries."""
    launches: int
    seed: int | None
    """None where nothing is random."""
    warnings: tuple[str, ...]
    is_campaign: bool = False


@dataclass(frozen=True)
class StudyRequest:
    """What is to be measured."""

    options: Mapping[str, Any]
    """The options of the material, by key, with `launcher`, `scenario` and `hosts`. Left out: missing or None."""
    values: Mapping[str, Any]
    """The study's own, by keyword."""
    folder: Path | None
    plan: Any = None
    """From Python: a plan, in the place of `given`."""
    claim: str = ""
    """For which claim it is measured: a folder that is whole then is not measured again; empty: for none."""
    claim_plan: Mapping[str, Any] = field(default_factory=dict)
    """The claim's plan, by key, for what is not given."""
    read: Callable[[Path], Any] | None = None
    """How the claim's record is read; None: as the study's."""

    @property
    def typed(self) -> dict[str, Any]:
        """What was given of the plan: all but how ranks are started."""
        return {key: value for key, value in self.options.items() if value is not None and key not in _STARTED}

    @property
    def requested_plan(self) -> Any:
        """The plan, else what was given of one."""
        return self.typed if self.plan is None else self.plan

    @property
    def launcher_choice(self) -> LauncherChoice:
        """How ranks are started."""
        scenario = self.options.get("scenario")
        launcher = with_hosts(self.options.get("launcher") or Mpiexec.name, self.options.get("hosts"))
        return LauncherChoice(launcher, None if scenario is None else Path(scenario))

    @property
    def place(self) -> Path:
        """The folder, which every claim has."""
        assert self.folder is not None
        return self.folder


@dataclass(frozen=True, kw_only=True)
class StudyAnswer:
    """What a record says, for every output. Sections are drawn where a page is asked for."""

    sentences: Sequence[str]
    """The answer, the most important first."""
    rows: Sequence[Mapping[str, Any]]
    """For scripts."""
    question: str = ""
    """That of the study's entry, which the runner adds for the page."""
    tables: Sequence[Table[Any]]
    """On the terminal."""
    sections: Callable[[], Sequence[Section]]
    """Of the page, beside its warnings and its setting."""
    evidence: Sequence[str] = ()
    """What the answer rests on, before its conditions."""
    conditions: Sequence[str] = ()
    """How it is judged; before the tables."""
    remarks: Sequence[str] = ()
    """For reading the tables; behind them."""
    tables_alone: bool = False
    """Whether the terminal shows the tables and nothing else, as they were asked for."""
    warnings: Sequence[str] = ()
    facts: Sequence[Fact] = ()
    """Of the page, beside those of every study."""
    extra_keys: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the JSON object beside the rows."""
    csv_rows: Sequence[Mapping[str, Any]] | None = None
    """Where a line has room for less than a row; None: the rows."""
    onward: str | None = None
    """The next command."""
    gate: Callable[[], str] | None = None
    """Raises GateHit where a gate that was asked for is hit; else what is said of it."""

    def noted_sections(self) -> tuple[Section, ...]:
        """The sections, with the remarks below the first one that has a table, as on the terminal."""
        sections = list(self.sections())
        index = next((index for index, section in enumerate(sections) if section.tables), None)
        if index is not None:
            note = " ".join(filter(None, (sections[index].note, *self.remarks)))
            sections[index] = replace(sections[index], note=note)
        return tuple(sections)


@dataclass(frozen=True, kw_only=True)
class Material(ABC, Generic[R]):
    """What a study is answered from. One without options is of a study without a command of its own, whose claims say
    what is measured.
    """

    folder_help: str = ""
    """What the folder of the command is."""
    keeps_elsewhere: bool = False
    """Whether what a folder holds can be kept in another one, so that `-o` stands beside a FOLDER."""

    @property
    def output_help(self) -> str:
        """What `-o` is."""
        return ""

    @property
    def options(self) -> Sequence[Option]:
        """Those of everything that is measured in this way."""
        return ()

    def accepts(self, key: str) -> bool:  # noqa: ARG002 (others look at it)
        """Whether a claim's option of the plan, by key, means something here."""
        return True

    @abstractmethod
    def measure(self, request: StudyRequest, observer: Observer) -> R:
        """Measure, or continue what the folder holds. Raises UsageError, MeasurementError, StoppedByUser."""

    def preview(self, request: StudyRequest) -> Iterator[str]:
        """What `measure` would measure, in lines; nothing is built, launched or written. Raises UsageError."""
        plan = {**request.claim_plan, **request.typed}
        words = ", ".join(f"{key} {value}" for key, value in plan.items() if isinstance(value, str | int | float))
        yield f"{request.place}: {words}"
        yield "Launches, time and disk follow from what is found while it measures."

    @abstractmethod
    def read(self, folder: Path, **shown_values: Any) -> R:
        """What a folder holds; `shown_values` are the study's own options that say how it is shown. Raises UsageError
        where the folder holds something else.
        """

    @abstractmethod
    def provenance(self, record: R, folder: Path) -> Provenance:
        """How it was measured."""

    def keep(self, record: R, folder: Path | None, title: str, answer: StudyAnswer, again: str) -> None:
        """Write document, figures and page into the folder, where there is one; `again` makes the page once more."""

    def conditions(self, record: R) -> Sequence[str]:  # noqa: ARG002 (studies of ranks have some)
        """Under what it was measured, for the terminal."""
        return ()

    def result(self, record: R, rows: Any) -> Any:  # noqa: ARG002 (studies of ranks give it)
        """What Python is given back."""
        return rows
