"""Each option of a plan is declared once: the declaration fits the plan's field, and its example is one."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.synthetic import write_folder
from tools.docs.registries import quoted

import ictus
from ictus.cli.app import app
from ictus.cli.main import main
from ictus.model.errors import OptionError, UsageError
from ictus.model.plan import Plan
from ictus.model.plan_options import PLAN_OPTIONS, Option
from ictus.model.toml import read_toml

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


NEEDS: dict[str, dict[str, Any]] = {
    "time-budget": {"until": "ratio 2%"},
    "clock-bound": {"clocksync": "ictus"},
    "clock-error": {"clocksync": "ictus"},
    "nodes": {"ppn": 2},
    "ppn": {"nodes": 2},
}
"""What an option of a plan does not go without."""


@pytest.mark.parametrize("option", PLAN_OPTIONS, ids=lambda option: option.key)
def test_the_example_is_a_value_of_a_plan_file(option: Option) -> None:
    """It is read, and it is no default: an example shows something else, but where it shows the form."""
    values = tomllib.loads(f"{option.key} = {quoted(option)}")
    needs = NEEDS.get(option.key, {})
    plan = Plan.from_values({**values, **needs})
    if option.key not in ("sizes", "op"):
        assert plan != Plan.from_values(needs)


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands with the words that call them."""
    if hasattr(group, "commands"):
        for name, command in group.commands.items():
            yield from commands(command, (*words, name))
    else:
        yield words, group


COMMANDS = dict(commands(app))
SIZED = [words for words, command in COMMANDS.items() if any("--sizes" in one.opts for one in command.params)]


def test_every_option_of_a_plan_has_its_declared_form() -> None:
    """Whatever command has an option of the name of one of the plan's has the form of its declaration: what a value is,
    but for a command that takes one value where the plan takes several, or a number where it takes a text.
    """
    declared = {name: one for one in PLAN_OPTIONS for name in one.names}
    for words, command in COMMANDS.items():
        for parameter in command.params:
            option = next((declared[name] for name in parameter.opts if name in declared), None)
            if option is not None and words not in OTHERS.get(option.key, ()):
                forms = {option.metavar, option.metavar.removesuffix(",..."), "COUNT", f"{option.metavar}|all"}
                forms |= {"PLACE"} if option.key == "platform" else set()  # `here` is one too
                assert (parameter.metavar or "") in forms, (words, option.key)


OTHERS = {
    "mpi": {("diagnose",), ("import",)},
    "algorithm": {("clocks", "frequency")},
    "launches": {("show",)},
}
"""Commands whose option of the name chooses what is shown of what was measured, or is of a clock."""


def test_many_commands_take_sizes() -> None:
    """Campaigns, studies that are campaigns, those of the core, and what chooses among sizes that were measured."""
    assert {("run",), ("check",), ("overlap",), ("lens",), ("nrep",), ("reproduce",), ("diagnose",)} <= set(SIZED)
    assert len(SIZED) >= 9


@pytest.mark.parametrize("words", SIZED, ids=" ".join)
def test_sizes_mean_the_same_in_every_command(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked of the command itself: the same words for what a value is, the same grammar, the same error."""
    (option,) = (one for one in COMMANDS[words].params if "--sizes" in one.opts)
    assert option.metavar == "SIZES"
    assert "8..64Ki, 8,100,4Ki" in str(option.help)
    monkeypatch.chdir(tmp_path)
    folder = [str(write_folder(tmp_path / "camp"))] if words == ("diagnose",) else ["--mpi", "mpich"]
    folder = ["cache", *folder] if words == ("study",) else folder
    folder = [*folder, "--scheduler", "slurm"] if words == ("submit",) else folder
    with pytest.raises(SystemExit) as ended:
        main([*words, *folder, "--sizes", "8..x"])
    assert ended.value.code == UsageError.exit_code
    reason = "size 'x': expected a number, bare or with one of the units Ki, Mi, Gi"
    assert capsys.readouterr().err == f"ictus: --sizes '8..x': {reason}\n"


def test_an_error_names_the_option_as_it_is_typed(tmp_path: Path) -> None:
    """In Python, on the command line, and in a plan file."""
    reason = "size 'x': expected a number, bare or with one of the units Ki, Mi, Gi"
    with pytest.raises(OptionError) as typed:
        Plan.from_values({"size-is": "block", "sizes": "8..x"})
    assert str(typed.value) == f"sizes='8..x': {reason}"
    assert typed.value.command_line_text == f"--sizes '8..x': {reason}"
    (tmp_path / "plan.toml").write_text("sizes = '8..x'\nn = [0]")
    with pytest.raises(OptionError) as read:
        Plan.from_values(read_toml(tmp_path / "plan.toml"), source=str(tmp_path / "plan.toml"))
    first = f"{tmp_path / 'plan.toml'}, sizes = '8..x': {reason}"
    assert str(read.value).splitlines()[0] == read.value.command_line_text.splitlines()[0] == first
    with pytest.raises(OptionError) as several:
        Plan.from_values({"size-is": "all", "n": 0})
    assert [line.partition(":")[0] for line in str(several.value).splitlines()] == ["size_is='all'", "n=0"]
    lines = several.value.command_line_text.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["--size-is 'all'", "-n '0'"]
