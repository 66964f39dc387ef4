"""The shape of a study: what is asked, what is measured for it, by which options, what the record says, and what papers
claim of it.

A study is a declaration; studies/runner.py does with it all that is to be done: options, measuring, keeping, reading
again, tables, JSON, CSV, figures, the page. studies/judging.py judges its claims.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ictus.model.option import Kind, Option
from ictus.render.option_values import option_value
from ictus.studies.claim import Claim
from ictus.studies.material import Material, StudyAnswer

R = TypeVar("R")
A = TypeVar("A")


@dataclass(frozen=True, kw_only=True)
class Study(Generic[R, A]):
    """One question, declared."""

    name: str
    """That of its entry in the registry, which has its question, and its command where it has one of its own."""
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
    claims: tuple[Claim, ...] = ()
    """What papers say of it."""
    options: Sequence[Option] = ()
    """Its own."""
    check: Callable[..., None] = lambda **_: None
    """Raises UsageError for values, by keyword, that contradict each other: before anything is measured or read."""

    def shown(self, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Of the values of its own options, those that say how it is shown; None: of the usual ones."""
        values = values_of(self, {}) if values is None else values
        return {option.keyword: values[option.keyword] for option in self.options if option.of_showing}


def study_of_claims(name: str, material: Material[R], claims: tuple[Claim, ...]) -> Study[R, R]:
    """A study without a command of its own, which says no more than its claims do."""
    nothing = StudyAnswer(sentences=(), rows=(), tables=(), sections=lambda: ())
    declared: Study[R, R] = Study(
        name=name, about="", title="", schema="", material=material, claims=claims,
        analyse=lambda record: record, answer=lambda *_: nothing,
    )  # fmt: skip
    return declared


def own_option(key: str, kind: Kind, metavar: str, help: str, **declaration: Any) -> Option:  # noqa: A002 (as everywhere)
    """An option that neither a plan nor the core has."""
    return Option(key, (f"--{key}",), kind, metavar, help, **declaration)


def values_of(study: Study[Any, Any], plan_values: Mapping[str, Any], *, python: bool = False) -> dict[str, Any]:
    """The values of a study's own options by keyword: those that are `plan_values`, by key or from Python by keyword,
    and the usual ones. Raises UsageError.
    """
    values = {}
    for option in study.options:
        name = option.keyword if python else option.key
        text = option.default_text if plan_values.get(name) is None else plan_values[name]
        values[option.keyword] = None if text is None else option_value(option, text, name if python else "")
    return values
