"""What a freshly built core says of the library it runs on: version, standard, control variables."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.model.algorithm import Offer, Setting, Variant
from ictus.model.availability import Availability
from ictus.model.errors import MeasurementError
from ictus.model.job import Job, Outcome
from ictus.model.library import Installation
from ictus.mpi.command import launch
from ictus.mpi.flavours import FLAVOURS, Choice, flavour

_TIMEOUT_S = 60.0

_TRANSPORTS = ("UCX_", "FI_")
"""Beginnings of the names of variables that steer what several libraries send with."""


@dataclass(frozen=True)
class LibraryAnswer:
    """What the library says of itself."""

    library_version: str
    standard: str
    cvars: Mapping[str, str]


def inquire(installation: Installation, program: Path) -> LibraryAnswer:
    """Launch `program` on one rank, in an environment where nothing steers the library, and read its answers.

    Raises:
        MeasurementError: it does not start, or answers nonsense; the message has the command and what it said.
    """
    version = _ask(installation, program, "mpi-version")
    if version.get("n_ranks") != 1:
        message = f"{installation.launcher} started one rank that found {version.get('n_ranks')}: another library's?"
        raise MeasurementError(message)
    cvars = {str(name): str(value) for name, value in _ask(installation, program, "cvars")["cvars"].items()}
    first_line = str(version["library_version"]).strip().splitlines()[0]
    return LibraryAnswer(" ".join(first_line.split()), str(version["standard"]), cvars)


def offered(installation: Installation, program: Path) -> Offer:
    """The algorithms that the library has for its collectives, by operation; it is launched on one rank and asked.

    Raises:
        MeasurementError: as `inquire`.
    """
    told = _ask(installation, program, "cvar-choices").get("choices", {})
    choices = {
        str(name): Choice(str(one["description"]), tuple((int(i["value"]), str(i["name"])) for i in one["items"]))
        for name, one in told.items()
    }

    def refused(options: tuple[str, ...]) -> str:
        _, output, error = _launched(installation, program, "mpi-version", options=options)
        return output + error

    return flavour(installation.flavour).algorithms(choices, refused)


def available(installation: Installation, program: Path) -> tuple[Availability, ...]:
    """What the library has of all operations; the core that was built for it is asked.

    Raises:
        MeasurementError: as `inquire`.
    """
    told = _ask(installation, program, "availability")["operations"]
    return tuple(
        Availability(str(one["name"]), bool(one["available"]), bool(one["large_counts"]), str(one["reason"]))
        for one in told
    )


def dims_of(installation: Installation, program: Path, up_to: int) -> Mapping[int, Mapping[int, tuple[int, ...]]]:
    """The factors that the library's MPI_Dims_create finds, by dimensions (2, 3, 4) and number of processes.

    Raises:
        MeasurementError: as `inquire`.
    """
    told = _ask(installation, program, "dims", f"--up-to={up_to}").get("dims", {})
    return {
        int(dimensions): {p: tuple(map(int, factors)) for p, factors in enumerate(each, start=1)}
        for dimensions, each in told.items()
    }


def _ask(installation: Installation, program: Path, *question: str) -> dict[str, Any]:
    outcome, output, error = _launched(installation, program, *question)
    try:
        answer = json.loads(output)
    except ValueError:
        answer = None
    if outcome.exit_code != 0 or not isinstance(answer, dict):
        ended = "did not end" if outcome.timed_out else f"ended with exit code {outcome.exit_code}"
        said = "\n".join(f"    {line}" for line in (output + error).splitlines()) or "    (it said nothing)"
        message = f"{installation.label}: {' '.join(outcome.command)} {ended}\n{said}"
        raise MeasurementError(message)
    return answer


def _launched(
    installation: Installation, program: Path, *question: str, options: tuple[str, ...] = ()
) -> tuple[Outcome, str, str]:
    """How one rank ended where nothing steers the library, its output and its complaints."""
    steering = (*_TRANSPORTS, *(name for member in FLAVOURS for name in member.steering_variables))
    shell = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    with tempfile.TemporaryDirectory(prefix="ictus-inquiry-") as name:
        folder = Path(name)
        variant = Variant(setting=Setting(options=options))
        job = Job(1, (str(program), *question), folder, _TIMEOUT_S, pin=False, variant=variant)
        outcome = launch(installation, job, ambient=shell, one_host=False)
        output = (folder / "stdout.txt").read_text(errors="replace")
        error = (folder / "stderr.txt").read_text(errors="replace")
    if outcome.interrupted:
        raise KeyboardInterrupt
    return outcome, output, error
