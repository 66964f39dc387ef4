"""The rules that are known, how they are chosen, what they are called, and a user's own."""

from collections import Counter
from typing import Any

import pytest

from ictus.guidelines.catalogue import PAPER_LEFTS, catalogue, inapplicable, operations_of, select
from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Kind, Rule, Source, formula, short, side
from ictus.guidelines.user import user_rules
from ictus.model.availability import Availability
from ictus.model.call import BASIC
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.model.volume import n_blocks

REGISTRIES = Registries.load()
RULES = catalogue(REGISTRIES)

APPENDIX = """
GL3 MPI_Gather(n) <= MPI_Allgather(n)
GL4 MPI_Gather(n) <= MPI_Reduce(n)
GL5 MPI_Allgather(n) <= MPI_Alltoall(n)
GL6 MPI_Allgather(n) <= MPI_Allreduce(n)
GL7 MPI_Scatter(n) <= MPI_Bcast(n)
GL8 MPI_Reduce(n) <= MPI_Allreduce(n)
GL9 MPI_Reduce_scatter(n) <= MPI_Allreduce(n)
GL10 MPI_Bcast(n) <= MPI_Scatter(n) + MPI_Allgather(n)
GL11 MPI_Allgather(n) <= MPI_Gather(n) + MPI_Bcast(n)
GL12 MPI_Allreduce(n) <= MPI_Reduce(n) + MPI_Bcast(n)
GL13 MPI_Allreduce(n) <= MPI_Reduce_scatter_block(n) + MPI_Allgather(n)
GL14 MPI_Reduce(n) <= MPI_Reduce_scatter_block(n) + MPI_Gather(n)
GL15 MPI_Reduce_scatter_block(n) <= MPI_Reduce(n) + MPI_Scatter(n)
GL16 MPI_Scan(n) <= MPI_Exscan(n) + MPI_Reduce_local(n)
GL17 MPI_Reduce_scatter(n) <= MPI_Reduce(n) + MPI_Scatterv(n)
"""
"""Hunold et al. 2016, app. A, copied by hand."""


def test_the_patterns_are_those_of_the_paper() -> None:
    """Each mock-up of the registry under its number, in the order of the appendix."""
    patterns = [rule for rule in RULES if rule.source is Source.PAPER and rule.kind is Kind.PATTERN]
    assert APPENDIX.split("\n")[1:-1] == [f"{rule.name} {formula(rule, REGISTRIES)}" for rule in patterns]
    assert set(PAPER_LEFTS) == {rule.left.name for rule in patterns}


def test_monotony_and_split_robustness_of_the_nine_functions() -> None:
    """Or of those asked for, in full form."""
    first = RULES[:18]
    assert [(rule.name, rule.left.name) for rule in first] == [
        (name, op) for name in ("GL1", "GL2") for op in PAPER_LEFTS
    ]
    assert all(rule.left == rule.right for rule in first)
    asked = catalogue(REGISTRIES, ["MPI_Ibcast", "neighbor_alltoall"])
    assert [rule.left for rule in asked[:2]] == [Spec("ibcast"), REGISTRIES.check("operation", "neighbor_alltoall")]
    assert formula(asked[0], REGISTRIES) == "MPI_Ibcast(n) + MPI_Wait <= MPI_Ibcast(n+k) + MPI_Wait"
    assert formula(first[2], REGISTRIES) == "MPI_Bcast(n) <= MPI_Bcast(n+k)"
    assert formula(first[11], REGISTRIES) == "MPI_Bcast(n) <= k MPI_Bcast(n/k)"
    assert short(first[11], REGISTRIES) == "Bcast"


def test_operations_with_other_arguments_are_told_apart() -> None:
    """Two grids of one neighbourhood collective are two guidelines, with two names; defaults are not said."""
    two = ["neighbor_alltoall", "ineighbor_alltoall(topology=graph(degree=2))"]
    plain, graph, *_ = catalogue(REGISTRIES, two)
    assert short(plain, REGISTRIES) == "Neighbor_alltoall"
    assert short(graph, REGISTRIES) == "Ineighbor_alltoall[topology=graph(degree=2)] + Wait"
    named = "MPI_Ineighbor_alltoall[topology=graph(degree=2)]"
    assert formula(graph, REGISTRIES) == f"{named}(n) + MPI_Wait <= {named}(n+k) + MPI_Wait"


def further() -> dict[str, Rule]:
    return {rule.name: rule for rule in RULES if rule.source is Source.FURTHER}


def test_further_rows_are_named_after_their_sides() -> None:
    """One of each kind."""
    rows = further()
    assert Counter(rule.name for rule in rows.values()).most_common(1)[0][1] == 1
    texts = {name: formula(rows[name], REGISTRIES) for name in rows}
    assert texts["gatherv-gather"] == "MPI_Gatherv(n) <= MPI_Gather(n)"
    assert texts["gather-gatherv"] == "MPI_Gather(n) <= MPI_Gatherv(n)"
    assert texts["alltoall-alltoallv"] == "MPI_Alltoall(n) <= MPI_Alltoallv(n)"
    assert texts["ibcast-bcast"] == "MPI_Ibcast(n) + MPI_Wait <= MPI_Bcast(n)"
    assert texts["bcast_init-ibcast"] == "MPI_Start[MPI_Bcast_init](n) + MPI_Wait <= MPI_Ibcast(n) + MPI_Wait"
    assert texts["barrier-allreduce"] == "MPI_Barrier <= MPI_Allreduce"
    assert texts["reduce-reduce_scatter_and_gatherv"] == "MPI_Reduce(n) <= MPI_Reduce_scatter(n) + MPI_Gatherv(n)"
    layout = rows["vector-pack"].layout
    assert layout == REGISTRIES.check("layout", "vector")
    assert texts["vector-pack"] == f"pingpong(n) <= pingpong_as_packed(n) of {layout}"
    assert {rule.layout for name, rule in rows.items() if name != "vector-pack"} == {BASIC}
    assert texts["neighbor_alltoall-sparse_alltoall"] == "MPI_Neighbor_alltoall(n) <= sparse_alltoall(n)"


def test_every_form_of_every_collective_is_compared() -> None:
    """As many rows as the registry has nonblocking and persistent collectives."""
    forms = Counter(member.form for member in REGISTRIES.family("operation").members)
    rows = further().values()
    for form in ("nonblocking", "persistent"):
        sides = [rule for rule in rows if REGISTRIES.operation(rule.left).form == form]
        assert len(sides) == forms[form] > 0
        for rule in sides:
            assert REGISTRIES.operation(rule.left).collective == REGISTRIES.operation(rule.right).collective


def test_both_sides_of_a_rule_share_one_volume() -> None:
    """Same meaning of n, same number of blocks: else the comparison would be of different work."""
    for rule in RULES:
        left, right = rule.left, rule.right
        assert REGISTRIES.operation(left.name).volume == REGISTRIES.operation(right.name).volume, rule
        if REGISTRIES.operation(left.name).volume == "blocks":
            assert n_blocks(left, 6) == n_blocks(right, 6), rule


def test_operations_are_in_full_form() -> None:
    """So that they are found among a campaign's cases."""
    for rule in RULES:
        for side_ in (rule.left, rule.right):
            assert REGISTRIES.check("operation", side_) == side_


@pytest.mark.parametrize(
    ("words", "count"),
    [(["paper"], 33), (["GL3", "gl7"], 2), (["GL1"], 9), (["ibcast-*"], 1), (["GL1*"], 9 + 8), (["all"], len(RULES))],
)
def test_groups_names_and_patterns_choose(words: list[str], count: int) -> None:
    """In the catalogue's order, each once: GL1* is GL1 of nine functions and GL10 to GL17."""
    found = select(RULES, words)
    assert len(found) == count
    assert list(found) == [rule for rule in RULES if rule in found]
    assert select(RULES, [*words, *words]) == found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["GL18"],
            "unknown guideline 'GL18'.*did you mean.*known: paper, further, datatypes, user, all, GL1, .*and \\d+ more",
        ),
        (["paper", "ibcst-bcast"], "unknown guideline 'ibcst-bcast'.*did you mean 'ibcast-bcast'"),
        (["user"], "user: no file of guidelines was given; name one by --user FILE"),
        ([], "there is no word; allowed are paper"),
    ],
)
def test_words_that_choose_nothing_are_errors(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        select(RULES, words)


def test_what_a_library_lacks_is_not_applicable() -> None:
    """In that library, for every rule that calls it, with the reason."""
    lacks = [Availability("bcast_init", available=False, large_counts=False, reason="mpi.h is of MPI 3.1")]
    has = [Availability("bcast_init", available=True, large_counts=True, reason="")]
    found = inapplicable(RULES, {"first": lacks, "second": has}, REGISTRIES)
    assert [(one.rule.name, one.library, one.reason) for one in found] == [
        ("bcast_init-ibcast", "first", "first lacks bcast_init: mpi.h is of MPI 3.1")
    ]


def read(*tables: Any, **more: Any) -> tuple[Rule, ...]:
    return user_rules({"guideline": list(tables), **more}, REGISTRIES, RULES, "mine.toml")


def test_a_user_names_two_operations() -> None:
    """In MPI's spelling or ours; both in full form."""
    (rule,) = read({"name": "mine", "left": "MPI_Allgather", "right": "neighbor_alltoall", "layout": "vector(4,8)"})
    assert rule == Rule(
        "mine", Kind.PATTERN, Source.USER, Spec("allgather"), REGISTRIES.check("operation", "neighbor_alltoall"),
        REGISTRIES.check("layout", "vector(4,8)"),
    )  # fmt: skip
    assert select((*RULES, rule), ["user"]) == (rule,)
    assert operations_of(rule, REGISTRIES) == ("allgather", "neighbor_alltoall")


def test_a_users_list_is_a_sequence() -> None:
    """Each of them is called, and of the same volume; one alone is that operation itself."""
    sequence, alone = read(
        {"name": "by-hand", "left": "allgather", "right": ["gather", "MPI_Bcast"]},
        {"name": "alone", "left": "allgather", "right": ["alltoall"]},
    )
    assert sequence.right == REGISTRIES.check("operation", "sequence(gather,bcast)")
    assert operations_of(sequence, REGISTRIES) == ("allgather", "gather", "bcast")
    assert formula(sequence, REGISTRIES) == "MPI_Allgather(n) <= MPI_Gather(n) + MPI_Bcast(n)"
    assert alone.right == Spec("alltoall")


def test_calls_in_a_row_are_named_as_the_core_names_them() -> None:
    """So that a confirmation is found among the cases of its campaign."""
    for operation in (*map(Spec, PAPER_LEFTS), REGISTRIES.check("operation", "neighbor_alltoall")):
        assert repeated(operation, 3) == REGISTRIES.check("operation", f"repeated({operation},3)")
    assert side(repeated(Spec("bcast"), 3), REGISTRIES) == "3 MPI_Bcast"
    assert side(REGISTRIES.check("operation", "pingpong"), REGISTRIES) == "pingpong"
    with pytest.raises(UsageError, match="1 calls of bcast in a row: at least 2"):
        repeated(Spec("bcast"), 1)


def test_what_a_sequence_calls_may_be_lacking() -> None:
    """The rule does not apply for the sake of one call inside of it."""
    (rule,) = read({"name": "mine", "left": "bcast", "right": ["scatter", "allgather_init"]})
    lacks = [Availability("allgather_init", available=False, large_counts=False, reason="of MPI 4.0")]
    assert [one.reason for one in inapplicable([rule], {"x": lacks}, REGISTRIES)] == [
        "x lacks allgather_init: of MPI 4.0"
    ]


GOOD = {"name": "mine", "left": "allgather", "right": "alltoall"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "GL3"}, "name = 'GL3': must be lower-case"),
        ({"name": "gl3"}, "name = 'gl3': is taken"),
        ({"name": "paper"}, "name = 'paper': is taken"),
        ({"name": "ibcast-bcast"}, "name = 'ibcast-bcast': is taken"),
        ({"name": 3}, "name = 3: must be a text"),
        ({"left": "algather"}, "left = 'algather': unknown operation 'algather', did you mean 'allgather'"),
        ({"left": ["allgather"]}, r"left = \['allgather'\]: must be a text"),
        ({"right": "allgather"}, "right = 'allgather': is the left side itself"),
        ({"right": []}, r"right = \[\]: must be an operation, or a list of operations"),
        ({"right": ["gather", 1]}, r"right = \['gather', 1\]: must be an operation, or a list of operations"),
        ({"right": ["gather", "bcst"]}, "right = 'bcst': unknown operation 'bcst'"),
        ({"right": 7}, "right = 7: must be an operation, or a list of operations"),
        ({"left": "barrier"}, "right = 'alltoall': alltoall has sizes and barrier moves nothing"),
        ({"right": ["barrier", "barrier"]}, "allgather has sizes and sequence.* moves nothing"),
        ({"layout": "vektor"}, "layout = 'vektor': unknown layout 'vektor'"),
        ({"lef": "allgather"}, "unknown field 'lef'; allowed are name, left, right, layout"),
    ],
)
def test_user_errors_name_file_field_and_value(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=rf"^mine\.toml, guideline 1.*{message}"):
        read({**GOOD, **change})


@pytest.mark.parametrize("field", ["name", "left", "right"])
def test_user_fields_that_are_missing_are_named(field: str) -> None:
    with pytest.raises(UsageError, match=f"mine.toml, guideline 1: there is no '{field}'"):
        read({key: value for key, value in GOOD.items() if key != field})


def test_user_files_of_another_shape_are_refused() -> None:
    """Nothing in it, another key, no table, the same name twice."""
    with pytest.raises(UsageError, match=r"mine\.toml: there is no guideline; .*name, left, right, layout"):
        user_rules({}, REGISTRIES, RULES, "mine.toml")
    with pytest.raises(UsageError, match=r"mine\.toml: unknown key 'guidelines'"):
        read(GOOD, guidelines=[])
    with pytest.raises(UsageError, match="guideline 1: 'mine' is not a table"):
        read("mine")
    with pytest.raises(UsageError, match="guideline 2, name = 'mine': is taken"):
        read(GOOD, GOOD)
