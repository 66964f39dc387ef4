"""Errors that end a command, each with its exit code: 1 a gate was hit, 2 usage, 3 the measurement failed."""


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
