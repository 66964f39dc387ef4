"""Options of `ictus barriers skew`: what is entered, and how."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from ictus.model.errors import UsageError
from ictus.model.plan_options import NREP
from ictus.model.registries import Registries
from ictus.render.option_values import check_member, members
from ictus.render.plan_options import plan_option, typer_option

Libraries = Annotated[list[str] | None, plan_option("mpi", "the first found")]
Starts = Annotated[
    str | None,
    plan_option(
        "procsync",
        "all barriers and all starts that synchronise",
        help="What is entered and left (ictus list procsync); barrier(all) is every barrier.",
    ),
]
Launches = Annotated[int, plan_option("launches", "3", help="With each library and -n.")]
Nrep = Annotated[int, typer_option(replace(NREP, help="Valid entries of each start in a launch."), "100")]
Entry = Annotated[
    str, typer.Option("--entry", metavar="NAME", help="What brings ranks to the common instant of entering.")
]
EntryTolerance = Annotated[
    str,
    typer.Option(
        "--entry-tolerance",
        metavar="TIME",
        help="Ranks that entered further apart did not enter together; at most 1s.",
    ),
]
Clocksync = Annotated[
    str, plan_option("clocksync", "ictus", help="How the clocks are synchronised (ictus list clocksync).")
]

ALL = "barrier(all)"
"""Stands for every barrier of the registry."""

_ATTEMPTS = 10
"""Attempts for each valid entry that is wanted, at most: a start that has to find its window first needs several."""

_UNASKED = ("none", "barrier", "arrival")
"""Starts that do not synchronise, or are there to keep ranks apart; `barrier` is asked for by algorithm."""


def barriers() -> tuple[str, ...]:
    """Every barrier, as a start."""
    return tuple(f"barrier({member.name})" for member in Registries.load().family("barrier").members)


def every_start() -> tuple[str, ...]:
    """Every barrier, and every other start that synchronises."""
    others = (one.name for one in Registries.load().family("procsync").members if one.name not in _UNASKED)
    return (*barriers(), *others)


def starts(text: str | None) -> tuple[str, ...]:
    """The starts asked for, each once. Raises UsageError for a name or parameter that is not known."""
    if text is None:
        return every_start()
    spelt = text.replace(" ", "").replace(ALL, ",".join(barriers()))
    return members("--procsync", "procsync", spelt)


def entering(entry: str, tolerance_s: float, clocksync: str, nrep: int) -> dict[str, str]:
    """How starts are entered, as the core's options. Raises UsageError."""
    check_member("--entry", "procsync", entry)
    check_member("--clocksync", "clocksync", clocksync)
    return {
        "entry": entry,
        "entry-tolerance": f"{tolerance_s:.9g}s",
        "clocksync": clocksync,
        "repetition": f"fixed(nrep={nrep},max_attempts={_ATTEMPTS * nrep})",
    }


def check_processes(processes: Sequence[int]) -> None:
    """UsageError where a number of processes has no skew."""
    if min(processes) < 2:
        raise UsageError(f"-n '{','.join(map(str, processes))}': one process has no skew; 2 or more are allowed")


def libraries(mpi: Sequence[str] | None) -> tuple[str | None, ...]:
    """Each library once; None is the first that is found."""
    return tuple(dict.fromkeys(mpi)) if mpi else (None,)
