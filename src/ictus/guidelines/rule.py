"""The one shape of a guideline, and its text: `MPI_Bcast(n) <= MPI_Scatter(n) + MPI_Allgather(n)`.

`A(n) <= B(n)` means that A should not be slower than B.
"""

from dataclasses import dataclass
from enum import Enum

from ictus.model.call import BASIC
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec, operation_text
from ictus.model.volume import nested


class Kind(str, Enum):
    """The kind of comparison."""

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
    """Ours beyond the paper (guidelines.md)."""
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


_STANDS_FOR, _AND = "_as_", "_and_"


def formula(rule: Rule, registries: Registries) -> str:
    """Both sides, as the paper's appendix writes them."""
    left = side(rule.left, registries)
    if rule.kind is Kind.MONOTONY:
        return f"{_of(left, 'n')} <= {_of(left, 'n+k')}"
    if rule.kind is Kind.SPLIT:
        return f"{_of(left, 'n')} <= k {_of(left, 'n/k')}"
    lay = "" if rule.layout == BASIC else f" of {rule.layout}"
    right = side(rule.right, registries)
    if registries.operation(rule.left).volume == "none":
        return f"{left} <= {right}"
    return f"{_of(left, 'n')} <= {_of(right, 'n')}{lay}"


def short(rule: Rule, registries: Registries) -> str:
    """For tables: `Bcast <= Scatter + Allgather`; of one call alone its name."""
    left = side(rule.left, registries).replace("MPI_", "")
    return left if rule.kind is not Kind.PATTERN else f"{left} <= {side(rule.right, registries).replace('MPI_', '')}"


def side(spec: Spec, registries: Registries) -> str:
    """An operation in full form as the calls that it makes: `MPI_Reduce + MPI_Bcast`."""
    inner = [side(one, registries) for one in nested(registries, spec)]
    times = spec.argument("times")
    if len(inner) == 1 and isinstance(times, Number):
        return f"{times} {inner[0]}"
    if inner:
        return " + ".join(inner)
    member = registries.family("operation").member(spec.name)
    if member.mockup_of:
        parts = spec.name.partition(_STANDS_FOR)[2].split(_AND)
        known = {one.name: one.mpi_name for one in registries.family("operation").members}
        if all(part in known for part in parts):
            return " + ".join(known[part] for part in parts)
        return spec.name
    # What several calls of MPI do, such as a ping-pong, has a name of ours.
    name = member.mpi_name if operation_text(member.mpi_name) == spec.name else spec.name
    return {"nonblocking": f"{name} + MPI_Wait", "persistent": f"MPI_Start[{name}] + MPI_Wait"}.get(member.form, name)


def _of(text: str, volume: str) -> str:
    """`MPI_Scatter(n) + MPI_Allgather(n)`; completion has no volume."""
    return " + ".join(part if part == "MPI_Wait" else f"{part}({volume})" for part in text.split(" + "))
