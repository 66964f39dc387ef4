"""Asks a newly built core about the library it runs on: version, standard, control variables, algorithms."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field

from ictus.model.algorithm import Offer, Setting, Variant
from ictus.model.availability import Availability
from ictus.model.checksum import FileHash
from ictus.model.document import DocumentPart, Texts, object_or_none, parsed
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Job, Outcome
from ictus.model.library import Installation
from ictus.model.member import Member
from ictus.model.registries import Registries
from ictus.mpi.command import launch
from ictus.mpi.environment import TRANSPORTS
from ictus.mpi.failure_cause import readable
from ictus.mpi.flavours import FLAVOURS, Choice, flavour
from ictus.mpi.recognition import linked

_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class LibraryAnswer:
    """The library's answer about itself."""

    library_version: str
    standard: str
    cvars: Mapping[str, str]


M = TypeVar("M", bound=BaseModel)


class VersionAnswer(DocumentPart):
    """The core's answer about the library and its own launch."""

    n_ranks: int
    library_version: str
    standard: str


class CvarsAnswer(DocumentPart):
    """Control variables."""

    cvars: Texts


class ChoiceItem(DocumentPart):
    """A value of a control variable that has a name."""

    value: int
    name: str


class NamedChoice(DocumentPart):
    """A control variable whose values have names."""

    description: str
    items: tuple[ChoiceItem, ...]


class ChoicesAnswer(DocumentPart):
    """Control variables whose values have names; empty where the library lists none."""

    choices: dict[str, NamedChoice] = Field(default_factory=dict)


class OperationAnswer(DocumentPart):
    """Whether the library has an operation."""

    name: str
    available: bool
    large_counts: bool
    reason: str


class AvailabilityAnswer(DocumentPart):
    """All operations."""

    operations: tuple[OperationAnswer, ...]


class DimsAnswer(DocumentPart):
    """By dimensions: the factors for 1, 2, 3, ... processes."""

    dims: dict[int, tuple[tuple[int, ...], ...]] = Field(default_factory=dict)


def inquire(installation: Installation, program: Path) -> LibraryAnswer:
    """Launch `program` on one rank, in an environment without variables that steer the library, and read its answers.

    Raises: MeasurementError: it does not start, or its answer is invalid; the message has the command and the output.
    """
    version = _ask(VersionAnswer, installation, program, "mpi-version")
    if version.n_ranks != 1:
        message = f"{installation.launcher} started one rank that found {version.n_ranks}: another library's?"
        raise MeasurementError(message)
    first_line = version.library_version.strip().splitlines()[0]
    cvars = _ask(CvarsAnswer, installation, program, "cvars").cvars
    return LibraryAnswer(" ".join(first_line.split()), version.standard, cvars)


def offered(installation: Installation, program: Path) -> Offer:
    """The algorithms that the library offers for its collectives, by operation, from a launch on one rank.

    Raises: MeasurementError: as `inquire`.
    """
    answer = _ask(ChoicesAnswer, installation, program, "cvar-choices")
    choices = {
        name: Choice(choice.description, tuple((item.value, item.name) for item in choice.items))
        for name, choice in answer.choices.items()
    }

    def refused(options: tuple[str, ...]) -> str:
        _, output, error = _launched(installation, program, "mpi-version", options=options)
        return output + error

    return flavour(installation.flavour).algorithms(choices, refused)


def available(installation: Installation, program: Path) -> tuple[Availability, ...]:
    """The library's availability of all operations, from the core that was built for it.

    Raises: MeasurementError: as `inquire`.
    """
    answer = _ask(AvailabilityAnswer, installation, program, "availability")
    return tuple(
        Availability(operation.name, operation.available, operation.large_counts, operation.reason)
        for operation in answer.operations
    )


def dims_of(installation: Installation, program: Path, up_to: int) -> Mapping[int, Mapping[int, tuple[int, ...]]]:
    """The factors that the library's MPI_Dims_create finds, by dimensions (2, 3, 4) and number of processes.

    Raises:
        MeasurementError: as `inquire`.
    """
    answer = _ask(DimsAnswer, installation, program, "dims", f"--up-to={up_to}")
    return {dimensions: dict(enumerate(each, start=1)) for dimensions, each in answer.dims.items()}


def operations_of(installation: Installation, program: Path, library: Path) -> tuple[Member, ...]:
    """The operations of a plug-in, as the core describes them.

    Raises:
        UsageError: the core refuses it; the message has its reason.
        MeasurementError: it ends the core.
    """
    question = ("--plugin", str(library), "describe")
    outcome, output, error = _launched(installation, program, *question)
    if outcome.exit_code == _USAGE:
        complaint = next((line for line in error.splitlines() if _REFUSED in line), error.strip())
        raise UsageError(complaint.partition(_REFUSED)[2] or complaint)
    if outcome.exit_code != 0:
        ended = "did not end" if outcome.timed_out else f"ended with exit code {outcome.exit_code}"
        raise MeasurementError(f"plug-in '{library}': the core that loads it {ended}\n{output}{error}".rstrip())
    described = Registries.parse(output).family("operation").members
    return tuple(member for member in described if member.stands_for)


_USAGE = 2
"""Exit code of the core for a mistake in the request."""
_REFUSED = "ictus-bench: "


def _ask(model: type[M], installation: Installation, program: Path, *question: str) -> M:
    outcome, output, error = _launched(installation, program, *question)
    answer = object_or_none(output)
    if outcome.exit_code != 0 or answer is None:
        ended = "did not end" if outcome.timed_out else f"ended with exit code {outcome.exit_code}"
        output_text = "\n".join(f"    {line}" for line in (output + error).splitlines()) or "    (it printed nothing)"
        message = f"{installation.label}: {' '.join(outcome.command)} {ended}\n{output_text}"
        raise MeasurementError(message)
    return parsed(model, answer, f"{installation.label}: {' '.join(question)}")


def _launched(
    installation: Installation, program: Path, *question: str, options: tuple[str, ...] = ()
) -> tuple[Outcome, str, str]:
    """Exit code, output and errors of one rank, in an environment without variables that steer the library."""
    steering = (*TRANSPORTS, *(name for member in FLAVOURS for name in member.steering_variables))
    shell = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    with tempfile.TemporaryDirectory(prefix="ictus-inquiry-") as name:
        folder = Path(name)
        variant = Variant(setting=Setting(options=options))
        job = Job(1, (str(program), *question), folder, _TIMEOUT_S, pin=False, variant=variant)
        outcome = launch(installation, job, ambient=shell, one_host=False)
        output, error = (readable((folder / name).read_bytes()) for name in ("stdout.txt", "stderr.txt"))
    if outcome.interrupted:
        raise KeyboardInterrupt
    return outcome, output, error


def library_checksum(program: Path, installation: Installation) -> str:
    """The checksum of the shared libraries of MPI (`libmpi*`) that `program` asks for, in the order of their names;
    `unknown` where one is not found in the folders of the program or beside the wrapper, or where there is none.
    """
    libraries = linked(program)
    if libraries is None:
        return "unknown"
    names = sorted(name for name in libraries.libraries if name.startswith("libmpi"))
    beside = [str(installation.compiled_by.parent.parent / folder_name) for folder_name in ("lib", "lib64")]
    paths = [_first(name, (*libraries.folders, *beside)) for name in names]
    file_hash = FileHash()
    for path in paths:
        if path is None:
            return "unknown"
        file_hash.update(path.read_bytes())
    return file_hash.text if paths else "unknown"


def _first(name: str, folders: Iterable[str]) -> Path | None:
    return next((path for folder in folders if (path := Path(folder, name)).is_file()), None)
