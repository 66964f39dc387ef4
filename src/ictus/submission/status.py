"""Where a campaign stands: its launches by its journal, its jobs by the batch system, its expected end."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean

from ictus.engine.folder_lock import is_held
from ictus.model.errors import UsageError
from ictus.store.campaign import JOURNAL
from ictus.store.journal import JournalEntry, campaign_state, read_journal
from ictus.store.manifest import CAMPAIGN, read_manifest
from ictus.submission.schedulers import ENDED, QUEUED, RUNNING, scheduler
from ictus.submission.submit import Submitted, read_submitted

DONE, STOPPED, FAILED, SUBMITTED = "done", "stopped", "failed", "submitted"
"""States of a campaign besides those of its last job: complete; to be continued; ended by an error; not begun."""


@dataclass(frozen=True)
class JobStatus:
    """A job, and its state."""

    job: str
    scheduler: str
    state: str


@dataclass(frozen=True)
class CampaignStatus:
    """Where a campaign stands."""

    folder: Path
    state: str
    done: int
    total: int | None
    """Launches; None before the first job has planned them."""
    launch_s: float | None
    """Mean time of a launch; None without one."""
    ends: str | None
    """When it will presumably be complete, if it runs on, ISO 8601; None where that cannot be known."""
    jobs: tuple[JobStatus, ...]
    goes_on: bool
    """Whether launches are left, and the last run made some until its time was over, or came too early to."""
    continue_at: str | None = None
    """When the next block begins, ISO 8601, where the last run ended because its allocation does before."""

    def begin_in_s(self, now_s: float) -> int:
        """Whole seconds from a time of day until then; 0 where nothing is waited for."""
        if self.continue_at is None:
            return 0
        return max(math.ceil(datetime.fromisoformat(self.continue_at).timestamp() - now_s), 0)


def campaign_status(folder: Path) -> CampaignStatus:
    """Ask journal and batch system. UsageError for a folder that holds no campaign and had no job; MeasurementError for
    a damaged one.
    """
    submitted = read_submitted(folder)
    if not (folder / CAMPAIGN).is_file() and not submitted:
        raise UsageError(f"'{folder}' is not a campaign folder, and no job was submitted for it")
    jobs = tuple(JobStatus(entry.job, entry.scheduler, _state(entry)) for entry in submitted)
    if not (folder / CAMPAIGN).is_file():
        state = jobs[-1].state if jobs[-1].state != ENDED else FAILED
        return CampaignStatus(folder, state, 0, None, None, None, jobs, goes_on=False)
    slots = {slot.slot for slot in read_manifest(folder).slots}
    entries = read_journal(folder / JOURNAL).entries
    n_accepted = len(campaign_state(entries).accepted.keys() & slots)
    times = [entry.elapsed_s for entry in entries if entry.event == "accepted" and entry.elapsed_s is not None]
    launch_s = mean(times) if times else None
    state = _campaign_state(entries, jobs, complete=n_accepted == len(slots), runs=is_held(folder))
    ends = None
    if state == RUNNING and launch_s is not None:
        ends = (
            datetime.fromtimestamp(time.time() + launch_s * (len(slots) - n_accepted))
            .astimezone()
            .isoformat(timespec="minutes")
        )
    continue_at = entries[-1].continue_at if entries else None
    goes_on = _goes_on(entries, len(slots) - n_accepted)
    return CampaignStatus(folder, state, n_accepted, len(slots), launch_s, ends, jobs, goes_on, continue_at)


def _state(job: Submitted) -> str:
    return scheduler(job.scheduler).state(job.job)


def _campaign_state(entries: Sequence[JournalEntry], jobs: Sequence[JobStatus], *, complete: bool, runs: bool) -> str:
    last = entries[-1].event if entries else ""
    if complete and last == "done":
        return DONE
    active = [job.state for job in jobs if job.state in (QUEUED, RUNNING)]
    if runs or active:
        return RUNNING if runs or RUNNING in active else QUEUED
    return FAILED if last == "failed" else STOPPED


def _goes_on(entries: Sequence[JournalEntry], left: int) -> bool:
    """A run that accepted nothing would not do better in the next job, but for one that came before its next block; a
    failed one would fail again.
    """
    starts = [index for index, entry in enumerate(entries) if entry.event == "start"]
    last = entries[starts[-1] :] if starts else ()
    made = any(journal_entry.event == "accepted" or journal_entry.continue_at for journal_entry in last)
    return left > 0 and made and bool(last) and last[-1].event == "stopped"
