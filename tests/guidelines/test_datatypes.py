"""Guidelines of derived datatypes: which there are, that both sides move the same elements, and at which sizes."""

from math import lcm

import pytest

from ictus.guidelines.catalogue import catalogue, select
from ictus.guidelines.check.plans import measured_plan
from ictus.guidelines.rule import Kind, Rule, Source, formula, short
from ictus.guidelines.user import user_rules
from ictus.model.call import BASIC, elements_of
from ictus.model.case import expand
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries

REGISTRIES = Registries.load()
RULES = select(catalogue(REGISTRIES), ["datatypes"])
NAMES = [rule.name for rule in RULES]


def named(name: str) -> Rule:
    return RULES[NAMES.index(name)]


def test_they_say_what_they_compare() -> None:
    """One of each kind, by its formula and in a table."""
    layout = "vector(blocklength=2,stride=4,blocks=8)"
    assert (
        formula(named("vector-indexed"), REGISTRIES)
        == f"pingpong(n) of {layout} <= pingpong(n) of flattened(layout={layout})"
    )
    assert formula(named("nas_mg_x-pack"), REGISTRIES) == "pingpong(n) <= pingpong_as_packed(n) of nas_mg_x(length=8)"
    assert formula(named("normalised-wrf"), REGISTRIES) == "pingpong(n) of normalised(layout=wrf) <= pingpong(n) of wrf"
    assert named("contiguous-basic").right_layout == BASIC
    assert short(named("hindexed-struct"), REGISTRIES) == "hindexed <= struct"


def test_every_layout_is_compared() -> None:
    """All of the family stand on a left side, but for the one that is no derived datatype; a new one needs a line."""
    lefts = {rule.layout.name for rule in catalogue(REGISTRIES) if rule.layout != BASIC}
    assert lefts == {member.name for member in REGISTRIES.family("layout").members} - {"basic", "flattened"}
    assert len(set(NAMES)) == len(NAMES)
    assert all((rule.kind, rule.source) == (Kind.PATTERN, Source.DATATYPES) for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_both_sides_move_the_same_elements_in_other_datatypes(rule: Rule) -> None:
    """Units of one number of elements, except that those of basic are single ones; and never the same call twice."""
    units = {elements_of(rule.layout), elements_of(rule.right_layout)}
    assert len(units) == 1 or rule.right_layout == BASIC
    assert rule.sides[0] != rule.sides[1]


def test_sizes_are_rounded_up_to_whole_units_of_both_sides() -> None:
    """Of the elements' bytes; sizes that become one are measured once; a rule without layouts keeps its own."""
    rules = (named("milc_zdown-normalised"), named("contiguous-basic"), *select(catalogue(REGISTRIES), ["GL8"]))
    plan = Plan.from_values({"sizes": "8,16,4000", "n": 2, "datatype": "int", "nrep": 5})
    cases = expand(measured_plan(plan, rules), REGISTRIES).cases
    sizes = {(case.operation.name, case.layout.name): set[int]() for case in cases}
    for case in cases:
        sizes[case.operation.name, case.layout.name].add(case.size_bytes)
    milc = elements_of(named("milc_zdown-normalised").layout) * 4
    assert milc == 6 * 4 * 4 * 4 * 4
    assert sizes["pingpong", "milc_zdown"] == sizes["pingpong", "normalised"] == {milc, 3 * milc}
    assert sizes["pingpong", "contiguous"] == sizes["pingpong", "basic"] == {32, 4000}
    assert sizes["reduce", "basic"] == {8, 16, 4000}
    assert lcm(8, 1) * 4 == 32


ELEMENTS = {
    "indexed_block(3,2)": 6,
    "nested_vector(2,4,3,5,100)": 30,
    "hindexed(4)": 10,
    "struct(5)": 15,
    "subarray(3,4)": 64,
    "flattened(subarray(3,4),by=struct)": 64,
    "normalised(normalised(indexed(3)))": 6,
    "milc_zdown(4,6,8,10)": 6 * 24 // 2 * 10 * 2,
    "nas_lu_x(7)": 35,
    "nas_lu_y(7)": 35,
    "nas_mg_x(7)": 49,
    "nas_mg_y(7)": 49,
    "nas_mg_z(7)": 49,
    "wrf(x,10,5,3,2)": 30 * 4 + 150 * 3 + 150 * 2 * 2,
    "lammps_full(10)": 10 * (3 + 5),
    "lammps_atomic(10)": 10 * (3 + 3),
    "specfem_oc(10)": 10,
    "specfem_cm(10,4)": 3 * 14,
    "specfem_mt(3,4,5)": 15,
}
"""Of a unit, by the description of each."""


def test_units_have_the_elements_of_their_description() -> None:
    """Counted by hand."""
    assert {text: elements_of(REGISTRIES.check("layout", text)) for text in ELEMENTS} == ELEMENTS


def test_a_users_guideline_may_have_a_layout_on_each_side() -> None:
    """The right one is the left one unless another is given; the same call on both sides is refused."""
    table = {"name": "mine", "left": "bcast", "right": "bcast", "layout": "wrf", "right_layout": "normalised(wrf)"}
    (rule,) = user_rules({"guideline": [table]}, REGISTRIES, (), "f.toml")
    assert rule.sides == ((rule.left, rule.layout), (rule.left, REGISTRIES.check("layout", "normalised(wrf)")))
    with pytest.raises(UsageError, match="right = 'bcast': is the left side itself"):
        user_rules({"guideline": [{**table, "right_layout": "wrf"}]}, REGISTRIES, (), "f.toml")
    with pytest.raises(UsageError, match="right_layout = 'wrv': unknown layout 'wrv'"):
        user_rules({"guideline": [{**table, "right_layout": "wrv"}]}, REGISTRIES, (), "f.toml")
