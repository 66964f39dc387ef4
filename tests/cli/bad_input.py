"""Wrong values for every option of every command and every field of a plan, made from their declarations alone: a new
option has its cases without a new line here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.cli.app import app
from ictus.model.plan import Plan
from ictus.model.plan_options import PLAN_OPTIONS, Option

NO_NUMBERS = ("x", "1.5.2", "nan", "0x10", "1e", "--", "1;2", "5 apples", "1 000", "")
OUT_OF_RANGE = ("-1", "-9" * 30, "9" * 5000)
NO_TEXTS = ("(", "a(b", "a)b", "no-such-thing", "bcast(", "a(b(c", "8..", "8..x", "µ\x01", "=", "a" * 3000)
FREE_TEXTS = ("mpi", "env", "launcher-options", "modules")
"""Options whose values are words of others: paths, variables, a launcher's options."""
TWISTED_TEXTS = (",", ",,", "a,,b", " ", "é", "A=", "'", '"; ls', "$(ls)", "../..", "%s%n", "\u202e", "a" * 3000 + "(")


def commands(group: Any = app, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command, by its words."""
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, (*path, name))
        else:
            yield (*path, name), one


BAD_TEXTS = {
    "empty": "",
    "blank": " ",
    "control": "a\x01b",
    "no UTF-8": "\udcff",
    "an option": "-q",
    "parenthesis": "(",
    "long": "x" * 3000,
    "no path": "nowhere/x",
    "a folder": "afolder",
}
"""By what is wrong. A text can hold no NUL: no shell can give one."""
BAD_NUMBERS = {
    "empty": "", "control": "1\x01", "no UTF-8": "\udcff", "a word": "x", "two": "1;2", "negative": "-1",
    "long": "9" * 5000,
}  # fmt: skip
NEVER = ("empty", "blank", "control", "no UTF-8", "a word", "two")
"""What no parameter can mean, but for blanks in `MAY_BE_BLANK` and control characters in names of files."""
MAY_BE_BLANK = ("--launcher-options", "--core-flags")
FREE = (
    "--launcher-options", "--core-flags", "--env", "--modules", "--mpi", "--account", "--partition", "--option",
    "--label", "--started", "--norm",
)  # fmt: skip
"""Words of others, of which nobody knows whether they are wrong before a compiler, launcher or scheduler has them."""

MADE = {"name": "run-to-run", "kind": "latency", "suite": "osu", "files": "afile", "family": "clock", "words": "true"}
"""For an argument, a word that it can be; for others the folder `camp`."""
NEEDED = {
    ("plot",): {"-o": "fig.pdf"},
    ("export",): {"-o": "out.csv"},
    ("import",): {"-o": "out"},
    ("submit",): {"--scheduler": "slurm", "--time": "1h"},
    ("redirect", "compare"): {"--redirect": "afile"},
    ("redirect", "convert"): {"-o": "out.txt"},
}
"""Options without which a command does not start."""


@dataclass(frozen=True)
class BadWord:
    """A command line with one word that is wrong, or may be."""

    name: str
    """Of the option, or what the argument is called."""
    what: str
    """A key of `BAD_TEXTS` or `BAD_NUMBERS`; `right` where nothing is wrong."""
    value: str
    line: tuple[str, ...]
    """The whole command line."""
    is_path: bool = False

    @property
    def never(self) -> bool:
        """Whether the value is wrong whatever the parameter is."""
        if self.what == "control":
            return not self.is_path and self.name.startswith("-") and self.name != "--env"
        return self.what in NEVER and not (self.name in MAY_BE_BLANK and self.what in ("empty", "blank"))


def bad_words(command: tuple[str, ...]) -> Iterator[BadWord]:
    """The command line in which all is right; then, for each option that takes a value and each argument, one for each
    wrong value.
    """
    found = dict(commands())[command]
    yield BadWord("", "right", "", _line(command, found, None, ""))
    for one in found.params:
        if one.param_type_name == "option" and one.is_flag:
            continue
        kind = getattr(one.type_descriptor, "annotation", None)
        name = max(one.opts, key=len) if one.param_type_name == "option" else (one.metavar or one.name).upper()
        is_path = kind in (Path, list[Path])
        for what, value in (BAD_NUMBERS if kind in (int, float) else BAD_TEXTS).items():
            if what != ("parenthesis" if is_path else "a folder"):
                yield BadWord(str(name), what, value, _line(command, found, one, value), is_path=is_path)


def _line(command: tuple[str, ...], found: Any, tested: Any, value: str) -> tuple[str, ...]:
    """A command line with that value for one parameter; the others are what they can be."""
    own: tuple[str, ...] = ()
    is_option = tested is not None and tested.param_type_name == "option"
    if is_option:
        name = max(tested.opts, key=len)
        own = (f"{name}={value}",) if name.startswith("--") else (name, value)
    others = NEEDED.get(command, {}).items()
    needed = [word for pair in others if not (is_option and pair[0] in tested.opts) for word in pair]
    words = [one for one in found.params if one.param_type_name == "argument"]
    before = words.index(tested) if tested in words else 0  # which are left out from the end
    arguments = [
        value if one is tested else MADE.get(one.name, "camp")
        for place, one in enumerate(words)
        if one.required or place <= before - (tested not in words) or one.name == "words"
    ]
    dry = ("--dry-run",) if command == ("submit",) else ()
    return (*command, *own, *needed, *dry, *(("--", *arguments) if arguments else ()))


def values_of(option: Option) -> Iterator[tuple[str, bool]]:
    """Texts for an option of a plan, and whether each is wrong beyond doubt."""
    if option.kind in ("count", "share"):
        yield from ((value, value != "nan") for value in (*NO_NUMBERS, *OUT_OF_RANGE))
    elif option.kind not in ("on", "off"):
        named = option.key not in FREE_TEXTS
        yield from ((value, named and value not in ("=", "a" * 3000)) for value in NO_TEXTS[:6])
        yield from ((value, False) for value in (*NO_TEXTS[6:], *TWISTED_TEXTS))


def bad_plan_options() -> Iterator[tuple[Option, str, bool]]:
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
