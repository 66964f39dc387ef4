"""Opens and reads files that somebody else may have put there: regular ones only, and none that is too large.

A link to a device never ends, a named pipe never answers, and a sparse file of a terabyte takes no disk and all memory.
"""

import os
import stat
from io import SEEK_END, FileIO
from math import inf
from pathlib import Path

from ictus.model.errors import MeasurementError, UsageError

DOCUMENT_BYTES = 256 << 20
"""The largest document: parsed, it takes some twenty times its size of memory."""
ARRAY_BYTES = 4 << 30
"""The largest of other files that are read whole: an array of a launch, a journal, a shared library."""
TEXT_BYTES = 1 << 20
"""The largest text that a user writes: a plan, a profile, a list of hosts."""


class UnreadableFile(MeasurementError):
    """A file that cannot be read, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason


def regular_file(path: Path, at_most: float = inf) -> FileIO:
    """A file, opened for reading. OSError where it is missing; UnreadableFile where it is not a regular file, or has
    more bytes than `at_most`.
    """
    if not stat.S_ISREG(path.stat().st_mode):  # before it is opened: a pipe would wait, a device may do something
        raise UnreadableFile(path, "it is not a regular file")
    file = FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # exchanged in between
        file.close()
        raise UnreadableFile(path, "it is not a regular file")
    size = file.seek(0, SEEK_END)
    if size > at_most:
        file.close()
        raise UnreadableFile(path, f"it has {size:,} bytes; a file of its kind has {at_most:,} at most")
    file.seek(0)
    return file


def file_content(path: Path, at_most: int = DOCUMENT_BYTES) -> bytes:
    """All of a file; UnreadableFile where it is missing, no regular file, or has more bytes than `at_most`."""
    try:
        with regular_file(path, at_most) as file:
            return file.readall()
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error


def text_content(path: Path) -> str:
    """The text of a file that a user wrote. Raises UnreadableFile."""
    try:
        return file_content(path, TEXT_BYTES).decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise UnreadableFile(path, f"it is not a text in UTF-8 ({error})") from error


def named_text(path: Path, what: str) -> str:
    """The text of a file that the user named; UsageError that names it, as `what`, when it cannot be read."""
    try:
        return text_content(path)
    except UnreadableFile as error:
        raise UsageError(f"{what} '{path}' cannot be read: {error.reason}") from error
