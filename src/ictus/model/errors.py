"""Errors that end a command, each with its exit code: 1 a gate was hit, 2 usage, 3 the measurement failed."""

from pathlib import Path


class IctusError(Exception):
    """Base of all errors shown to the user as one message without a traceback."""

    exit_code = 3


class UsageError(IctusError):
    """What was asked for cannot be: the message names the option or field, the value and what is allowed."""

    exit_code = 2


class MeasurementError(IctusError):
    """The measurement failed: a library, a launcher, a rank, the disk."""

    exit_code = 3


class GateHit(IctusError):
    """A gate that was asked for (`--gate`, `--fail-on-violation`) was hit."""

    exit_code = 1


class StoppedByUser(MeasurementError):
    """The user ended a campaign; what is complete is kept, and the same request goes on."""

    def __init__(self, folder: Path, done: int, total: int) -> None:
        super().__init__(
            f"stopped: {done} of {total} launches in {folder} are complete; the same command goes on with the rest"
        )
        self.folder, self.done, self.total = folder, done, total
