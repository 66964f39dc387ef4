"""Processes of launches whose runner was killed: found by the folder that they work in, and ended.

They would use the cores of the next launch, and write into its folder.
"""

import functools
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ictus.launch.process import MARK
from ictus.launch.tree import GRACE_S, end, mark_of, members

PATIENCE_S = GRACE_S + 2.0
"""So long they may end by themselves: their supervisor ends them when their runner has gone."""

_POLL_S = 0.05


@dataclass(frozen=True)
class Leftovers:
    """What was found: names of programs by process id, and whether they were ended by us."""

    programs: Mapping[int, str]
    ended: bool

    def __str__(self) -> str:
        named = ", ".join(f"{name} ({pid})" for pid, name in sorted(self.programs.items()))
        what = "were ended" if self.ended else "ended meanwhile"
        return f"processes of an earlier run that was killed were still there and {what}: {named}"


def end_leftovers(*folders: Path, patience_s: float = PATIENCE_S) -> Leftovers | None:
    """Wait for processes of launches in these folders, and end those that remain; None where there are none. A process
    that only works there, such as a shell, is no launch and is left alone.
    """
    first = _launched_in(folders)
    if not first:
        return None
    deadline = time.monotonic() + patience_s
    while (left := _launched_in(folders)) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    for mark in {mark for mark, _ in left.values()}:
        end(functools.partial(members, mark))
    return Leftovers({pid: name for pid, (_, name) in first.items()}, ended=bool(left))


def _launched_in(folders: Iterable[Path]) -> dict[int, tuple[str, str]]:
    """By process id: the mark of the launch, and the name of the program."""
    processes = {}
    inside = tuple(f"{folder.resolve()}/" for folder in folders)
    for entry in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 (hundreds, at every start: no Path for each)
        with suppress(OSError):  # ended meanwhile, or another user's
            if f"{os.readlink(f'/proc/{entry}/cwd')}/".startswith(inside):  # noqa: PTH115 (as above)
                mark = mark_of(int(entry), MARK)
                if mark is not None:
                    name = Path(f"/proc/{entry}/comm").read_text(errors="replace").strip()
                    processes[int(entry)] = (mark, name)
    return processes
