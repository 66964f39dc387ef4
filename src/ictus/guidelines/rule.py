"""The one shape of a guideline, and its text: `MPI_Bcast(n) <= MPI_Scatter(n) + MPI_Allgather(n)`.

`A(n) <= B(n)` means that A should not be slower than B.
"""

from dataclasses import dataclass
from enum import Enum

from ictus.model.call import BASIC
from ictus.model.nested import nested
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec, operation_text


class Kind(str, Enum):
    """The kind of comparison."""

    MONOTONY = "monotony"
    """A call with itself at the next size."""
    SPLIT = "split"
    """A call and k calls of itself with 1/k of its volume."""
    PATTERN = "pattern"
    """A call with a mock-up, or with other calls one after another, of the same volume."""


class Source(str, Enum):
    """Who says that it should hold."""

    PAPER = "paper"
    """The seventeen of Hunold et al. 2016, app. A."""
    FURTHER = "further"
    """Ours beyond the paper (guidelines.md)."""
    DATATYPES = "datatypes"
    """Of derived datatypes (datatypes.py)."""
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
    """The memory layout that the left side is measured with (family `layout`)."""
    other_layout: Spec | None = None
    """That of the right side where it is another one."""

    @property
    def right_layout(self) -> Spec:
        """The memory layout of the right side."""
        return self.other_layout or self.layout

    @property
    def sides(self) -> tuple[tuple[Spec, Spec], tuple[Spec, Spec]]:
        """The operation and the layout of the left side, and of the right side."""
        return (self.left, self.layout), (self.right, self.right_layout)

    @property
    def text(self) -> str:
        """`gather <= gather_as_allgather`."""
        return f"{self.left} <= {self.right}"


_STANDS_FOR, _AND = "_as_", "_and_"


def formula(rule: Rule, registries: Registries) -> str:
    """Both sides, as the paper's appendix writes them."""
    if rule.kind is Kind.MONOTONY:
        left = _one_call(rule.left, registries)
        return f"{_of(left, 'n')} <= {_of(left, 'n+k')}"
    if rule.kind is Kind.SPLIT:
        left = _one_call(rule.left, registries)
        return f"{_of(left, 'n')} <= k {_of(left, 'n/k')}"
    left = side(rule.left, registries)
    lay = "" if rule.layout == BASIC else f" of {rule.layout}"
    right = side(rule.right, registries)
    if rule.other_layout is not None:
        laid = (registries.brief("layout", layout) for layout in (rule.layout, rule.other_layout))
        return " <= ".join(f"{_of(call, 'n')} of {layout}" for call, layout in zip((left, right), laid, strict=True))
    if registries.operation(rule.left).volume == "none":
        return f"{left} <= {right}"
    return f"{_of(left, 'n')} <= {_of(right, 'n')}{lay}"


def short(rule: Rule, registries: Registries) -> str:
    """For tables: `Bcast <= Scatter + Allgather`; of one call alone its name, of datatypes those of both sides."""
    if rule.source is Source.DATATYPES:
        return rule.name.replace("-", " <= ")
    if rule.kind is not Kind.PATTERN:
        return _one_call(rule.left, registries).replace("MPI_", "")
    return f"{side(rule.left, registries)} <= {side(rule.right, registries)}".replace("MPI_", "")


def side(spec: Spec, registries: Registries) -> str:
    """An operation in full form as the calls that it makes: `MPI_Reduce + MPI_Bcast`."""
    inner = [side(inner_spec, registries) for inner_spec in nested(registries, spec)]
    times = spec.argument("times")
    if len(inner) == 1 and isinstance(times, Number):
        return f"{times} {inner[0]}"
    if inner:
        return " + ".join(inner)
    member = registries.family("operation").member(spec.name)
    if member.mockup_of:
        parts = spec.name.partition(_STANDS_FOR)[2].split(_AND)
        mpi_names = {each_member.name: each_member.mpi_name for each_member in registries.family("operation").members}
        if all(part in mpi_names for part in parts):
            return " + ".join(mpi_names[part] for part in parts)
        return spec.name
    # What several calls of MPI do, such as a ping-pong, has a name of ours.
    name = member.mpi_name if operation_text(member.mpi_name) == spec.name else spec.name
    return {"nonblocking": f"{name} + MPI_Wait", "persistent": f"MPI_Start[{name}] + MPI_Wait"}.get(member.form, name)


def _one_call(spec: Spec, registries: Registries) -> str:
    """Of a guideline of one call, which may be checked of several with other arguments: those that are no default."""
    arguments = registries.brief("operation", spec).arguments
    calls, plus, wait = side(spec, registries).partition(" + MPI_Wait")
    if not arguments or nested(registries, spec):
        return calls + plus + wait
    return f"{calls}[{','.join(map(str, arguments))}]{plus}{wait}"


def _of(text: str, volume: str) -> str:
    """`MPI_Scatter(n) + MPI_Allgather(n)`; completion has no volume."""
    return " + ".join(part if part == "MPI_Wait" else f"{part}({volume})" for part in text.split(" + "))
