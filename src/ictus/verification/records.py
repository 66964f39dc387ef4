"""Records of an array of a launch as they lie in its file, which is mapped: a large one takes no memory of its own."""

import mmap
import struct
from pathlib import Path

from ictus.model.input_file import ARRAY_BYTES, UnreadableFile, regular_file

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER_LENGTH = struct.Struct("<H")


def mapped(path: Path) -> memoryview:
    """All bytes of a file. Raises UnreadableFile."""
    try:
        with regular_file(path, ARRAY_BYTES) as file:
            if file.seek(0, 2) == 0:
                return memoryview(b"")  # an empty file cannot be mapped
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error


def records_of(content: bytes | memoryview, size: int) -> memoryview:
    """What is behind the header of an array; ValueError where it is no whole number of records of `size` bytes."""
    view = memoryview(content)
    begin = len(_MAGIC) + _HEADER_LENGTH.size
    if len(view) >= begin and view[: len(_MAGIC)] == _MAGIC:
        body = view[begin + _HEADER_LENGTH.unpack_from(view, len(_MAGIC))[0] :]
        if len(body) % size == 0:
            return body
    raise ValueError(f"expected a NumPy file of version 1.0 with whole records of {size} bytes")
