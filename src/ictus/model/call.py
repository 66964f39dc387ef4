"""How an operation is called: by which processes, with which root, in place or not, with blocks of which sizes.

What has no meaning for an operation is left at what stands for it, so that it is measured once.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from ictus.model.call_shape import FIRST_ROOT, WORLD
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Member
from ictus.model.spec import Spec

EQUAL_COUNTS = Spec("equal")
"""The member of family `counts` that stands where an operation takes no sizes of blocks, and the default."""
OUT_OF_PLACE = "no"
IN_PLACE = "yes"
_MOVING = "cold-rotate"
"""The cache mode that moves buffers."""


@dataclass(frozen=True)
class Call:
    """One way to call it, as in campaign.json."""

    comm: Spec = WORLD
    """Which processes call together."""
    root: str = FIRST_ROOT
    """A rank of theirs, or `rotating`."""
    in_place: str = OUT_OF_PLACE
    """`yes` where MPI_IN_PLACE stands for a buffer."""
    counts: Spec = EQUAL_COUNTS
    """How the volume is shared out to the blocks of an operation that takes the size of each; `equal` for others."""


def calls(plan: Plan, operation: Member, comm: Spec) -> tuple[Call, ...]:
    """All ways of the plan that have a meaning for the operation; UsageError where none has."""
    roots = plan.root if operation.rooted else (FIRST_ROOT,)
    places = plan.in_place if operation.in_place else (OUT_OF_PLACE,)
    counts = plan.counts if operation.varied else (EQUAL_COUNTS,)
    every = (Call(comm, *one) for one in itertools.product(roots, places, counts))
    able = tuple(call for call in every if not _differs_in_direction(call, operation))
    if not able:
        raise UsageError(f"{operation.name}{_ONE_SIZE}; use counts {EQUAL_COUNTS}, or leave in-place out")
    return able


def _differs_in_direction(call: Call, operation: Member) -> bool:
    """Whether two ranks would have to send each other blocks of different sizes in one place."""
    return operation.collective in _EXCHANGES and call.in_place == IN_PLACE and call.counts != EQUAL_COUNTS


_EXCHANGES = ("alltoallv", "alltoallw")
_ONE_SIZE = " can be called in place with equal counts only: two ranks must send each other blocks of one size"


def caches(plan: Plan, operation: Member) -> tuple[Spec, ...]:
    """The cache modes that it can be measured with: a persistent operation is bound to its buffers. Raises UsageError
    where none is left.
    """
    able = tuple(one for one in plan.cache if operation.form != "persistent" or one.name != _MOVING)
    if not able:
        raise UsageError(
            f"cache '{plan.cache[0]}' moves buffers, and {operation.name}, a persistent operation, is bound to them; "
            f"cold-memset empties the cache without that"
        )
    return able


def remarks(plan: Plan, operation: Member) -> Iterator[str]:
    """What is not measured as it was asked for, as what is said of the operation."""
    if caches(plan, operation) != plan.cache:
        yield f" cannot be measured with cache {_MOVING}: persistent, and so bound to buffers which that would move"
    if IN_PLACE in plan.in_place and operation.collective in _EXCHANGES and plan.counts != (EQUAL_COUNTS,):
        yield _ONE_SIZE
    if plan.counts != (EQUAL_COUNTS,) and not operation.varied and operation.volume == "blocks":
        yield " has blocks of one size: measured with equal counts"
    if plan.counts != (EQUAL_COUNTS,) and not operation.varied and operation.volume in ("message", "nested"):
        yield " has no blocks whose sizes are told: counts have no meaning for it"
    if IN_PLACE in plan.in_place and not operation.in_place and operation.volume != "none":
        yield " cannot be called in place: measured out of place"
