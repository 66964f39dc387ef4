"""Operations that consist of others: their forms, what is known of them, what a size means. Numbers by hand."""

import pytest

from ictus.model.availability import may_lack
from ictus.model.case import expand
from ictus.model.errors import UsageError
from ictus.model.nested import leaves
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.model.volume import volume_at

REGISTRIES = Registries.load()


@pytest.mark.parametrize(
    ("text", "full", "short"),
    [
        ("repeated", "repeated(operation=bcast,times=2)", "repeated(bcast)"),
        ("repeated(gather,3)", "repeated(operation=gather,times=3)", "repeated(gather,times=3)"),
        (
            "repeated(pingpong,time=half)",
            "repeated(operation=pingpong(time=half,partner=auto),times=2)",
            "repeated(pingpong(half))",
        ),
        ("sequence(gather,bcast)", "sequence(gather,bcast)", "sequence(gather,bcast)"),
        (
            "sequence(repeated(scan,4),put)",
            "sequence(repeated(operation=scan,times=4),put(epoch=fence,lock=call))",
            "sequence(repeated(operation=scan,times=4),put)",
        ),
    ],
)
def test_they_have_a_full_and_a_short_form_that_mean_the_same(text: str, full: str, short: str) -> None:
    """Those of the operations in them included."""
    assert str(REGISTRIES.check("operation", text)) == full
    assert REGISTRIES.short("operation", text) == short
    for other in (full, short):
        assert str(REGISTRIES.check("operation", other)) == full


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("repeated(bcast,0)", "repeated(times=0): allowed is 1 to 1e+06"),
        ("repeated(bcst)", "unknown operation 'bcst', did you mean"),
        ("repeated(3)", "expected a member of family operation"),
        ("sequence", "'operations': the list is empty; it takes one or more of family operation, separated by commas"),
        ("sequence()", "'operations': the list is empty"),
        ("sequence(gather,bcst)", "unknown operation 'bcst', did you mean"),
        ("sequence(gather,2)", "expected a member of family operation"),
        ("sequence(operations=gather)", "are written without it: sequence(...)"),
    ],
)
def test_nonsense_is_refused_with_what_is_allowed(text: str, message: str) -> None:
    """No times, no operation, unknown ones."""
    with pytest.raises(UsageError) as caught:
        REGISTRIES.check("operation", text)
    assert message in str(caught.value)


def test_what_is_known_of_them_follows_from_their_operations() -> None:
    """Also from short texts; the version of MPI is the newest of any."""
    both = REGISTRIES.operation("sequence(gatherv,barrier,allreduce_init)")
    assert (both.volume, both.rooted, both.reduces, both.varied, both.in_place) == ("message", True, True, True, True)
    assert both.since == "4.0"
    one = REGISTRIES.operation("repeated(bcast,9)")
    assert (one.volume, one.rooted, one.reduces, one.varied, one.in_place) == ("message", True, False, False, False)
    assert not REGISTRIES.operation("sequence(allreduce,bcast)").in_place
    assert REGISTRIES.operation("sequence(barrier,barrier)").volume == "none"
    assert REGISTRIES.operation("sequence(barrier,gather)").volume == "blocks"
    assert REGISTRIES.operation("sequence(scatter,allgather)").volume == "message"


def test_the_calls_in_them_are_those_that_a_library_may_lack() -> None:
    """Each once, in order."""
    text = "sequence(gather,repeated(sequence(bcast_init,scan),7))"
    assert [leaf.name for leaf in leaves(REGISTRIES, REGISTRIES.check("operation", text))] == [
        "gather",
        "bcast_init",
        "scan",
    ]
    assert may_lack([parse_spec(text)], REGISTRIES) == ("bcast_init",)


@pytest.mark.parametrize(
    ("operation", "n", "size", "block", "moved"),
    [
        ("repeated(bcast,5)", 4, 10, 10, 10),  # the volume of one call
        ("repeated(gather,5)", 4, 10, 3, 12),
        ("sequence(gather,bcast)", 4, 10, 10, 12),  # 4 blocks of 3 B are more than a message of 10 B
        ("sequence(exchange,bcast)", 4, 10, 10, 10),  # 2 blocks of 5 B
        ("sequence(exchange,gather)", 3, 10, 10, 12),  # 2 blocks of 5 B and 3 blocks of 4 B
        ("sequence(barrier,exchange)", 4, 11, 6, 12),
        ("repeated(bcast_as_scatter_and_allgather)", 4, 10, 10, 12),
        ("repeated(barrier)", 4, 10, 0, 0),
    ],
)
def test_each_operation_moves_the_same_total_volume(operation: str, n: int, size: int, block: int, moved: int) -> None:
    """By its own convention: a message of n, or blocks of n/p, rounded up."""
    spec, byte = REGISTRIES.check("operation", operation), REGISTRIES.datatype("byte")
    volume = volume_at(size, spec, n, byte, REGISTRIES)
    assert (volume.size_bytes, volume.block_bytes, volume.moved_bytes) == (0 if not moved else size, block, moved)


def test_a_sequence_keeps_the_sizes_of_the_message_that_it_stands_for() -> None:
    """At 512 ranks blocks of 1 B move as much at 1 B as at 512 B, but a broadcast of 1 B has its own row to meet."""
    plan = Plan.from_values(
        {
            "op": ["bcast", "sequence(scatter,allgather)", "gather", "repeated(gather)"],
            "sizes": "1,64,512",
            "n": 512,
            "datatype": "byte",
        }
    )
    sizes: dict[str, list[int]] = {}
    for case in expand(plan, REGISTRIES).cases:
        sizes.setdefault(str(case.operation), []).append(case.size_bytes)
    assert sizes == {
        "bcast": [1, 64, 512],
        "sequence(scatter,allgather)": [1, 64, 512],
        "gather": [512],
        "repeated(operation=gather,times=2)": [512],
    }
