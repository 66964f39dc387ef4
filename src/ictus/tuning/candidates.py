"""The candidates for a call that violates a guideline, all of one class so that they race alike.

A candidate is an operation of a size, measured in launches of a variant of the library. The library's algorithms, its
settings and the placement of its ranks are variants: the same call, launched differently. Mock-ups, padding and
splitting are other calls of the unchanged library.

Mock-ups and parts come from the violated guideline, so that its right side is always tried; then the library without
variables of the user that select its algorithms; further mock-ups of the operation and the library's algorithms follow,
up to a limit. What the limit excludes is listed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Kind
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.algorithm import DEFAULT, Algorithm, Variant
from ictus.model.call import BASIC
from ictus.model.quantity import format_size
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.programs.redirect.profile import substitutes


class Way(str, Enum):
    """How a remedy is applied; in the order in which they are preferred where they are equally fast."""

    ORIGINAL = "original"
    """The unchanged call: every other candidate has to beat it."""
    REMOVAL = "removal"
    """A variable that selects algorithms is removed from the user's environment; it holds for the program."""
    ALGORITHM = "algorithm"
    """A setting makes the library take this algorithm for the operation at this size."""
    SETTING = "setting"
    """A variable of the library, such as the size up to which messages are sent eagerly; it holds for the program."""
    PLACEMENT = "placement"
    """Where the launcher puts ranks; it holds for the program."""
    MOCKUP = "mock-up"
    """The operation by other operations or by a plug-in's, through the redirect library."""
    SPLITTING = "splitting"
    """Several calls of a part each, by the program's author."""
    PADDING = "padding"
    """One call of a larger size, by the program's author."""


WAYS = tuple(Way)


@dataclass(frozen=True)
class TuningCell:
    """A call that violates a guideline: what needs a remedy."""

    place: Configuration
    operation: Spec
    size_bytes: int
    layout: Spec = BASIC


@dataclass(frozen=True)
class Candidate:
    """One thing to be tried for a cell."""

    way: Way
    name: str
    """Unique within its cell: `gather=binomial`, `gather_as_reduce`, `repeated(operation=gather,times=4)`."""
    operation: Spec
    """The called operation."""
    size_bytes: int
    """... with which volume in one call ..."""
    variant: str = DEFAULT
    """... in launches of which variant."""

    @property
    def in_the_program(self) -> bool:
        """Whether only the program's author can apply it."""
        return self.way in (Way.SPLITTING, Way.PADDING)


@dataclass(frozen=True)
class TuningVariant:
    """A variant of a library to try for an operation."""

    way: Way
    variant: Variant
    algorithm: Algorithm | None = None
    """Where it is one of the library's own."""
    segment_bytes: int = 0
    """The forced segment size of messages; 0: the library's own choice."""


@dataclass(frozen=True)
class CandidateField:
    """All candidates of a cell, the original first, and the variants that they need."""

    cell: TuningCell
    candidates: tuple[Candidate, ...]
    variants: Mapping[str, TuningVariant] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Candidates that there was no room for: a field has a limit."""

    @property
    def original(self) -> Candidate:
        """The unchanged call."""
        return self.candidates[0]


LIMIT = 24
"""Candidates of a cell, the original included."""

Offers = Mapping[str, TuningVariant]
"""By name: the variants of a library to try for an operation, the most promising first."""


def cells_of(verdicts: Iterable[GuidelineVerdict]) -> dict[TuningCell, tuple[GuidelineVerdict, ...]]:
    """Each call that breaks guidelines, with the verdicts that say so; those that cost most first."""
    by_cell: dict[TuningCell, list[GuidelineVerdict]] = {}
    for verdict in verdicts:
        if verdict.state is State.VIOLATED:
            by_cell.setdefault(
                TuningCell(verdict.place, verdict.rule.left, verdict.size_bytes, verdict.rule.layout), []
            ).append(verdict)
    ordered = sorted(by_cell.items(), key=lambda item: -max(breach.loss_s or 0.0 for breach in item[1]))
    return {cell: tuple(cell_verdicts) for cell, cell_verdicts in ordered}


def field_of(
    cell: TuningCell, violated: Sequence[GuidelineVerdict], offers: Offers, usable: Sequence[str], *, limit: int = LIMIT
) -> CandidateField:
    """The candidates of a cell. `usable` are the operations that the library has."""
    original = Candidate(Way.ORIGINAL, str(cell.operation), cell.operation, cell.size_bytes)
    named = {original.name: original}
    named |= {candidate.name: candidate for candidate in _of_the_guidelines(cell, violated)}
    offered = [Candidate(variant.way, name, cell.operation, cell.size_bytes, name) for name, variant in offers.items()]
    named |= {candidate.name: candidate for candidate in offered if candidate.way is Way.REMOVAL}
    named |= {mockup.name: mockup for mockup in _mockups(cell, usable) if mockup.name not in named}
    named |= {candidate.name: candidate for candidate in offered}
    kept = tuple(named.values())[:limit]
    variants = {candidate.variant: offers[candidate.variant] for candidate in kept if candidate.variant != DEFAULT}
    return CandidateField(cell, kept, variants, tuple(named)[limit:])


def _of_the_guidelines(cell: TuningCell, violated: Sequence[GuidelineVerdict]) -> Iterator[Candidate]:
    """The right sides of the guidelines."""
    for verdict in violated:
        if verdict.rule.kind is Kind.MONOTONY:
            name = f"{cell.operation} of {format_size(verdict.right_size_bytes)}"
            yield Candidate(Way.PADDING, name, cell.operation, verdict.right_size_bytes)
        elif verdict.rule.kind is Kind.SPLIT:
            parts = repeated(cell.operation, verdict.times)
            name = f"{verdict.times} x {cell.operation} of {format_size(verdict.right_size_bytes)}"
            yield Candidate(Way.SPLITTING, name, parts, verdict.right_size_bytes)
        elif _is_mockup_of(verdict.rule.right.name, cell.operation):
            yield Candidate(Way.MOCKUP, str(verdict.rule.right), verdict.rule.right, verdict.right_size_bytes)


def _mockups(cell: TuningCell, usable: Sequence[str]) -> Iterator[Candidate]:
    """Those that can stand in a program's place of the call, and operations of plug-ins, which the user named and which
    so come first.
    """
    stand_ins, registries = substitutes(), Registries.load()
    fitting = [name for name in usable if stand_ins.get(name) == cell.operation.name]
    for name in sorted(fitting, key=lambda name: not registries.operation(name).stands_for):
        operation = registries.check("operation", name) if registries.operation(name).stands_for else Spec(name)
        yield Candidate(Way.MOCKUP, str(operation), operation, cell.size_bytes)


def _is_mockup_of(name: str, operation: Spec) -> bool:
    """Only a mock-up or a plug-in computes the same result; the right side of a guideline may compute less."""
    members = {
        member.name: member.mockup_of or member.stands_for for member in Registries.load().family("operation").members
    }
    return members.get(name, "") == operation.name
