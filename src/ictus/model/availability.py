"""Which operations a library has: newer calls of MPI are used where its mpi.h declares them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ictus.model.errors import UsageError
from ictus.model.registries import Registries

REQUIRED_MPI = (3, 1)
"""What this version of MPI has, every library has: the core cannot be built without it."""


@dataclass(frozen=True)
class Availability:
    """What a built core says of one operation."""

    name: str
    available: bool
    large_counts: bool
    """Whether counts beyond an int can be asked for."""
    reason: str
    """Why it is not available; empty where it is."""


def may_lack(operations: Sequence[str], registries: Registries) -> tuple[str, ...]:
    """The names of those operations that a library need not have."""
    members = [registries.operation(text) for text in operations]
    return tuple(member.name for member in members if member.since and version(member.since) > REQUIRED_MPI)


def version(text: str) -> tuple[int, ...]:
    """`4.0` as (4, 0)."""
    return tuple(map(int, text.split(".")))


def check_available(names: Sequence[str], libraries: Mapping[str, Sequence[Availability]]) -> None:
    """UsageError for the first operation that a library, by label, lacks."""
    for label, known in libraries.items():
        lacking = {one.name: one.reason for one in known if not one.available}
        name = next((name for name in names if name in lacking), None)
        if name is not None:
            raise UsageError(f"operation '{name}': library '{label}' lacks it: {lacking[name]}; leave one of them out")
