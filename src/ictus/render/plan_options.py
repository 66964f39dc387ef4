"""The options of a campaign as they are typed, and how they lay over a plan file: an option given wins over the file.

Names and defaults are those of `Plan`; only the words of the help are here.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.spec import split_list

_DEFAULTS = Plan().values()
_SHOWN = {
    "sizes": "8..64Ki",
    "timeout": "600s",
    "block-time": "5s",
    "resync-time": "60s",
    "seed": "drawn",
    "nrep": "1000",
    "operator": "sum for double",
    "mpi": "what is found",
}
"""Defaults that read better than their values."""


def _option(key: str, *names: str, metavar: str, help: str) -> Any:  # noqa: A002 (typer's own word)
    """An option of the plan with its default; without one where it is left open."""
    value = _DEFAULTS[key]
    plain = (
        ",".join(map(str, value)) if isinstance(value, list) else f"{value:g}" if isinstance(value, float) else value
    )
    default = _SHOWN.get(key, plain)
    shown = help if default is None else f"{help} [default: {default}]"
    return typer.Option(*names, metavar=metavar, help=shown, show_default=False)


def _flag(*names: str, help: str) -> Any:  # noqa: A002
    return typer.Option(*names, help=help, show_default=False)


def output_option(help: str) -> Any:  # noqa: A002
    """`-o FOLDER`: where a command writes; left out, it says itself where."""
    return typer.Option("--output", "-o", metavar="FOLDER", help=help, show_default=False)


def launcher_option(more: str = "") -> Any:
    """`--launcher NAME`; `more` is what a command takes besides the family's members."""
    return typer.Option("--launcher", metavar="NAME", help=f"How ranks are started (ictus list launcher){more}.")


Launcher = Annotated[str, launcher_option(", or simulated")]
ScenarioFile = Annotated[
    Path | None,
    typer.Option(
        "--scenario", metavar="FILE", help="For --launcher simulated: the world to measure, JSON.", show_default=False
    ),
]
_ONE = "The library by label, flavour or wrapper. [default: the first found]"
Library = Annotated[str | None, typer.Option("--mpi", "-m", metavar="[LABEL=]WHICH", help=_ONE, show_default=False)]
Libraries = Annotated[
    list[str] | None,
    _option("mpi", "--mpi", "-m", metavar="[LABEL=]WHICH", help="A library by label, flavour or wrapper; repeatable."),
]
Operations = Annotated[
    str | None,
    _option(
        "op", "--op", metavar="NAME,...", help="Operations (ictus list operations), or all that the libraries have."
    ),
]
Sizes = Annotated[str | None, _option("sizes", "--sizes", metavar="SIZES", help="Sizes: 8..64Ki, 8,100,4Ki or paper.")]
SizeIs = Annotated[
    str | None,
    _option("size-is", "--size-is", metavar="total|block", help="A size is the largest buffer or one block of it."),
]
Processes = Annotated[str | None, _option("n", "-n", metavar="COUNT,...", help="Numbers of processes.")]
Launches = Annotated[
    int | None, _option("launches", "--launches", metavar="COUNT", help="Launches of each library: the sample.")
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until",
        metavar="GOAL",
        help="Add launches until half of the 95 % interval is so narrow: '1 %' of each median, 'ratio 2 %' of each "
        "ratio of libraries or algorithms, 'ratio 2 % by procsync' of a factor. --launches are then the "
        "least, --nrep is the most.",
        show_default=False,
    ),
]
TimeBudget = Annotated[
    str | None,
    typer.Option(
        "--time-budget",
        metavar="TIME",
        help="With --until: time in launches, as 90s, 10min or 2h; what it allowed is said.",
        show_default=False,
    ),
]
Nrep = Annotated[
    int | None, _option("nrep", "--nrep", metavar="COUNT", help="Valid repetitions of a case in a launch.")
]
NrepOrPrediction = Annotated[
    str | None,
    _option(
        "nrep",
        "--nrep",
        metavar="COUNT|FOLDER|auto",
        help="Valid repetitions of a case in a launch: a number, a folder of ictus nrep, or predicted first: "
        "'auto(max=1000,launches=3)' (ictus list repetition nrep).",
    ),
]
Datatype = Annotated[str | None, _option("datatype", "--datatype", metavar="NAME", help="Datatype of the payload.")]
Operator = Annotated[
    str | None,
    _option(
        "operator", "--operator", metavar="NAME", help="Reduction operator: MPI's, user(sum), ... or user(affine)."
    ),
]
Comm = Annotated[
    list[str] | None,
    _option("comm", "--comm", metavar="NAME,...", help="Which processes call together (ictus list comm); crossed."),
]
Root = Annotated[
    str | None,
    _option(
        "root",
        "--root",
        metavar="RANK,...",
        help="Root of rooted operations, or rotating: another one in each repetition; several are crossed.",
    ),
]
InPlace = Annotated[
    str | None,
    _option("in-place", "--in-place", metavar="no|yes|no,yes", help="MPI_IN_PLACE where an operation allows it."),
]
Layout = Annotated[
    list[str] | None,
    _option(
        "layout",
        "--layout",
        metavar="NAME,...",
        help="How elements lie in memory, by derived datatypes (ictus list layout); several are crossed.",
    ),
]
BlockCounts = Annotated[
    list[str] | None,
    _option(
        "counts", "--counts", metavar="NAME,...", help="How blocks differ in size (ictus list counts); several crossed."
    ),
]
Clock = Annotated[str | None, _option("clock", "--clock", metavar="NAME", help="Where ranks read their time.")]
ClockDomain = Annotated[
    str | None,
    _option(
        "clock-domain",
        "--clock-domain",
        metavar="auto|host|rank",
        help="Which ranks are said to read one counter; verified.",
    ),
]
Clocksync = Annotated[
    str | None, _option("clocksync", "--clocksync", metavar="NAME", help="How clocks are synchronised.")
]
ClockBound = Annotated[
    str | None,
    _option(
        "clock-bound",
        "--clock-bound",
        metavar="TIME",
        help="Learn until every clock is proven right to this; what was reached is said.",
    ),
]
Procsync = Annotated[
    list[str] | None,
    _option("procsync", "--procsync", metavar="NAME,...", help="How ranks are started together; several are compared."),
]
Algorithm = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        metavar="[LABEL:]OP=NAME,...",
        help="The library's own algorithms for an operation (ictus list algorithms -m LIBRARY), each in launches of "
        "its own; default: its own choice. Repeatable, crossed.",
        show_default=False,
    ),
]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--methods",
        metavar="PROCSYNC[/SCHEME[/REPETITION]],...",
        help="Several ways to measure each case in the same launches, instead of the three options of these names.",
        show_default=False,
    ),
]
Scheme = Annotated[str | None, _option("scheme", "--scheme", metavar="NAME", help="How calls are strung together.")]
Cache = Annotated[
    list[str] | None,
    _option(
        "cache", "--cache", metavar="NAME,...", help="State of the caches (ictus list cache); several are compared."
    ),
]
Repetition = Annotated[
    str | None, _option("repetition", "--repetition", metavar="NAME", help="When a case is repeated enough.")
]
Warmup = Annotated[int | None, _option("warmup", "--warmup", metavar="COUNT", help="Calls before the first sample.")]
Seed = Annotated[int | None, _option("seed", "--seed", metavar="NUMBER", help="Decides the order of everything.")]
Platform = Annotated[
    str | None,
    typer.Option(
        "--platform",
        metavar="NAME",
        help="What the ranks of simgrid are simulated on (ictus list platform). [default: flat]",
        show_default=False,
    ),
]
Timeout = Annotated[
    str | None, _option("timeout", "--timeout", metavar="TIME", help="A launch that takes longer is ended.")
]
Retries = Annotated[
    int | None, _option("retries", "--retries", metavar="COUNT", help="Further tries of a launch that failed.")
]
ContentionRetries = Annotated[
    int | None,
    _option("contention-retries", "--contention-retries", metavar="COUNT", help="Further tries of a disturbed launch."),
]
BlockTime = Annotated[
    str | None,
    _option(
        "block-time",
        "--block-time",
        metavar="TIME",
        help="A block of cases ends, and its clocks are checked, this often.",
    ),
]
ResyncTime = Annotated[
    str | None, _option("resync-time", "--resync-time", metavar="TIME", help="Clocks are synchronised anew this often.")
]
PlanLevel = Annotated[
    float | None, _option("level", "--level", metavar="SHARE", help="Chance of a false verdict in the comparison.")
]
PlanAdjust = Annotated[
    str | None, _option("adjust", "--adjust", metavar="NAME", help="Adjustment for many cases (ictus list adjust).")
]
Raw = Annotated[bool | None, _flag("--raw", help="Keep the start and end of every rank, in raw.npy.")]
NoPin = Annotated[bool | None, _flag("--no-pin", help="Leave the placing of ranks to the library.")]
NoValidate = Annotated[bool | None, _flag("--no-validate", help="Do not check payloads before timing.")]
Environment = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME=VALUE", help="A variable for the ranks; repeatable.", show_default=False),
]
EnvironmentFactor = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME=VALUE",
        help="A variable for the ranks; repeatable. Several values of one name are tried in turn; `unset` among them "
        "is the launch without it.",
        show_default=False,
    ),
]


def names(texts: list[str] | None) -> list[str] | None:
    """`--procsync a,b --procsync c` as one list; commas inside parentheses are not between names."""
    return None if not texts else [name for text in texts for name in split_list(text)]


def environment(assignments: list[str] | None) -> dict[str, str] | None:
    """`--env A=1 --env B=2` as a mapping; UsageError for what is no assignment, and for a second value."""
    found = environment_values(assignments)
    twice = next((name for name, values in (found or {}).items() if len(values) > 1), None)
    if twice is not None:
        given = " and ".join(f"'{value}'" for value in (found or {})[twice])
        raise UsageError(f"--env {twice}: {given}: one value is expected here; `ictus run` tries several in turn")
    return None if found is None else {name: values[0] for name, values in found.items()}


def environment_values(assignments: list[str] | None) -> dict[str, list[str]] | None:
    """`--env A=1 --env B=2 --env B=3` as a mapping to all values; UsageError for what is no assignment."""
    if not assignments:
        return None
    pairs = [text.partition("=") for text in assignments]
    wrong = next((text for text, (name, sign, _) in zip(assignments, pairs, strict=True) if not (name and sign)), None)
    if wrong is not None:
        raise UsageError(f"--env '{wrong}': expected NAME=VALUE")
    found: dict[str, list[str]] = {}
    for name, _, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: list(dict.fromkeys(values)) for name, values in found.items()}
