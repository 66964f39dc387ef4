"""Which operations a library has. Newer MPI calls are measured where its mpi.h declares them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ictus.model.errors import UsageError
from ictus.model.nested import leaves
from ictus.model.registries import Registries
from ictus.model.spec import Spec

ALL = Spec("all")
"""Among operations: every call of MPI and its composites, without mock-ups and without operations that take others."""
REQUIRED_MPI = (3, 1)
"""Every library has at least this version of MPI: the core cannot be built without it."""


@dataclass(frozen=True)
class Availability:
    """The core's answer about one operation."""

    name: str
    available: bool
    large_counts: bool
    """Whether the call takes counts beyond an int."""
    reason: str
    """Why it is not available; empty where it is."""


def named(operations: Sequence[Spec], registries: Registries) -> tuple[Spec, ...]:
    """The operations by name, with `all` resolved."""
    every = tuple(Spec(member.name) for member in registries.family("operation").members if member.since)
    return tuple(
        dict.fromkeys(name for operation in operations for name in (every if operation == ALL else (operation,)))
    )


def shared(
    operations: Sequence[Spec], libraries: Mapping[str, Sequence[Availability]], registries: Registries
) -> tuple[tuple[Spec, ...], tuple[str, ...]]:
    """For operations with `all` among them: those that every library has, by label, and the left-out ones with the
    reason. An operation that is named beside `all` stays.
    """
    lacking = {
        Spec(availability.name): f"{availability.name} is left out: library '{label}' lacks it: {availability.reason}"
        for label, availabilities in reversed(tuple(libraries.items()))
        for availability in availabilities
        if not availability.available and Spec(availability.name) not in operations
    }
    every = named(operations, registries)
    return tuple(name for name in every if name not in lacking), tuple(
        lacking[name] for name in every if name in lacking
    )


def may_lack(operations: Sequence[Spec], registries: Registries) -> tuple[str, ...]:
    """The names of those operations that a library need not have."""
    called = [leaf for operation in operations for leaf in leaves(registries, registries.check("operation", operation))]
    members = [registries.operation(leaf.name) for leaf in called]
    return tuple(member.name for member in members if member.since and version(member.since) > REQUIRED_MPI)


def version(text: str) -> tuple[int, ...]:
    """`4.0` as (4, 0)."""
    return tuple(map(int, text.split(".")))


def check_available(names: Sequence[str], libraries: Mapping[str, Sequence[Availability]]) -> None:
    """UsageError for the first operation that a library, by label, lacks."""
    for label, availabilities in libraries.items():
        lacking = {
            availability.name: availability.reason for availability in availabilities if not availability.available
        }
        name = next((name for name in names if name in lacking), None)
        if name is not None:
            raise UsageError(f"operation '{name}': library '{label}' lacks it: {lacking[name]}; leave one of them out")
