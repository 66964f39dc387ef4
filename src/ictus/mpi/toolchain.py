"""Compiles the core and the probe to a program or a library, with CMake and Ninja where they exist and with the wrapper
alone elsewhere.

Both give stages: commands of one stage may run at the same time, and the next stage needs all of them. The output goes
into a log; an error shows all of it.
"""

import hashlib
import itertools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.library import Installation
from ictus.mpi.cache import cache, cache_folder
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import flavour
from ictus.mpi.recognition import output_of
from ictus.mpi.sources import core_sources, preload_sources, profile_sources, redirect_sources, simulate_sources
from ictus.mpi.stages import Command, Stages


@dataclass(frozen=True)
class Compiler:
    """A wrapper ready to be called."""

    wrapper: Path
    environment: Mapping[str, str]
    alone: bool = False
    """Whether programs must be compiled and linked by the wrapper itself: it does more than naming headers and
    libraries (SimGrid)."""

    def shown(self) -> str:
        """The command line that it would run: compiler, folders of headers and libraries."""
        return "\n".join(line for line in self._output() if not self._complains(line)).strip()

    def _output(self) -> list[str]:
        return output_of((str(self.wrapper), "-show"), self.environment).splitlines()

    def _complains(self, line: str) -> bool:
        """Whether the shell of the wrapper, a script, says there that it lacks a program such as sed."""
        return line.startswith(f"{self.wrapper}:")

    def below(self) -> str:
        """The compiler that the wrapper calls: the first word of what it shows."""
        words = self.shown().split()
        return (words and shutil.which(words[0])) or "c++"

    def check(self, label: str) -> None:
        """MeasurementError where the wrapper of the library `label` lacks a program, the compiler before all others."""
        words = self.shown().split()
        name = words[0] if words else "c++"
        if not self.alone and shutil.which(name, path=self.environment.get("PATH")) is None:
            raise MeasurementError(
                f"no C++ compiler ({name}): the wrapper of {label} calls it, and it is not in PATH; "
                "install g++, or load the module of a compiler"
            )
        lacks = next(filter(self._complains, self._output()), None)
        if lacks is not None and not words:
            raise MeasurementError(
                f"the wrapper of {label} does not work: {lacks}; add the folder of the missing program to PATH"
            )

    def version(self) -> str:
        """First line of the version of the compiler below the wrapper."""
        program = self.below() if self.alone else str(self.wrapper)
        lines = output_of((program, "--version"), self.environment).splitlines()
        return lines[0].strip() if lines else "unknown"


def compiler_of(installation: Installation) -> Compiler:
    """The wrapper of `installation`, with the environment that it needs.

    MPICH's wrapper splits its own path at blanks. One in a folder with blanks in its name is therefore called through a
    link from the cache, which stays: the programs find their library there.

    Raises:
        UsageError: the path holds blanks, and so does the cache's.
    """
    member = flavour(installation.flavour)
    environment = launch_environment(installation, member.compile_environment(installation)).variables
    return Compiler(_without_blanks(installation.compiled_by), environment, alone=member.simulated)


def _without_blanks(wrapper: Path) -> Path:
    if not _has_blanks(wrapper):
        return wrapper
    prefix = wrapper.parent.parent
    link = cache_folder() / "prefixes" / hashlib.sha256(os.fsencode(prefix)).hexdigest()[:16]
    if _has_blanks(link):
        message = (
            f"{wrapper}: MPI wrappers cannot work from a folder with blanks in its name; "
            f"set ICTUS_CACHE to a folder without (it is {cache_folder()})"
        )
        raise UsageError(message)
    cache().make(link.parent)
    with suppress(FileExistsError):
        link.symlink_to(prefix, target_is_directory=True)
    return link / wrapper.parent.name / wrapper.name


def _has_blanks(path: Path) -> bool:
    return any(character.isspace() for character in str(path))


PROGRAM = "ictus-bench"
SIMULATE = "ictus-simulate"
PRELOAD = "libictus-preload.so"
REDIRECT = "libictus-redirect.so"
PROFILE = "libictus-profile.so"

PROGRAMS = (PROGRAM, SIMULATE)
"""All else is a library to load in front of programs."""

_SOURCES = {
    PROGRAM: core_sources,
    SIMULATE: simulate_sources,
    PRELOAD: preload_sources,
    REDIRECT: redirect_sources,
    PROFILE: profile_sources,
}

_LOADED_FIRST = ("-fPIC", "-ftls-model=initial-exec")
_COMPILED = {PRELOAD: ("-fPIC",), REDIRECT: _LOADED_FIRST, PROFILE: (*_LOADED_FIRST, "-fno-semantic-interposition")}
"""How native/cmake compiles the libraries, for compiling without CMake."""

OLDEST_CMAKE = (3, 20)

_SIMULATED = ("-DICTUS_SIMULATED", "-fno-gnu-unique")
"""As in native/cmake/simgrid.cmake, for compiling without CMake."""


def cmake_program(compiler: Compiler) -> Path | None:
    """CMake from PATH or from this Python's prefix; None where there is none that is recent enough and can be used.

    CMake learns from what the wrapper shows where MPI is, and splits that at blanks: folders with blanks in their names
    (Open MPI's wrapper resolves links to them) are beyond it.
    """
    words = shlex.split(compiler.shown())[1:]
    if any(" " in word or not word.startswith(("-", "/")) for word in words):
        return None
    for cmake in (shutil.which("cmake"), shutil.which("cmake", path=str(Path(sys.prefix) / "bin"))):
        if cmake and _cmake_version(cmake) >= OLDEST_CMAKE:
            return Path(cmake)
    return None


@dataclass(frozen=True)
class Making:
    """What to compile, from what, where."""

    product: str
    """PROGRAM, SIMULATE, PRELOAD, REDIRECT or PROFILE: the file that is made in `tree`."""
    compiler: Compiler
    folder: Path
    """The sources."""
    tree: Path
    definitions: Mapping[str, str]
    """Variables of CMake, macros without it."""
    flags: str = ""
    """For compiling and linking, after all others."""


def stages(making: Making) -> Stages:
    """By CMake where it is and can be used, else by the wrapper alone."""
    cmake = cmake_program(making.compiler)
    return cmake_stages(cmake, making) if cmake else wrapper_stages(making)


def target_of(product: str) -> str:
    """What CMake calls a product: `ictus-preload` makes libictus-preload.so."""
    return product.removeprefix("lib").removesuffix(".so")


def cmake_stages(cmake: Path, making: Making) -> Stages:
    """Configure, then build the product in `tree`."""
    compiler, tree = making.compiler, making.tree
    ninja = shutil.which("ninja") or shutil.which("ninja", path=str(Path(sys.prefix) / "bin"))
    variables = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER": str(compiler.wrapper) if compiler.alone else compiler.below(),
        "MPI_CXX_COMPILER": str(compiler.wrapper),
        "ICTUS_MPIFORT": "OFF",
        "CMAKE_RUNTIME_OUTPUT_DIRECTORY": str(tree),
        "CMAKE_LIBRARY_OUTPUT_DIRECTORY": str(tree),
        **making.definitions,
        "ICTUS_CORE_FLAGS": making.flags,
        **({"CMAKE_MAKE_PROGRAM": ninja} if ninja else {}),
    }
    generator = ("-G", "Ninja") if ninja else ()
    words = (f"-D{name}={value}" for name, value in variables.items())
    configure = (str(cmake), "-S", str(making.folder), "-B", str(tree), *generator, *words)
    target, parallel = target_of(making.product), str(os.cpu_count() or 1)
    return ((configure,), ((str(cmake), "--build", str(tree), "--target", target, "--parallel", parallel),))


def wrapper_stages(making: Making) -> Stages:
    """The wrapper called directly: one unit for each folder of sources, which saves reading mpi.h for each file.

    Writes these units into `tree`.
    """
    compiler, folder, tree = making.compiler, making.folder, making.tree
    macros = tuple(f'-D{name}="{value}"' for name, value in making.definitions.items())
    includes = ("-I", str(folder / "src"), "-I", str(folder / "include"))
    shared, library = ((), ()) if making.product in PROGRAMS else (_COMPILED[making.product], _library_flags(making))
    own_flags = tuple(making.flags.split())
    flags = ("-std=c++20", "-O2", *shared, *includes, *macros, *(_SIMULATED if compiler.alone else ()), *own_flags)
    sources = _SOURCES[making.product](folder)
    compile_units: list[Command] = []
    objects: list[str] = []
    for parent, files in itertools.groupby(sorted(sources, key=_room), key=_room):
        unit = tree / f"{'-'.join(parent.relative_to(folder).parts)}.cpp"
        unit.write_text("".join(f'#include "{source}"\n' for source in files))
        objects.append(str(unit.with_suffix(".o")))
        compile_units.append((str(compiler.wrapper), *flags, "-c", str(unit), "-o", objects[-1]))
    loads = ("-ldl",) if making.product in PROGRAMS else ()  # plug-ins; part of the C library since glibc 2.34
    link = (str(compiler.wrapper), *library, *own_flags, *objects, *loads, "-o", str(tree / making.product))
    return (tuple(compile_units), (link,))


def _room(source: Path) -> Path:
    return source.parent


def _library_flags(making: Making) -> tuple[str, ...]:
    """As in native/cmake/preload.cmake."""
    exported = f"-Wl,--version-script={making.folder / 'src/interposition/exports.map'}"
    return ("-shared", "-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL", exported)


def _cmake_version(program: str) -> tuple[int, ...]:
    match = re.search(r"version (\d+)\.(\d+)", output_of((program, "--version"), os.environ))
    return tuple(map(int, match.groups())) if match else (0,)
