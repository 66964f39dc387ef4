"""Headers of the core's .npy files: where the records begin, and whether all of them are there."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ictus.model.errors import MeasurementError

_HEADER_LOCK = threading.Lock()
"""NumPy parses headers with `ast`, which Python 3.11 cannot do in two threads at once (a SystemError now and then)."""


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
            major, minor = np.lib.format.read_magic(file)
            readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            with _HEADER_LOCK:
                shape, _, dtype = readers[major, minor](file)
            begin = file.tell()
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
