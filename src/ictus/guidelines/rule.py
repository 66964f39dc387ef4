"""The one shape of a guideline. `A(n) <= B(n)` reads: A is expected not to be slower than B."""

from dataclasses import dataclass
from enum import Enum

from ictus.model.call_shape import BASIC
from ictus.model.spec import Spec


class Kind(str, Enum):
    """What is compared with what."""

    MONOTONY = "monotony"
    """A call with itself at the next size."""
    SPLIT = "split"
    """A call with k calls of itself of a k-th of its volume."""
    PATTERN = "pattern"
    """A call with a mock-up, or with other calls one after another, of the same volume."""


class Source(str, Enum):
    """Who says that it should hold."""

    PAPER = "paper"
    """The seventeen of Hunold et al. 2016, app. A."""
    FURTHER = "further"
    """Ours beyond the paper (docs/guidelines.md)."""
    USER = "user"
    """A TOML file."""


@dataclass(frozen=True)
class Rule:
    """A guideline. Operations are in full form: `gather`, `sequence(gather,bcast)`."""

    name: str
    """`GL1` to `GL17`; of others a word of their own, such as `barrier-allreduce`."""
    kind: Kind
    source: Source
    left: Spec
    """The operation that must not be slower; of monotony and split-robustness each that is checked."""
    right: Spec
    """What it is compared with; of monotony and split-robustness the same operation."""
    layout: Spec = BASIC
    """The memory layout that both sides are measured with (family `layout`)."""

    @property
    def text(self) -> str:
        """`gather <= gather_as_allgather`."""
        return f"{self.left} <= {self.right}"
