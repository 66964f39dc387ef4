"""NEC MPI of the SX-Aurora: its own mpirun starts it and gets only the number of ranks; the site decides where they
run.
"""

import re

from ictus.model.library import Installation
from ictus.mpi.flavours.flavour import Flavour, Situation


class Nec(Flavour):
    """NEC MPI, of whose algorithms nothing is known."""

    name = "nec"
    summary = "NEC MPI, launched by its own mpirun"
    wrapper_names = ("mpinc++", "mpic++", "mpicxx")
    launcher_names = ("mpirun", "mpiexec")
    library_pattern = re.compile(r"\bNEC MPI:? (?:Version )?(\d\S*)")
    steering_variables = ("NMPI_",)

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:
        """`-np N`."""
        return ("-np", *super().placement(installation, situation)[1:])
