"""The options of a campaign as they are typed, and how they lay over a plan file: an option given wins over the
file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.model.errors import UsageError
from ictus.model.plan import Plan, read_toml
from ictus.model.spec import split_list

Libraries = Annotated[
    list[str] | None,
    typer.Option(
        "--mpi",
        "-m",
        metavar="[LABEL=]WHICH",
        help="An MPI library: mpich, openmpi, or its wrapper's path; once for each.",
    ),
]
Operations = Annotated[
    str | None, typer.Option("--op", metavar="NAME,...", help="Operations, for example bcast,allreduce.")
]
Sizes = Annotated[
    str | None,
    typer.Option("--sizes", metavar="SIZES", help="Message sizes: 8..64Ki (powers of two), 8,100,4Ki, paper."),
]
SizeIs = Annotated[
    str | None,
    typer.Option(
        "--size-is", metavar="total|block", help="Whether a size means the largest buffer or one block of it."
    ),
]
Processes = Annotated[str | None, typer.Option("-n", metavar="N,...", help="Numbers of processes.")]
Launches = Annotated[
    int | None, typer.Option("--launches", metavar="COUNT", help="Launches of each library: the sample.")
]
Nrep = Annotated[int | None, typer.Option("--nrep", metavar="COUNT", help="Valid repetitions of a case in a launch.")]
Datatype = Annotated[str | None, typer.Option("--datatype", metavar="NAME", help="Datatype of the payload.")]
Operator = Annotated[str | None, typer.Option("--operator", metavar="NAME", help="Reduction operator.")]
Root = Annotated[int | None, typer.Option("--root", metavar="RANK", help="Root of rooted operations.")]
Clock = Annotated[
    str | None, typer.Option("--clock", metavar="NAME", help="Where ranks read their time (ictus list clock).")
]
Clocksync = Annotated[
    str | None, typer.Option("--clocksync", metavar="NAME", help="How clocks are synchronised (ictus list clocksync).")
]
Procsync = Annotated[
    list[str] | None,
    typer.Option(
        "--procsync",
        metavar="NAME,...",
        help="How all ranks are started together (ictus list procsync); several are measured in turn.",
    ),
]
Scheme = Annotated[
    str | None, typer.Option("--scheme", metavar="NAME", help="How calls are strung together (ictus list scheme).")
]
Cache = Annotated[str | None, typer.Option("--cache", metavar="NAME", help="State of the caches (ictus list cache).")]
Repetition = Annotated[
    str | None,
    typer.Option("--repetition", metavar="NAME", help="When a case has been repeated enough (ictus list repetition)."),
]
Warmup = Annotated[
    int | None, typer.Option("--warmup", metavar="COUNT", help="Calls before the first sample of a case.")
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="NUMBER", help="Decides the order of everything; drawn and recorded if left out."),
]
Timeout = Annotated[
    str | None,
    typer.Option("--timeout", metavar="TIME", help="A launch that takes longer is ended, for example 10m is 600s."),
]
Retries = Annotated[
    int | None, typer.Option("--retries", metavar="COUNT", help="Further tries of a launch that failed.")
]
ContentionRetries = Annotated[
    int | None,
    typer.Option("--contention-retries", metavar="COUNT", help="Further tries of a launch that others disturbed."),
]
BlockTime = Annotated[
    str | None, typer.Option("--block-time", metavar="TIME", help="Clocks are measured anew at least this often.")
]
Raw = Annotated[bool | None, typer.Option("--raw", help="Keep the start and end of every rank, in raw.npy.")]
NoPin = Annotated[bool | None, typer.Option("--no-pin", help="Leave the placing of ranks to the library.")]
NoValidate = Annotated[bool | None, typer.Option("--no-validate", help="Do not check payloads before timing.")]
Environment = Annotated[
    list[str] | None, typer.Option("--env", metavar="NAME=VALUE", help="A variable for the ranks; may be given again.")
]


def plan_of(file: Path | None, given: Mapping[str, Any]) -> Plan:
    """The plan of the options given (by TOML key, None: not given) over those of the file. Raises UsageError."""
    values = read_toml(file) if file is not None else {}
    values |= {key: value for key, value in given.items() if value is not None}
    return Plan.from_values(values, source="option" if file is None else f"plan '{file}' with options")


def names(texts: list[str] | None) -> list[str] | None:
    """`--procsync a,b --procsync c` as one list; commas inside parentheses are not between names."""
    return None if not texts else [name for text in texts for name in split_list(text)]


def environment(assignments: list[str] | None) -> dict[str, str] | None:
    """`--env A=1 --env B=2` as a mapping; UsageError for what is no assignment."""
    if not assignments:
        return None
    pairs = [text.partition("=") for text in assignments]
    wrong = next((text for text, (name, sign, _) in zip(assignments, pairs, strict=True) if not (name and sign)), None)
    if wrong is not None:
        raise UsageError(f"--env '{wrong}': expected NAME=VALUE")
    return {name: value for name, _, value in pairs}
