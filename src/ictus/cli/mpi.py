"""`ictus mpi`: the MPI libraries of this machine."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.cli.words import CommandGroup
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.render.output import CommandAnswer, Csv, Json, output, print_answer, width
from ictus.render.table import Block, Cell, Column, Table
from ictus.render.terminal import lines

mpi = CommandGroup(help="List, add and remove MPI libraries.", no_args_is_help=True, rich_markup_mode=None)


@mpi.command("list")
def list_installations(json: Json = False, csv: Csv = False) -> None:
    """List the MPI libraries found, in the order in which a bare name chooses."""
    from ictus.mpi.discover import survey  # noqa: PLC0415 (it takes a while)

    seen = survey()
    rows = [installation_row(installation) for installation in seen.installations]
    warnings = [f"{one.wrapper} cannot be used: {one.reason}" for one in seen.unusable]
    if not rows:
        warnings.append("no MPI found: `make setup` installs two, or load a module, or `ictus mpi add LABEL WRAPPER`")
    column = Column[dict[str, Any]]
    columns = (
        column("label", "label", lambda row: Cell(row["label"], "bold"), "left"),
        column("flavour", "library", lambda row: f"{row['flavour']} {row['version']}", "left"),
        column("origin", "from", align="left", importance=1),
        column("wrapper", "wrapper", align="left"),
    )
    table = Table(columns, [Block("MPI libraries", "ictus run -m LABEL", rows)])
    print_answer(CommandAnswer("ictus.mpi/1", rows, warnings, lambda: lines(table, width())), json, csv)


@mpi.command("add")
def add(
    label: Annotated[
        str, typer.Argument(metavar="LABEL", help="What to call it; LABEL=WRAPPER is both.", show_default=False)
    ],
    wrapper: Annotated[
        Path | None,
        typer.Argument(
            metavar="WRAPPER", help="Its compiler wrapper, such as /opt/mpich/bin/mpicxx.", show_default=False
        ),
    ] = None,
) -> None:
    """Remember an MPI library that is not found by itself."""
    from ictus.mpi.discover import add as add_installation  # noqa: PLC0415 (it takes a while)

    if wrapper is None:
        label, sign, path = label.partition("=")
        if not (label and sign and path):
            raise UsageError(f"'{label}': expected LABEL WRAPPER or LABEL=WRAPPER, such as my=/opt/mpich/bin/mpicxx")
        wrapper = Path(path)
    installation = add_installation(label, wrapper)
    output().print(f"{label} is {installation.flavour} {installation.version}, {installation.wrapper}")


@mpi.command("remove")
def remove(
    label: Annotated[str, typer.Argument(metavar="LABEL", help="One that was added.", show_default=False)],
) -> None:
    """Forget an MPI library that was added."""
    from ictus.mpi.discover import remove_added  # noqa: PLC0415 (it takes a while)

    remove_added(label)
    output().print(f"{label} is forgotten")


def installation_row(installation: Installation) -> dict[str, Any]:
    """An installation for scripts."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in vars(installation).items()}
