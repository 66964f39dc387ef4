"""Cases: what a size means, what is rounded, merged, refused."""

import pytest

from ictus.model.case import Case, expand
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.volume import volume_of

REGISTRIES = Registries.load()


def cases_of(**values: object) -> tuple[Case, ...]:
    """Cases of a plan by its TOML keys."""
    return expand(Plan.from_values({key.replace("_", "-"): value for key, value in values.items()}), REGISTRIES).cases


def test_a_plan_expands_into_the_product_of_its_factors() -> None:
    """Processes x operations x sizes x process synchronisations, numbered from 0."""
    cases = cases_of(n="2,4", op="bcast,reduce", sizes="8,16,32", procsync="window,barrier")
    assert [case.case_id for case in cases] == list(range(2 * 2 * 3 * 2))
    assert len({(case.n, case.operation, case.size_bytes, case.procsync) for case in cases}) == 24


@pytest.mark.parametrize(
    ("operation", "n", "size", "block", "moved"),
    [
        ("bcast", 3, 64, 64, 64),
        ("alltoall", 2, 64, 32, 64),
        ("alltoall", 3, 64, 24, 72),  # 8 doubles over 3 ranks: 3 each
        ("gather", 5, 8, 8, 40),  # one double over 5 ranks: 1 each
        ("scatter", 5, 0, 0, 0),
        ("allreduce", 512, 8, 8, 8),
        ("barrier", 4, 64, 0, 0),
    ],
)
def test_a_volume_is_one_message_or_n_whole_blocks(operation: str, n: int, size: int, block: int, moved: int) -> None:
    """The block is the least number of whole doubles of which n hold the size."""
    volume = volume_of(size, REGISTRIES.operation(operation), n, REGISTRIES.datatype("double"))
    assert (volume.block_bytes, volume.moved_bytes) == (block, moved)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("datatype", ["byte", "int", "double"])
def test_rounding_up_never_adds_a_whole_element_to_each_block(n: int, datatype: str) -> None:
    """0 <= moved - size < n elements, and blocks are whole elements, for every size."""
    element = REGISTRIES.datatype(datatype)
    for size in range(0, 2000, element.size_bytes):
        volume = volume_of(size, REGISTRIES.operation("alltoall"), n, element)
        assert 0 <= volume.moved_bytes - size < n * element.size_bytes
        assert volume.block_bytes % element.size_bytes == 0


def test_sizes_that_move_the_same_bytes_are_one_case_and_a_note() -> None:
    """At 512 ranks all of 1 to 512 bytes are one block each; the case carries the largest of them."""
    expansion = expand(
        Plan.from_values({"n": 512, "op": "alltoall", "sizes": "1..1Ki", "datatype": "byte"}), REGISTRIES
    )
    assert [(case.size_bytes, case.block_bytes) for case in expansion.cases] == [(512, 1), (1024, 2)]
    assert len(expansion.notes) == 1
    assert expansion.notes[0].startswith("alltoall at n=512: 1 B, 2 B, 4 B")
    assert expansion.notes[0].endswith("512 B all move 512 blocks of 1 B: measured once, as 512 B")


def test_a_rounded_size_is_noted() -> None:
    """64 B over 3 ranks moves 72 B; the case keeps both numbers."""
    expansion = expand(Plan.from_values({"n": 3, "op": "alltoall", "sizes": "64"}), REGISTRIES)
    assert expansion.notes == ("alltoall at n=3: 64 B is rounded up to 3 blocks of 24 B",)
    assert (expansion.cases[0].size_bytes, expansion.cases[0].moved_bytes) == (64, 72)


def test_an_operation_without_data_is_one_case() -> None:
    """A barrier has no size."""
    expansion = expand(Plan.from_values({"op": "barrier", "sizes": "8..64"}), REGISTRIES)
    assert [case.size_bytes for case in expansion.cases] == [0]
    assert expansion.notes == ("barrier at n=2: moves no data, so that it is one case for all sizes",)


def test_a_size_that_is_no_multiple_of_the_datatype_names_the_nearest() -> None:
    """Bytes and doubles are never mixed inside one sweep."""
    with pytest.raises(
        UsageError, match=r"size 100 B is not a multiple of datatype 'double' \(8 B\); nearest are 96 and 104"
    ):
        cases_of(sizes="100")


def test_block_sizes_are_multiplied_by_the_number_of_blocks() -> None:
    """`--size-is block` gives the sizes that OSU and IMB mean; a message stays as it is."""
    cases = cases_of(n="4", op="alltoall,bcast", sizes="8", size_is="block")
    assert [(case.operation.name, case.size_bytes, case.block_bytes) for case in cases] == [
        ("alltoall", 32, 8),
        ("bcast", 8, 8),
    ]


def test_cases_survive_campaign_json() -> None:
    """from_json takes what record gave; a wrong type is named."""
    case = cases_of()[5]
    assert Case.from_json(case.record()) == case
    with pytest.raises(TypeError, match="case 5: size_bytes is '8'"):
        Case.from_json({**case.record(), "size_bytes": "8"})


def test_methods_replace_the_product_of_what_they_name() -> None:
    """Each operation and size is measured by each method, and by nothing else; a wrong name is an error."""
    methods = [{"procsync": "window"}, {"procsync": "barrier(library)", "repetition": "fixed(10)"}]
    cases = cases_of(op="bcast,reduce", sizes="8,16", methods=methods)
    assert len(cases) == 2 * 2 * 2
    assert {(case.procsync.name, str(case.repetition).partition(",")[0]) for case in cases} == {
        ("window", "fixed(nrep=1000"),
        ("barrier", "fixed(nrep=10"),
    }
    with pytest.raises(UsageError, match="unknown scheme 'loup'"):
        cases_of(op="bcast", sizes="8", methods=[{"scheme": "loup"}])


def test_states_of_the_caches_are_a_factor() -> None:
    """Every case is measured with each cache mode, in full form; a plan that names one text has one."""
    plan = Plan.from_values({"op": "bcast", "sizes": "8,16", "cache": "warm,cold-memset(size=1Mi),cold-rotate"})
    cases = expand(plan, Registries.load()).cases
    assert [(case.size_bytes, str(case.cache)) for case in cases] == [
        (size, cache) for size in (8, 16) for cache in ("warm", "cold-memset(size=1Mi)", "cold-rotate(size=auto)")
    ]
    assert [str(case.cache) for case in expand(Plan.from_values({"op": "barrier"}), Registries.load()).cases] == [
        "warm"
    ]
    with pytest.raises(UsageError, match="known: warm, cold-memset, cold-rotate"):
        expand(Plan.from_values({"cache": "cold"}), Registries.load())
