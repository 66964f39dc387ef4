"""Family launcher: one file for each way to start ranks; the list below names all of them.

A new one needs a file with a class that fits `Launcher`, a line below, and its words in tests/launch/test_launchers.py.
The simulated launcher (`simulated.py`) is not in the list: it replaces the whole process, not only its command line.
"""

from ictus.launch.launchers.launcher import Dialect, Launcher
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.namespaces import Namespaces
from ictus.launch.launchers.srun import Srun
from ictus.model.errors import UsageError
from ictus.model.spec import Spec

__all__ = ["LAUNCHERS", "Dialect", "Launcher", "check_usable", "launcher"]

LAUNCHERS: tuple[Launcher, ...] = (
    Mpiexec(),
    Srun(),
    Namespaces(),
)


def check_usable(name: str, clock: Spec) -> None:
    """The check of the launcher of that name; nothing for the simulated one, or an unknown one. Raises as it."""
    for member in LAUNCHERS:
        if member.name == name:
            member.check_usable(clock)


def launcher(name: str) -> Launcher:
    """The launcher of that name.

    Raises:
        UsageError: there is none; the message lists the known ones.
    """
    for member in LAUNCHERS:
        if member.name == name:
            return member
    known = ", ".join(member.name for member in LAUNCHERS)
    message = f"launcher {name!r} is unknown; known: {known}"
    raise UsageError(message)
