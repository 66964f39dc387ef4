"""Plug-ins with operations as shared libraries for one MPI: sources are compiled by its wrapper, into the cache."""

import hashlib
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.input_file import ARRAY_BYTES, UnreadableFile, file_content
from ictus.model.library import Installation
from ictus.model.plugin import SOURCES, Plugin
from ictus.mpi.cache import cache, cache_folder, exclusive_access, is_whole, new_partial, put
from ictus.mpi.sources import native_folder
from ictus.mpi.stages import Progress, run_stages
from ictus.mpi.toolchain import compiler_of

_HEADER = Path("ictus", "operation.h")
_LANGUAGES = {".c": ("-x", "c"), ".f90": (), ".F90": (), ".f08": ()}
_CPLUSPLUS = ("-x", "c++", "-std=c++20")
_FORTRAN = ("cxx", "c++", "CC")
"""What the name of a wrapper has where that for Fortran has `fort`."""


def digest_of(plugin: Plugin) -> str:
    """SHA-256 of the file; UsageError where it cannot be read, or is not the one that was meant."""
    try:
        found = hashlib.sha256(file_content(Path(plugin.path), ARRAY_BYTES)).hexdigest()
    except (UnreadableFile, ValueError) as error:  # a path may have characters that no path has
        reason = error.reason if isinstance(error, UnreadableFile) else error
        raise UsageError(f"--plugin '{plugin.path}': {reason}; name a library or a source") from error
    if plugin.sha256 not in ("", found):
        raise UsageError(
            f"plug-in '{plugin.path}' has changed: its SHA-256 is {found[:12]}... now and was {plugin.sha256[:12]}...; "
            "launches of both are never mixed: give another -o, or put the old file back"
        )
    return found


def operation_library(installation: Installation, plugin: Plugin, on_progress: Progress) -> Path:
    """The shared library of a plug-in for `installation`: its file, or its source compiled now or before.

    Raises:
        UsageError: the file is missing or has changed, or the library has no wrapper for its language.
        MeasurementError: it does not compile; the message has the command and what it said.
    """
    digest, source = digest_of(plugin), Path(plugin.path)
    if source.suffix not in SOURCES:
        return source
    compiler, include = compiler_of(installation), native_folder() / "include"
    wrapper = _wrapper(compiler.wrapper, source)
    header = (include / _HEADER).read_bytes()
    key = "\0".join((digest, source.name, str(wrapper), compiler.shown(), compiler.version()))
    place = cache_folder() / "operations" / hashlib.sha256(key.encode() + header).hexdigest()[:24]
    library = place / f"lib{source.stem}.so"
    if not is_whole(place):
        with exclusive_access(place):
            partial = new_partial(place)
            made = partial / library.name
            words = ("-O2", "-fPIC", "-shared", "-I", str(include), *_LANGUAGES.get(source.suffix, _CPLUSPLUS))
            own = ("-J", str(partial)) if wrapper != compiler.wrapper else ()
            command = (str(wrapper), *words, *own, str(source), "-o", str(made))
            what = f"compiling plug-in {source.name} for {installation.label}"
            run_stages(((command,),), compiler.environment, partial / "build.log", what, on_progress)
            put(partial, place, library.name)
    return cache().checked(library)


def fortran_wrapper(wrapper: Path) -> Path | None:
    """The wrapper for Fortran beside the C++ one; None where there is none."""
    names = [wrapper.name.replace(one, "fort") for one in _FORTRAN if one in wrapper.name]
    return next((path for name in names if (path := wrapper.with_name(name)).is_file()), None)


def _wrapper(wrapper: Path, source: Path) -> Path:
    """The C++ wrapper, which compiles C too, or the one for Fortran beside it."""
    if source.suffix.lower() not in (".f90", ".f08"):
        return wrapper
    found = fortran_wrapper(wrapper)
    if found is None:
        raise UsageError(f"plug-in '{source}': there is no Fortran wrapper such as mpifort beside {wrapper}")
    return found
