"""Family flavour: one file for each kind of MPI library; the list below names all of them.

A new one needs a file with a subclass of `Flavour`, a line below before `Generic`, which recognises every library, and
its version string in tests/mpi/test_flavours.py.
"""

from ictus.model.errors import UsageError
from ictus.mpi.flavours.cray import Cray
from ictus.mpi.flavours.flavour import Choice, Flavour, Refused, SetVariable, Simulation, Situation
from ictus.mpi.flavours.generic import Generic
from ictus.mpi.flavours.intelmpi import IntelMpi
from ictus.mpi.flavours.mpich import Mpich
from ictus.mpi.flavours.mvapich import Mvapich
from ictus.mpi.flavours.nec import Nec
from ictus.mpi.flavours.openmpi import OpenMpi
from ictus.mpi.flavours.simgrid import SimGrid

__all__ = ["FLAVOURS", "Choice", "Flavour", "Refused", "SetVariable", "Simulation", "Situation", "flavour"]

FLAVOURS: tuple[Flavour, ...] = (
    Mpich(),
    OpenMpi(),
    IntelMpi(),
    SimGrid(),
    Mvapich(),
    Cray(),
    Nec(),
    Generic(),
)


def flavour(name: str) -> Flavour:
    """The flavour of that name.

    Raises:
        UsageError: there is none; the message lists the known ones.
    """
    for member in FLAVOURS:
        if member.name == name:
            return member
    names = ", ".join(member.name for member in FLAVOURS)
    message = f"flavour {name!r} is unknown; known: {names}"
    raise UsageError(message)
