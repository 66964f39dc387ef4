"""Ictus for Spack: `spack repo add packaging/spack/spack_repo/ictus`, then `spack install ictus ^mpich`."""

from pathlib import Path

from spack.package import *
from spack_repo.builtin.build_systems.python import PythonPackage


class Ictus(PythonPackage):
    """Measures MPI communication: one common start, one common clock, fair comparisons of libraries.

    The core is compiled on demand for each MPI that is measured: any number of them can be named at run time.
    """

    git = Path(__file__).resolve().parents[6].as_uri()  # the checkout that this recipe lies in

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("libraries", default=False, description="CMake and Ninja, for `ictus install`")

    depends_on("cxx", type="build")
    depends_on("gcc@10:", type="run")
    depends_on("mpi", type="run")
    depends_on("python@3.10:", type=("build", "run"))
    depends_on("py-hatchling@1.27:", type="build")
    depends_on("py-jinja2@3.1:", type=("build", "run"))
    depends_on("py-matplotlib@3.8:", type=("build", "run"))
    depends_on("py-numpy@1.26:", type=("build", "run"))
    depends_on("py-polars@1.30:", type=("build", "run"))
    depends_on("py-pydantic@2.7:", type=("build", "run"))
    depends_on("py-rich@13.7:", type=("build", "run"))
    depends_on("py-scipy@1.15:", type=("build", "run"))
    depends_on("py-tomli@2.0:", type=("build", "run"), when="^python@:3.10")
    depends_on("py-typer@0.12:", type=("build", "run"))
    depends_on("py-xxhash@3.4:", type=("build", "run"))
    depends_on("cmake@3.25:", type="run", when="+libraries")
    depends_on("ninja@1.11:", type="run", when="+libraries")
