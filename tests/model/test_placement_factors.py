"""Pinning, words for the launcher and flags of the core as factors of launches."""

from typing import Any

import pytest

from ictus.model.algorithm import Variant
from ictus.model.errors import UsageError
from ictus.model.launch_factor import LAUNCHER_OPTIONS, PIN, in_setting, settings_of, value_in
from ictus.model.plan import Plan

SOCKET, CORE = "--bind-to socket", "--bind-to core"


def test_several_values_are_crossed_and_one_is_no_factor() -> None:
    """Two ways to pin in two ways to start are four variants; a single value is that of all launches."""
    plan = Plan.from_values({"pin": "cores,none", "launcher-options": [SOCKET, CORE]})
    crossed = settings_of(plan)
    assert [tuple(one.values()) for one in crossed] == [
        ("cores", SOCKET), ("cores", CORE), ("none", SOCKET), ("none", CORE),
    ]  # fmt: skip
    last = in_setting(Variant(), crossed[-1])
    assert last.name == f"pin=none,launcher-options={CORE}"
    assert (value_in(plan, last, PIN), value_in(plan, last, LAUNCHER_OPTIONS)) == ("none", CORE)
    single = Plan.from_values({"pin": "none", "launcher-options": SOCKET})
    assert settings_of(single) == ({},)
    assert (value_in(single, Variant(), PIN), value_in(single, Variant(), LAUNCHER_OPTIONS)) == ("none", SOCKET)


def test_flags_hold_blanks_and_commas() -> None:
    """A text is one list of flags; an empty one is the usual build; blanks more or less are the same flags."""
    plan = Plan.from_values({"core-flags": ["", " -O3  -Wl,-z,now", "-O3 -Wl,-z,now"]})
    assert plan.core_flags == ("", "-O3 -Wl,-z,now")
    assert [one["core-flags"] for one in settings_of(plan)] == ["", "-O3 -Wl,-z,now"]
    assert Plan.from_values(plan.values()) == plan


@pytest.mark.parametrize(("old", "new"), [(True, "cores"), (False, "none")])
def test_plans_of_earlier_versions_say_whether(old: bool, new: str) -> None:
    """`pin = false` was the only other way."""
    assert Plan.from_values({"pin": old}).pin == (new,)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"pin": "core"}, "pin='core': must be 'cores' or 'none'"),
        ({"launcher-options": "--host 'a"}, "launcher_options=.*no closing quotation"),
        ({"core-flags": "O3"}, "core_flags='O3': expected flags of the compiler"),
        ({"core-flags": "-DX='a b'"}, "core_flags=.*unquoted"),
        ({"core-flags": ["-O3", "-O1;-x"]}, "core_flags=.*unquoted"),
    ],
)
def test_what_is_no_value_is_refused(values: dict[str, Any], said: str) -> None:
    """With what is allowed."""
    with pytest.raises(UsageError, match=said):
        Plan.from_values(values)
