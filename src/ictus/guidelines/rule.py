"""The one shape of a guideline. `A(n) <= B(n)` reads: A is expected not to be slower than B."""

from dataclasses import dataclass
from enum import Enum


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
    """A guideline. Operations are texts in the grammar of names: `gather`, `sequence(gather,bcast)`."""

    name: str
    """`GL1` to `GL17`; of others a word of their own, such as `barrier-allreduce`."""
    kind: Kind
    source: Source
    left: str
    """The operation that must not be slower; of monotony and split-robustness each that is checked."""
    right: str
    """What it is compared with; of monotony and split-robustness the same operation."""
    layout: str = "basic"
    """The memory layout that both sides are measured with (family `layout`)."""

    @property
    def text(self) -> str:
        """`gather <= gather_as_allgather`."""
        return f"{self.left} <= {self.right}"
