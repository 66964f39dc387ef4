"""The case that a printed line is of: our factors, as far as a suite is known to have them."""

from ictus.interchange.suite import PrintedCase, PrintedLaunch
from ictus.model.call import FIRST_ROOT, WORLD
from ictus.model.case import Case
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_spec
from ictus.model.volume import Volume, n_blocks

AS_IMPORTED = parse_spec("fixed(nrep=imported)")
"""The repetition of imported cases: suites adapt their counts to the launch, and cases are matched without them."""


def case_of(printed: PrintedCase, launch: PrintedLaunch, registries: Registries) -> Case:
    """The case, not yet numbered."""
    operation = _spec(registries, "operation", printed.operation)
    volume = _volume(printed, operation, launch.n if printed.together is None else printed.together, registries)
    comm = WORLD if printed.together is None else registries.check("comm", f"first({printed.together})")
    return Case(
        case_id=0,
        operation=operation,
        size_bytes=volume.size_bytes,
        block_bytes=volume.block_bytes,
        moved_bytes=volume.moved_bytes,
        n=launch.n,
        datatype=printed.datatype,
        operator=printed.operator,
        root=FIRST_ROOT,
        procsync=_spec(registries, "procsync", launch.procsync),
        scheme=registries.check("scheme", "per-call"),
        repetition=AS_IMPORTED,
        cache=registries.check("cache", "warm"),
        clock=parse_spec(launch.clock),
        clocksync=parse_spec(launch.clocksync),
        warmup=0,
        comm=comm,
    )


def _spec(registries: Registries, family: str, text: str) -> Spec:
    """In full form where it is one of ours, else as it is."""
    try:
        return registries.check(family, text)
    except UsageError:
        return parse_spec(text)


def _volume(printed: PrintedCase, operation: Spec, together: int, registries: Registries) -> Volume:
    """What the printed size is: a message, a block, or the total of all blocks."""
    size = printed.size_bytes
    member = next(
        (candidate for candidate in registries.family("operation").members if candidate.name == operation.name), None
    )
    if member is None or member.volume not in ("none", "blocks"):
        return Volume(size, size, size)
    if member.volume == "none":
        return Volume(0, 0, 0)
    blocks = n_blocks(operation, together)
    total = size if printed.whole_is_printed else size * blocks
    return Volume(total, total // blocks, total)
