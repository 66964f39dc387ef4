"""Going on with a campaign: is it the same, and what did the interruption leave behind?

Whatever the moment of a crash, each folder under launches/ is in one of four states: half-written (`.partial`: set
aside), complete and journalled (kept), complete but renamed a moment before the journal was written (journalled now),
journalled but gone or torn (measured again).
"""

import re
from collections.abc import Sequence
from pathlib import Path

from ictus.engine.attempt import set_aside
from ictus.engine.journal import Journal
from ictus.model.design import Design
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.slot import Slot
from ictus.store.arrival import SUMMARY
from ictus.store.charter import CAMPAIGN, SCHEDULE, Charter
from ictus.store.check import DOCUMENT as CHECK
from ictus.store.check import SPLIT
from ictus.store.journal import Standing, check_own, standing
from ictus.store.launch_record import read_launch
from ictus.store.samples import check_whole

_DOCUMENTS = "|".join(map(re.escape, (CAMPAIGN, SCHEDULE, CHECK)))
_OURS = re.compile(rf"({_DOCUMENTS})(\.writing)?|journal\.jsonl|launches|aside|nrep|{SPLIT}(-\d+)?")
_TRY = re.compile(r"(?P<name>.+)\.try(?P<number>\d+)")


def check_vacant(folder: Path) -> None:
    """UsageError when a folder without campaign.json holds anything that a campaign about to begin did not make."""
    foreign = sorted(path.name for path in folder.iterdir() if not _OURS.fullmatch(path.name))
    if foreign:
        raise UsageError(f"'{folder}' is no campaign folder and not empty (it has '{foreign[0]}'); give another -o")


def check_same(folder: Path, charter: Charter, design: Design) -> None:
    """UsageError that names what differs between the campaign in the folder and the one that is asked for. A time
    budget may: more of it goes on with the same.
    """
    asked = design.plan.model_copy(update={"seed": None}) if design.seed_drawn else design.plan
    asked = asked.model_copy(update={"time_budget_s": charter.plan.time_budget_s})
    differences = [f"{line} asked for" for line in charter.plan.differences(asked)]
    here = {library.label: library for library in charter.libraries}
    there = {library.label: library for library in design.libraries}
    if not differences and set(here) != set(there):
        differences = [f"libraries: {', '.join(here)} there, {', '.join(there)} asked for"]
    for label in here.keys() & there.keys():
        differences += [f"library {label}, {line} asked for" for line in here[label].differences(there[label])]
    if not differences and charter.cases != design.cases:
        differences = [f"the cases that the same plan stood for in Ictus {charter.ictus}"]
    if differences:
        raise UsageError(
            f"'{folder}' holds a campaign that differs in\n  " + "\n  ".join(differences) + "\n"
            "Launches of different plans are never mixed: give another -o, or the plan that it was begun with."
        )


def recover(folder: Path, slots: Sequence[Slot], journal: Journal) -> tuple[Standing, tuple[str, ...]]:
    """Bring folder and journal together; returns where the campaign stands, and notes on what was found."""
    notes: list[str] = []
    launches, aside = folder / "launches", folder / "aside"
    for own in (launches, aside, *sorted(launches.iterdir())):
        check_own(own)
    by_name = {slot.folder_name: slot for slot in slots}
    found = standing(journal.entries)
    journalled = {*found.accepted.values(), *(name for tries in found.contended.values() for name in tries)}
    for path in sorted(launches.iterdir()):
        if path.name.endswith(".partial"):
            kept = set_aside(path, aside).relative_to(folder)
            notes.append(f"half-written {path.name} was set aside as {kept}")
        elif f"launches/{path.name}" not in journalled:
            _journal_complete(path, by_name, journal)
    for slot_number, name in standing(journal.entries).accepted.items():
        reason = _damage(folder / name)
        if reason is not None:
            place = set_aside(folder / name, aside) if (folder / name).exists() else None
            notes.append(f"{name} is measured again: {reason}")
            journal.append("failed", {"slot": slot_number, "aside": _relative(place, folder), "reason": reason})
    return standing(journal.entries), tuple(notes)


def _journal_complete(path: Path, by_name: dict[str, Slot], journal: Journal) -> None:
    """Journal a launch that was renamed, which happens only when it is complete, but not journalled any more."""
    tried = _TRY.fullmatch(path.name)
    slot = by_name.get(tried["name"] if tried else path.name)
    if slot is None or not (path / SUMMARY).exists():
        return
    record = read_launch(path)
    fields = {"slot": slot.slot, "folder": f"launches/{path.name}", "recovered": True}
    if tried:
        journal.append("contended", {**fields, "share": record.share, "accepted": False})
    else:
        journal.append("accepted", {**fields, "elapsed_s": record.document.get("elapsed_s"), "accepted": True})


def _damage(folder: Path) -> str | None:
    """Why an accepted launch does not count any more; None when it does."""
    if not folder.is_dir():
        return "its folder is gone"
    try:
        check_whole(folder / "samples.npy")
        read_launch(folder)
    except (MeasurementError, UsageError) as error:
        return str(error)
    return None


def _relative(path: Path | None, folder: Path) -> str | None:
    return None if path is None else str(path.relative_to(folder))
