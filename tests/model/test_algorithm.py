"""Libraries' own algorithms: the grammar, the crossing, and errors that say what is allowed."""

import pytest

from ictus.model.algorithm import (
    Algorithm,
    Setting,
    choices,
    known_requests,
    parse_request,
    requests_of,
    variant_name,
    variants_of,
)
from ictus.model.errors import UsageError
from ictus.model.plan import Plan

OFFERS = {
    "a": {"allreduce": (Algorithm("ring", 4), Algorithm("linear", 1)), "barrier": (Algorithm("tree", 6),)},
    "b": {"allreduce": (Algorithm("ring", 8),)},
}


def test_a_request_is_an_operation_with_names_in_any_spelling() -> None:
    """MPI's spelling and ours are one; a name said twice is one; a label narrows it to one library."""
    assert str(parse_request("MPI_Reduce_scatter=ring,ring,default")) == "reduce_scatter=ring,default"
    assert str(parse_request(" a:allreduce=ring ")) == "a:allreduce=ring"
    assert parse_request("in-order=x".replace("in-order", "reduce")).label is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("allreduce", "algorithm 'allreduce': expected OPERATION=NAME,... as in 'allreduce=ring,default'"),
        ("allreduce=", "expected OPERATION=NAME"),
        ("alreduce=ring", "unknown operation 'alreduce' of algorithm 'alreduce=ring', did you mean 'allreduce'?"),
        ("allreduce=ri(ng)", "'ri(ng)' is not a name; `ictus list algorithms -m LIBRARY` has them"),
    ],
)
def test_what_is_no_request_is_said_so(text: str, message: str) -> None:
    """The message has the text, and what was expected instead."""
    with pytest.raises(UsageError) as error:
        parse_request(text)
    assert message in str(error.value)


def test_one_operation_is_asked_for_once_in_a_library() -> None:
    """Two lists for one operation of one library are a mistake; two libraries may have one each."""
    assert len(requests_of(["a:allreduce=ring", "b:allreduce=ring"])) == 2
    with pytest.raises(UsageError, match="allreduce is in 'allreduce=ring' already"):
        requests_of(["allreduce=ring", "b:allreduce=linear"])


def test_requests_are_crossed_in_the_order_asked_for() -> None:
    """Two operations with two names each are four variants; what is not forced is not in their names."""
    forced = choices(requests_of(["allreduce=ring,default", "a:barrier=tree,default"]), "a")
    assert [variant_name(one) for one in forced] == [
        "allreduce=ring,barrier=tree",
        "allreduce=ring",
        "barrier=tree",
        "default",
    ]
    assert [variant_name(one) for one in choices(requests_of(["a:barrier=tree"]), "b")] == ["default"]


def test_a_number_is_the_algorithm_of_that_number() -> None:
    """In one library; in two, where it means different ones, it is refused."""
    assert str(known_requests(requests_of(["a:allreduce=4,1"]), OFFERS)[0]) == "a:allreduce=ring,linear"
    with pytest.raises(UsageError, match="unknown algorithm '4' for allreduce in b"):
        known_requests(requests_of(["allreduce=4"]), OFFERS)
    swapped = {"a": {"scan": (Algorithm("x", 1),)}, "b": {"scan": (Algorithm("y", 1),)}}
    with pytest.raises(UsageError, match="its numbers mean other algorithms in every library; give names"):
        known_requests(requests_of(["scan=1"]), swapped)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a:allreduce=rong",
            "unknown algorithm 'rong' for allreduce in a, did you mean 'ring'? known: default, ring, line",
        ),
        ("barrier=tree", "algorithm 'barrier=tree': b offers no choice for barrier; it does for allreduce"),
        ("c:allreduce=ring", "unknown library 'c' of algorithm 'c:allreduce=ring'; known: a, b"),
    ],
)
def test_what_a_library_does_not_offer_is_refused(text: str, message: str) -> None:
    """With the library, the name, and what there is."""
    with pytest.raises(UsageError) as error:
        known_requests(requests_of([text]), OFFERS)
    assert message in str(error.value)


def test_variants_carry_what_the_flavour_says() -> None:
    """Each library is told in its own words; the library's own choice is told nothing."""
    uses = dict.fromkeys("ab", lambda forced: Setting({op: str(one.number) for op, one in forced.items()}))
    found = variants_of(requests_of(["allreduce=ring,default"]), OFFERS, uses)
    assert [(one.name, dict(one.setting.environment)) for one in found["a"]] == [
        ("allreduce=ring", {"allreduce": "4"}),
        ("default", {}),
    ]
    assert found["b"][0].record() == {
        "name": "allreduce=ring",
        "environment": {"allreduce": "8"},
        "options": [],
        "control_variables": {},
        "factors": {},
    }


def test_a_plan_keeps_algorithms_in_one_spelling() -> None:
    """From TOML or the command line, one text or several; what is wrong is an error of the field."""
    plan = Plan.from_values({"algorithm": "MPI_Allreduce=ring"})
    assert plan.values()["algorithm"] == ["allreduce=ring"]
    assert Plan.from_values(plan.values()) == plan
    with pytest.raises(UsageError, match="algorithm='nothing'"):
        Plan.from_values({"algorithm": "nothing"})


def test_a_setting_over_another_keeps_its_evidence_unless_it_replaces_it() -> None:
    """What the library must say of the lower one still counts, but for a lower one whose variable is another now."""
    lower = Setting({"RULES": "a"}, ("-x",), {"rules": "a"}, ("read a",), ("cannot read",), ("took another",))
    upper = Setting({"EAGER": "1"}, ("-y",), {"eager": "1"}, ("eager is 1",), ("cannot read",))
    both = lower.overlaid(upper)
    assert both.environment == {"RULES": "a", "EAGER": "1"}
    assert (both.options, both.expected) == (("-x", "-y"), {"rules": "a", "eager": "1"})
    assert both.confirmed == ("read a", "eager is 1")
    assert (both.refusals, both.fallbacks) == (("cannot read",), ("took another",))
    replaced = lower.overlaid(Setting({"RULES": "b"}, expected={"rules": "b"}, confirmed=("read b",)))
    assert (replaced.environment, replaced.expected) == ({"RULES": "b"}, {"rules": "b"})
    assert (replaced.confirmed, replaced.refusals, replaced.fallbacks) == (("read b",), (), ())
