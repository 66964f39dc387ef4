"""How an operation is called, as factors of a plan: numbers by hand. That the core counts alike is in tests/native."""

import pytest

from ictus.model.call import n_together
from ictus.model.case import Case, expand
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries

REGISTRIES = Registries.load()


def cases(**values: object) -> tuple[Case, ...]:
    """The cases of a plan of doubles with few repetitions."""
    return expand(Plan.from_values({"nrep": 5, "sizes": 48, **values}), REGISTRIES).cases


@pytest.mark.parametrize(
    ("comm", "n", "together"),
    [("world", 5, 5), ("reversed", 5, 5), ("halves", 5, 2), ("halves", 2, 1), ("hosts", 5, 2), ("hosts(3)", 4, 3)],
)
def test_how_many_call_together_follows_from_the_registry(comm: str, n: int, together: int) -> None:
    """All, half of them, or as many as the parameter says."""
    assert n_together(REGISTRIES.check("comm", comm), n, REGISTRIES) == together


def test_what_has_no_meaning_for_an_operation_is_measured_once() -> None:
    """Two roots and two places: a broadcast has roots, an allreduce places, a gather both, a barrier neither."""
    found = cases(**{"op": "bcast,allreduce,gather,barrier", "root": "0,rotating", "in-place": "no,yes"})
    ways = {(case.operation.name, case.root, case.in_place) for case in found}
    assert ways == {
        ("bcast", "0", "no"),
        ("bcast", "rotating", "no"),
        ("allreduce", "0", "no"),
        ("allreduce", "0", "yes"),
        *(("gather", root, place) for root in ("0", "rotating") for place in ("no", "yes")),
        ("barrier", "0", "no"),
    }
    assert len(found) == len(ways)


def test_what_is_not_measured_as_asked_for_is_said_once() -> None:
    """Two numbers of processes and one sentence; a barrier, which has no buffers, is not worth one."""
    plan = Plan.from_values({"op": "bcast,barrier", "sizes": 48, "n": [2, 3], "in-place": "yes"})
    said = [note for note in expand(plan, REGISTRIES).notes if "in place" in note]
    assert said == ["bcast cannot be called in place: it is measured out of place"]


def test_blocks_of_one_size_have_equal_counts_and_a_note() -> None:
    """Only operations that are told the size of each block have others, those of neighbourhoods included."""
    plan = Plan.from_values({"op": "gather,gatherv,neighbor_alltoallw,barrier,bcast", "sizes": 48, "counts": "spike"})
    found = expand(plan, REGISTRIES)
    assert {case.operation.name: case.counts.name for case in found.cases} == {
        "gather": "equal",
        "gatherv": "spike",
        "neighbor_alltoallw": "spike",
        "barrier": "equal",
        "bcast": "equal",
    }
    assert [note for note in found.notes if "counts" in note] == [
        "gather has blocks of one size: measured with equal counts",
        "bcast takes no block sizes: counts have no meaning for it",
    ]


def test_persistent_operations_keep_their_buffers() -> None:
    """With the cache mode that moves them they are left out, and said once; alone, it is refused."""
    plan = Plan.from_values({"op": "bcast,bcast_init,scan_init", "sizes": 48, "cache": "warm,cold-rotate"})
    found = expand(plan, REGISTRIES)
    assert {(case.operation.name, case.cache.name) for case in found.cases} == {
        ("bcast", "warm"),
        ("bcast", "cold-rotate"),
        ("bcast_init", "warm"),
        ("scan_init", "warm"),
    }
    (said,) = found.notes
    assert said.startswith("bcast_init, scan_init cannot be measured with cache cold-rotate: persistent")
    with pytest.raises(UsageError, match="moves buffers, and bcast_init, a persistent operation, is bound to them"):
        cases(op="bcast_init", cache="cold-rotate")


def test_blocks_that_are_exchanged_in_place_are_of_one_size() -> None:
    """Of alltoallv in place only the equal counts are measured, which is said; alone, others are refused."""
    plan = Plan.from_values({"op": "ialltoallv", "sizes": 48, "counts": "equal,spike", "in-place": "no,yes"})
    found = expand(plan, REGISTRIES)
    assert {(case.in_place, case.counts.name) for case in found.cases} == {
        ("no", "equal"),
        ("no", "spike"),
        ("yes", "equal"),
    }
    assert found.notes[0].startswith("ialltoallv can be called in place with equal counts only")
    with pytest.raises(UsageError, match="use counts equal, or leave in-place out"):
        cases(**{"op": "alltoallw", "counts": "linear", "in-place": "yes"})
    assert len(cases(**{"op": "allgatherv", "counts": "linear", "in-place": "yes"})) == 1


def test_blocks_are_those_of_the_processes_that_call_together() -> None:
    """48 B of doubles in a gather: 5 processes have blocks of 16 B, 2 of a half 24 B; a message stays what it is."""
    world, half = cases(op="gather", n=5, comm="world,halves")
    assert (world.n, world.block_bytes, world.moved_bytes) == (5, 16, 80)
    assert (half.n, half.block_bytes, half.moved_bytes) == (5, 24, 48)
    (block,) = cases(op="gather", n=5, comm="halves", **{"size-is": "block"})
    assert (block.size_bytes, block.block_bytes) == (96, 48)
    assert {case.moved_bytes for case in cases(op="bcast", n=5, comm="world,halves")} == {48}


def test_layouts_are_a_factor_of_what_moves_data() -> None:
    """Units of 6 doubles: 48 B are one unit, so that two blocks of a gather are two units; a barrier has none."""
    found = cases(op="bcast,gather,barrier", layout="basic,vector(2,4,3)")
    blocks = {(case.operation.name, case.layout.name): case.block_bytes for case in found}
    assert blocks == {
        ("bcast", "basic"): 48,
        ("bcast", "vector"): 48,
        ("gather", "basic"): 24,
        ("gather", "vector"): 48,
        ("barrier", "basic"): 0,
    }
    assert len(found) == len(blocks)


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "a root that is not a rank": ({"root": "-1"}, "expected ranks from 0 on, or rotating; not '-1'"),
    "a root in words": ({"root": "last"}, "expected ranks from 0 on, or rotating; not 'last'"),
    "a truth value": ({"root": True}, "expected ranks from 0 on, or rotating; not 'True'"),
    "a root beyond the halves": (
        {"op": "bcast", "n": 5, "comm": "halves", "root": 2},
        "root 2: with comm 'halves' 2 of 5 processes call together, roots begin at 0",
    ),
    "no half of one": ({"n": 1, "comm": "halves"}, "comm 'halves' needs more processes than 1"),
    "too few hosts": ({"n": 2, "comm": "hosts(3)"}, "comm 'hosts(count=3)' needs more processes than 2"),
    "an unknown choice": ({"comm": "half"}, "unknown comm 'half', did you mean 'halves'?"),
    "half in place": ({"in-place": "maybe"}, "expected no, yes or no,yes; not 'maybe'"),
    "an unknown layout": ({"layout": "vektor"}, "unknown layout 'vektor', did you mean 'vector'?"),
    "no whole units": ({"op": "bcast", "sizes": 56, "layout": "vector(2,4,3)"}, "(48 B); nearest are 48 and 96"),
    "MPI's operator on a layout": (
        {"op": "bcast,scan", "layout": "basic,contiguous(3)"},
        "not defined on datatypes of layout 'contiguous(elements=3)': allowed are user(sum), user(prod), user(max), ",
    ),
    "an operator that the datatype has not": (
        {"op": "scan", "operator": "user(bor)"},
        "operator 'user(bor)' with datatype 'double': allowed are sum, prod, max, min, user(sum)",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_with_what_can(what: str) -> None:
    """Field, value, what is allowed."""
    values, message = REFUSED[what]
    with pytest.raises(UsageError) as caught:
        cases(**values)
    assert message in str(caught.value)


def test_functions_of_ours_reduce_what_mpi_cannot() -> None:
    """On a layout and on bytes, the one that does not commute among them."""
    assert len(cases(op="scan", layout="contiguous(3)", operator="user(max)")) == 1
    assert len(cases(op="scan", datatype="byte", operator="user(affine)")) == 1


def test_toml_may_say_it_in_its_own_types() -> None:
    """A rank as a number, a place as a truth value, lists of them."""
    plan = Plan.from_values({"root": [0, "rotating"], "in-place": [False, True], "n": 3})
    assert (plan.root, plan.in_place) == (("0", "rotating"), ("no", "yes"))
    assert (Plan.from_values({"root": 2}).root, Plan.from_values({"in-place": True}).in_place) == (("2",), ("yes",))
    assert Plan.from_values(plan.values()) == plan


def test_a_case_of_an_earlier_version_is_the_usual_call() -> None:
    """campaign.json of before: a root was a number, and nothing was said of the others."""
    (case,) = cases(op="bcast", root="1")
    before = {key: value for key, value in case.record().items() if key not in ("comm", "in_place", "layout", "counts")}
    assert Case.from_json({**before, "root": 1}) == case
