"""Runs a campaign in the order of its schedule, and continues it after an interruption.

The schedule is on the disk before the first launch. A contended launch is repeated; a campaign with a precision goal
gets its next block when the last one is complete.
"""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from ictus.engine import event
from ictus.engine.adaptive_schedule import AdaptiveSchedule, Forecast
from ictus.engine.allocation_time import AllocationTime
from ictus.engine.attempt import Execute, LaunchFailure, LaunchInterruption, attempt
from ictus.engine.deciding_schedule import DecidingSchedule, first_looks
from ictus.engine.decision_progress import DecisionProgress
from ictus.engine.fault_count import count_page_faults
from ictus.engine.folder import check_same, check_vacant
from ictus.engine.journal import Journal
from ictus.engine.launch_loop import LaunchLoop, disk_errors
from ictus.engine.pause import Pause, RealPause
from ictus.engine.recovery import CAMPAIGN_LAUNCH, recover
from ictus.engine.running_median import RunningMedian
from ictus.engine.schedule import schedule_of
from ictus.engine.waiting import Waiting
from ictus.model.design import Design, Slot
from ictus.model.job import Outcome
from ictus.store.arrival import Arrival
from ictus.store.durable import make_folder, rename
from ictus.store.journal import campaign_state, spent_s
from ictus.store.manifest import CAMPAIGN, read_manifest, write_campaign, write_schedule

_LASTING = 3
"""After this number of slots in a row whose every attempt was contended, none is repeated (docs/decisions/0007)."""


@dataclass(frozen=True)
class Ending:
    """How a run ended: complete, or stopped by the user."""

    folder: Path
    done: int
    total: int
    stopped: bool
    out_of_time: bool = False
    """Whether the allocation was about to end."""
    continue_at: str = ""
    """When the next block begins, ISO 8601, where the allocation ends before."""


def run_campaign(
    folder: Path,
    design: Design,
    execute: Execute,
    observer: event.Observer = event.ignore,
    *,
    page_faults: bool = False,
    pause: Pause | None = None,
) -> Ending:
    """Begin the campaign `design` in `folder`, or continue it, until every slot has its launch or Ctrl-C. With
    `page_faults` those of its calls are counted before a launch. `pause` waits for blocks; None: really.

    Raises UsageError when the folder holds something else, another plan, or is in use by another run; MeasurementError
    when a launch failed more often than the plan allows or the disk is full. Nothing measured is lost in either case.
    """
    folder = folder.absolute()
    with disk_errors(folder):
        make_folder(folder)
        if not (folder / CAMPAIGN).exists():
            check_vacant(folder)
        with Journal(folder) as journal:
            run = _CampaignRun(folder, design, execute, observer, journal, pause=pause or RealPause())
            return run.to_the_end(page_faults=page_faults)


class _CampaignRun(LaunchLoop[Slot, Arrival]):
    """One run of a campaign: its folder, its journal, how far it is."""

    def __init__(
        self,
        folder: Path,
        design: Design,
        execute: Execute,
        observer: event.Observer,
        journal: Journal,
        *,
        pause: Pause,
    ) -> None:
        self._design, slots, self._notes, self._resumed = _begin(folder, design)
        super().__init__(folder, slots, journal, observer, retries=self._design.plan.retries)
        self._execute = execute
        self._tries: dict[int, int] = {}
        self._spent_s: dict[int, list[float]] = {}
        self._adaptive = _growing(self._design, folder)
        self._forecast: Forecast | DecisionProgress | None = None
        self._ended: str | None = None
        self._planned_at_s = 0.0
        self._expected = len(self.slots)
        """Slots in all: those that a goal will presumably take are still to be scheduled."""
        self._slot_begun, self._in_launches_s = 0.0, 0.0
        self._time = AllocationTime.now(self.slots)
        self._waiting = Waiting(self._design.plan, journal, pause)
        self._continue_at = ""
        self._running_median = RunningMedian(self._design.cases)
        self._disturbed_in_a_row = 0
        """Slots in a row whose every try was contended: repeating them any more would only take time."""

    def to_the_end(self, *, page_faults: bool) -> Ending:
        make_folder(self.launches)
        state, notes = recover(self.folder, self.slots, self.journal, CAMPAIGN_LAUNCH)
        self.done = set(state.accepted)
        self._tries = {slot: len(tries) for slot, tries in state.contended.items()}
        self.journal.start(resumed=self._resumed)
        late = self._waiting.late_note([slot.block for slot in self.slots if slot.slot not in self.done])
        self.observer(event.CampaignStarted(self.folder, self._resumed, self.progress(), (*self._notes, *notes, *late)))
        try:
            if page_faults and len(self.done) < len(self.slots):
                count_page_faults(self.folder, self._design, self._execute, self.observer)
            is_complete = self.run_all()
            while is_complete and self._adaptive is not None and self._extended(self._adaptive):
                is_complete = self.run_all()
        except KeyboardInterrupt:
            is_complete = False
        if is_complete:
            self.journal.append("done", {} if self._ended is None else {"ended": self._ended, **self._budget()})
            self.observer(event.CampaignFinished(self.folder, self.progress()))
        else:
            self.stop(**({"continue_at": self._continue_at} if self._continue_at else {}))
            self.observer(event.CampaignStopped(self.folder, self.progress()))
        return Ending(
            self.folder, len(self.done), len(self.slots), not is_complete, self._time.is_over, self._continue_at
        )

    def tell_begun(self, slot: Slot, attempt: int) -> None:
        self.observer(event.LaunchStarted(slot, attempt, self.progress()))

    def title(self, slot: Slot) -> str:
        return f"{slot.folder_name} ({slot.mpi}, {slot.n} processes)"

    def attempt(self, slot: Slot, partial: Path) -> Arrival | LaunchFailure | LaunchInterruption:
        return attempt(self._design, slot, partial, self._timed)

    def run_slot(self, slot: Slot) -> bool:
        wait_s = self._waiting.left_s(slot.block)
        if not self._time.allows(slot, self.done, self.journal.entries, wait_s):
            self._continue_at = self._waiting.begins(slot.block).isoformat(timespec="seconds") if wait_s else ""
            return False
        if wait_s:
            begins = self._waiting.begins(slot.block)
            self.observer(event.BlockAwaited(slot.block, begins, wait_s, self.progress()))
            self._waiting.pause.wait(wait_s)
        self._slot_begun, self._in_launches_s = time.monotonic(), 0.0
        return super().run_slot(slot)

    def _timed(self, slot: Slot, folder: Path) -> Outcome:
        """Execute; a simulated launch takes its own time."""
        outcome = self._execute(slot, folder)
        self._in_launches_s += outcome.elapsed_s
        return outcome

    def keep(self, slot: Slot, partial: Path, arrival: Arrival) -> None:
        """As a contended try while there are some left, else as accepted."""
        record, tries = arrival.record, self._tries.get(slot.slot, 0)
        lasts = self._disturbed_in_a_row >= _LASTING
        if record.disturbed and tries < self._design.plan.contention_retries and not lasts:
            final = self.launches / f"{slot.folder_name}.try{tries + 1}"
            rename(partial, final)
            fields = {"slot": slot.slot, "folder": self.name(final), "share": record.share, "accepted": False}
            self.journal.append("contended", {**fields, "checksums": arrival.checksums})
            self._tries[slot.slot] = tries + 1
            changed = not record.contended
            self.observer(event.LaunchContended(slot, final, record.share, self.progress(), mode_changed=changed))
            return
        elapsed_s = max(time.monotonic() - self._slot_begun, self._in_launches_s)
        final = self.accept(slot, partial, elapsed_s, arrival.checksums, arrival.hung_in)
        self._disturbed_in_a_row = self._disturbed_in_a_row + 1 if record.disturbed else 0
        self._spent_s.setdefault(slot.n, []).append(elapsed_s)
        so_far = self._running_median.add(slot, arrival.summary)
        accepted = event.LaunchAccepted(slot, final, elapsed_s, record.contended, record.share, self.progress(), so_far)
        self.observer(accepted)
        if self._disturbed_in_a_row == _LASTING and self._design.plan.contention_retries > 0:
            self.observer(event.ContentionPersists(_LASTING, self.progress()))

    def progress(self) -> event.Progress:
        blocks = {slot.block for slot in self.slots if slot.slot not in self.done}
        left_s = self._waiting.until_end_s(self._left_s(), blocks)
        return event.Progress(len(self.done), max(self._expected, len(self.slots)), left_s)

    def _extended(self, adaptive: AdaptiveSchedule | DecidingSchedule) -> bool:
        """Plan the next block of a campaign with a goal; False when it is over.

        The plan is journalled before the schedule is written. In between it may be killed: then it is made again.
        """
        state, so_far_s = campaign_state(self.journal.entries), spent_s(self.journal.entries)
        step = adaptive.next(self.slots, state, so_far_s)
        first = self._forecast is None
        self._forecast, self._planned_at_s, self._ended = step.forecast, so_far_s, step.ended
        self.journal.append("planned", {"spent_s": round(so_far_s, 6), **self._budget(), **step.forecast.record()})
        if step.slots:
            self.slots = (*self.slots, *step.slots)
            write_schedule(self.folder, self._design.seed, self.slots)
        self._expected = len(self.slots) + len(step.slots) * max(step.forecast.blocks_to_come() - 1, 0)
        self.observer(event.BlockPlanned(step.forecast, first, step.ended is not None, self.progress()))
        return bool(step.slots)

    def _budget(self) -> dict[str, float]:
        budget_s = self._design.plan.time_budget_s
        return {} if budget_s is None else {"time_budget_s": budget_s}

    def _left_s(self) -> float | None:
        """Expected time in the slots to come: each as long as those with as many processes were, else as any was. Of a
        precision goal what was planned, or the rest of its budget.
        """
        if self._adaptive is not None:
            if self._forecast is None:
                return None
            return self._forecast.expected_s(spent_s(self.journal.entries) - self._planned_at_s)
        if not self._spent_s:
            return None
        means = {n: sum(spent) / len(spent) for n, spent in self._spent_s.items()}
        overall = sum(means.values()) / len(means)
        return sum(means.get(slot.n, overall) for slot in self.slots if slot.slot not in self.done)


def _begin(folder: Path, design: Design) -> tuple[Design, tuple[Slot, ...], tuple[str, ...], bool]:
    """Design, schedule and notes, and whether the campaign existed before; a new one is written."""
    if (folder / CAMPAIGN).exists():
        manifest = read_manifest(folder)
        check_same(folder, manifest, design)
        plan = manifest.plan.model_copy(update={"time_budget_s": design.plan.time_budget_s})
        return replace(design.with_plan(plan), looks=manifest.looks), manifest.slots, (), True
    if design.plan.goal is not None and design.plan.goal.of_verdicts:
        design = replace(design, looks=first_looks(design))
    growing = _growing(design, folder)
    slots = schedule_of(design) if growing is None else growing.pilot()
    write_campaign(folder, design, slots)
    return design, slots, design.notes, False


def _growing(design: Design, folder: Path) -> AdaptiveSchedule | DecidingSchedule | None:
    """What adds launches until the plan's goal is met; None where their number is fixed."""
    if design.plan.goal is None:
        return None
    if not design.plan.goal.of_verdicts:
        return AdaptiveSchedule(design, folder)
    assert design.looks is not None, "a campaign until verdicts has looks"
    return DecidingSchedule(design, folder, design.looks)
