"""Variables of the environment with several values: how they are written, crossed and named."""

import pytest

from ictus.model.algorithm import Setting, Variant
from ictus.model.environment import checked_values, common, in_setting, setting_name, settings
from ictus.model.errors import UsageError
from ictus.model.plan import Plan


def test_several_values_are_crossed_and_single_ones_are_common() -> None:
    """In the order given; a value that is repeated is one value; commas are part of a value."""
    plan = Plan.from_values({"env": {"A": ["1", "2"], "B": "self,sm", "C": ["x", "x"], "D": ["unset", "y"]}})
    assert common(plan.environment) == {"B": "self,sm", "C": "x"}
    assert settings(plan.environment) == tuple({"A": a, "D": d} for a in "12" for d in ("unset", "y"))
    assert settings({"B": "x"}) == ({},)
    assert Plan.from_values(plan.values()) == plan, "campaign.json has all of it"


def test_a_variant_is_named_by_its_algorithms_and_its_setting() -> None:
    """`default` is said only where nothing is set."""
    assert setting_name("default", {}) == "default"
    assert setting_name("default", {"A": "1", "B": "2"}) == "env.A=1,env.B=2"
    assert setting_name("bcast=ring", {"A": "1"}) == "bcast=ring,env.A=1"
    variant = in_setting(Variant("bcast=ring", Setting({"RING": "on"})), {"A": "1"})
    assert variant.name == "bcast=ring,env.A=1"
    assert variant.record()["environment"] == {"RING": "on", "A": "1"}


def test_a_variable_has_one_master() -> None:
    """What an algorithm sets cannot be a factor."""
    with pytest.raises(UsageError, match=r"^--env RING: algorithm 'bcast=ring' sets this variable itself; leave one"):
        in_setting(Variant("bcast=ring", Setting({"RING": "on"})), {"RING": "off"})


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"A": []}, "variable 'A': expected a text, or a list of texts"),
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
