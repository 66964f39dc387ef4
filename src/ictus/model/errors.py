"""Errors that end a command, each with its exit code: 1 a gate was hit, 2 usage, 3 the measurement failed."""

from pathlib import Path


class IctusError(Exception):
    """Base of all errors shown to the user as one message without a traceback."""

    exit_code = 3

    @property
    def command_line_text(self) -> str:
        """The message in the words of the command line."""
        return str(self)


class UsageError(IctusError):
    """An invalid request: the message names the option or field, the value and what is allowed."""

    exit_code = 2


class OptionError(UsageError):
    """Values that options cannot have, each with the reason. An option is named as it is typed: `size_is='all'` in
    Python, `--size-is 'all'` on the command line, `size-is = 'all'` in the file `source`.
    """

    def __init__(self, *faults: tuple[str, object, str], source: str = "") -> None:
        self.faults, self.source = faults, source
        named = (
            (f"{source}, {key} = {_literal(value)}" if source else f"{key.replace('-', '_')}={_literal(value)}", reason)
            for key, value, reason in faults
        )
        super().__init__("\n".join(f"{name}: {reason}" for name, reason in named))

    @property
    def command_line_text(self) -> str:
        """The message with the options of the command line; for a file the message itself."""
        if self.source:
            return str(self)
        return "\n".join(f"{_flag(key)} '{_text(value)}': {reason}" for key, value, reason in self.faults)


def _literal(value: object) -> str:
    return repr(value if isinstance(value, (str, int, float, list, tuple, dict, type(None))) else str(value))


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):  # variables, by name: each as it is typed
        return " ".join(f"{name}={_text(part)}" for name, part in value.items())
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _flag(key: str) -> str:
    return f"-{key}" if len(key) == 1 else f"--{key.replace('_', '-')}"


class ForeignPrograms(UsageError):
    """A folder names programs that this user did not; `programs` are options that name them."""

    def __init__(self, folder: Path, programs: tuple[str, ...]) -> None:
        super().__init__(
            f"'{folder}' would run what you have not named: {' '.join(programs)}\n"
            f"If you trust the person who made the folder, give the same options yourself, or run the command at a "
            f"terminal, where it asks."
        )
        self.programs = programs


class MeasurementError(IctusError):
    """The measurement failed: a library, a launcher, a rank, the disk."""

    exit_code = 3


class GateHit(IctusError):
    """A gate (`--gate`, `--fail-on-violation`) was hit."""

    exit_code = 1


class LaunchTimeout(MeasurementError):
    """A launch had not ended when its time was over: a fault of it, or of a machine that was busy."""


class Interruption(MeasurementError):
    """Something ended a campaign that has no part in it; the same request continues. It says nothing of what was
    launched.
    """


class DiskError(Interruption):
    """The disk took no more."""


class FolderLost(Interruption):
    """The folder of a campaign was removed, moved or replaced while it was in use."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"'{folder}' was removed, moved or replaced while it was measured in, and nothing more is written there. "
            "Where it was moved, `ictus run -o FOLDER` continues it; what was removed is lost"
        )


class StoppedByUser(Interruption):
    """The user ended a campaign; what is complete is kept, and the same request continues it."""

    def __init__(self, folder: Path, done: int, total: int) -> None:
        super().__init__(
            f"stopped: {done} of {total} launches in {folder} are complete; the same command continues with the rest"
        )
        self.folder, self.done, self.total = folder, done, total


class OutOfTime(StoppedByUser):
    """An allocation was about to end; what is complete is kept, and the same request continues it."""

    def __init__(self, folder: Path, done: int, total: int, continue_at: str = "") -> None:
        """`continue_at` is when the next block begins, where the campaign waits for one."""
        super().__init__(folder, done, total)
        complete = f"{done} of {total} launches in {folder} are complete"
        why, when = "too soon for another launch", ""
        if continue_at:
            why, when = "before the next block of launches", f" at {continue_at}"
        self.args = (f"the allocation ends {why}: {complete}; the same command continues{when}",)


class SeveralStopped(Interruption):
    """The user, or the end of an allocation, ended a measurement of several campaigns NAME-1, NAME-2, ..."""

    def __init__(self, name: Path, done: int, total: int, why: str) -> None:
        self.said = f"{why}: {done} of {total} campaigns {name}-1 to {name}-{total} are complete"
        super().__init__(f"{self.said}; the same command continues with the rest")
        self.name, self.done, self.total = name, done, total
