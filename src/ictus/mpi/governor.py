"""The frequency governor of this host's processors (cpufreq of Linux), set for one launch where the system allows it.

Only its administrator may set it, and virtual machines mostly have none: what is missing is said before a launch.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ictus.model.errors import MeasurementError, OptionError
from ictus.model.launch_factor import GOVERNOR

SYSTEM = Path("/sys/devices/system/cpu")


def check_governors(names: Sequence[str]) -> None:
    """OptionError for a governor that cannot be set here; the message says why."""
    for name in names:
        obstacle = _obstacle(name)
        if obstacle is not None:
            raise OptionError((GOVERNOR, name, obstacle))


@contextmanager
def governor_set(name: str) -> Iterator[None]:
    """All processors have this governor inside the block, and afterwards what each had before, whatever ended it.
    An empty name touches nothing. Raises MeasurementError.
    """
    with ExitStack() as before:
        for file in _files() if name else ():
            before.callback(_write, file, file.read_text().strip())
            _write(file, name)
        yield


def _files() -> list[Path]:
    """One for each set of processors that have a common frequency."""
    return sorted(SYSTEM.glob("cpufreq/policy*/scaling_governor"))


def _obstacle(name: str) -> str | None:
    files = _files()
    if not files:
        return f"this machine has no governor to set: {SYSTEM / 'cpufreq'} has no policy, as in most virtual machines"
    for file in files:
        available = file.with_name("scaling_available_governors").read_text().split()
        if name not in available:
            return f"{file.parent.name} has no such governor; it has {', '.join(available)}"
        if not os.access(file, os.W_OK):
            return f"{file} cannot be written by this user; its administrator can set the governor, or let you"
    return None


def _write(file: Path, name: str) -> None:
    try:
        file.write_text(name)
        written = file.read_text().strip()
    except OSError as error:
        raise MeasurementError(f"governor '{name}': {file}: {error.strerror}") from error
    if written != name:
        raise MeasurementError(f"governor '{name}': {file} has '{written}' after it was set")
