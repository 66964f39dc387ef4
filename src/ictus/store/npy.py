"""Headers of the core's .npy files: where the records begin, and whether all of them are there."""

import functools
import io
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ictus.model.errors import MeasurementError

_HEADER_LOCK = threading.Lock()
"""NumPy parses headers with `ast`, which Python 3.11 cannot do in two threads at once (a SystemError now and then)."""


_LONGEST_HEADER = 1 << 16
"""Of a damaged file no more is read than a header can have."""


@dataclass(frozen=True)
class NpyHeader:
    """What the header of a file says, which its size agrees with."""

    begin: int
    """Byte at which the records begin."""
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def read_header(path: Path) -> NpyHeader:
    """The header of a whole file; MeasurementError when it is missing, damaged or torn."""
    try:
        with path.open("rb") as file:
            shape, dtype, begin = _parsed(_header_bytes(file))
            size = path.stat().st_size
    except OSError as error:
        raise MeasurementError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError) as error:
        raise MeasurementError(
            f"{path} has no header of a NumPy array: it was cut short or damaged ({error})"
        ) from error
    count = int(np.prod(shape, dtype=np.int64))
    expected = begin + count * dtype.itemsize
    if size != expected:
        raise MeasurementError(
            f"{path} is torn: its header says {count} records, which are {expected} bytes, but it has {size}; the "
            f"process that wrote it did not end well"
        )
    return NpyHeader(begin, shape, dtype)


def _header_bytes(file: BinaryIO) -> bytes:
    """Magic, version, length and text of the header, as they lie in the file."""
    lead = file.read(8)
    width = 2 if lead[6:7] == b"\x01" else 4
    length = file.read(width)
    return lead + length + file.read(min(int.from_bytes(length, "little"), _LONGEST_HEADER))


@functools.lru_cache(maxsize=1024)  # launches have headers alike; parsing one takes 0.5 ms
def _parsed(header: bytes) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, type and length of a header. Raises ValueError or KeyError for an invalid one."""
    file = io.BytesIO(header)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    with _HEADER_LOCK:
        shape, _, dtype = readers[np.lib.format.read_magic(file)](file)
    return shape, dtype, file.tell()
