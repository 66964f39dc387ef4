"""How the core is turned into a program: CMake and Ninja where they are, the wrapper alone where they are not.

Both give stages: the commands of one stage may run at the same time, the next stage needs them done.
"""

import itertools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from ictus.mpi.compiler import Compiler
from ictus.mpi.recognition import output_of
from ictus.mpi.sources import core_sources

PROGRAM = "ictus-bench"

_OLDEST_CMAKE = (3, 20)

_SIMULATED = ("-DICTUS_SIMULATED", "-fno-gnu-unique")
"""What native/cmake/simgrid.cmake says, for compiling without CMake."""

Command = tuple[str, ...]
Stages = tuple[tuple[Command, ...], ...]


def cmake_program(compiler: Compiler) -> Path | None:
    """CMake from PATH or from this Python's prefix; None where there is none that is recent enough and can be used.

    CMake learns from what the wrapper shows where MPI is, and splits that at blanks: folders with blanks in their names
    (Open MPI's wrapper resolves links to them) are beyond it.
    """
    words = shlex.split(compiler.shown())[1:]
    if any(" " in word or not word.startswith(("-", "/")) for word in words):
        return None
    for found in (shutil.which("cmake"), shutil.which("cmake", path=str(Path(sys.prefix) / "bin"))):
        if found and _cmake_version(found) >= _OLDEST_CMAKE:
            return Path(found)
    return None


def cmake_stages(cmake: Path, compiler: Compiler, folder: Path, tree: Path, definitions: Mapping[str, str]) -> Stages:
    """Configure, then build `tree`/ictus-bench from the sources in `folder`; `definitions` are CMake's variables."""
    ninja = shutil.which("ninja") or shutil.which("ninja", path=str(Path(sys.prefix) / "bin"))
    variables = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER": str(compiler.wrapper) if compiler.alone else compiler.below(),
        "MPI_CXX_COMPILER": str(compiler.wrapper),
        "CMAKE_RUNTIME_OUTPUT_DIRECTORY": str(tree),
        **definitions,
        **({"CMAKE_MAKE_PROGRAM": ninja} if ninja else {}),
    }
    generator = ("-G", "Ninja") if ninja else ()
    words = (f"-D{name}={value}" for name, value in variables.items())
    configure = (str(cmake), "-S", str(folder), "-B", str(tree), *generator, *words)
    parallel = str(os.cpu_count() or 1)
    return ((configure,), ((str(cmake), "--build", str(tree), "--target", PROGRAM, "--parallel", parallel),))


def wrapper_stages(compiler: Compiler, folder: Path, tree: Path, definitions: Mapping[str, str]) -> Stages:
    """The wrapper called directly: one unit for each folder of sources, which saves reading mpi.h for each file.

    Writes these units into `tree`.
    """
    macros = tuple(f'-D{name}="{value}"' for name, value in definitions.items())
    flags = ("-std=c++20", "-O2", "-I", str(folder / "src"), *macros, *(_SIMULATED if compiler.alone else ()))
    compile_units: list[Command] = []
    objects: list[str] = []
    for parent, sources in itertools.groupby(core_sources(folder), key=lambda path: path.parent):
        unit = tree / f"{parent.name}.cpp"
        unit.write_text("".join(f'#include "{source}"\n' for source in sources))
        objects.append(str(unit.with_suffix(".o")))
        compile_units.append((str(compiler.wrapper), *flags, "-c", str(unit), "-o", objects[-1]))
    link = (str(compiler.wrapper), *objects, "-o", str(tree / PROGRAM))
    return (tuple(compile_units), (link,))


def _cmake_version(program: str) -> tuple[int, ...]:
    match = re.search(r"version (\d+)\.(\d+)", output_of((program, "--version"), os.environ))
    return tuple(map(int, match.groups())) if match else (0,)
