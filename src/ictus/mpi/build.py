"""Builds the core for one installation on demand, keeps it in the cache, and asks it about the library it runs on.

The key in the cache contains all that the program depends on: the wrapper's real path and its answers, the compiler
below it, the flags of the shell and of the plan, the sources. Two processes that need the same program build it one
after the other. Libraries with the standard ABI of MPI 5 share one program: its key has nothing of a library, whose own
folder has a copy and its answers. What is taken from the cache is checked as mpi/own_folder.py says.
"""

import functools
import hashlib
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import ClassVar

from ictus.model.document import Document, Texts
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.cache import cache, cache_folder, check_cache_runs, exclusive_access, is_whole, new_partial, put
from ictus.mpi.core_flags import check_core_flags
from ictus.mpi.flavours import flavour
from ictus.mpi.inquiry import inquire, library_checksum
from ictus.mpi.own_folder import SUMS, seal
from ictus.mpi.recognition import output_of
from ictus.mpi.sources import native_folder, source_hash
from ictus.mpi.stages import Progress, run_stages
from ictus.mpi.toolchain import (
    PRELOAD,
    PROFILE,
    PROGRAM,
    REDIRECT,
    SIMULATE,
    Compiler,
    Making,
    compiler_of,
    stages,
    target_of,
)


class BuildRecord(Document):
    """build.json, beside a program in the cache: its sources, its compiler and the answers of the library."""

    FILE: ClassVar = "build.json"

    wrapper: str
    library_version: str
    standard: str
    build_info: str
    compiler: str
    source_hash: str
    built_s: float
    cvars: Texts


_FLAGS = ("CXXFLAGS", "CPPFLAGS", "LDFLAGS")
"""Variables of the shell that change the compilation."""


@dataclass(frozen=True)
class Build:
    """ictus-bench for one installation, and its answers about the library."""

    program: Path
    installation: Installation
    """With `library_version`, `build_info` and `checksum`."""
    standard: str
    """Version of the MPI standard, as the library says."""
    compiler: str
    """First line of the compiler's version."""
    source_hash: str
    cvars: Mapping[str, str]
    """The library's control variables in a launch with nothing set: the reference that `differs` refers to."""
    log: Path
    built_s: float
    """Duration of the build, also where it happened earlier."""


def build_core(
    installation: Installation, on_progress: Progress | None = None, native: Path | None = None, *, flags: str = ""
) -> Build:
    """ictus-bench for `installation`, from the cache or built now (under 15 s for each MPI on 2 cores).

    `on_progress` receives short texts such as `compiling 12 of 40`; `native` is the folder of the sources; `flags` are
    for compiling and linking, after all others.

    Raises:
        MeasurementError: it does not build, or does not run; the message has the command, its exit code and what it
            said, and names the log; or nothing can run in the cache.
        OptionError: the compiler refuses the flags.
        UsageError: the wrapper cannot be called from where it is.
    """
    check_cache_runs()
    on_progress = on_progress or _silent
    folder = native or native_folder()
    compiler = compiler_of(installation)
    entry = _place(installation, folder, flags=flags)
    if not is_whole(entry):  # what is there is whole: a cache that cannot be written serves too
        with exclusive_access(entry):
            if not is_whole(entry):
                compiler.check(installation.label)
                if flags:
                    check_core_flags(installation, compiler, flags)
                _make(installation, compiler, folder, entry, on_progress, flags=flags)
    return _load(installation, entry)


def _silent(_text: str) -> None:
    """Drops the texts of progress."""


def built_core(installation: Installation) -> Build | None:
    """ictus-bench for `installation` if the cache has it; nothing is built. UsageError as `build_core`."""
    entry = _place(installation, native_folder())
    return _load(installation, entry) if is_whole(entry) else None


def _make(
    installation: Installation, compiler: Compiler, folder: Path, entry: Path, on_progress: Progress, *, flags: str
) -> None:
    started = time.monotonic()
    partial = _compile(PROGRAM, installation, folder, entry, on_progress, flags=flags)
    on_progress("asking the library")
    answer = inquire(installation, partial / PROGRAM)
    record = BuildRecord(
        wrapper=str(installation.compiled_by),
        library_version=answer.library_version,
        standard=answer.standard,
        build_info=_build_info(installation, compiler),
        compiler=compiler.version(),
        source_hash=source_hash(folder),
        built_s=round(time.monotonic() - started, 3),
        cvars=dict(answer.cvars),
    )
    (partial / BuildRecord.FILE).write_text(record.model_dump_json(indent=2) + "\n")
    put(partial, entry, PROGRAM, BuildRecord.FILE)


def build_preload(installation: Installation, on_progress: Progress | None = None, native: Path | None = None) -> Path:
    """libictus-preload.so for `installation`, from the cache or built now.

    Raises:
        UsageError: nothing can be loaded in front of simulated ranks, or the wrapper cannot be called from where it is.
        MeasurementError: it does not build.
    """
    return _build_loaded(PRELOAD, installation, on_progress, native)


def build_redirect(installation: Installation, on_progress: Progress | None = None, native: Path | None = None) -> Path:
    """libictus-redirect.so for `installation`; as build_preload otherwise."""
    return _build_loaded(REDIRECT, installation, on_progress, native)


def build_profile(installation: Installation, on_progress: Progress | None = None, native: Path | None = None) -> Path:
    """libictus-profile.so for `installation`; as build_preload otherwise."""
    return _build_loaded(PROFILE, installation, on_progress, native)


def build_simulate(installation: Installation, on_progress: Progress | None = None, native: Path | None = None) -> Path:
    """ictus-simulate, which simulates clocks and messages without MPI, by the compiler of `installation`; from the
    cache or built now. Raises UsageError, MeasurementError as build_preload.
    """
    return _built(SIMULATE, installation, on_progress, native)


def _build_loaded(product: str, installation: Installation, on_progress: Progress | None, native: Path | None) -> Path:
    """A library to load in front of programs."""
    if flavour(installation.flavour).simulated:
        hint = "; link the program with libictus-preload instead" if product == PRELOAD else ""
        raise UsageError(
            f"library '{installation.label}' is simulated: its ranks are threads of one process, and nothing "
            f"can be loaded in front of them{hint}"
        )
    return _built(product, installation, on_progress, native)


def _built(product: str, installation: Installation, on_progress: Progress | None, native: Path | None) -> Path:
    """A product other than the core, which is asked nothing."""
    check_cache_runs()
    folder = native or native_folder()
    entry = _place(installation, folder, target_of(product).removeprefix("ictus"))
    if not is_whole(entry):
        with exclusive_access(entry):
            if not is_whole(entry):
                compiler_of(installation).check(installation.label)
                put(_compile(product, installation, folder, entry, on_progress or _silent), entry, product)
    return cache().checked(entry / product)


def _place(installation: Installation, folder: Path, suffix: str = "", *, flags: str = "") -> Path:
    """Folder of a product in the cache."""
    key = _key(installation, folder, flags)
    return cache_folder() / "builds" / f"{installation.flavour}-{installation.version}-{key}{suffix}"


def _compile(
    product: str, installation: Installation, folder: Path, entry: Path, on_progress: Progress, *, flags: str = ""
) -> Path:
    """A folder beside `entry` that holds the product and the log of its build."""
    if installation.abi_wrapper is None:
        return _compile_here(product, installation, folder, entry, on_progress, flags=flags)
    key = _hash(*_common_parts(compiler_of(installation), folder, flags))
    shared = entry.with_name(f"standard-abi-{key}-{target_of(product)}")
    with exclusive_access(shared):
        if not is_whole(shared):
            made = _compile_here(product, installation, folder, shared, on_progress, flags=flags)
            put(made, shared, product)
    cache().checked(shared / product)
    partial = new_partial(entry)
    for name in (product, "build.log", SUMS):
        shutil.copy2(shared / name, partial / name)
    return partial


def _compile_here(
    product: str, installation: Installation, folder: Path, entry: Path, on_progress: Progress, *, flags: str
) -> Path:
    compiler = compiler_of(installation)
    partial = new_partial(entry)
    tree = partial / "tree"
    tree.mkdir()
    definitions = {"ICTUS_VERSION": own_version(), "ICTUS_SOURCE_HASH": source_hash(folder)}
    on_progress("configuring")
    made = stages(Making(product, compiler, folder, tree, definitions, flags))
    what = f"the core{flags and f' with {flags}'}" if product == PROGRAM else product
    run_stages(
        made, compiler.environment, partial / "build.log", f"building {what} for {installation.label}", on_progress
    )
    (tree / product).rename(partial / product)
    shutil.rmtree(tree)
    seal(partial, product)
    return partial


def _load(installation: Installation, entry: Path) -> Build:
    program = cache().checked(entry / PROGRAM)
    record = BuildRecord.read(cache().checked(entry / BuildRecord.FILE))
    filled = replace(
        installation,
        library_version=record.library_version,
        build_info=record.build_info,
        checksum=library_checksum(program, installation),
    )
    return Build(
        program=program,
        installation=filled,
        standard=record.standard,
        compiler=record.compiler,
        source_hash=record.source_hash,
        cvars=record.cvars,
        log=entry / "build.log",
        built_s=record.built_s,
    )


def _key(installation: Installation, folder: Path, flags: str) -> str:
    compiler = compiler_of(installation)
    identity = (str(installation.wrapper), str(installation.launcher), installation.version, compiler.shown())
    return _hash(*identity, _build_info(installation, compiler), *_common_parts(compiler, folder, flags))


def _common_parts(compiler: Compiler, folder: Path, flags: str) -> tuple[str, ...]:
    """What a program depends on beside the library."""
    shell = (os.environ.get(name, "") for name in _FLAGS)
    return (str(BuildRecord.SCHEMA), compiler.version(), source_hash(folder), *shell, flags)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _build_info(installation: Installation, compiler: Compiler) -> str:
    """The library's own build, where a tool beside the wrapper reports it."""
    member = flavour(installation.flavour)
    program = installation.wrapper.with_name(member.build_info_arguments[0])
    if not os.access(program, os.X_OK):
        return "unknown"
    return member.build_info(output_of((str(program), *member.build_info_arguments[1:]), compiler.environment))


@functools.cache
def own_version() -> str:
    """The version of Ictus that is installed."""
    try:
        return metadata.version("ictus")
    except metadata.PackageNotFoundError:
        return "unknown"
