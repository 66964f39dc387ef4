"""What one host cannot have is refused before a launch."""

from dataclasses import replace

import pytest

from ictus.model.case import Case, expand
from ictus.model.errors import UsageError
from ictus.model.feasibility import check_memory, check_one_host
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_spec

REGISTRIES = Registries.load()


def case(operation: str, size: int) -> Case:
    plan = Plan.from_values({"op": operation, "sizes": str(size), "n": "4"}, "option")
    return expand(plan, REGISTRIES).cases[0]


def test_several_hosts_are_refused_on_one() -> None:
    """One rank of one host is possible; the message says what is allowed."""
    one = case("bcast", 8)
    check_one_host([one, replace(one, comm=parse_spec("hosts(count=1)")), replace(one, comm=Spec("halves"))])
    with pytest.raises(UsageError, match=r"comm 'hosts\(count=2\)', parameter 'count': 2 hosts .* on 1: allowed is 1"):
        check_one_host([one, replace(one, comm=parse_spec("hosts(count=2)"))])


@pytest.mark.parametrize(("operation", "having"), [("bcast", 4), ("iallgather", 4), ("pingpong", 1), ("put", 1)])
def test_messages_that_exceed_all_memory_are_refused(operation: str, having: int) -> None:
    """The size, what it needs at least, and what there is are named; what may just fit is let pass."""
    one = case(operation, 2**30)
    least = having * one.block_bytes
    check_memory([one], least, REGISTRIES)
    told = rf"sizes={one.size_bytes}: operation '.*' on 4 .* {least} B .* {least - 1} B"
    with pytest.raises(UsageError, match=told):
        check_memory([one], least - 1, REGISTRIES)
