"""Cases whose counts are beyond an int: refused before a launch where a library has no calls that count further."""

from collections.abc import Mapping, Sequence

from ictus.model.availability import Availability
from ictus.model.case import Case
from ictus.model.errors import UsageError
from ictus.model.registries import Registries

_INT_MAX = 2**31 - 1


def beyond_int(cases: Sequence[Case], registries: Registries) -> tuple[Case, ...]:
    """The cases of collectives whose counts or places may not fit an int, which MPI 4's calls for large counts are for.

    As the core has it (workload/operation/partition.hpp): a block is larger than 2^31 - 1 bytes or, where the place
    of each is told, all of them together. Mock-ups and operations made of others are left to it.
    """
    every = registries.family("operation").members
    collectives = {member.collective or member.name for member in every if member.form != "blocking"}

    def is_beyond(case: Case) -> bool:
        member = registries.operation(case.operation)
        known = (member.collective or member.name) in collectives and not member.mockup_of
        return known and (case.moved_bytes if member.varied else case.block_bytes) > _INT_MAX

    return tuple(case for case in cases if is_beyond(case))


def check_large(cases: Sequence[Case], libraries: Mapping[str, Sequence[Availability]], registries: Registries) -> None:
    """UsageError for the first of `cases`, all beyond an int, that a library, by label, cannot count."""
    for label, known in libraries.items():
        short = {one.name for one in known if not one.large_counts}
        for case in cases:
            member = registries.operation(case.operation)
            if member.name in short:
                raise UsageError(
                    f"operation '{member.name}' of {case.size_bytes} B: library '{label}' has no {member.mpi_name}_c "
                    f"of MPI 4.0, and without it counts are ints (at most {_INT_MAX} B); choose a smaller size, or "
                    f"leave one of them out"
                )
