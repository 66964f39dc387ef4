"""Adopting orphans: while a launch runs, processes whose parent died become ours and not init's, so they can be found.

Source: prctl(2), PR_SET_CHILD_SUBREAPER.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SET_CHILD_SUBREAPER = 36
_GET_CHILD_SUBREAPER = 37


@contextmanager
def adopting_orphans() -> Iterator[bool]:
    """Make this process the reaper of its descendants inside the block; the previous setting is restored.

    Yields whether it took effect: only Linux has it, and the walk of /proc finds marked processes without it too.
    """
    before = _reaping()
    if before is None:
        yield False
        return
    _set(value=True)
    try:
        yield True
    finally:
        _set(before)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _reaping() -> bool | None:
    if sys.platform != "linux":
        return None
    value = ctypes.c_int(0)
    if _libc().prctl(_GET_CHILD_SUBREAPER, ctypes.byref(value), 0, 0, 0) != 0:
        return None
    return bool(value.value)


def _set(value: bool) -> None:
    _libc().prctl(_SET_CHILD_SUBREAPER, int(value), 0, 0, 0)
