"""What the commands that start somebody else's program have in common: the library in front of it, and its end."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.model.errors import MeasurementError

if TYPE_CHECKING:
    from ictus.engine.event import Observer
    from ictus.model.job import Outcome
    from ictus.model.library import Installation
    from ictus.mpi.stage import Progress

    Build = Callable[[Installation, Progress], Path]

Program = Annotated[
    list[str] | None,
    typer.Argument(metavar="[--] PROGRAM [ARGUMENT...]", help="What the ranks run.", show_default=False),
]
Variables = Annotated[
    list[str] | None,
    typer.Option(
        "--env", "--set", metavar="NAME=VALUE", help="A variable for the ranks; repeatable.", show_default=False
    ),
]


def prepared(mpi: str | None, build: "Build", what: str, observer: "Observer") -> "tuple[Installation, Path]":
    """The library that `mpi` names (None: the first that is found), and what `build` makes for it, called `what`."""
    from ictus.engine.backend import build_told, find_library  # noqa: PLC0415

    found = find_library(mpi)
    return found, build_told(build, found, what, observer)


def check_end(outcome: "Outcome", timeout_s: float) -> None:
    """MeasurementError where the program was not left to end by itself."""
    if outcome.interrupted:
        raise MeasurementError("stopped; all ranks are ended")
    if outcome.timed_out:
        raise MeasurementError(f"--timeout {timeout_s:g}s: the program had not ended by then; all ranks are ended")


def exit_code(outcome: "Outcome") -> int:
    """The launcher's, as a shell would give it."""
    code = outcome.exit_code or 0
    return 128 - code if code < 0 else code
