"""What may be tried for a call that breaks a guideline: one class for all of it, so that all race alike.

A candidate is an operation of a size, measured in launches of a variant of the library. The library's own algorithms,
its settings and the placing of its ranks are variants: the same call, launched otherwise. Mock-ups, padding and
splitting are other calls, made by the library as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from ictus.guidelines.verdict import Place
from ictus.model.algorithm import DEFAULT, Algorithm, Variant


class Way(str, Enum):
    """How a remedy is applied; in the order in which they are preferred where they are equally fast."""

    ORIGINAL = "original"
    """Nothing is changed: what every other one has to beat."""
    ALGORITHM = "algorithm"
    """The library is told which of its algorithms to take for this operation at this size."""
    SETTING = "setting"
    """A variable of the library, such as the size up to which messages are sent eagerly; it holds for the program."""
    PLACEMENT = "placement"
    """Where the launcher puts ranks; it holds for the program."""
    MOCKUP = "mock-up"
    """The operation by other operations, through the redirect library."""
    SPLITTING = "splitting"
    """Several calls of a part each, by whoever writes the program."""
    PADDING = "padding"
    """One call of a larger size, by whoever writes the program."""


WAYS = tuple(Way)


@dataclass(frozen=True)
class Cell:
    """A call that breaks a guideline: what is to be remedied."""

    place: Place
    operation: str
    size_bytes: int
    layout: str = "basic"


@dataclass(frozen=True)
class Candidate:
    """One thing to be tried for a cell."""

    way: Way
    name: str
    """Unique within its cell: `gather=binomial`, `gather_as_reduce`, `repeated(operation=gather,times=4)`."""
    operation: str
    """What is called ..."""
    size_bytes: int
    """... with which volume in one call ..."""
    variant: str = DEFAULT
    """... in launches of which variant."""

    @property
    def in_the_program(self) -> bool:
        """Whether nobody but the program's author can apply it."""
        return self.way in (Way.SPLITTING, Way.PADDING)


@dataclass(frozen=True)
class Offered:
    """A variant of a library that is to be tried for an operation."""

    way: Way
    variant: Variant
    algorithm: Algorithm | None = None
    """Where it is one of the library's own."""
    segment_bytes: int = 0
    """The segments that it is told to cut messages into; 0: its own choice."""


@dataclass(frozen=True)
class Field:
    """All candidates of a cell, the original first, and the variants that they need."""

    cell: Cell
    candidates: tuple[Candidate, ...]
    variants: Mapping[str, Offered] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Candidates that there was no room for: a field has a limit."""

    @property
    def original(self) -> Candidate:
        """The call as it is."""
        return self.candidates[0]
