"""Cases that cannot be measured are refused before the first launch: too little memory on one host, or counts that do
not fit an int where the library has no calls for larger ones. Several hosts are left to the core, which knows them.
"""

from collections.abc import Iterable, Mapping, Sequence

from ictus.model.availability import Availability
from ictus.model.call import WORLD, elements_of
from ictus.model.case import Case
from ictus.model.errors import OptionError, UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Number

_PER_HOST = "hosts"
"""In family `comm`: one rank of each of this number of hosts."""


def check_one_host(cases: Iterable[Case]) -> None:
    """UsageError for the first case with ranks of several hosts, for a campaign on a single host."""
    for case in cases:
        count = case.comm.argument("count") if case.comm.name == _PER_HOST else None
        if isinstance(count, Number) and int(count.text) > 1:
            raise UsageError(
                f"comm '{case.comm}', parameter 'count': {count.text} hosts were requested, and launches run "
                f"on 1: allowed is 1; `--launcher namespaces` makes more hosts of one machine"
            )


def check_memory(cases: Iterable[Case], total_bytes: int, registries: Registries) -> None:
    """UsageError for the first case whose messages alone exceed the memory of the only host.

    It counts the least that buffers need, so that nothing possible is refused: each process that calls a collective has
    a message, or a block where the volume is that of p blocks; with smaller communicators and with point-to-point
    operations one process has. Mock-ups, composed operations and all other memory are left to the core.
    """
    members = registries.family("operation").members
    collectives = {member.collective or member.name for member in members if member.form != "blocking"}
    for case in cases:
        member = registries.operation(case.operation)
        if member.volume not in {"message", "blocks"} or member.mockup_of:
            continue
        all_have = case.comm == WORLD and (member.collective or member.name) in collectives
        least = (case.n if all_have else 1) * case.block_bytes
        if least > total_bytes:
            reason = (
                f"operation '{case.operation}' on {case.n} processes needs at least {least} B for its buffers, and "
                f"this host has {total_bytes} B of memory; choose a smaller size or fewer processes"
            )
            raise OptionError(("sizes", case.size_bytes, reason))


_INT_MAX = 2**31 - 1


def beyond_int(cases: Sequence[Case], registries: Registries) -> tuple[Case, ...]:
    """The cases of collectives whose counts or displacements may not fit an int, which MPI 4's calls for large counts
    serve.

    As in the core (workload/operation/partition.hpp): a block has more than 2^31 - 1 elements or, where each block has
    a displacement, all of them together have (of MPI_Alltoallw as many bytes). A message of more bytes whose elements
    fit is legal. Mock-ups and composed operations are left to the core.
    """
    every = registries.family("operation").members
    collectives = {member.collective or member.name for member in every if member.form != "blocking"}
    sizes = {datatype.name: datatype.size_bytes for datatype in registries.datatypes}

    def is_beyond(case: Case) -> bool:
        member = registries.operation(case.operation)
        has_collective = (member.collective or member.name) in collectives and not member.mockup_of
        unit = 1 if member.places_in_bytes else sizes[case.datatype] * elements_of(case.layout)
        return has_collective and (case.moved_bytes if member.varied else case.block_bytes) > _INT_MAX * unit

    return tuple(case for case in cases if is_beyond(case))


def check_large(cases: Sequence[Case], libraries: Mapping[str, Sequence[Availability]], registries: Registries) -> None:
    """UsageError for the first of `cases`, all beyond an int, that a library, by label, cannot count."""
    for label, availabilities in libraries.items():
        short = {availability.name for availability in availabilities if not availability.large_counts}
        for case in cases:
            member = registries.operation(case.operation)
            if member.name in short:
                raise UsageError(
                    f"operation '{member.name}' of {case.size_bytes} B: library '{label}' has no {member.mpi_name}_c "
                    f"of MPI 4.0, and without it counts are ints (at most {_INT_MAX} elements); choose a smaller size, "
                    f"or leave one of them out"
                )
