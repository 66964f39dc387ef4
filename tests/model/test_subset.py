"""Subsets: a campaign whose cases are no full product is a union of products, each case once."""

import json

import pytest

from ictus.model.call import BASIC, elements_of
from ictus.model.case import Case, expand
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries

REGISTRIES = Registries.load()
GATHERED = {"op": "gather,allgather", "sizes": "8,64"}
MORE = {"op": "gather", "sizes": "64,512"}
SPREAD = {"op": "bcast", "sizes": "512", "layout": "vector(blocklength=2,stride=4)"}


def plan_of(*subsets: object, **values: object) -> Plan:
    """A plan of subsets."""
    return Plan.from_values({"subset": list(subsets), "datatype": "byte", **values})


def test_cases_are_the_union_of_the_subsets_each_once() -> None:
    """What two subsets share is one case; they are numbered from 0 in order; a layout is told apart."""
    cases = expand(plan_of(GATHERED, MORE, SPREAD, n="2,3"), REGISTRIES).cases
    assert [case.case_id for case in cases] == list(range(2 * 6))
    assert [(case.operation.name, case.size_bytes) for case in cases if case.n == 3] == [
        ("gather", 8), ("gather", 64), ("allgather", 8), ("allgather", 64), ("gather", 512), ("bcast", 512),
    ]  # fmt: skip
    assert {str(case.layout) for case in cases if case.operation.name != "bcast"} == {"basic"}
    assert {str(case.layout) for case in cases if case.operation.name == "bcast"} == {
        "vector(blocklength=2,stride=4,blocks=1)"
    }


def test_a_plan_of_subsets_says_what_all_of_them_have_and_is_read_back() -> None:
    """Operations and sizes are those of all; through JSON and back it is the same plan and stands for the same."""
    plan = plan_of(GATHERED, MORE, SPREAD).checked(REGISTRIES)
    assert tuple(map(str, plan.operations)) == ("gather", "allgather", "bcast")
    assert plan.sizes == (8, 64, 512)
    again = Plan.from_values(json.loads(json.dumps(plan.values())))
    assert again.differences(plan) == ()
    assert again.checked(REGISTRIES) == plan
    other = plan_of(GATHERED, SPREAD).checked(REGISTRIES)
    assert plan.differences(other)[-1] == "subset: 3 subsets of 7 cases there, 2 subsets of 5 cases"


@pytest.mark.parametrize(("key", "value"), [("op", "reduce"), ("sizes", "16")])
def test_nothing_is_given_beside_subsets_that_they_decide(key: str, value: str) -> None:
    """The error names the option and its value."""
    with pytest.raises(UsageError, match=f"{key} = {value} is given too, which subsets name"):
        plan_of(GATHERED, **{key: value})


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ("vektor", "did you mean 'vector'"),
        ("vector(stride=x)", "expected a whole number"),
        (
            "vector(blocklength=3,stride=4)",
            "is not a multiple of a unit of 3 'byte' [(]3 B[)]; nearest are 510 and 513",
        ),
    ],
)
def test_a_layout_that_cannot_be_is_refused(layout: str, message: str) -> None:
    """Unknown, no number, or of units of which the sizes are not multiples."""
    with pytest.raises(UsageError, match=message):
        expand(plan_of({**SPREAD, "layout": layout}), REGISTRIES)


@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_a_unit_has_the_elements_of_all_its_runs(blocks: int) -> None:
    """Counted run by run: contiguous, equal runs, and runs of 1, 2, 3, ... elements."""
    runs = {
        f"contiguous(elements={blocks})": [blocks],
        f"vector(blocklength=3,stride=4,blocks={blocks})": [3] * blocks,
        f"indexed(blocks={blocks},gap=2)": list(range(1, blocks + 1)),
        "basic": [1],
    }
    for text, lengths in runs.items():
        assert elements_of(REGISTRIES.check("layout", text)) == sum(lengths)


def test_cases_of_earlier_versions_have_the_basic_layout() -> None:
    """Files from before there were layouts are read."""
    values = expand(plan_of(GATHERED), REGISTRIES).cases[0].record()
    old = {key: value for key, value in values.items() if key != "layout"}
    assert Case.from_json(old).layout == BASIC
