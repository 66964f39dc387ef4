"""What the commands that start somebody else's program have in common: the library in front of it, and its end."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.model.errors import MeasurementError, UsageError
from ictus.render.console import errors

if TYPE_CHECKING:
    from ictus.model.installation import Installation
    from ictus.model.job import Outcome
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


def prepared(mpi: str | None, build: "Build", what: str) -> "tuple[Installation, Path]":
    """The library that `mpi` names (None: the first that is found), and what `build` makes for it, called `what`."""
    from ictus.model.library import parse_library  # noqa: PLC0415
    from ictus.mpi.discover import discover, find  # noqa: PLC0415
    from ictus.mpi.flavours import flavour  # noqa: PLC0415
    from ictus.render.progress import Display  # noqa: PLC0415

    with Display(errors()).preparing() as tell:
        if mpi is not None:
            request = parse_library(mpi)
            found = find(request.which, request.label)
        else:
            real = (one for one in discover() if not flavour(one.flavour).simulated)
            first = next(real, None)
            if first is None:
                raise UsageError("no MPI found: `make setup` installs two, `ictus doctor` says what else can be done")
            found = first
        shown = f"{what} for {found.label} ({found.flavour} {found.version})"
        return found, build(found, lambda text: tell(f"{shown}: {text}"))


def check_end(outcome: "Outcome", timeout: str | None) -> None:
    """MeasurementError where the program was not left to end by itself."""
    if outcome.interrupted:
        raise MeasurementError("stopped; all ranks are ended")
    if outcome.timed_out:
        raise MeasurementError(f"--timeout {timeout}: the program had not ended by then; all ranks are ended")


def exit_code(outcome: "Outcome") -> int:
    """The launcher's, as a shell would give it."""
    code = outcome.exit_code or 0
    return 128 - code if code < 0 else code
