"""HPE Cray MPICH. The site's launcher starts it (srun, or the mpiexec of PALS), binds its ranks and passes the shell's
variables on. MPI_Get_library_version identifies it; its wrappers are the compilers of the programming environment and
do not name the library.
"""

import re

from ictus.mpi.flavours.flavour import Flavour


class Cray(Flavour):
    """Cray MPICH, of whose algorithms nothing is known."""

    name = "cray"
    summary = "HPE Cray MPICH, launched by the site's launcher"
    wrapper_names = ("mpicxx", "CC")
    launcher_names = ("mpiexec", "srun", "aprun")
    library_pattern = re.compile(r"\bCRAY MPICH version (\S+)")
    prefix_variables = ("CRAY_MPICH_DIR",)
    steering_variables = ("MPICH_", "FI_")
    algorithm_variables = re.compile(r"MPICH_(\w+_ALGO|COLL_|\w+_COLL)")
