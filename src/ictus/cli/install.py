"""`ictus install`: what C, C++ and Fortran programs, a module system and the shells need, under one prefix."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ictus.cli.manual import share_files
from ictus.engine.backend import find_library
from ictus.engine.event import PreparationStep
from ictus.model.errors import MeasurementError
from ictus.model.library import Installation
from ictus.mpi.install import install_libraries
from ictus.render.output import next_line, output
from ictus.render.plan_options import Library
from ictus.render.progress import Display
from ictus.store.document import version

_MODULE = """\
#%Module1.0
## Ictus {version}, built for {flavour} {library}. `ictus install` wrote this file.
proc ModulesHelp {{ }} {{
    puts stderr "Ictus {version}: measures MPI communication. Its libraries belong to {flavour} {library}."
}}
module-whatis "Ictus {version}: measures MPI communication ({flavour} {library})"
conflict ictus
set prefix {{{prefix}}}
setenv ICTUS_PREFIX $prefix
prepend-path PATH $prefix/bin
prepend-path LD_LIBRARY_PATH $prefix/{lib}
prepend-path PKG_CONFIG_PATH $prefix/{lib}/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
"""
"""For Environment Modules and for Lmod, which both read Tcl."""


def install(
    prefix: Annotated[
        Path,
        typer.Argument(metavar="PREFIX", help="Folder to install into; each folder holds one MPI.", show_default=False),
    ],
    mpi: Library = None,
) -> None:
    """Install libraries, manual pages, completions and a module file.

    ictus-bench and the C, C++ and Fortran libraries are built with CMake for one MPI library. PREFIX/bin also has a
    link to this `ictus`; PREFIX/share/modulefiles is for `module use`.
    """
    installation = find_library(mpi)
    step = f"building for {installation.label} ({installation.flavour} {installation.version})"
    with Display() as display:
        display(PreparationStep(step))
        install_libraries(installation, prefix, lambda detail: display(PreparationStep(step, detail)))
    try:
        install_shared(prefix, installation)
    except OSError as error:
        raise MeasurementError(f"'{error.filename}' cannot be written: {error.strerror}") from error
    output().print(f"installed in {prefix}, for {installation.flavour} {installation.version}")
    output().print(next_line(f"module use {prefix.resolve() / 'share/modulefiles'} && module load ictus"))


def install_shared(prefix: Path, installation: Installation) -> None:
    """Manual pages, completions, the module file and the link to this program. Raises OSError."""
    module = module_file(prefix.resolve(), installation, version())
    for name, text in {**share_files(), f"modulefiles/ictus/{version()}": module}.items():
        path = prefix / "share" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    _link(prefix / "bin" / "ictus")


def module_file(prefix: Path, installation: Installation, version: str) -> str:
    """The module file of an installed prefix."""
    lib = next((path.parent.name for path in sorted(prefix.glob("lib*/libictus.so"))), "lib")
    flavour_name, library = installation.flavour, installation.version
    return _MODULE.format(version=version, flavour=flavour_name, library=library, prefix=prefix, lib=lib)


def _link(path: Path) -> None:
    """A link to this program, so that who loads the module has it too; none where it was started in another way."""
    own_program = Path(sys.argv[0])
    if own_program.name != "ictus" or not own_program.is_file() or (path.exists() and path.samefile(own_program)):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(own_program.absolute())
