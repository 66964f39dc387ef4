"""Plug-ins with operations as shared libraries for one MPI: sources are compiled by its wrapper, into the cache."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.input_file import ARRAY_BYTES, UnreadableFile, file_content
from ictus.model.library import Installation
from ictus.model.plugin import SOURCES, Plugin, read_plugin
from ictus.mpi.cache import cache, cache_folder, exclusive_access, is_whole, new_partial, put
from ictus.mpi.sources import native_folder
from ictus.mpi.stages import Progress, run_stages
from ictus.mpi.toolchain import compiler_of

_HEADER = Path("ictus", "operation.h")
_LANGUAGES = {".c": ("-x", "c"), ".f90": (), ".F90": (), ".f08": ()}
_CPLUSPLUS = ("-x", "c++", "-std=c++20")
_DEFINED = "-Wl,-z,defs"
"""What nothing defines is an error here, with its line, and not where the library is loaded."""
_FORTRAN = ("cxx", "c++", "CC")
"""What the name of a wrapper has where that for Fortran has `fort`."""
_INCLUDES = re.compile(rb"""^\s*(?:#\s*)?include\s*["']([^"'\n]+)["']""", re.MULTILINE | re.IGNORECASE)
"""`#include "mine.h"`, and `include 'mine.inc'` of Fortran."""


def digest_of(plugin: Plugin) -> str:
    """SHA-256 of the file, of a source with those beside it that it includes. UsageError where it cannot be read, or
    is not the one that was meant.
    """
    digest_state = hashlib.sha256()
    try:
        for content in _contents(Path(plugin.path)):
            digest_state.update(content)
    except (UnreadableFile, ValueError) as error:  # a path may have characters that no path has
        reason = error.reason if isinstance(error, UnreadableFile) else error
        raise UsageError(f"--plugin '{plugin.path}': {reason}; name a library or a source") from error
    digest = digest_state.hexdigest()
    if plugin.sha256 not in ("", digest):
        raise UsageError(
            f"plug-in '{plugin.path}' has changed: its SHA-256 is {digest[:12]}... now and was "
            f"{plugin.sha256[:12]}...; launches of both are never mixed: give another -o, or put the old file back"
        )
    return digest


def identified(named: str) -> str:
    """A plug-in as the user names it, by its whole path and its content. Raises as `digest_of`."""
    plugin = read_plugin(named)
    here = replace(plugin, path=str(Path(plugin.path).expanduser().absolute()))
    return str(replace(here, sha256=digest_of(here)))


def _contents(file: Path) -> Iterator[bytes]:
    """Of the file and, for a source, of those beside it that it includes, each once. UnreadableFile, ValueError."""
    waiting, read_files = [file], {file}
    while waiting:
        current = waiting.pop()
        content = file_content(current, ARRAY_BYTES)
        yield content
        if file.suffix in SOURCES:
            named = (current.parent / name.decode("utf-8", "surrogateescape") for name in _INCLUDES.findall(content))
            included = [path for path in dict.fromkeys(named) if path not in read_files and path.is_file()]
            read_files.update(included)
            waiting += included


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
    words = ("-O2", "-fPIC", "-shared", _DEFINED, "-I", str(include), *_LANGUAGES.get(source.suffix, _CPLUSPLUS))
    key = "\0".join((digest, source.name, str(wrapper), compiler.shown(), compiler.version(), *words))
    entry = cache_folder() / "operations" / hashlib.sha256(key.encode() + header).hexdigest()[:24]
    library = entry / f"lib{source.stem}.so"
    if not is_whole(entry):
        with exclusive_access(entry):
            partial = new_partial(entry)
            made = partial / library.name
            job_option = ("-J", str(partial)) if wrapper != compiler.wrapper else ()
            command = (str(wrapper), *words, *job_option, str(source), "-o", str(made))
            what = f"compiling plug-in {source.name} for {installation.label}"
            run_stages(((command,),), compiler.environment, partial / "build.log", what, on_progress)
            put(partial, entry, library.name)
    return cache().checked(library)


def fortran_wrapper(wrapper: Path) -> Path | None:
    """The wrapper for Fortran beside the C++ one; None where there is none."""
    names = [wrapper.name.replace(suffix, "fort") for suffix in _FORTRAN if suffix in wrapper.name]
    return next((path for name in names if (path := wrapper.with_name(name)).is_file()), None)


def _wrapper(wrapper: Path, source: Path) -> Path:
    """The C++ wrapper, which compiles C too, or the one for Fortran beside it."""
    if source.suffix.lower() not in (".f90", ".f08"):
        return wrapper
    path = fortran_wrapper(wrapper)
    if path is None:
        raise UsageError(f"plug-in '{source}': there is no Fortran wrapper such as mpifort beside {wrapper}")
    return path
