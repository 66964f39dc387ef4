"""The command line's options of a campaign, made from their declarations in model/plan_options.py. An option on the
command line overrides the plan file.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.model.errors import UsageError
from ictus.model.narrower_options import NO_PIN, ONE_NODES, ONE_ORDER, ONE_PPN, ONE_SETTING
from ictus.model.plan import Plan
from ictus.model.plan_options import BY_KEY, Kind, Option
from ictus.model.spec import split_list
from ictus.render.option_set import Command, TypedValues, with_parameters

PlanValues = dict[str, Any]
"""The plan's options from the command line, by key; None where an option is missing."""

CAMPAIGN = (
    "mpi",
    "control",
    "plugin",
    "op",
    "sizes",
    "size-is",
    "n",
    "nodes",
    "ppn",
    "launches",
    "until",
    "time-budget",
    "over",
    "nrep",
    "datatype",
    "operator",
    "comm",
    "root",
    "in-place",
    "layout",
    "counts",
    "clock",
    "clock-domain",
    "clocksync",
    "clock-bound",
    "clock-error",
    "procsync",
    "methods",
    "algorithm",
    "scheme",
    "cache",
    "repetition",
    "warmup",
    "seed",
    "platform",
    "timeout",
    "retries",
    "contention-retries",
    "block-time",
    "resync-time",
    "level",
    "adjust",
    "raw",
    "pin",
    "map-by",
    "modules",
    "launcher-options",
    "core-flags",
    "governor",
    "validate",
    "env",
    "heap",
    "page-faults",
)
"""Keys of the options of a campaign, in the order of help."""
_DEFAULTS = Plan().values()
_annotated: Any = Annotated
"""A type checker reads `Annotated[...]` as a type, where here it is made while the program runs."""
_TYPES: Mapping[Kind, Any] = {
    "text": str | None,
    "count": int | None,
    "share": float | None,
    "names": list[str] | None,
    "each": list[str] | None,
    "variables": list[str] | None,
    "assignments": list[str] | None,
    "on": bool | None,
    "off": bool | None,
    "number": float | None,
    "file": Path | None,
}
"""What typer reads; a text of all kinds that are not here."""


def plan_command(*options: str | Option, defaults: Mapping[str, str] | None = None) -> Callable[[Command], Command]:
    """Give a command options of the plan, by key, in the place of its parameter `plan_values`. `defaults` are defaults
    that the command has instead of the plan's, as its help says them.
    """
    chosen = [BY_KEY[option] if isinstance(option, str) else option for option in options]

    parameters = [_parameter(option, defaults or {}) for option in chosen]

    def read_values(typed: TypedValues) -> PlanValues:
        values = {option.key: value_of(option.kind, typed.pop(option.parameter)) for option in chosen}
        if values.get("n") == "p":  # `-np 4` is read as `-n p` and a plan called 4
            raise UsageError("-np: the number of processes is -n COUNT[,COUNT...], such as -n 4")
        return values

    return lambda command: with_parameters(command, "plan_values", parameters, read_values)


def _parameter(option: Option, defaults: Mapping[str, str]) -> inspect.Parameter:
    annotation: Any = _annotated[_TYPES.get(option.kind, str | None), typer_option(option, defaults.get(option.key))]
    return inspect.Parameter(option.parameter, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def typer_option(option: Option, own_text: str | None = None) -> Any:
    """The option as typer has it. Its help ends with the default, where there is one; `own_text` is that of a command,
    an empty one says that there is none.
    """
    own_default = option.default_text or option.default or _plain(_DEFAULTS.get(option.key))
    default = own_default if own_text is None else own_text
    help_text = option.help if not default or option.kind in ("on", "off") else f"{option.help} [default: {default}]"
    return typer.Option(
        *option.names, metavar=option.metavar or None, help=help_text, show_default=False, **_limits(option)
    )


def _limits(option: Option) -> dict[str, Any]:
    """Of a number, as typer takes them, which passes over those of a text: whole ones where it is whole."""
    as_typed = float if option.kind in ("share", "number") else int
    limits = {"min": option.least, "max": option.most}
    return {name: as_typed(limit) for name, limit in limits.items() if limit is not None}


def plan_option(key: str, default: str, **differs: Any) -> Any:
    """The plan's option of that key as a command of its own meaning has it: the declaration but for what `differs`
    there; `default` is its default, empty where there is none.
    """
    return typer_option(replace(BY_KEY[key], **differs), default)


def one_number(default: str, least: int = 1) -> Any:
    """`-n COUNT` of a command that launches one number of processes."""
    return plan_option("n", default, kind="count", metavar="COUNT", help="Number of processes.", least=least)


def _plain(value: Any) -> str | None:
    if isinstance(value, list):
        return ",".join(map(str, value)) or None
    if isinstance(value, Mapping) or value is None:
        return None
    return f"{value:g}" if isinstance(value, float) else str(value)


def value_of(kind: Kind, typed: Any) -> Any:
    """The typed text as a value of a plan; None for none. UsageError for a text that is not an assignment."""
    if kind == "names":
        return names(typed)
    if kind == "variables":
        return environment_values(typed)
    if kind == "assignments":
        return environment(typed)
    if kind == "off":
        return False if typed else None
    return (typed or None) if kind in ("each", "on") else typed


def output_option(help: str) -> Any:  # noqa: A002 (typer's own word)
    """`-o FOLDER`: where a command writes; left out, it says itself where."""
    return typer.Option("--output", "-o", metavar="FOLDER", help=help, show_default=False)


LAUNCHER = Option(
    "launcher", ("--launcher",), "text", "NAME", "How ranks are started (ictus list launcher).", "srun", "mpiexec"
)
"""An option of commands that launch, but of no plan: a campaign may be continued with another launcher."""


def launcher_option(further_names: str = "") -> Any:
    """`--launcher NAME`; `further_names` are names besides the family's members."""
    return typer.Option(*LAUNCHER.names, metavar=LAUNCHER.metavar, help=f"{LAUNCHER.help[:-1]}{further_names}.")


DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be measured; build, launch and write nothing.")
]
HOSTS = Option(
    "hosts",
    ("--hosts",),
    "file",
    "FILE",
    "File with one host per line, for the launchers mpiexec, ssh and a template.",
)
Launcher = Annotated[str, launcher_option(", or simulated")]
HostsFile = Annotated[Path | None, typer_option(HOSTS)]
Nodes = Annotated[int | None, typer_option(ONE_NODES)]
Ppn = Annotated[int | None, typer_option(ONE_PPN)]
Order = Annotated[str | None, typer_option(ONE_ORDER)]
ScenarioFile = Annotated[
    Path | None,
    typer.Option(
        "--scenario",
        metavar="FILE",
        help="JSON file of the world to measure, for --launcher simulated.",
        show_default=False,
    ),
]
_ONE = "The library by label, flavour or wrapper. [default: the first found]"
Library = Annotated[str | None, typer.Option("--mpi", "-m", metavar="[LABEL=]WHICH", help=_ONE, show_default=False)]
Libraries = Annotated[list[str] | None, typer_option(BY_KEY["mpi"])]
Processes = Annotated[str | None, typer_option(BY_KEY["n"])]
Datatype = Annotated[str | None, typer_option(BY_KEY["datatype"])]
Operator = Annotated[str | None, typer_option(BY_KEY["operator"])]
Seed = Annotated[int | None, typer_option(BY_KEY["seed"])]
NoPin = Annotated[bool | None, typer_option(NO_PIN)]
Environment = Annotated[list[str] | None, typer_option(ONE_SETTING)]


def names(texts: list[str] | None) -> list[str] | None:
    """`--procsync a,b --procsync c` as one list; commas inside parentheses are not between names."""
    return None if not texts else [name for text in texts for name in split_list(text)]


def environment(assignments: list[str] | None) -> dict[str, str] | None:
    """`--env A=1 --env B=2` as a mapping; UsageError for a text that is not an assignment, and for a second value."""
    variables = environment_values(assignments)
    twice = next((name for name, values in (variables or {}).items() if len(values) > 1), None)
    if twice is not None:
        texts = " and ".join(f"'{value}'" for value in (variables or {})[twice])
        raise UsageError(f"--env {twice}: {texts}: one value is expected here; `ictus run` tries several in turn")
    return None if variables is None else {name: values[0] for name, values in variables.items()}


def environment_values(assignments: list[str] | None) -> dict[str, list[str]] | None:
    """`--env A=1 --env B=2 --env B=3` as a mapping to all values; UsageError for a text that is not an assignment."""
    if not assignments:
        return None
    pairs = [text.partition("=") for text in assignments]
    wrong = next((text for text, (name, sign, _) in zip(assignments, pairs, strict=True) if not (name and sign)), None)
    if wrong is not None:
        raise UsageError(f"--env '{wrong}': expected NAME=VALUE")
    variables: dict[str, list[str]] = {}
    for name, _, value in pairs:
        variables.setdefault(name, []).append(value)
    return {name: list(dict.fromkeys(values)) for name, values in variables.items()}


Program = Annotated[
    list[str] | None,
    typer.Argument(metavar="[--] PROGRAM [ARGUMENT...]", help="What the ranks run.", show_default=False),
]
"""A user's program, for the commands that start one."""
RedirectPlugin = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        metavar="FILE",
        help="A library or source whose operations the profile may name; no other is loaded. Repeatable.",
        show_default=False,
    ),
]
Variables = Annotated[
    list[str] | None,
    typer.Option(
        "--env", "--set", metavar="NAME=VALUE", help="A variable for the ranks; repeatable.", show_default=False
    ),
]
