"""Any library with the MPI 3.1 interface behind a working wrapper, identified by MPI_Get_library_version. Its own
mpiexec or the site's launcher starts the ranks; its algorithms are unknown.
"""

import re

from ictus.mpi.flavours.flavour import Flavour


class Generic(Flavour):
    """The answers of an unknown library. It is the last in the list, because it recognises every library."""

    name = "generic"
    summary = "any MPI 3.1 library; only its version is known"
    library_pattern = re.compile(r"(?s)^(?=.*\S)\D*?(\d[\w.]*|$)")
    prefix_variables = ("MPI_HOME", "MPI_ROOT", "MPI_DIR")
