"""Prints the C++ wrapper of the MPI named on the command line, for tools/install."""

import sys

from ictus.model.errors import IctusError
from ictus.mpi.discover import find
from ictus.mpi.toolchain import compiler_of

try:
    print(compiler_of(find(sys.argv[1])).wrapper)
except IctusError as failure:
    print(f"install: {failure}", file=sys.stderr)
    sys.exit(failure.exit_code)
