"""Continues a campaign: checks that it is the same one, and repairs what an interruption left.

After a crash at any moment each folder under launches/ is in one of four states: half-written (`.partial`: set aside),
complete and journalled (kept), complete and renamed just before the journal was written (journalled now), journalled
but missing or torn (measured again).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.engine.attempt import set_aside
from ictus.engine.journal import Journal
from ictus.engine.launch_loop import PlannedLaunch
from ictus.launch.leftovers import end_leftovers
from ictus.launch.slurm_steps import end_steps
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError, UsageError
from ictus.store.arrival import SUMMARY
from ictus.store.arrival_checks import check_identity
from ictus.store.checksums import Checksums, checksums_of
from ictus.store.journal import CampaignState, campaign_state, check_own
from ictus.store.launch_files import COMMAND, CommandDocument
from ictus.store.launch_record import read_launch
from ictus.store.samples import check_whole

_TRY = re.compile(r"(?P<name>.+)\.try(?P<number>\d+)")


@dataclass(frozen=True)
class KeptLaunch:
    """A complete launch, by its folder."""

    complete: Callable[[Path], bool]
    """Whether it was written to its end; a folder that is not is left alone."""
    damage: Callable[[Path, Checksums, PlannedLaunch], str | None]
    """Why one that was accepted does not count any more; None when it does."""
    about: Callable[[Path], dict[str, Any]]
    """The journal's entry on it: `elapsed_s`, `share`, `hung_in`."""


def recover(
    folder: Path, slots: Sequence[PlannedLaunch], journal: Journal, kept: KeptLaunch
) -> tuple[CampaignState, tuple[str, ...]]:
    """Bring folder and journal together; returns where the campaign stands, and notes on what was found."""
    notes: list[str] = []
    launches, aside = folder / "launches", folder / "aside"
    for folder_to_check in (launches, aside, *sorted(launches.iterdir())):
        check_own(folder_to_check)
    leftovers = end_leftovers(launches, aside)
    if leftovers is not None:
        notes.append(str(leftovers))
        journal.append("leftovers", {"pids": sorted(leftovers.programs), "were_ended": leftovers.ended})
    # Asked only where a launch was cut off: a Slurm that is busy answers late.
    steps = end_steps(launches) if list(launches.glob("*.partial")) else None
    if steps is not None:
        notes.append(steps)
        journal.append("leftovers", {"steps": steps})
    by_name, by_number = {slot.folder_name: slot for slot in slots}, {slot.slot: slot for slot in slots}
    campaign = campaign_state(journal.entries)
    journalled = {*campaign.accepted.values(), *(name for tries in campaign.contended.values() for name in tries)}
    for path in sorted(launches.iterdir()):
        if path.name.endswith(".partial"):
            moved = set_aside(path, aside)
            notes.append(f"half-written {path.name} was set aside as {moved.relative_to(folder)}")
        elif f"launches/{path.name}" not in journalled:
            _journal_complete(path, by_name, journal, kept)
    state = campaign_state(journal.entries)
    for slot_number, name in state.accepted.items():
        reason: str | None = "its folder is gone"
        if slot_number not in by_number:
            reason = "the schedule has no such slot"
        elif (folder / name).is_dir():
            reason = kept.damage(folder / name, state.checksums_of(name), by_number[slot_number])
        if reason is not None:
            gone = None
            if (folder / name).exists():
                gone = str(set_aside(folder / name, aside).relative_to(folder))
            notes.append(f"{name} is measured again: {reason}")
            journal.append("failed", {"slot": slot_number, "aside": gone, "reason": reason})
    return campaign_state(journal.entries), tuple(notes)


def _journal_complete(path: Path, by_name: dict[str, PlannedLaunch], journal: Journal, kept: KeptLaunch) -> None:
    """Journal a launch that was renamed, which happens only when it is complete, but not journalled any more."""
    tried = _TRY.fullmatch(path.name)
    slot = by_name.get(tried["name"] if tried else path.name)
    if slot is None or not kept.complete(path):
        return
    about = kept.about(path)
    where = {"slot": slot.slot, "folder": f"launches/{path.name}", "recovered": True}
    fields = {**where, "checksums": checksums_of(path)}
    if tried:
        journal.append("contended", {**fields, "share": about.get("share"), "accepted": False})
    else:
        hang = {} if about.get("hung_in") is None else {"hung_in": about["hung_in"]}
        journal.append("accepted", {**fields, "elapsed_s": about.get("elapsed_s"), "accepted": True, **hang})


def _damage(folder: Path, checksums: Checksums, slot: PlannedLaunch) -> str | None:
    try:
        check_whole(folder / "samples.npy")
        checksums.check_all(folder)
        record = read_launch(folder, checksums)
        if isinstance(slot, Slot):
            check_identity(record, slot)
    except (MeasurementError, UsageError) as error:
        return str(error)
    return None


def _about(folder: Path) -> dict[str, Any]:
    record, command = read_launch(folder), folder / COMMAND
    hung_in = CommandDocument.read(command).hung_in if command.is_file() else None
    return {"share": record.share, "elapsed_s": record.head.elapsed_s, "hung_in": hung_in}


CAMPAIGN_LAUNCH = KeptLaunch(lambda folder: (folder / SUMMARY).exists(), _damage, _about)
"""A launch of a campaign."""
