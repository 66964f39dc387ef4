"""From a wrapper to an installation: asks the wrapper for its version, matches a flavour, finds the launcher.

Where the wrapper does not name the library, a small program that it compiles asks the library.

A wrapper finds its installation from the path of its call, and some choose their language by their own name. So folders
are resolved, but a link of the file itself is followed only while its target is a wrapper's name:
`/etc/alternatives/mpicxx` leads to `mpicxx.openmpi`, but that to `opal_wrapper`, which would not know its language.

The libraries that a program is linked with are read from its file, without running it. Format: System V ABI, ELF-64,
little-endian.
"""

import hashlib
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ictus.model.library import Installation
from ictus.mpi.cache import cache, cache_folder
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import FLAVOURS, Flavour
from ictus.mpi.wheels import mixture

_HEADER = struct.Struct("<16x16xQ14xHH6x")
"""Of the file header: offset of the program headers, length of one, their number."""
_SEGMENT = struct.Struct("<I4xQQ8xQ16x")
"""Kind, where it begins in the file and in memory, its length in the file."""
_ENTRY = struct.Struct("<qQ")
"""Of the dynamic section: tag and value."""

_LOADED, _DYNAMIC, _LOADER = 1, 2, 3
_END, _NEEDED, _STRINGS, _RPATH, _RUNPATH = 0, 1, 5, 15, 29
_MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little-endian."""


@dataclass(frozen=True)
class LinkedLibraries:
    """How a program comes by its libraries."""

    libraries: tuple[str, ...]
    """Names of the shared libraries that it asks for itself, such as `libmpi.so.12`; not what these ask for."""
    folders: tuple[str, ...]
    """The folders in which the loader looks for them (RUNPATH, or RPATH), as in the file."""
    static: bool
    """Whether a program starts without the loader, so that nothing can be loaded in front of it."""


def linked(program: Path) -> LinkedLibraries | None:
    """The libraries that `program` is linked with; None for a file that is no such program (a script) or cannot be
    read.
    """
    try:
        content = program.read_bytes()
    except OSError:
        return None
    if not content.startswith(_MAGIC):
        return None
    try:
        return _read(content)
    except (struct.error, ValueError, StopIteration):
        return None


def _read(content: bytes) -> LinkedLibraries:
    begin, length, number = _HEADER.unpack_from(content)
    segments = [_SEGMENT.unpack_from(content, begin + index * length) for index in range(number)]
    static = all(segment[0] != _LOADER for segment in segments)
    dynamic = next((segment for segment in segments if segment[0] == _DYNAMIC), None)
    if dynamic is None:
        return LinkedLibraries((), (), static)
    entries = list(_entries(content, dynamic[1], dynamic[3]))
    strings = next(value for tag, value in entries if tag == _STRINGS)
    base = next(at + strings - memory for kind, at, memory, size in segments
                if kind == _LOADED and memory <= strings < memory + size)  # fmt: skip
    named = [(tag, _text(content, base + value)) for tag, value in entries if tag in (_NEEDED, _RPATH, _RUNPATH)]
    paths = [text for tag, text in named if tag != _NEEDED]
    return LinkedLibraries(
        tuple(text for tag, text in named if tag == _NEEDED),
        tuple(folder for path in paths for folder in path.split(":") if folder),
        static,
    )


def _entries(content: bytes, begin: int, length: int) -> Iterator[tuple[int, int]]:
    for at in range(begin, begin + length, _ENTRY.size):
        tag, value = _ENTRY.unpack_from(content, at)
        if tag == _END:
            return
        yield tag, value


def _text(content: bytes, begin: int) -> str:
    return content[begin : content.index(b"\0", begin)].decode(errors="replace")


_WRAPPER_NAME = re.compile(r"mpi(cc|cxx|c\+\+|CC|gcc|gxx|icc|icx|icpc|icpx)(\.\w+)?")
_LAUNCHER_NAME = re.compile(r"mpi(exec|run)(\.\w+)?")

_SIBLINGS = {
    "mpicc": "mpicxx",
    "mpic++": "mpicxx",
    "mpiCC": "mpicxx",
    "mpigcc": "mpigxx",
    "mpiicc": "mpiicpc",
    "mpiicx": "mpiicpx",
}
"""C++ wrapper to use in place of another one from the same folder."""


def real_wrapper(path: Path) -> Path:
    """The real path of a wrapper, its name kept; the C++ sibling when it is a C wrapper and the sibling exists."""
    resolved = _resolve(path, _WRAPPER_NAME)
    stem, suffix = _split(resolved.name)
    sibling = resolved.with_name(_SIBLINGS.get(stem, stem) + suffix)
    return sibling if os.access(sibling, os.X_OK) else resolved


def is_c_wrapper(path: Path) -> bool:
    """Whether the wrapper compiles C only."""
    return _split(path.name)[0] in {"mpicc", "mpigcc", "mpiicc", "mpiicx"}


def launcher_beside(wrapper: Path, names: tuple[str, ...]) -> Path | None:
    """The launcher of the wrapper's own folder with the wrapper's suffix (`mpicxx.mpich`: `mpiexec.mpich`)."""
    suffix = _split(wrapper.name)[1]
    for name in names:
        path = wrapper.with_name(name + suffix)
        if os.access(path, os.X_OK):
            return _resolve(path, _LAUNCHER_NAME)
    return None


def _resolve(path: Path, name: re.Pattern[str]) -> Path:
    here = path.parent.resolve() / path.name
    while here.is_symlink():
        target = here.parent / here.readlink()
        target = target.parent.resolve() / target.name
        on_the_way = "alternatives" in target.parts  # /etc/alternatives/mpi is not a wrapper's name, but leads to one
        if not name.fullmatch(target.name) and not on_the_way:
            break
        here = target
    return here


def _split(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.partition(".")
    return stem, dot + suffix


_TIMEOUT_S = 20.0


@dataclass(frozen=True)
class WrapperCandidate:
    """A wrapper that may be one of MPI."""

    wrapper: Path
    origin: str
    label: str | None = None
    """Given by the user with `ictus mpi add`."""


@dataclass(frozen=True)
class Unusable:
    """A wrapper that was seen but cannot be used, and why."""

    wrapper: Path
    origin: str
    reason: str


def recognise(candidate: WrapperCandidate, environ: Mapping[str, str]) -> Installation | Unusable:
    """The installation behind a wrapper; its label is the flavour's name until the caller gives it another one."""
    wrapper = real_wrapper(candidate.wrapper)

    def unusable(reason: str) -> Unusable:
        return Unusable(wrapper, candidate.origin, reason)

    if not os.access(wrapper, os.X_OK):
        return unusable("no such program")
    mixed = mixture(wrapper.parent.parent)
    if mixed:
        return unusable(mixed)
    if is_c_wrapper(wrapper):
        return unusable("compiles C only, and there is no C++ wrapper beside it")
    answer = ""
    # Asked first by the flavour that it is called after: what asks one wrapper may make another compile.
    for flavour in sorted(FLAVOURS, key=lambda member: wrapper.name.partition(".")[0] not in member.wrapper_names):
        if flavour.version_pattern is None:
            continue
        answer = _ask(wrapper, flavour, candidate.origin, environ)
        match = flavour.version_pattern.search(answer)
        if match:
            launcher = launcher_beside(wrapper, flavour.launcher_names)
            if launcher is None:
                return unusable(f"{flavour.name} {match[1]} without a launcher beside its wrapper")
            label = candidate.label or flavour.name
            return Installation(label, flavour.name, match[1], wrapper, launcher, origin=candidate.origin)
    return _by_library(wrapper, candidate, environ)


def _by_library(wrapper: Path, candidate: WrapperCandidate, environ: Mapping[str, str]) -> Installation | Unusable:
    """By MPI_Get_library_version in a program that the wrapper compiles, for wrappers that do not name it."""
    launcher = _launcher(wrapper, environ)
    answer = (
        "it has no launcher: neither beside it nor in PATH"
        if launcher is None
        else _library_answer(wrapper, launcher, environ)
    )
    version = re.search(r"^library (.+)$", answer, re.MULTILINE)
    if launcher is None or version is None:
        first = next((line.strip() for line in answer.splitlines() if line.strip()), "it printed nothing")
        return Unusable(
            wrapper, candidate.origin, f"its output names no known MPI, and asking the library fails: {first}"
        )
    for flavour in FLAVOURS:
        match = None if flavour.library_pattern is None else flavour.library_pattern.search(version[1])
        if match:
            path = launcher_beside(wrapper, flavour.launcher_names) or launcher
            label = candidate.label or flavour.name
            return Installation(label, flavour.name, match[1] or "unknown", wrapper, path, origin=candidate.origin)
    raise AssertionError(version[1])  # the last flavour recognises every library


def _launcher(wrapper: Path, environ: Mapping[str, str]) -> Path | None:
    """The launcher beside the wrapper, of whatever flavour, else that of the site."""
    names = tuple(dict.fromkeys(name for flavour in FLAVOURS for name in flavour.launcher_names))
    paths = (shutil.which(name, path=environ.get("PATH", "")) for name in names)
    return launcher_beside(wrapper, names) or next((Path(path) for path in paths if path is not None), None)


def _library_answer(wrapper: Path, launcher: Path, environ: Mapping[str, str]) -> str:
    """The probe's output on one rank, or its failure. Kept with the wrapper's date: compiling takes a second."""
    state = wrapper.stat()
    name = hashlib.sha256(f"{wrapper} {launcher} {state.st_mtime_ns} {state.st_size}".encode()).hexdigest()[:16]
    kept = cache_folder() / "wrappers" / name
    if cache().holds(kept):
        return kept.read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="ictus-wrapper-") as folder:
        program = Path(folder) / "probe"
        with resources.as_file(resources.files("ictus.mpi") / "probe.cpp") as source:
            output = output_of((str(wrapper), "-std=c++20", "-O1", str(source), "-o", str(program)), environ)
        if not program.is_file():
            return output
        output = output_of((str(launcher), "-n", "1", str(program)), environ)
    if "library " in output:
        cache().make(kept.parent)
        kept.write_text(output, "utf-8")
    return output


def _ask(wrapper: Path, flavour: Flavour, origin: str, environ: Mapping[str, str]) -> str:
    assumed = Installation(flavour.name, flavour.name, "0", wrapper, wrapper, origin=origin)
    environment = launch_environment(assumed, flavour.compile_environment(assumed), ambient=environ)
    return output_of((str(wrapper), *flavour.version_arguments), environment.variables)


def output_of(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """The output of a quick command on both streams; the reason when it cannot be started or does not end."""
    try:
        process = subprocess.run(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{command[0]} did not answer within {_TIMEOUT_S:g} s"
    except OSError as failure:
        return f"{command[0]} cannot be started: {failure.strerror or failure}"
    return process.stdout.decode(errors="replace")
