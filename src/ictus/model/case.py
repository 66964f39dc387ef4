"""Cases: all factors except the library, how a plan expands into them, and the ways to call an operation.

`size_bytes` is the total volume n of one process's largest buffer (file-format.md): one message, or p blocks of
n/p. A volume that is not p whole blocks of whole elements is rounded up; sizes that then move the same bytes are one
case. A factor without meaning for an operation keeps its default, so that the case is measured once.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, fields, replace
from typing import Any

from ictus.model.call import (
    BASIC,
    EQUAL_COUNTS,
    FIRST_ROOT,
    IN_PLACE,
    OUT_OF_PLACE,
    WORLD,
    elements_of,
    n_together,
)
from ictus.model.errors import UsageError
from ictus.model.job_size import ANYWHERE, JobSize
from ictus.model.plan import Plan
from ictus.model.plan_parts import Method, repetition_of
from ictus.model.registries import Member, Registries
from ictus.model.spec import Spec, parse_spec
from ictus.model.volume import Volume, blocks_of, distinct, volume_at


@dataclass(frozen=True)
class Case:
    """One case of a campaign, as in campaign.json. Specs are in full form."""

    case_id: int
    operation: Spec
    size_bytes: int
    """Requested total volume."""
    block_bytes: int
    """The block really used; the whole message where the volume is one message."""
    moved_bytes: int
    """The volume really used."""
    n: int
    """Processes of the launch."""
    datatype: str
    operator: str
    root: str
    """A rank of those that call together, or `rotating`; `0` where the operation has none."""
    procsync: Spec
    scheme: Spec
    repetition: Spec
    cache: Spec
    clock: Spec
    clocksync: Spec
    warmup: int
    counts: Spec = EQUAL_COUNTS
    """How the volume is shared out to the blocks of an operation that takes the size of each; `equal` for others."""
    layout: Spec = BASIC
    """How the elements of a message lie in memory."""
    comm: Spec = WORLD
    """Which processes call together: their number is the p of blocks, and a root one of their ranks."""
    in_place: str = OUT_OF_PLACE
    """`yes` where MPI_IN_PLACE replaces a buffer."""
    nodes: int = ANYWHERE
    """Nodes of the launch; 0 where the launcher decides, as for `ppn`."""
    ppn: int = ANYWHERE
    """Processes on each node."""

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> "Case":
        """A case of campaign.json; raises KeyError or TypeError for a key that is missing or of the wrong type.

        What campaigns from before there was a factor lack is its default; a root was a number.
        """
        defaults: dict[str, Any] = {
            "nodes": ANYWHERE,
            "ppn": ANYWHERE,
            "counts": str(EQUAL_COUNTS),
            "layout": str(BASIC),
            "comm": str(WORLD),
            "in_place": OUT_OF_PLACE,
        }
        values = {**defaults, **values}
        if type(values.get("root")) is int:
            values["root"] = str(values["root"])
        return Case(**{field.name: _parsed(field, values) for field in fields(Case)})

    def record(self) -> dict[str, Any]:
        """As campaign.json has it, and as tables of factors do: specs are texts."""
        return {name: str(value) if isinstance(value, Spec) else value for name, value in vars(self).items()}


def _parsed(field: "Field[Any]", values: Mapping[str, Any]) -> Any:
    """The value of one field of campaign.json; TypeError for another type, or for a text that is not a spec."""
    value = values[field.name]
    if field.type is int and (isinstance(value, bool) or not 0 <= _number(value) < _LIMITS.get(field.name, 2**63)):
        raise TypeError(f"case {values.get('case_id')}: {field.name} is {value!r}")
    if field.type is not Spec and isinstance(field.type, type) and isinstance(value, field.type):
        return value
    if field.type is Spec and isinstance(value, str):
        with suppress(UsageError):
            return parse_spec(value)
    raise TypeError(f"case {values.get('case_id')}: {field.name} is {value!r}")


def _number(value: Any) -> int:
    """-1 for what is not a whole number."""
    return value if isinstance(value, int) else -1


_LIMITS = {"case_id": 2**32, "n": 2**31}
"""Tables hold no larger ones."""


def shared_in_launch(case: Case) -> tuple[JobSize, Spec, Spec]:
    """What all cases of a launch share: processes and their nodes, clock, clocksync."""
    return JobSize(case.n, case.nodes, case.ppn), case.clock, case.clocksync


FACTORS = tuple(field.name for field in fields(Case) if field.name != "case_id")
"""The factors of a case, in the order of campaign.json: two cases are comparable when all but the named one agree."""


def case_table(cases: Iterable[Case]) -> dict[int, Case]:
    """The cases by id."""
    return {case.case_id: case for case in cases}


@dataclass(frozen=True)
class Expansion:
    """The cases of a plan, numbered from 0, and notes on what was merged or rounded."""

    cases: tuple[Case, ...]
    notes: tuple[str, ...]


def expand(plan: Plan, registries: Registries) -> Expansion:
    """All cases of a plan, for every number of processes; UsageError for names and sizes that cannot be."""
    plan = plan.checked(registries)
    datatype = registries.datatype(plan.datatype)
    notes: dict[str, dict[str, None]] = {}  # each text, with the operations that it concerns
    cases: dict[Case, None] = {}  # a case that several subsets share occurs once
    launched = itertools.product(plan.job_sizes, plan.clock, plan.clocksync)
    for (size, clock, clocksync), subset, comm in itertools.product(launched, plan.measured, plan.comm):
        n = size.n
        together = n_together(comm, n, registries)
        where = f"n={n}" if comm == WORLD else f"n={n}, comm {comm}"
        for operation in subset.operations:
            member, blocks = registries.operation(operation), blocks_of(operation, together, registries)
            layout = BASIC if member.volume == "none" else subset.layout
            in_blocks = plan.size_is == "block" and member.volume == "blocks"
            unit = elements_of(layout)
            volumes_bytes = sorted({size_bytes * blocks if in_blocks else size_bytes for size_bytes in subset.sizes})
            each = (
                volume_at(size_bytes, operation, together, datatype, registries, unit=unit)
                for size_bytes in volumes_bytes
            )
            volumes, merged = distinct(each, member, blocks)
            for remark in (*(f" at {where}: {text}" for text in merged), *remarks(plan, member)):
                notes.setdefault(remark, {}).setdefault(str(operation))
            ways = itertools.product(volumes, calls(plan, member, comm), plan.ways, caches(plan, member))
            for volume, call, method, cache in ways:
                timed = replace(_case(plan, operation, volume, n, method, call=call), clock=clock, clocksync=clocksync)
                case = replace(timed, cache=cache, layout=layout, nodes=size.nodes, ppn=size.ppn)
                cases.setdefault(replace(case, repetition=_repetition(plan, case, registries)))
    numbered = tuple(replace(case, case_id=number) for number, case in enumerate(cases))
    return Expansion(numbered, tuple(_some(tuple(names)) + words for words, names in notes.items()))


def _some(names: Sequence[str]) -> str:
    """`a`, `a, b, c`, `a, b and 7 more`."""
    return ", ".join(names) if len(names) <= _NAMED else f"{', '.join(names[:2])} and {len(names) - 2} more"


_NAMED = 3


@dataclass(frozen=True)
class Call:
    """One way to call it, as in campaign.json."""

    comm: Spec = WORLD
    """Which processes call together."""
    root: str = FIRST_ROOT
    """A rank of theirs, or `rotating`."""
    in_place: str = OUT_OF_PLACE
    """`yes` where MPI_IN_PLACE replaces a buffer."""
    counts: Spec = EQUAL_COUNTS
    """How the volume is shared out to the blocks of an operation that takes the size of each; `equal` for others."""


def calls(plan: Plan, operation: Member, comm: Spec) -> tuple[Call, ...]:
    """All ways of the plan that have a meaning for the operation; UsageError if there is none."""
    roots = plan.root if operation.rooted else (FIRST_ROOT,)
    places = plan.in_place if operation.in_place else (OUT_OF_PLACE,)
    counts = plan.counts if operation.varied else (EQUAL_COUNTS,)
    every = (Call(comm, *ways) for ways in itertools.product(roots, places, counts))
    able = tuple(call for call in every if not _differs_in_direction(call, operation))
    if not able:
        raise UsageError(f"{operation.name}{_ONE_SIZE}; use counts {EQUAL_COUNTS}, or leave in-place out")
    return able


def _differs_in_direction(call: Call, operation: Member) -> bool:
    """Whether two ranks would have to send each other blocks of different sizes in one place."""
    return operation.collective in _EXCHANGES and call.in_place == IN_PLACE and call.counts != EQUAL_COUNTS


_MOVING = "cold-rotate"
"""The cache mode that moves buffers."""
_EXCHANGES = ("alltoallv", "alltoallw")
_ONE_SIZE = " can be called in place with equal counts only: two ranks must send each other blocks of one size"


def caches(plan: Plan, operation: Member) -> tuple[Spec, ...]:
    """The cache modes that it can be measured with: a persistent operation is bound to its buffers. Raises UsageError
    if none remains.
    """
    able = tuple(spec for spec in plan.cache if not operation.binds_buffers or spec.name != _MOVING)
    if not able:
        raise UsageError(
            f"cache '{plan.cache[0]}' moves buffers, and {operation.name}, a persistent operation, is bound to them; "
            f"cold-memset empties the cache without that"
        )
    return able


def remarks(plan: Plan, operation: Member) -> Iterator[str]:
    """Sentences about factors of the plan that are not measured for this operation."""
    if caches(plan, operation) != plan.cache:
        yield f" cannot be measured with cache {_MOVING}: persistent, and so bound to buffers which that would move"
    if IN_PLACE in plan.in_place and operation.collective in _EXCHANGES and plan.counts != (EQUAL_COUNTS,):
        yield _ONE_SIZE
    if plan.counts != (EQUAL_COUNTS,) and not operation.varied and operation.volume == "blocks":
        yield " has blocks of one size: measured with equal counts"
    if plan.counts != (EQUAL_COUNTS,) and not operation.varied and operation.volume in ("message", "nested"):
        yield " takes no block sizes: counts have no meaning for it"
    if IN_PLACE in plan.in_place and not operation.in_place and operation.volume != "none":
        yield " cannot be called in place: it is measured out of place"


def _repetition(plan: Plan, case: Case, registries: Registries) -> Spec:
    """The case's repetition; the count that was predicted for it, where the plan's counts are predicted ones."""
    if not isinstance(plan.nrep, (str, Spec)):
        return case.repetition
    key = (case.operation, case.size_bytes, case.n, case.procsync, case.scheme)
    return repetition_of(plan.predicted, key, plan.nrep, registries)


def _case(plan: Plan, operation: Spec, volume: Volume, n: int, method: Method, *, call: Call) -> Case:
    """The case, not yet numbered; its cache, layout and clocks are still the first ones."""
    return Case(
        case_id=0,
        operation=operation,
        size_bytes=volume.size_bytes,
        block_bytes=volume.block_bytes,
        moved_bytes=volume.moved_bytes,
        n=n,
        datatype=plan.datatype,
        operator=plan.operator or "sum",
        procsync=method.procsync,
        scheme=method.scheme,
        repetition=method.repetition,
        cache=plan.cache[0],
        clock=plan.clock[0],
        clocksync=plan.clocksync[0],
        warmup=plan.warmup,
        **vars(call),
    )
