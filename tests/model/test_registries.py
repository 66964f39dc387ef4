"""Names and parameters against the registries that the core describes."""

import json
from typing import Any

import pytest

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.unknown import unknown

COUNT = {"type": "count", "default": "100", "help": "", "minimum": 1, "maximum": 1000}


def described() -> dict[str, Any]:
    """A small world of families: `tree` nests `leaf` twice, and `forest` nests `tree`."""

    def member(name: str, *parameters: dict[str, Any]) -> dict[str, Any]:
        return {"name": name, "summary": "", "source": "", "parameters": list(parameters)}

    def nested(name: str, family: str, default: str) -> dict[str, Any]:
        return {"name": name, "type": "member", "family": family, "default": default, "help": ""}

    return {
        "format": 1,
        "families": [
            {
                "family": "leaf",
                "summary": "",
                "members": [
                    member("green", {"name": "size", **COUNT}),
                    member(
                        "brown",
                        {"name": "age", "type": "duration", "default": "0.1s", "help": ""},
                        {"name": "size", **COUNT},
                    ),
                    member("bare"),
                    member(
                        "hedge",
                        {"name": "posts", "type": "list", "default": "at(1),at(-1)", "help": ""},
                        {"name": "size", **COUNT},
                    ),
                ],
            },
            {
                "family": "tree",
                "summary": "",
                "members": [
                    member("oak", nested("crown", "leaf", "brown(size=7)"), nested("floor", "leaf", "bare")),
                    member(
                        "fir",
                        {"name": "lean", "type": "rate", "default": "auto", "auto": True, "help": "", "minimum": 0},
                        {"name": "room", "type": "size", "default": "64Ki", "help": ""},
                        {
                            "name": "shade",
                            "type": "choice",
                            "choices": ["deep", "light"],
                            "default": "deep",
                            "help": "",
                        },
                        {"name": "ever", "type": "flag", "default": "on", "help": ""},
                        {"name": "girth", "type": "real", "default": "1.50", "help": "", "maximum": 2},
                    ),
                ],
            },
            {"family": "forest", "summary": "", "members": [member("wood", nested("tree", "tree", "oak"))]},
            {
                "family": "operation",
                "summary": "",
                "members": [
                    {
                        **member("reduce_scatter"),
                        "mpi_name": "MPI_Reduce_scatter",
                        "volume": "blocks",
                        "rooted": False,
                        "reduces": True,
                    }
                ],
            },
        ],
        "options": {"launch": [{"name": "seed", **COUNT}], "case": []},
        "datatypes": [{"name": "double", "mpi": "MPI_DOUBLE", "size_bytes": 8, "operators": ["sum", "max"]}],
    }


REGISTRIES = Registries.parse(json.dumps(described()))


@pytest.mark.parametrize(
    ("family", "text", "full"),
    [
        ("leaf", "green", "green(size=100)"),
        ("leaf", "brown(2s,5)", "brown(age=2s,size=5)"),
        ("leaf", "brown(0.0015)", "brown(age=1.5ms,size=100)"),
        ("leaf", "hedge", "hedge(at(1),at(-1),size=100)"),
        ("leaf", "hedge(at(1, 0),7,size=3)", "hedge(at(1,0),7,size=3)"),
        ("leaf", "hedge(at(1, 0),7,size=100)", "hedge(at(1,0),7,size=100)"),
        ("tree", "oak", "oak(crown=brown(age=100ms,size=7),floor=bare)"),
        ("tree", "fir", "fir(lean=auto,room=64Ki,shade=deep,ever=on,girth=1.5)"),
        ("tree", "fir(0.5,1Mi,light,off,2)", "fir(lean=500000ppm,room=1Mi,shade=light,ever=off,girth=2)"),
        ("operation", "MPI_REDUCE_SCATTER", "reduce_scatter"),
    ],
)
def test_the_full_form_names_every_parameter(family: str, text: str, full: str) -> None:
    """Defaults are filled in, and each value has one spelling."""
    assert str(REGISTRIES.check(family, text)) == full


@pytest.mark.parametrize(
    ("family", "text", "full"),
    [
        ("tree", "oak(age=1s)", "oak(crown=brown(age=1s,size=7),floor=bare)"),
        ("tree", "oak(size=9)", "oak(crown=brown(age=100ms,size=9),floor=bare)"),
        ("tree", "oak(crown=bare,floor=green,size=9)", "oak(crown=bare,floor=green(size=9))"),
        ("forest", "wood(age=1s)", "wood(tree=oak(crown=brown(age=1s,size=7),floor=bare))"),
        ("forest", "wood(floor=green(3))", "wood(tree=oak(crown=brown(age=100ms,size=7),floor=green(size=3)))"),
    ],
)
def test_a_foreign_key_is_handed_to_the_one_nested_member_that_has_it(family: str, text: str, full: str) -> None:
    """At any depth, and over the arguments of a default."""
    assert str(REGISTRIES.check(family, text)) == full


@pytest.mark.parametrize(
    ("family", "text", "message"),
    [
        ("tree", "elm", "unknown tree 'elm'; known: oak, fir"),
        ("tree", "oka", "unknown tree 'oka', did you mean 'oak'? known: oak, fir"),
        ("leaf", "green(sise=3)", "unknown parameter 'sise' of leaf 'green', did you mean 'size'? known: size"),
        ("tree", "oak(agee=3)", "did you mean 'age'? known: crown, floor, age, size"),
        ("tree", "oak(floor=green,size=3)", "'size' could be meant for crown or floor; write crown=brown(size=...)"),
        ("tree", "oak(crown=brown(size=2),size=3)", "'size' is given twice"),
        ("leaf", "green(1,size=3)", "'size' is given twice"),
        ("leaf", "green(1,2)", "green takes 1 arguments (size)"),
        ("leaf", "green(0)", "green(size=0): allowed is 1 to 1000"),
        ("leaf", "green(1001)", "green(size=1001): allowed is 1 to 1000"),
        ("leaf", "green(1.5)", "green(size=1.5): expected a whole number"),
        ("leaf", "green(many)", "green(size=many): expected a whole number"),
        ("leaf", "hedge(posts=3)", "the values of 'posts' are written without it: hedge(at(1),at(-1))"),
        ("leaf", "brown(5ppm)", "brown(age=5ppm): expected a time such as 100us"),
        ("tree", "fir(-1ppm)", "fir(lean=-1ppm): allowed is 0 or more"),
        ("tree", "fir(girth=3)", "fir(girth=3): allowed is at most 2"),
        ("tree", "fir(shade=pale)", "fir(shade=pale): expected one of deep, light"),
        ("tree", "fir(ever=yes)", "fir(ever=yes): expected one of on, off"),
        ("tree", "oak(crown=3)", "'crown=3': expected a member of family leaf"),
        ("lawn", "x", "unknown family 'lawn'; known: leaf, tree, forest, operation"),
    ],
)
def test_an_error_names_what_was_given_and_what_is_known(family: str, text: str, message: str) -> None:
    """Nobody has to look a name up in the sources."""
    with pytest.raises(UsageError) as caught:
        REGISTRIES.check(family, text)
    assert message in str(caught.value)


def test_the_full_form_is_its_own_full_form() -> None:
    """Checking twice changes nothing, for every member that is shipped."""
    registries = Registries.load()
    named = {"sequence": "sequence(gather,bcast)"}  # it has no default
    for family in registries.families.values():
        for member in family.members:
            text = named.get(member.name, member.name)
            full = registries.check(family.name, text)
            assert registries.check(family.name, full) == full
            assert str(registries.brief(family.name, full)) == text


def test_the_brief_form_keeps_what_differs_from_the_defaults() -> None:
    """Tables show `oak(crown=brown(size=9))`, not the whole tree, and it means the same."""
    brief = REGISTRIES.brief("forest", "wood(size=9,age=0.1)")
    assert str(brief) == "wood(tree=oak(crown=brown(size=9)))"
    assert str(REGISTRIES.brief("leaf", "hedge(at(1),at(-1),size=9)")) == "hedge(size=9)"
    assert str(REGISTRIES.brief("leaf", "hedge(at(2))")) == "hedge(at(2))"
    assert REGISTRIES.short("leaf", "hedge(at(2),3,size=4)") == "hedge(at(2),3,size=4)"
    assert REGISTRIES.check("forest", brief) == REGISTRIES.check("forest", "wood(size=9)")


@pytest.mark.parametrize(
    "name", ["reduce-scatter", "reduce_scatter", "MPI_Reduce_scatter", "mpi_reduce_scatter", "REDUCE_SCATTER"]
)
def test_operations_are_known_by_mpi_s_names_too(name: str) -> None:
    """Whoever thinks in MPI's names may type them."""
    assert REGISTRIES.operation(name).mpi_name == "MPI_Reduce_scatter"


def test_unknown_datatypes_and_operations_list_the_known_ones() -> None:
    """As every other name."""
    with pytest.raises(UsageError, match="unknown datatype 'float'; known: double"):
        REGISTRIES.datatype("float")
    with pytest.raises(UsageError, match="unknown operation 'reduce', did you mean 'reduce_scatter'"):
        REGISTRIES.operation("MPI_Reduce")


def test_a_description_of_another_format_is_refused() -> None:
    """A newer core and an older package say so instead of guessing."""
    with pytest.raises(UsageError, match="format 2"):
        Registries.parse(json.dumps({**described(), "format": 2}))
    with pytest.raises(UsageError, match="families"):
        Registries.parse('{"format": 1}')


def test_every_blocking_operation_is_shipped() -> None:
    """With what their sizes mean."""
    operations = Registries.load().family("operation").members
    mockups = [member for member in operations if member.mockup_of]
    operations = tuple(member for member in operations if not member.mockup_of)
    volumes = {member.name: member.volume for member in operations if member.form == "blocking"}
    single = {"pingpong", "pingpong_ssend", "pingpong_bsend", "pingpong_persistent", "sendrecv_ring"}
    single |= {"put", "get", "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap"}
    messages = {"bcast", "reduce", "allreduce", "scan", "exscan", "reduce_local", *single}
    varied = {"gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw", "reduce_scatter"}
    neighbours_varied = {f"neighbor_{name}" for name in ("allgatherv", "alltoallv", "alltoallw")}
    neighbourhood = {f"neighbor_{name}" for name in ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")}
    several = {"exchange", "bandwidth", "bibandwidth", "sparse_alltoall", "sparse_allgather", *neighbourhood}
    blocks = {"gather", "scatter", "allgather", "alltoall", "reduce_scatter_block", *varied, *several}
    assert {name for name, volume in volumes.items() if volume == "message"} == messages
    assert {name for name, volume in volumes.items() if volume == "blocks"} == blocks
    assert {member.name for member in operations if member.varied and member.form == "blocking"} == (
        varied | neighbours_varied
    )
    assert {name for name, volume in volumes.items() if volume == "none"} == {"barrier", "empty"}
    assert {name for name, volume in volumes.items() if volume == "nested"} == {"repeated", "sequence"}
    numbered = [one.guideline for one in mockups if one.guideline != "vector-pack"]
    assert sorted(int(guideline[2:]) for guideline in numbered if guideline) == list(range(3, 18))
    for mockup in mockups:
        assert mockup.volume == volumes[mockup.mockup_of], mockup.name
        assert mockup.name.startswith(f"{mockup.mockup_of}_as_")


def test_of_many_names_the_first_are_listed() -> None:
    """A hundred operations would say nothing: the nearest is named, and where all of them are."""
    few, many = [f"name{i}" for i in range(40)], [f"name{i}" for i in range(41)]
    assert "name39" in str(unknown("thing 'x'", "x", few))
    said = str(unknown("thing 'name400'", "name400", many, "`ictus list thing`"))
    assert "did you mean 'name40'?" in said
    assert said.endswith(
        "name0, name1, name2, name3, name4, name5, name6, name7 and 33 more (`ictus list thing` has all)"
    )
