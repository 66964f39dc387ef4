"""The standard streams of a process: there in any case, and never a reason for a measurement to end.

A stream that was closed before we began would leave its number to the next file that is opened: messages would go into
the journal. Messages that standard error does not take (a full disk, a reader that has gone) are lost; what was to be
told is in the journal too. What standard output does not take ends in exit code 3 (cli/main.py).
"""

import io
import os
import sys
from contextlib import suppress


class _Lossy(io.FileIO):
    """Says that everything was written."""

    def write(self, content: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        try:
            return super().write(content) or 0
        except OSError:
            return len(content)


def open_streams() -> None:
    """Open what is closed to nowhere, and let standard error take everything. For the process of a command line."""
    for number in (0, 1, 2):
        with suppress(OSError):
            os.fstat(number)
            continue
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (a descriptor, for as long as we run)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Lossy(2, "w", closefd=False)),
        encoding="utf-8" if sys.stderr is None else sys.stderr.encoding,
        errors="backslashreplace",
        line_buffering=True,
    )
