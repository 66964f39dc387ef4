"""Plug-ins in plans: read and written, known to this process as data, and told apart by their content."""

import json

import pytest

from ictus.model.errors import OptionError, UsageError
from ictus.model.member import Member, Parameter
from ictus.model.plan import Plan
from ictus.model.plugin import Plugin, read_plugin
from ictus.model.registries import Registries, plug_in

DIGEST = "ab" * 32
SEGMENT = Parameter("segment", "size", "65536", "bytes at a time", minimum=1, maximum=1024**2)
OWN = Member("own_bcast", "a chain", "", (SEGMENT,), "own_bcast", "message", rooted=True, collective="own_bcast",
             stands_for="bcast")  # fmt: skip


@pytest.fixture(autouse=True)
def known_to_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process knows the operations of plug-ins that it has met; other tests know none."""
    monkeypatch.setattr("ictus.model.registries._plugged", {})


def described() -> dict[str, object]:
    """As campaign.json has it."""
    return Plugin("/x/libmine.so", DIGEST, (OWN,)).record()


def test_a_plan_with_plugins_is_written_and_read_back() -> None:
    """As typed, and as described; equal plans are equal texts."""
    for value in ("./libmine.so", f"mine.c#sha256={DIGEST}", described()):
        plan = Plan.from_values({"plugin": value})
        again = Plan.from_values(json.loads(json.dumps(plan.values())))
        assert again == plan
    assert Plan.from_values({"plugin": ["a.c", "a.c", "b.so"]}).plugins == (Plugin("a.c"), Plugin("b.so"))


def test_what_a_plugin_leaves_out_stays_out() -> None:
    """An operation without a summary, a parameter without a help, a limit of 0."""
    least = Parameter("depth", "count", "0", "", minimum=0, maximum=8)
    bare = Member("bare", "", "", (least,), "bare", "message", collective="bare", stands_for="bcast")
    plan = Plan.from_values({"plugin": Plugin("/x/libmine.so", DIGEST, (bare,)).record()})
    (again,) = Plan.from_values(json.loads(json.dumps(plan.values()))).plugins
    assert again.operations == (bare,)


def test_operations_that_a_plan_describes_are_known_with_their_parameters() -> None:
    """Names are checked against them, and `all` does not mean them."""
    plan = Plan.from_values({"plugin": described(), "op": "own_bcast(segment=1Ki)", "sizes": 8})
    registries = Registries.load()
    assert registries.operation("own_bcast") == OWN
    assert str(plan.checked(registries).operations[0]) == "own_bcast(segment=1Ki)"
    with pytest.raises(UsageError, match="segment"):
        Plan.from_values({"op": "own_bcast(segment=2Mi)"}).checked(registries)
    every = Plan.from_values({"op": "all"}).checked(registries).operations
    assert "own_bcast" not in {one.name for one in every}


def test_the_differences_of_plans_name_file_and_content() -> None:
    """Who sees them must know which file is meant."""
    here, there = (Plan.from_values({"plugin": f"/x/mine.c#sha256={one * 32}"}) for one in ("ab", "cd"))
    assert here.differences(there) == (
        "plugin: /x/mine.c (SHA-256 abababababab) there, /x/mine.c (SHA-256 cdcdcdcdcdcd)",
    )


def test_names_that_are_taken_are_refused() -> None:
    """By an operation of Ictus, or by one of another plug-in that is not the same."""
    plug_in((OWN,))
    plug_in((OWN,))
    with pytest.raises(UsageError, match="operation 'bcast' has the name of one of Ictus; rename it"):
        plug_in((Member("bcast", "", "", ()),))
    with pytest.raises(UsageError, match="two plug-ins have an operation 'own_bcast'"):
        plug_in((Member("own_bcast", "", "", (), stands_for="reduce"),))


@pytest.mark.parametrize(
    "value", [7, "", " ", {"sha256": DIGEST}, {"path": 7}, {"path": "a", "more": 1}, {"path": "a", "operations": [1]},
              {"path": "a", "operations": 7}, {"path": "a", "operations": [{}]}, "a.so#sha256=ab"]
)  # fmt: skip
def test_what_is_no_plugin_is_refused(value: object) -> None:
    """With what is expected; strangers write such files too."""
    with pytest.raises(UsageError):
        read_plugin(value)
    with pytest.raises(OptionError, match="plugin"):
        Plan.from_values({"plugin": [value]})
