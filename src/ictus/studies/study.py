"""The shape of a study: what is asked, what is measured for it, by which options, and what the record says.

A study is a declaration; studies/runner.py does with it all that is to be done: options, measuring, keeping, reading
again, tables, JSON, CSV, figures, the page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from ictus.engine.event import Observer
from ictus.model.option import Kind, Option
from ictus.render.option_values import option_value
from ictus.render.page import Fact, Section
from ictus.render.table import Table

R = TypeVar("R")
A = TypeVar("A")


@dataclass(frozen=True, kw_only=True)
class StudyAnswer:
    """What a record says, for every output. Sections are drawn where a page is asked for."""

    sentences: Sequence[str]
    """The answer, the most important first."""
    rows: Sequence[Mapping[str, Any]]
    """For scripts."""
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
    more: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the JSON object beside the rows."""
    csv_rows: Sequence[Mapping[str, Any]] | None = None
    """Where a line has room for less than a row; None: the rows."""
    onward: str | None = None
    """The next command."""
    gate: Callable[[], str] | None = None
    """Raises GateHit where a gate that was asked for is hit; else what is said of it."""


class Material(Protocol[R]):
    """What a study is answered from: how it is measured, kept and read again."""

    @property
    def options(self) -> Sequence[Option]:
        """Those of everything that is measured in this way."""

    @property
    def folder_help(self) -> str:
        """What the folder of the command is."""

    @property
    def output_help(self) -> str:
        """What `-o` is."""

    @property
    def keeps_elsewhere(self) -> bool:
        """Whether what a folder holds can be kept in another one, so that `-o` stands beside a FOLDER."""

    def measure(self, request: "StudyRequest", observer: Observer) -> R:
        """Measure, or continue what the folder holds. Raises UsageError, MeasurementError, StoppedByUser."""

    def read(self, folder: Path, **shown: Any) -> R:
        """What a folder holds; `shown` are the study's own options that say how it is shown. Raises UsageError where
        the folder holds something else.
        """

    def keep(self, record: R, folder: Path | None, study: "Study[R, Any]", answer: StudyAnswer, again: str) -> None:
        """Write document, figures and page into the folder, where there is one; `again` makes the page once more."""

    def conditions(self, record: R) -> Sequence[str]:
        """Under what it was measured, for the terminal."""

    def result(self, record: R, rows: Any) -> Any:
        """What Python is given back."""


@dataclass(frozen=True)
class StudyRequest:
    """What is to be measured."""

    given: Mapping[str, Any]
    """The options of the material, by key; those that are left out are missing or None."""
    values: Mapping[str, Any]
    """The study's own, by keyword."""
    folder: Path | None
    plan: Any = None
    """From Python: a plan, in the place of `given`."""


def any_values(**_: Any) -> None:
    """Options that do not contradict each other."""


@dataclass(frozen=True, kw_only=True)
class Study(Generic[R, A]):
    """One question, declared."""

    name: str
    """That of its entry in the registry, which has its command and its question."""
    about: str
    """What else its command's help says, behind the summary of the entry."""
    title: str
    """Of the page."""
    schema: str
    """Name and version of the rows, as `ictus.clocks.drift/1`."""
    material: Material[R]
    analyse: Callable[..., A]
    """The rows of a record: arithmetic. Takes the values of the study's own options that show, by keyword."""
    answer: Callable[..., StudyAnswer]
    """Of the record and its rows, with the same values."""
    options: Sequence[Option] = ()
    """Its own."""
    check: Callable[..., None] = any_values
    """Raises UsageError for values, by keyword, that contradict each other: before anything is measured or read."""


def own_option(key: str, kind: Kind, metavar: str, help: str, **more: Any) -> Option:  # noqa: A002 (as everywhere)
    """An option that neither a plan nor the core has."""
    return Option(key, (f"--{key}",), kind, metavar, help, **more)


def values_of(study: Study[Any, Any], given: Mapping[str, Any], *, python: bool = False) -> dict[str, Any]:
    """The values of a study's own options by keyword: those that are `given`, by key or from Python by keyword, and the
    usual ones. Raises UsageError.
    """
    values = {}
    for one in study.options:
        name = one.keyword if python else one.key
        text = one.usual if given.get(name) is None else given[name]
        values[one.keyword] = None if text is None else option_value(one, text, name if python else "")
    return values
