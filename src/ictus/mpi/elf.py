"""What a program for Linux says of the libraries that it is linked against, read from the file; nothing is started.

Format: System V ABI, ELF-64, little-endian (the machines that Ictus measures on).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct("<16x16xQ14xHH6x")
"""Of the file: where the program headers begin, the length of one, their number."""
_SEGMENT = struct.Struct("<I4xQQ8xQ16x")
"""Kind, where it begins in the file and in memory, its length in the file."""
_ENTRY = struct.Struct("<qQ")
"""Of the dynamic section: tag and value."""

_LOADED, _DYNAMIC, _LOADER = 1, 2, 3
_END, _NEEDED, _STRINGS, _RPATH, _RUNPATH = 0, 1, 5, 15, 29
_MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little-endian."""


@dataclass(frozen=True)
class Linked:
    """How a program comes by its libraries."""

    libraries: tuple[str, ...]
    """Names of the shared libraries that it asks for itself, such as `libmpi.so.12`; not what these ask for."""
    folders: tuple[str, ...]
    """Where the loader is told to look for them (RUNPATH, or RPATH), as it stands in the file."""
    static: bool
    """Whether a program starts without the loader, so that nothing can be loaded in front of it."""


def linked(program: Path) -> Linked | None:
    """What `program` is linked against; None for what is no such program (a script) or cannot be read."""
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


def _read(content: bytes) -> Linked:
    begin, length, number = _HEADER.unpack_from(content)
    segments = [_SEGMENT.unpack_from(content, begin + index * length) for index in range(number)]
    static = all(segment[0] != _LOADER for segment in segments)
    dynamic = next((segment for segment in segments if segment[0] == _DYNAMIC), None)
    if dynamic is None:
        return Linked((), (), static)
    entries = list(_entries(content, dynamic[1], dynamic[3]))
    strings = next(value for tag, value in entries if tag == _STRINGS)
    base = next(at + strings - memory for kind, at, memory, size in segments
                if kind == _LOADED and memory <= strings < memory + size)  # fmt: skip
    named = [(tag, _text(content, base + value)) for tag, value in entries if tag in (_NEEDED, _RPATH, _RUNPATH)]
    paths = [text for tag, text in named if tag != _NEEDED]
    return Linked(
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
