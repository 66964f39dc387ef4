"""The one loop that launches: one launch after another in a folder, each complete or set aside, safe against a crash at
any moment.

A launch runs in `NAME.partial`, is checked, renamed and then journalled; `recovery.py` repairs what an interruption
leaves. Classes derived from `LaunchLoop` say what a launch is and when it counts: campaigns, studies, other programs.
"""

import errno
import shutil
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from ictus.engine.attempt import LaunchFailure, LaunchInterruption, set_aside
from ictus.engine.event import LaunchFailed, Observer, Progress, WarningNote
from ictus.engine.journal import Journal
from ictus.model.errors import DiskError, FolderLost, IctusError, UsageError
from ictus.store.campaign import JOURNAL
from ictus.store.checksums import checksums_of
from ictus.store.durable import make_folder, rename
from ictus.store.journal import hang_text

_SPACE_NEEDED = 2**20
"""With less than this left on the disk, a failed launch failed for lack of space."""


class PlannedLaunch(Protocol):
    """A launch to come."""

    @property
    def slot(self) -> int:
        """Its number in the schedule."""
        ...

    @property
    def folder_name(self) -> str:
        """Where it is kept, under launches/."""
        ...


Launch = TypeVar("Launch", bound=PlannedLaunch)
Record = TypeVar("Record")


class LaunchLoop(ABC, Generic[Launch, Record]):
    """The launches of one folder that no other process uses meanwhile."""

    def __init__(
        self,
        folder: Path,
        launches: Sequence[Launch],
        journal: Journal,
        observer: Observer,
        *,
        retries: int = 0,
        kept: bool = True,
    ) -> None:
        """`retries` are further tries of a launch that failed; `kept` is False for a folder that goes with the call, of
        which messages say nothing.
        """
        self.folder, self.slots, self.journal, self.observer = folder, tuple(launches), journal, observer
        self.retries, self.kept = retries, kept
        self.launches = folder / "launches"
        self.done: set[int] = set()
        """Numbers of the launches that count."""
        self._begun = Counter(entry.slot for entry in journal.entries if entry.event == "launch")

    @abstractmethod
    def tell_begun(self, slot: Launch, attempt: int) -> None:
        """Say that a launch is about to start, for the `attempt`-th time."""

    @abstractmethod
    def attempt(self, slot: Launch, partial: Path) -> Record | LaunchFailure | LaunchInterruption:
        """Launch once, in the folder `partial`, which is made anew."""

    @abstractmethod
    def keep(self, slot: Launch, partial: Path, record: Record) -> None:
        """A launch is complete: accept it, or see that it is made again."""

    def run_all(self) -> bool:
        """Launch everything that is missing; False when the user ended it. Raises UsageError or MeasurementError when
        the last attempt of a launch failed.
        """
        return all(self.run_slot(slot) for slot in self.slots if slot.slot not in self.done)

    def run_slot(self, slot: Launch) -> bool:
        """Launch until this one counts; False when the user ended it."""
        tries_left = self.retries
        while slot.slot not in self.done:
            partial = self.launches / f"{slot.folder_name}.partial"
            self._begun[slot.slot] += 1
            number = self._begun[slot.slot]
            self.journal.append("launch", {"slot": slot.slot, "try": number, "folder": self.name(partial)})
            self.tell_begun(slot, number)
            result = self.attempt(slot, partial)
            if isinstance(result, LaunchInterruption):
                return False
            if isinstance(result, LaunchFailure):
                self._fail(slot, partial, result, tries_left)
                tries_left -= 1
            else:
                self.keep(slot, partial, result)
        return True

    def accept(
        self,
        slot: Launch,
        partial: Path,
        elapsed_s: float,
        checksums: Mapping[str, str] | None = None,
        hung_in: str | None = None,
    ) -> Path:
        """Rename a complete launch and journal it as one that counts; its folder. `checksums` where they are known;
        `hung_in` where it hung after its results were written.
        """
        final = self.launches / slot.folder_name
        rename(partial, final)
        fields = {"slot": slot.slot, "folder": self.name(final), "elapsed_s": round(elapsed_s, 6), "accepted": True}
        hang = {} if hung_in is None else {"hung_in": hung_in}
        self.journal.append("accepted", {**fields, **hang, "checksums": checksums or checksums_of(final)})
        if hung_in is not None:
            self.observer(WarningNote(f"launch {self.title(slot)} {hang_text(hung_in)}"))
        self.done.add(slot.slot)
        return final

    def stop(self, **fields: str) -> None:
        """The user ended it: set the running launch aside, and write it down, with further fields of the event."""
        for partial in self.launches.glob("*.partial"):
            set_aside(partial, self.folder / "aside")
        self.journal.append("stopped", fields)

    def progress(self) -> Progress:
        """How far it is."""
        return Progress(len(self.done), len(self.slots), None)

    def failure(self, slot: Launch, failed: LaunchFailure, aside: Path) -> IctusError:
        """The message about a launch whose last attempt failed."""
        if not self.kept:
            return failed.error()
        complete = f"{len(self.done)} of {len(self.slots)} launches are complete"
        if isinstance(error := failed.error(), UsageError):
            onward = f"{complete}. The same command would fail again: ask for what can be, in a new folder."
        else:
            onward = f"{complete}; the same command continues with the rest."
        text = f"launch {self.title(slot)} failed: {failed.reason}\nIt is kept in {aside}. {onward}"
        return type(error)(text)

    def title(self, slot: Launch) -> str:
        """How a message names a launch."""
        return slot.folder_name

    def name(self, path: Path) -> str:
        """A path as the journal has it."""
        return str(path.relative_to(self.folder))

    def _fail(self, slot: Launch, partial: Path, failed: LaunchFailure, tries_left: int) -> None:
        """Set a failed launch aside; raises when it was the last try, or another one could not do better."""
        if shutil.disk_usage(self.folder).free < _SPACE_NEEDED:
            raise OSError(errno.ENOSPC, "No space left on device", str(partial))
        aside = set_aside(partial, self.folder / "aside")
        left = 0 if failed.final else tries_left
        fields = {"slot": slot.slot, "aside": self.name(aside), "reason": failed.reason}
        self.journal.append("failed", {**fields, "checksums": checksums_of(aside)})
        self.observer(LaunchFailed(slot.folder_name, failed.reason, aside, left, self.progress()))
        if left == 0:
            raise self.failure(slot, failed, aside)


@contextmanager
def launch_folder(folder: Path) -> Iterator[Journal]:
    """The journal of a folder that has a place for launches; errors of the disk as in `disk_errors`."""
    with disk_errors(folder):
        make_folder(folder / "launches")
        with Journal(folder) as journal:
            yield journal


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turns errors of the disk into a DiskError, which says that nothing is lost, or into FolderLost."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever is told the events went away; the disk has no part in it
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            what = f"no space is left on the disk of '{folder}': free some"
        elif error.errno == errno.ENOENT and not (folder / JOURNAL).exists():
            raise FolderLost(folder) from error
        else:
            what = f"'{error.filename or folder}': {error.strerror or error}: put that right"
        raise DiskError(f"{what}, then the same command continues; all complete launches are kept") from error
