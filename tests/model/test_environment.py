"""Variables of the environment and the heap with several values: how they are written, crossed and named."""

import pytest

from ictus.model.algorithm import Setting, Variant
from ictus.model.environment import checked_values, common
from ictus.model.errors import OptionError, UsageError
from ictus.model.launch_factor import in_setting, is_launch_factor, names_a_setting, setting_name, settings_of
from ictus.model.plan import Plan


def test_several_values_are_crossed_and_single_ones_are_common() -> None:
    """In the order given; a value that is repeated is one value; commas are part of a value."""
    plan = Plan.from_values({"env": {"A": ["1", "2"], "B": "self,sm", "C": ["x", "x"], "D": ["unset", "y"]}})
    assert common(plan.environment) == {"B": "self,sm", "C": "x"}
    assert settings_of(plan) == tuple({"env.A": a, "env.D": d} for a in "12" for d in ("unset", "y"))
    assert settings_of(Plan.from_values({"env": {"B": "x"}})) == ({},)
    assert Plan.from_values(plan.values()) == plan, "campaign.json has all of it"


def test_states_of_the_heap_are_crossed_with_variables() -> None:
    """Each state once, in the order given; one state is common to all launches."""
    plan = Plan.from_values({"env": {"A": ["1", "2"]}, "heap": "returned,kept,returned"})
    assert plan.heap == ("returned", "kept")
    assert settings_of(plan) == tuple({"env.A": a, "heap": heap} for a in "12" for heap in ("returned", "kept"))
    assert settings_of(Plan.from_values({"heap": ["ordinary"]})) == ({},)
    assert Plan.from_values(plan.values()) == plan, "campaign.json has all of it"
    assert Plan.from_values({}).heap == ("kept",)


@pytest.mark.parametrize("value", ["kept,mine", "", [], 1, ["kept", 1]])
def test_what_is_no_state_of_the_heap_is_refused(value: object) -> None:
    """With the field and its value as they were given."""
    with pytest.raises(OptionError, match="heap="):
        Plan.from_values({"heap": value})


def test_a_factor_of_launches_is_known_by_its_name() -> None:
    """The heap, and variables; an algorithm for an operation is none."""
    assert [is_launch_factor(one) for one in ("heap", "env.A", "env.", "mpi", "heaps")] == [True, True] + [False] * 3
    named = ("heap=kept", "env.A=1,heap=kept", "bcast=ring,heap=kept", "default")
    assert [names_a_setting(one) for one in named] == [True, True, False, False]


def test_a_variant_is_named_by_its_algorithms_and_its_setting() -> None:
    """`default` is said only where nothing is set."""
    assert setting_name("default", {}) == "default"
    assert setting_name("default", {"env.A": "1", "env.B": "2"}) == "env.A=1,env.B=2"
    assert setting_name("bcast=ring", {"env.A": "1"}) == "bcast=ring,env.A=1"
    variant = in_setting(Variant("bcast=ring", Setting({"RING": "on"})), {"env.A": "1", "heap": "kept"})
    assert variant.name == "bcast=ring,env.A=1,heap=kept"
    assert variant.record()["environment"] == {"RING": "on", "A": "1"}
    assert variant.record()["factors"] == {"env.A": "1", "heap": "kept"}


def test_a_variable_has_one_master() -> None:
    """What an algorithm sets cannot be a factor."""
    with pytest.raises(UsageError, match=r"^--env RING: algorithm 'bcast=ring' sets this variable itself; leave one"):
        in_setting(Variant("bcast=ring", Setting({"RING": "on"})), {"env.RING": "off"})


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"A": []}, "variable 'A': expected a text, or a list of texts"),
        ({"A": "unset,1"}, "'unset,1' would be one value; to try several in turn, give --env A=unset --env A=1"),
        ({"A": 1}, "variable 'A': expected a text, or a list of texts"),
        ({"A": ["1", 2]}, "variable 'A': expected a text, or a list of texts"),
        ({"1A": "x"}, "variable '1A': names are letters, digits and _"),
        ({"": "x"}, "variable '': names are letters, digits and _"),
    ],
)
def test_what_is_no_variable_is_refused(variables: dict[str, object], said: str) -> None:
    """By the function, and by a plan that names its field."""
    with pytest.raises(UsageError) as error:
        checked_values(variables)
    assert said in str(error.value)
    with pytest.raises(UsageError) as error:
        Plan.from_values({"env": variables})
    assert "env={" in str(error.value)
    assert said in str(error.value)
