"""Puts on this machine: an MPI library from its wheel, and the C, C++ and Fortran libraries of Ictus for one MPI.

Neither needs a checkout: wheels come by pip or uv, the libraries from the sources inside the package.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.library import Installation
from ictus.mpi.build import own_version
from ictus.mpi.cache import cache_folder, exclusive_access
from ictus.mpi.recognition import Unusable, WrapperCandidate, recognise
from ictus.mpi.sources import native_folder, source_hash
from ictus.mpi.stages import Command, Progress, run_stages
from ictus.mpi.toolchain import OLDEST_CMAKE, cmake_program, compiler_of
from ictus.mpi.wheels import WheelRequest, new_prefixes

_PLACES = ("PIP_PREFIX", "PIP_TARGET", "PIP_USER")
"""Settings of the shell that would send a wheel to another place."""
_DEBIAN = {"DEB_PYTHON_INSTALL_LAYOUT": "deb"}
"""Debian's own Python would put what has a prefix into its folder `local`."""


def install_wheel(request: WheelRequest, on_progress: Progress, environment: Path | None = None) -> Installation:
    """The library of a wheel in a prefix of its own, where it is not there yet. `environment` stands in for this one.

    Raises:
        MeasurementError: the wheel cannot be had or is none for this machine; the message has what the installer said.
    """
    prefix = new_prefixes(environment) / request.folder
    with exclusive_access(prefix):
        recognised = _recognised(prefix)
        if isinstance(recognised, Installation) and recognised.version == request.version:
            return recognised
        shutil.rmtree(prefix, ignore_errors=True)
        name = f"{request.flavour} {request.version}"
        on_progress(f"installing {name}")
        variables = {name: value for name, value in os.environ.items() if name not in _PLACES} | _DEBIAN
        log = prefix.with_name(f"{request.folder}.log")
        try:
            run_stages(((_installer(request, prefix),),), variables, log, f"installing {name}", on_progress)
            return _usable(_recognised(prefix))
        except BaseException:
            shutil.rmtree(prefix, ignore_errors=True)
            raise


def _usable(recognised: Installation | Unusable) -> Installation:
    if isinstance(recognised, Unusable):
        raise MeasurementError(f"{recognised.wrapper} cannot be used: {recognised.reason}")
    return recognised


def _recognised(prefix: Path) -> Installation | Unusable:
    return recognise(WrapperCandidate(prefix / "bin" / "mpicxx", "wheel"), os.environ)


def _installer(request: WheelRequest, prefix: Path) -> Command:
    """Pip of this Python; uv where it has none, as under uvx. Nothing but the wheel is installed."""
    package = (f"{request.flavour}=={request.version}",)
    what = ("--require-hashes", "--requirement", str(request.lock)) if request.lock else package
    words = ("--no-deps", "--prefix", str(prefix), *what)
    if importlib.util.find_spec("pip"):
        always = ("--disable-pip-version-check", "--no-input", "--ignore-installed")
        return (sys.executable, "-m", "pip", "install", *always, *words)
    beside = str(Path(sys.prefix) / "bin")
    uv = os.environ.get("UV") or shutil.which("uv") or shutil.which("uv", path=beside)
    if uv is None:
        raise UsageError(
            f"{sys.executable} has no pip, and uv is not in PATH: install one of them "
            f"(Debian, Ubuntu: apt-get install python3-pip)"
        )
    return (uv, "pip", "install", "--python", sys.executable, *words)


def install_libraries(installation: Installation, prefix: Path, on_progress: Progress) -> None:
    """Build all that is installed for one MPI with CMake and put it under `prefix`: ictus-bench, libictus with its
    header, pkg-config file and CMake package, the libraries that are loaded in front of programs, and the Fortran
    module where the MPI has one.

    Raises:
        UsageError: there is no CMake, it cannot use this MPI, or the prefix cannot be written.
        MeasurementError: it does not build; the message has the command, its exit code and what it said.
    """
    compiler = compiler_of(installation)
    cmake = cmake_program(compiler)
    if cmake is None:
        oldest = ".".join(map(str, OLDEST_CMAKE))
        raise UsageError(
            f"{installation.label} cannot be built for: it takes CMake {oldest} or newer (pip install cmake, or "
            f"apt-get install cmake), and an MPI in a folder without blanks in its name ({installation.wrapper})"
        )
    try:
        prefix.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"PREFIX '{prefix}' cannot be made: {error.strerror}") from error
    native = native_folder()
    entry = cache_folder() / "installs" / f"{installation.flavour}-{installation.version}"
    with exclusive_access(entry):
        tree = entry / "tree"
        shutil.rmtree(entry, ignore_errors=True)
        tree.mkdir(parents=True)
        ninja = shutil.which("ninja") or shutil.which("ninja", path=str(Path(sys.prefix) / "bin"))
        variables = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_CXX_COMPILER": str(compiler.wrapper) if compiler.alone else compiler.below(),
            "MPI_CXX_COMPILER": str(compiler.wrapper),
            "CMAKE_INSTALL_PREFIX": str(prefix.absolute()),
            "ICTUS_VERSION": own_version(),
            "ICTUS_SOURCE_HASH": source_hash(native),
            **({"CMAKE_MAKE_PROGRAM": ninja} if ninja else {}),
        }
        generator = ("-G", "Ninja") if ninja else ()
        words = (f"-D{name}={value}" for name, value in variables.items())
        stages: tuple[tuple[Command], ...] = (
            ((str(cmake), "-S", str(native), "-B", str(tree), *generator, *words),),
            ((str(cmake), "--build", str(tree), "--parallel", str(os.cpu_count() or 1)),),
            ((str(cmake), "--install", str(tree)),),
        )
        what = f"building the libraries for {installation.label}"
        run_stages(stages, compiler.environment, entry / "build.log", what, on_progress)
        shutil.rmtree(tree)
