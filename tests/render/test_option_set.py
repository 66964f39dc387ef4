"""A set of options: declared once, shown in the place of its parameter, received as one object."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from ictus.render.option_set import with_option_sets


@dataclass(frozen=True)
class Inner:
    """Held by another set."""

    size: Annotated[int, typer.Option("--size")] = 8


@dataclass(frozen=True)
class Outer:
    """Holds a set, and has an option without a default."""

    inner: Inner
    name: Annotated[str, typer.Option("--name")]
    fast: Annotated[bool, typer.Option("--fast")] = False


RECEIVED: list[tuple[str, int, Outer]] = []


@with_option_sets
def command(
    target: Annotated[str, typer.Argument()],
    *,
    before: Annotated[int, typer.Option("--before")] = 0,
    options: Outer,
    after: Annotated[int, typer.Option("--after")] = 0,
) -> None:
    """Do it."""
    RECEIVED.append((target, before + after, options))


APP = typer.Typer(add_completion=False)
APP.command()(command)


def test_the_command_receives_what_was_typed_as_one_object() -> None:
    """The rest is at its defaults, in the sets inside it too."""
    assert CliRunner().invoke(APP, ["here", "--name", "a", "--size", "64", "--after", "2"]).exit_code == 0
    assert RECEIVED.pop() == ("here", 2, Outer(Inner(64), "a"))
    assert CliRunner().invoke(APP, ["here", "--fast", "--name", "b"]).exit_code == 0
    assert RECEIVED.pop() == ("here", 0, Outer(Inner(), "b", True))


def test_options_of_a_set_stand_in_the_place_of_their_parameter() -> None:
    """In the order of its class; one without a default has to be typed."""
    names = [one.name for one in typer.main.get_command(APP).params]
    assert names == ["target", "before", "size", "name", "fast", "after"]
    assert "Missing option '--name'" in CliRunner().invoke(APP, ["here"]).output
