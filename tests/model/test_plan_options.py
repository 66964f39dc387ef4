"""Each option of a plan is declared once: the declaration fits the plan's field, and its example is one."""

import re
import sys
from pathlib import Path

import pytest
from tools.docs import quoted

import ictus
from ictus.model.errors import OptionError
from ictus.model.plan import Plan
from ictus.model.plan_options import PLAN_OPTIONS, PlanOption

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SOURCE = Path(ictus.__file__).parent
WRITTEN = {"predicted", "subset"}
"""What Ictus writes itself, and tables of a plan file that are no option."""


def test_every_field_of_a_plan_is_an_option_and_every_option_a_field() -> None:
    """By key, in both directions; names of the command line occur once."""
    fields = {field.alias or name for name, field in Plan.model_fields.items()}
    assert {one.key for one in PLAN_OPTIONS} == fields - WRITTEN
    names = [name for one in PLAN_OPTIONS for name in one.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("option", PLAN_OPTIONS, ids=lambda option: option.key)
def test_the_example_is_a_value_of_a_plan_file(option: PlanOption) -> None:
    """It is read, and it is no default: an example shows something else, but where it shows the form."""
    values = tomllib.loads(f"{option.key} = {quoted(option)}")
    needs = {"time-budget": {"until": "ratio 2%"}, "clock-bound": {"clocksync": "ictus"}}.get(option.key, {})
    plan = Plan.from_values({**values, **needs})
    if option.key not in ("sizes", "op"):
        assert plan != Plan.from_values(needs)


def test_sizes_are_declared_once() -> None:
    """Whatever command has `--sizes` takes the one declaration."""
    pattern = re.compile(r'(?:Option|PlanOption)\(\s*"(?:--)?sizes"')
    found = [path.name for path in SOURCE.rglob("*.py") for _ in pattern.findall(path.read_text("utf-8"))]
    assert found == ["plan_options.py"]


def test_an_error_names_the_option_as_it_is_typed(tmp_path: Path) -> None:
    """In Python, on the command line, and in a plan file."""
    reason = "size 'x': expected a number, bare or with one of the units Ki, Mi, Gi"
    with pytest.raises(OptionError) as typed:
        Plan.from_values({"size-is": "block", "sizes": "8..x"})
    assert str(typed.value) == f"sizes='8..x': {reason}"
    assert typed.value.command_line_text == f"--sizes '8..x': {reason}"
    (tmp_path / "plan.toml").write_text("sizes = '8..x'\nn = [0]")
    with pytest.raises(OptionError) as read:
        Plan.from_toml(tmp_path / "plan.toml")
    first = f"{tmp_path / 'plan.toml'}, sizes = '8..x': {reason}"
    assert str(read.value).splitlines()[0] == read.value.command_line_text.splitlines()[0] == first
    with pytest.raises(OptionError) as several:
        Plan.from_values({"size-is": "all", "n": 0})
    assert [line.partition(":")[0] for line in str(several.value).splitlines()] == ["size_is='all'", "n=0"]
    lines = several.value.command_line_text.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["--size-is 'all'", "-n '0'"]
