"""A guideline in the words of MPI: `MPI_Bcast(n) <= MPI_Scatter(n) + MPI_Allgather(n)`."""

from ictus.guidelines.rule import Kind, Rule
from ictus.model.call_shape import BASIC
from ictus.model.nested import nested
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec, operation_text

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
