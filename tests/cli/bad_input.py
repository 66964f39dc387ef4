"""Wrong values for every option of every command and every field of a plan, made from their declarations alone: a new
option has its cases without a new line here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import typer

from ictus.cli.app import app
from ictus.model.plan import Plan
from ictus.model.plan_options import PLAN_OPTIONS, PlanOption

NO_NUMBERS = ("x", "1.5.2", "nan", "0x10", "1e", "--", "1;2", "5 apples", "1 000", "")
OUT_OF_RANGE = ("-1", "-9" * 30, "9" * 5000)
NO_TEXTS = ("(", "a(b", "a)b", "no-such-thing", "bcast(", "a(b(c", "8..", "8..x", "µ\x01", "=", "a" * 3000)
FREE_TEXTS = ("mpi", "env", "launcher-options", "modules")
"""Options whose values are words of others: paths, variables, a launcher's options."""
TWISTED_TEXTS = (",", ",,", "a,,b", " ", "é", "A=", "'", '"; ls', "$(ls)", "../..", "%s%n", "\u202e", "a" * 3000 + "(")


@dataclass(frozen=True)
class BadOption:
    """A command line with one option that has a value it cannot have."""

    command: tuple[str, ...]
    option: str
    value: str


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command, by its words."""
    group = typer.main.get_command(app) if group is None else group
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, (*path, name))
        else:
            yield (*path, name), one


def options(command: Any) -> Iterator[Any]:
    """The options of a command that take a value."""
    for one in command.params:
        if one.param_type_name == "option" and not one.is_flag:
            yield one


def bad_options() -> Iterator[BadOption]:
    """For each option of each command that is a number, what no number is: refused before the command does anything."""
    for words, command in commands():
        for option in options(command):
            name = max(option.opts, key=len)
            for value in NO_NUMBERS if option.type_descriptor.annotation in (int, float) else ():
                if value != "nan":
                    yield BadOption(words, name, value)


CHANGES = (("install",), ("mpi", "install"), ("mpi", "add"), ("mpi", "remove"), ("submit",))
"""Commands that change the machine, or hand on to another system, whatever the value."""


def bad_texts() -> Iterator[BadOption]:
    """For each option of each command that is a text: a parenthesis that nobody closes."""
    for words, command in commands():
        for option in options(command) if words not in CHANGES else ():
            if option.type_descriptor.annotation not in (int, float):
                yield BadOption(words, max(option.opts, key=len), "(")


def values_of(option: PlanOption) -> Iterator[tuple[str, bool]]:
    """Texts for an option of a plan, and whether each is wrong beyond doubt."""
    if option.kind in ("count", "share"):
        yield from ((value, value != "nan") for value in (*NO_NUMBERS, *OUT_OF_RANGE))
    elif option.kind not in ("on", "off"):
        named = option.key not in FREE_TEXTS
        yield from ((value, named and value not in ("=", "a" * 3000)) for value in NO_TEXTS[:6])
        yield from ((value, False) for value in (*NO_TEXTS[6:], *TWISTED_TEXTS))


def bad_plan_options() -> Iterator[tuple[PlanOption, str, bool]]:
    """Every option of `ictus run`, with each of its values."""
    for option in PLAN_OPTIONS:
        yield from ((option, value, wrong) for value, wrong in values_of(option))


TOML_VALUES = (
    "[[1]]", "{}", "{a = 1}", "[]", "[{}]", "nan", "inf", "-1", "1e400", "1979-05-27", "''", "' '", "'\\u0000'", "true",
    "[true, 1]", "9223372036854775808", "'''x\ny'''", "[[[[[]]]]]", "'('", "['a', 'a']", "0", "[-1]", "'8..x'",
    "{a = {b = [1]}}",
)  # fmt: skip


def bad_fields() -> Iterator[tuple[str, str]]:
    """Every field of a plan file, with each value of TOML."""
    for name, field in Plan.model_fields.items():
        for value in TOML_VALUES:
            yield field.alias or name, value


CONTRADICTIONS = (
    "op = 'bcast'\nop = 'scan'",
    "op = 'bcast'\nsubset = [{op = 'scan', sizes = '8'}]",
    "layout = 'vector(2,4)'\nsubset = [{op = 'bcast', sizes = '8', layout = 'basic'}]",
    "procsync = 'barrier'\nmethods = [{procsync = 'window', scheme = 'per-call', repetition = 'fixed'}]",
    "nrep = 5\nmethods = [{procsync = 'window', scheme = 'per-call', repetition = 'fixed'}]",
    "time-budget = '1 h'",
    "mpi = ['a=x', 'a=y']",
    "n = [2]\nroot = '5'",
    "datatype = 'byte'\noperator = 'sum'\nop = 'allreduce'",
    "clocksync = 'none'\nclock-bound = '100ns'",
    "n = 2\nN = 2",
    "launches = 0",
    "unknown-field = 1",
    "[plan]\nop = 'bcast'",
    "op = 'bcast",
    "= 1",
    "\x00",
    "sizes = 'paper'\ndatatype = 'double'",
)
"""Plan files that contradict themselves, or are no TOML."""
