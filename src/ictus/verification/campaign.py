"""Everything that must hold for a campaign folder: its documents, its journal, its schedule, each launch."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ictus.model.document import read_object, unsealed
from ictus.model.errors import IctusError, UsageError
from ictus.model.input_file import file_content
from ictus.store.campaign import JOURNAL
from ictus.store.checksums import UNCHECKED
from ictus.store.journal import CampaignState, JournalEntry, campaign_state, read_journal
from ictus.store.manifest import CAMPAIGN, SCHEDULE, read_manifest
from ictus.verification.launch import CheckedLaunch, check_files, check_launch, has_stamps
from ictus.verification.problem import CaseLocation, Problem, first_few
from ictus.verification.schedule import check_journal, check_schedule

_OURS = {CAMPAIGN, SCHEDULE, JOURNAL, "launches", "aside"}


@dataclass(frozen=True)
class Verification:
    """What is wrong with a campaign folder, how much was checked, and what was not."""

    folder: Path
    problems: tuple[Problem, ...]
    launches: int
    cases: int
    samples: int
    from_stamps: int
    """Launches whose samples were computed again from the stamps of every rank."""
    files: int
    """Files of launches whose checksums the journal has."""
    unchecked: tuple[str, ...]
    """Sentences on what was not checked."""
    campaigns: int = 1
    """None is in the folder of a study that keeps documents alone, or of a tuning that had nothing to race."""


def verify(folder: Path, checked_names: Collection[str] = ()) -> Verification:
    """Check a campaign folder; it is not changed. `checked_names` are names in it that somebody else checks. Raises
    UsageError for one that is none.
    """
    if not (folder / CAMPAIGN).exists():
        raise UsageError(f"'{folder}' is not a campaign folder: it has no {CAMPAIGN}")
    try:
        read_manifest(folder)
        journal = read_journal(folder / JOURNAL)
        state = campaign_state(journal.entries)
    except IctusError as error:
        reason = str(error).replace(f"{folder}/", "")  # shown texts are cut, and the reason is behind the path
        problem = CaseLocation().wrong("", reason, "a campaign that can be read")
        return Verification(folder, (problem,), 0, 0, 0, 0, 0, ("everything else: without it nothing can be told",))
    campaign, schedule = read_object(folder / CAMPAIGN), read_object(folder / SCHEDULE)
    imported = campaign.get("imported") is not None
    problems = [
        *_documents(folder, sealed=bool(journal.last)),
        *([] if imported else check_schedule(campaign, schedule)),
    ]
    if journal.torn_bytes:
        problems.append(
            CaseLocation(file=JOURNAL).wrong("last line", f"{journal.torn_bytes} bytes without an end", "whole lines")
        )
    problems += check_journal([entry.model_dump() for entry in journal.entries], schedule)
    problems += [*_folders(folder, state), *_aside(folder, journal.entries)]
    launches, samples = list(_launches(folder, state, campaign, schedule)), 0
    for launch in launches:
        checked = replace(launch)  # its arrays go with it: those of all launches may be more than there is memory
        problems += first_few(check_launch(checked))
        samples += _n_samples(checked)
    return Verification(
        folder,
        tuple(problems),
        launches=len(launches),
        cases=sum(len(launch.slot["cases"]) for launch in launches),
        samples=samples,
        from_stamps=sum(has_stamps(launch.folder) for launch in launches),
        files=sum(len(launch.checksums) for launch in launches),
        unchecked=tuple(
            _unchecked(folder, launches, sealed=bool(journal.last), imported=imported, checked_names=checked_names)
        ),
    )


def _n_samples(launch: CheckedLaunch) -> int:
    try:
        return len(launch.samples)
    except (IctusError, ValueError):
        return 0


def _launches(
    folder: Path, state: CampaignState, campaign: Mapping[str, Any], schedule: Mapping[str, Any]
) -> Iterator[CheckedLaunch]:
    slots = {slot["slot"]: slot for slot in schedule["slots"]}
    cases = {case["case_id"]: case for case in campaign["cases"]}
    names = [*state.accepted.items(), *((slot, name) for slot, tries in state.contended.items() for name in tries)]
    for slot, name in sorted(names):
        if slot in slots and (folder / name).is_dir() and not (folder / name).is_symlink():
            yield CheckedLaunch(folder / name, slots[slot], cases, (state.checksums_of(name) or UNCHECKED).of)


def _documents(folder: Path, *, sealed: bool) -> Iterator[Problem]:
    """Files that have a checksum in their last line, where the campaign is of a version that writes them."""
    for name in (CAMPAIGN, SCHEDULE) if sealed else ():
        if unsealed(file_content(folder / name))[1] is None:
            yield CaseLocation(file=name).wrong("checksum", "none in the last line", "the file as Ictus wrote it")


def _folders(folder: Path, state: CampaignState) -> Iterator[Problem]:
    """Each launch that counts is there; no other is."""
    counted = {*state.accepted.values(), *(name for tries in state.contended.values() for name in tries)}
    launches = folder / "launches"
    folders = {f"launches/{path.name}" for path in launches.iterdir()} if launches.is_dir() else set[str]()
    for name in sorted(counted - folders):
        yield CaseLocation(name.rpartition("/")[2]).wrong("folder", "missing", "as the journal says")
    for name in sorted(name for name in folders - counted if not name.endswith(".partial")):
        yield CaseLocation(name.rpartition("/")[2]).wrong(
            "folder", "not in the journal", "launches that the journal names"
        )


def _aside(folder: Path, entries: Sequence[JournalEntry]) -> Iterator[Problem]:
    """Launches that failed are kept: their files are those that were set aside."""
    for entry in entries:
        if entry.event == "failed" and entry.aside is not None and entry.checksums:
            yield from check_files(folder / entry.aside, entry.checksums, CaseLocation(entry.aside))


_LOCK = re.compile(r"lock\.\d+")
"""Who measured last."""


def _unchecked(
    folder: Path, launches: Sequence[CheckedLaunch], *, sealed: bool, imported: bool, checked_names: Collection[str]
) -> Iterator[str]:
    if imported:
        yield "order and seeds of launches: another suite chose them; what it printed, against what it measured"
    without = sum(not has_stamps(launch.folder) for launch in launches)
    if without:
        yield (
            f"the samples of {without} of {len(launches)} launches against the stamps of every rank: without --raw "
            f"there are none, and summaries are computed again from samples.npy"
        )
    bare = sum(not launch.checksums for launch in launches)
    if bare:
        yield f"whether the files of {bare} of {len(launches)} launches changed: the journal has no checksums of them"
    if not sealed:
        yield "whether the journal and the manifest changed: an earlier version or another program wrote them"
    names = (path.name for path in folder.iterdir())
    others = sorted(
        name for name in names if name not in _OURS and name not in checked_names and not _LOCK.fullmatch(name)
    )
    if others:
        yield f"{', '.join(others)}: not checked, as no analysis reads {'it' if len(others) == 1 else 'them'}"
