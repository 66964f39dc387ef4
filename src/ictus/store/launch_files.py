"""Files of a launch beside launch.json: how it was started, and the control variables of its library."""

from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from ictus.model.document import Document, Texts
from ictus.store.checksums import UNCHECKED, Checksums

COMMAND = "command.json"
CONTROL_VARIABLES = "cvars.json"


class CommandDocument(Document):
    """command.json: how the launch was started and ended."""

    FILE: ClassVar = COMMAND
    VERSIONED: ClassVar = False

    command: tuple[str, ...] = ()
    environment: Texts = Field(default_factory=dict)
    exit_code: int | None = None
    timed_out: bool = False
    hung_in: str | None = None
    """Where a launch hung after all its results were written, and was ended: `MPI_Finalize` where a rank said so."""
    elapsed_s: float = 0.0
    differing_cvars: dict[str, Any] | None = None
    """Control variables that differ from a clean launch; None without a reference or without control variables."""


class ControlVariables(Document):
    """cvars.json: the library's control variables (MPI_T)."""

    FILE: ClassVar = CONTROL_VARIABLES
    VERSIONED: ClassVar = False

    cvars: Texts = Field(default_factory=dict)


def control_variables(folder: Path, checksums: Checksums = UNCHECKED) -> dict[str, str]:
    """Control variables of a launch, by name; empty without cvars.json. Raises MeasurementError for a damaged file."""
    path = folder / CONTROL_VARIABLES
    checksums.check_file(path)
    return ControlVariables.read(path).cvars if path.is_file() else {}
