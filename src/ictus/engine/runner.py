"""Runs a campaign launch by launch, in the order of its schedule, and goes on where it was interrupted.

The schedule is on the disk before the first launch. A launch is measured in `NNNN-label.partial`, checked, renamed and
then journalled, so that every moment can be the last: recovery.py puts each of them right.
"""

import errno
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from ictus.engine import event
from ictus.engine.attempt import Execute, Failed, Interrupted, attempt, set_aside
from ictus.engine.journal import Journal
from ictus.engine.pursuit import Forecast, Pursuit
from ictus.engine.recovery import check_same, check_vacant, recover
from ictus.engine.schedule import schedule_of
from ictus.model.design import Design
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Outcome
from ictus.model.slot import Slot
from ictus.store.charter import CAMPAIGN, read_charter, write_campaign, write_schedule
from ictus.store.durable import make_folder, rename
from ictus.store.journal import spent_s, standing
from ictus.store.launch_record import LaunchRecord

_LASTING = 3
"""So many slots in a row stayed contended in every try: from then on none is repeated (docs/decisions/0007)."""

_SPACE_NEEDED = 2**20
"""With less than this left on the disk, a failed launch failed for want of space."""


@dataclass(frozen=True)
class Ending:
    """How a run ended: complete, or stopped by the user."""

    folder: Path
    done: int
    total: int
    stopped: bool


def run_campaign(folder: Path, design: Design, execute: Execute, on_event: event.OnEvent = event.ignore) -> Ending:
    """Begin the campaign `design` in `folder`, or go on with it, until every slot has its launch or Ctrl-C.

    Raises UsageError when the folder holds something else, another plan, or is in use by another run; MeasurementError
    when a launch failed more often than the plan allows or the disk is full. Nothing measured is lost in either case.
    """
    folder = folder.absolute()
    try:
        make_folder(folder)
        if not (folder / CAMPAIGN).exists():
            check_vacant(folder)
        with Journal(folder) as journal:
            return _Run(folder, design, execute, on_event, journal).to_the_end()
    except BrokenPipeError:
        raise  # whoever shows the events went away; the disk has no part in it
    except OSError as error:
        raise _disk_error(folder, error) from error


class _Run:
    """One run of a campaign: its folder, its journal, how far it is."""

    def __init__(
        self, folder: Path, design: Design, execute: Execute, on_event: event.OnEvent, journal: Journal
    ) -> None:
        self._folder, self._execute, self._on_event, self._journal = folder, execute, on_event, journal
        self._design, self._slots, self._notes, self._resumed = _begin(folder, design)
        self._launches = folder / "launches"
        self._done: set[int] = set()
        self._tries: dict[int, int] = {}
        self._spent_s: dict[int, list[float]] = {}
        self._pursuit = None if self._design.plan.goal is None else Pursuit(self._design, folder)
        self._forecast: Forecast | None = None
        self._ended: str | None = None
        self._planned_at_s = 0.0
        self._expected = len(self._slots)
        """Slots in all: those that a goal will presumably take are still to be scheduled."""
        self._in_launches_s = 0.0
        self._disturbed_in_a_row = 0
        """Slots in a row whose every try was contended: repeating them any more would only take time."""

    def to_the_end(self) -> Ending:
        make_folder(self._launches)
        found, notes = recover(self._folder, self._slots, self._journal)
        self._done = set(found.accepted)
        self._tries = {slot: len(tries) for slot, tries in found.contended.items()}
        self._journal.start(resumed=self._resumed)
        self._on_event(event.Begun(self._folder, self._resumed, self._progress(), (*self._notes, *notes)))
        try:
            stopped = self._stopped_before_the_end()
        except KeyboardInterrupt:
            stopped = True
        if stopped:
            self._stop()
        else:
            self._journal.append("done", {} if self._ended is None else {"ended": self._ended, **self._budget()})
            self._on_event(event.Finished(self._folder, self._progress()))
        return Ending(self._folder, len(self._done), len(self._slots), stopped)

    def _stopped_before_the_end(self) -> bool:
        """Measure what is scheduled, and what is scheduled then; True when the user ended it."""
        while True:
            if any(self._interrupted_in(slot) for slot in self._slots if slot.slot not in self._done):
                return True
            if self._pursuit is None or not self._extended(self._pursuit):
                return False

    def _extended(self, pursuit: Pursuit) -> bool:
        """Plan the next block of a campaign that pursues a goal; False when it is over.

        The plan is journalled before the schedule is written. In between it may be killed: then it is made again.
        """
        accepted, so_far_s = standing(self._journal.entries).accepted, self._spent_so_far_s()
        step = pursuit.next(self._slots, accepted, so_far_s)
        first = self._forecast is None
        self._forecast, self._planned_at_s, self._ended = step.forecast, so_far_s, step.ended
        self._journal.append("planned", {"spent_s": round(so_far_s, 6), **self._budget(), **step.forecast.record()})
        if step.slots:
            self._slots = (*self._slots, *step.slots)
            write_schedule(self._folder, self._design.seed, self._slots)
        self._expected = len(self._slots) + len(step.slots) * max(step.forecast.blocks_to_come() - 1, 0)
        self._on_event(event.Planned(step.forecast, first, step.ended is not None, self._progress()))
        return bool(step.slots)

    def _budget(self) -> dict[str, float]:
        budget_s = self._design.plan.time_budget_s
        return {} if budget_s is None else {"time_budget_s": budget_s}

    def _spent_so_far_s(self) -> float:
        return spent_s(self._journal.entries)

    def _timed(self, slot: Slot, folder: Path) -> Outcome:
        """Execute; a simulated launch takes its own time."""
        outcome = self._execute(slot, folder)
        self._in_launches_s += outcome.elapsed_s
        return outcome

    def _interrupted_in(self, slot: Slot) -> bool:
        """Measure until the slot has its launch; True when the user ended it."""
        begun, tries_left = time.monotonic(), self._design.plan.retries
        self._in_launches_s = 0.0
        while slot.slot not in self._done:
            partial = self._launches / f"{slot.folder_name}.partial"
            number = 1 + sum(
                entry["event"] == "launch" and entry["slot"] == slot.slot for entry in self._journal.entries
            )
            self._journal.append("launch", {"slot": slot.slot, "try": number, "folder": self._name(partial)})
            self._on_event(event.LaunchBegun(slot, number, self._progress()))
            result = attempt(self._design, slot, partial, self._timed)
            if isinstance(result, Interrupted):
                return True
            if isinstance(result, Failed):
                self._fail(slot, partial, result, tries_left)
                tries_left -= 1
            else:
                self._keep(slot, partial, result, begun)
        return False

    def _keep(self, slot: Slot, partial: Path, record: LaunchRecord, begun: float) -> None:
        """Rename a complete launch and journal it: as a contended try while there are some left, else as accepted."""
        tries = self._tries.get(slot.slot, 0)
        if record.contended and tries < self._design.plan.contention_retries and not self._contention_lasts():
            final = self._launches / f"{slot.folder_name}.try{tries + 1}"
            rename(partial, final)
            fields = {"slot": slot.slot, "folder": self._name(final), "share": record.share, "accepted": False}
            self._journal.append("contended", fields)
            self._tries[slot.slot] = tries + 1
            self._on_event(event.LaunchContended(slot, final, record.share, self._progress()))
            return
        final = self._launches / slot.folder_name
        rename(partial, final)
        elapsed_s = max(time.monotonic() - begun, self._in_launches_s)
        fields = {"slot": slot.slot, "folder": self._name(final), "elapsed_s": round(elapsed_s, 6), "accepted": True}
        self._journal.append("accepted", fields)
        self._done.add(slot.slot)
        self._disturbed_in_a_row = self._disturbed_in_a_row + 1 if record.contended else 0
        self._spent_s.setdefault(slot.n, []).append(elapsed_s)
        accepted = event.LaunchAccepted(slot, final, elapsed_s, record.contended, record.share, self._progress())
        self._on_event(accepted)
        if self._disturbed_in_a_row == _LASTING and self._design.plan.contention_retries > 0:
            self._on_event(event.ContentionLasts(_LASTING, self._progress()))

    def _contention_lasts(self) -> bool:
        return self._disturbed_in_a_row >= _LASTING

    def _fail(self, slot: Slot, partial: Path, failed: Failed, tries_left: int) -> None:
        """Set a failed launch aside; raises when it was the last try, or another one could not do better."""
        if shutil.disk_usage(self._folder).free < _SPACE_NEEDED:
            raise OSError(errno.ENOSPC, "No space left on device", str(partial))
        place = set_aside(partial, self._folder / "aside")
        left = 0 if failed.final else tries_left
        self._journal.append("failed", {"slot": slot.slot, "aside": self._name(place), "reason": failed.reason})
        self._on_event(event.LaunchFailed(slot, failed.reason, place, left, self._progress()))
        if left == 0:
            kind = UsageError if failed.final and not failed.ran else MeasurementError
            raise kind(
                f"launch {slot.folder_name} ({slot.mpi}, {slot.n} processes) failed: {failed.reason}\n"
                f"It is kept in {place}. {self._beyond_mending() if kind is UsageError else self._state()}"
            )

    def _stop(self) -> None:
        """Set the running launch aside and say so in the journal."""
        for partial in self._launches.glob("*.partial"):
            set_aside(partial, self._folder / "aside")
        self._journal.append("stopped", {})
        self._on_event(event.Stopped(self._folder, self._progress()))

    def _progress(self) -> event.Progress:
        return event.Progress(len(self._done), max(self._expected, len(self._slots)), self._left_s())

    def _left_s(self) -> float | None:
        """Expected time of the slots to come: each as long as those with as many processes were, else as any was. Of a
        goal that is pursued what was planned, or what is left of its budget.
        """
        if self._pursuit is not None:
            return (
                None
                if self._forecast is None
                else self._forecast.expected_s(self._spent_so_far_s() - self._planned_at_s)
            )
        if not self._spent_s:
            return None
        means = {n: sum(spent) / len(spent) for n, spent in self._spent_s.items()}
        overall = sum(means.values()) / len(means)
        return sum(means.get(slot.n, overall) for slot in self._slots if slot.slot not in self._done)

    def _state(self) -> str:
        return f"{len(self._done)} of {len(self._slots)} launches are complete; the same command goes on with the rest."

    def _beyond_mending(self) -> str:
        return (
            f"{len(self._done)} of {len(self._slots)} launches are complete. The same command would fail again: ask "
            f"for what can be, in a new folder."
        )

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self._folder))


def _begin(folder: Path, design: Design) -> tuple[Design, tuple[Slot, ...], tuple[str, ...], bool]:
    """Design, schedule and notes, and whether the campaign was begun before; one that is begun now is written."""
    if (folder / CAMPAIGN).exists():
        charter = read_charter(folder)
        check_same(folder, charter, design)
        plan = charter.plan.model_copy(update={"time_budget_s": design.plan.time_budget_s})
        return design.begun_as(plan), charter.slots, (), True
    slots = schedule_of(design) if design.plan.goal is None else Pursuit(design, folder).pilot()
    write_campaign(folder, design, slots)
    return design, slots, design.notes, False


def _disk_error(folder: Path, error: OSError) -> MeasurementError:
    """What the disk refused, and that nothing is lost by it."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what = f"no space is left on the disk of '{folder}': free some"
    else:
        what = f"'{error.filename or folder}': {error.strerror or error}: put that right"
    return MeasurementError(f"{what}, then the same command goes on; all complete launches are kept")
