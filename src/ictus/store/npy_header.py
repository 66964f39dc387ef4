"""Headers of the core's .npy files: where the records begin, and whether all of them are there."""

import functools
import io
import math
import threading
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ictus.model.errors import MeasurementError
from ictus.model.input_file import regular_file

_HEADER_LOCK = threading.Lock()
"""NumPy parses headers with `ast`, which Python 3.11 cannot do in two threads at once (a SystemError now and then)."""


_NO_HEADER = (ValueError, KeyError, TypeError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError)
"""What NumPy raises for a header that is none: it reads one as Python."""

_LONGEST_HEADER = 1 << 16
"""At most this number of bytes of a header is read, in case the file is damaged."""


@dataclass(frozen=True)
class NpyHeader:
    """The content of a file's header, which agrees with its size."""

    begin: int
    """Byte at which the records begin."""
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def end(self) -> int:
        """Bytes of the whole file."""
        return self.begin + math.prod(self.shape) * self.dtype.itemsize


def read_header(path: Path) -> NpyHeader:
    """The header of a whole file; MeasurementError when it is missing, damaged or torn."""
    try:
        with regular_file(path) as file:
            shape, dtype, begin = _parsed(_header_bytes(file))
            size = path.stat().st_size
    except OSError as error:
        raise MeasurementError(f"{path}: {error.strerror}") from error
    except _NO_HEADER as error:
        raise MeasurementError(
            f"{path} has no header of a NumPy array: it was cut short or damaged ({error})"
        ) from error
    if dtype.hasobject or min(shape, default=0) < 0:
        raise MeasurementError(f"{path} holds {dtype} of shape {shape}, expected records")
    header = NpyHeader(begin, shape, dtype)
    if size != header.end:
        raise MeasurementError(
            f"{path} is torn: its header says {math.prod(shape)} records, which are {header.end} bytes, but it has "
            f"{size}; the process that wrote it did not end well"
        )
    return header


def _header_bytes(file: io.FileIO) -> bytes:
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
    with _HEADER_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about Python or types that only a damaged header has
        shape, _, dtype = readers[np.lib.format.read_magic(file)](file)
    return shape, dtype, file.tell()
