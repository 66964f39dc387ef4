"""Parquet files that Ictus derives from a launch: each holds its own checksum and those of what it was made of.

The checksum is compared before a reader of Parquet sees a byte: a damaged file may end the whole process there. A file
that differs, that was made of other files, or that an earlier version wrote, is not read but made again. The checksum
is over the file with zeros in its own place, in the metadata at the end.
"""

import errno
import os
import re
from dataclasses import dataclass
from io import SEEK_END, BytesIO, FileIO
from pathlib import Path

import polars as pl

from ictus.model.checksum import LENGTH, PREFIX, FileHash
from ictus.model.errors import MeasurementError
from ictus.model.input_file import regular_file

_MARK = b"ictus-table-1:"
"""Its number rises when the same samples give other numbers: tables of before are made again."""
_WHOLE_MARK = re.compile(_MARK + rb"(.{%d}):([0-9a-fxh:,]*);" % LENGTH, re.DOTALL)
_NOTHING = PREFIX + "0" * (LENGTH - len(PREFIX))
_TAIL = 1 << 16
"""The metadata lies within the last bytes of a file."""
_CHUNK = 1 << 20
_BLOCK = 4096
"""With less space than this, no file grows."""

_DISK_FULL = {28: errno.ENOSPC, 122: errno.EDQUOT}
"""Polars reports the operating system's error by number, in its text only."""


def write_table(frame: pl.DataFrame | pl.LazyFrame, path: Path, origin: str | None) -> None:
    """Write a frame whole; a lazy one is collected piece by piece meanwhile.
    LZ4 and no column statistics: on arrival speed counts, and files are read whole.

    `origin` stands for what it was made of (`Checksums.origin`). Raises OSError.
    """
    metadata = {"ictus": f"{_MARK.decode()}{_NOTHING}:{origin or _NOTHING};"}
    temporary = path.with_name(path.name + ".writing")
    temporary.unlink(missing_ok=True)  # a link that lies there is not followed
    try:
        if isinstance(frame, pl.DataFrame) and frame.estimated_size() <= _CHUNK:
            content = BytesIO()  # to memory first: polars takes longer to write a small file than to make its content
            frame.write_parquet(content, compression="lz4", statistics=False, metadata=metadata)
            _sign(content)
            temporary.write_bytes(content.getbuffer())
        else:
            frame.lazy().sink_parquet(temporary, compression="lz4", statistics=False, metadata=metadata)
            with temporary.open("r+b", buffering=0) as file:
                _sign(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        code = _disk_full(error, path.parent)
        temporary.unlink(missing_ok=True)
        if code is not None:
            raise OSError(code, "No space left on device", str(path)) from error
        raise OSError(getattr(error, "errno", None) or errno.EIO, str(error), str(path)) from error
    temporary.replace(path)


def _disk_full(error: Exception, folder: Path) -> int | None:
    """The error number where polars failed because the disk is full; of a footer that did not fit, it does not say so,
    and what it wrote up to there still fills the disk.
    """
    named = next((code for number, code in _DISK_FULL.items() if f"os error {number}" in str(error)), None)
    disk = os.statvfs(folder)
    return errno.ENOSPC if named is None and disk.f_bavail * disk.f_frsize < _BLOCK else named


def read_table(path: Path, origin: str | None) -> pl.DataFrame | None:
    """A table; None where it must be made (again)."""
    try:
        with regular_file(path) as file:
            if file.seek(0, SEEK_END) > _CHUNK:
                return pl.read_parquet(path) if _is_sound(file, origin) else None
            file.seek(0)
            content = file.readall()
        # Of a small file polars takes longer to open it than to read it.
        return pl.read_parquet(content) if _is_sound(BytesIO(content), origin) else None
    except (OSError, MeasurementError, pl.exceptions.PolarsError):
        return None


def is_sound(path: Path, origin: str | None) -> bool:
    """Whether a table is as it was written, and made of what `origin` stands for; None: of anything."""
    try:
        with regular_file(path) as file:
            return _is_sound(file, origin)
    except (OSError, MeasurementError):
        return False


def _is_sound(file: FileIO | BytesIO, origin: str | None) -> bool:
    mark = _mark_of(file)
    return mark is not None and mark.stated_checksum == mark.checksum and origin in (None, mark.origin)


@dataclass(frozen=True)
class _Mark:
    """What a table says of itself."""

    at: int
    """Where its checksum lies in the file."""
    stated_checksum: str
    origin: str
    checksum: str
    """The checksum of the file."""


def _sign(file: FileIO | BytesIO) -> None:
    """Write the checksum of a table into its place."""
    mark = _mark_of(file)
    if mark is not None:  # a reader takes a table without a checksum for damaged
        file.seek(mark.at)
        file.write(mark.checksum.encode())


def _mark_of(file: FileIO | BytesIO) -> _Mark | None:
    """The mark of a table; None without one."""
    begin = max(0, file.seek(0, SEEK_END) - _TAIL)
    file.seek(begin)
    tail = bytearray(file.read())
    mark = _WHOLE_MARK.search(tail)
    if mark is None:
        return None
    stated_checksum, origin = mark[1].decode("latin-1"), mark[2].decode("latin-1")
    tail[slice(*mark.span(1))] = _NOTHING.encode()
    file_hash = FileHash()
    file.seek(0)
    while chunk := file.read(min(_CHUNK, begin - file.tell())):
        file_hash.update(chunk)
    file_hash.update(bytes(tail))
    return _Mark(begin + mark.start(1), stated_checksum, origin, file_hash.text)
