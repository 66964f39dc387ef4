"""The needs of a launch on a simulated platform: the library that makes the platform, and the host of each rank."""

import functools
import hashlib
import shutil
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.platform import DEFAULT_PLATFORM, parse_platform
from ictus.mpi.cache import cache_folder, exclusive_access
from ictus.mpi.flavours import Simulation
from ictus.mpi.sources import native_folder
from ictus.mpi.toolchain import compiler_of, run_stages

LIBRARY = "libictus-platform.so"


def prepare_simulation(installation: Installation, job: Job) -> Simulation:
    """Write the hostfile of `job` into its folder; the platform library comes from the cache or is compiled (5 s).

    Raises:
        UsageError: hosts are named, or a word of the program has blanks, at which smpirun splits.
        MeasurementError: the library does not compile.
    """
    if job.hosts is not None:
        raise UsageError(f"{installation.label} simulates its hosts: it cannot be started on others")
    split = [word for word in job.program if any(character.isspace() for character in word)]
    if split:
        raise UsageError(f"{installation.launcher} splits words at blanks: '{split[0]}' must be without")
    platform = job.platform or parse_platform(DEFAULT_PLATFORM)
    hostfile = job.folder / "hosts.txt"
    hostfile.write_text("".join(f"{name}\n" for name in platform.host_names(job.n_ranks)), "utf-8")
    library = platform_library(installation)
    return Simulation(library, hostfile, platform.description(job.n_ranks), platform.reading_s)


@functools.cache
def platform_library(installation: Installation) -> Path:
    """The library that SimGrid loads instead of a platform file, compiled once for this version of it.

    Raises:
        MeasurementError: it does not compile; the message names the log.
    """
    compiler = compiler_of(installation)
    source = native_folder() / "src"
    files = sorted([*(source / "platform").iterdir(), source / "base" / "random.hpp"])
    digest = hashlib.sha256(f"{installation.version}\0{compiler.version()}\0".encode())
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    place = cache_folder() / "platforms" / f"{installation.flavour}-{installation.version}-{digest.hexdigest()[:16]}"
    with exclusive_access(place):
        if not place.is_dir():
            partial = place.with_name(f"{place.name}.partial")
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir()
            units = (str(path) for path in files if path.suffix == ".cpp")
            flags = ("-std=c++20", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-I", str(source))
            command = (compiler.below(), *flags, *units, "-o", str(partial / LIBRARY), "-lsimgrid")
            what = "building the simulated platforms"
            run_stages(((command,),), compiler.environment, partial / "build.log", what, lambda _text: None)
            partial.rename(place)
    return place / LIBRARY
