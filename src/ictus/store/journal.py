"""The content of journal.jsonl: one event per line, in the order of the events.

The last member of a line is its checksum, over that of the line before and the line itself: a line that changed, and
one that is missing, is found. Lines of earlier versions have none.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ictus.model.checksum import checksum
from ictus.model.document import CHECKSUM, DocumentPart, object_or_none, parsed
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.input_file import ARRAY_BYTES, file_content
from ictus.store.checksums import UNCHECKED, Checksums


class JournalEntry(DocumentPart):
    """One event. Fields of a single kind of event that no code reads are kept as they are."""

    event: str
    time: str = ""
    slot: int | None = None
    folder: str | None = None
    """A launch's folder, relative to the campaign's; `campaign_state` refuses one outside."""
    aside: str | None = None
    """Where a launch that failed is kept."""
    reason: str | None = None
    """Why it failed."""
    elapsed_s: float | None = None
    ended: str | None = None
    time_budget_s: float | None = None
    launches: int | None = None
    before: int | None = None
    """Of a campaign that was extended: its launches of each library since then, and before."""
    continue_at: str | None = None
    """Of a campaign that stopped because its allocation ends before its next block: when that begins, ISO 8601."""
    checksums: dict[str, str] | None = None
    """By file of the launch (store/checksums.py)."""
    hung_in: str | None = None
    """Of a launch that counts: where it hung after its results were written, and was ended; None where it ended."""
    pid: int | None = None
    host: str = "unknown"


_LAUNCH = re.compile(r"launches/(?!\.)[^/\0]+")


@dataclass(frozen=True)
class JournalText:
    """The events of a journal, and how many bytes of its text they are: what follows was torn off by a crash."""

    entries: tuple[JournalEntry, ...]
    sound_bytes: int
    last: str = ""
    """The checksum of the last line; empty where it has none."""
    torn_bytes: int = 0
    """What follows the sound bytes."""


@dataclass(frozen=True)
class CampaignState:
    """Where a campaign stands: folders of complete launches (relative to the campaign), by slot."""

    accepted: Mapping[int, str] = field(default_factory=dict)
    contended: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    checksums: Mapping[str, Checksums] = field(default_factory=dict)
    """Checksums of the files of each launch, by its folder."""
    failed: Mapping[int, str] = field(default_factory=dict)
    """Why the last try failed, by slot, where none is accepted."""
    hung: Mapping[str, str] = field(default_factory=dict)
    """Where launches that count hung after their results were written, by folder."""

    def checksums_of(self, name: str) -> Checksums:
        """Checksums of a launch, by its folder; empty for a launch that the journal does not know."""
        return self.checksums.get(name, UNCHECKED)


@dataclass(frozen=True)
class GoalProgress:
    """The result of a precision goal so far."""

    ended: str | None
    """`goal` or `budget`, whichever ended it; None while it runs, or after an interruption."""
    spent_s: float
    """Time in launches, all runs together."""
    budget_s: float | None
    """The last one that was given."""


def read_journal(path: Path) -> JournalText:
    """All events; a last line that a crash cut short is left out. MeasurementError for damage before the last line, and
    for a line that is not what its checksum says.
    """
    if not path.exists():
        return JournalText((), 0)
    text = file_content(path, ARRAY_BYTES)
    entries: list[JournalEntry] = []
    sound, last = 0, ""
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        source = f"{path}, line {number}"
        entry = _entry(line, source)
        if entry is None:
            if sound + len(line) < len(text) or (last and line.endswith(b"\n")):  # no crash writes a whole line wrong
                raise MeasurementError(f"{source} is damaged: {line[:80]!r}")
            break
        last = _checked(line, last, source)
        entries.append(entry)
        sound += len(line)
    return JournalText(tuple(entries), sound, last, len(text) - sound)


_SEAL = re.compile(rb', "checksum": "(xxh3:[0-9a-f]{16})"}\n\Z')


def sealed_line(entry: str, last: str) -> tuple[bytes, str]:
    """The line of an event that is this JSON object, behind a line whose checksum is `last`; and its own checksum."""
    seal = checksum(f"{last}{entry}".encode())
    return f'{entry[:-1]}, "{CHECKSUM}": "{seal}"}}\n'.encode(), seal


def _checked(line: bytes, last: str, source: str) -> str:
    """The checksum of a line. MeasurementError where the line is not what it says, or has none behind one that has."""
    seal = _SEAL.search(line)
    if seal is None:
        if last:
            raise MeasurementError(f"{source} is damaged: it has no checksum at its end, as the line before has")
        return ""
    expected_seal = checksum(last.encode() + line[: seal.start()] + b"}")
    if expected_seal != seal[1].decode():
        raise MeasurementError(
            f"{source} is damaged: its checksum is {expected_seal}, the line says {seal[1].decode()}: it changed, or "
            f"the line before it was removed"
        )
    return expected_seal


def campaign_state(entries: Iterable[JournalEntry]) -> CampaignState:
    """The state after all events. A `failed` event that names an accepted slot takes the acceptance back.

    MeasurementError for a launch's folder that counts twice, or a slot with two launches that count.
    """
    accepted: dict[int, str] = {}
    contended: dict[int, tuple[str, ...]] = {}
    checksums: dict[str, Checksums] = {}
    failed: dict[int, str] = {}
    taken: dict[str, int] = {}
    hung: dict[str, str] = {}
    for entry in entries:
        if entry.event not in ("accepted", "contended", "failed"):
            continue
        if entry.slot is None:
            raise MeasurementError(f"journal.jsonl: key 'slot' of an event '{entry.event}' is missing")
        if entry.event == "failed":
            taken.pop(accepted.pop(entry.slot, ""), None)
            failed[entry.slot] = entry.reason or ""
            continue
        name = _inside(entry.folder)
        if name in taken:
            where = f"for slots {taken[name]} and {entry.slot}"
            raise MeasurementError(f"journal.jsonl counts the launch {name} twice: {where}")
        taken[name] = entry.slot
        checksums[name] = UNCHECKED if entry.checksums is None else Checksums(entry.checksums)
        if entry.event == "accepted":
            if entry.slot in accepted:
                both = f"{accepted[entry.slot]} and {name}"
                raise MeasurementError(f"journal.jsonl accepts two launches for slot {entry.slot}: {both}")
            accepted[entry.slot] = name
            failed.pop(entry.slot, None)
            hung.pop(name, None)
            if entry.hung_in is not None:
                hung[name] = entry.hung_in
        else:
            contended[entry.slot] = (*contended.get(entry.slot, ()), name)
    return CampaignState(accepted, contended, checksums, failed, {name: hung[name] for name in hung if name in taken})


def _inside(name: str | None) -> str:
    """The name of a launch's folder, relative to the campaign's, as an event gives it."""
    if name is None or not _LAUNCH.fullmatch(name):
        raise MeasurementError(
            f"journal.jsonl names the launch {name!r}: a launch lies in launches/NAME of its campaign; nothing is read "
            f"or moved outside of it"
        )
    return name


def check_own(folder: Path) -> None:
    """MeasurementError for a journal, launches or a launch that is a symbolic link: what it leads to is not the
    campaign's, and would be moved and written to.
    """
    if folder.is_symlink():
        raise MeasurementError(
            f"'{folder}' is a symbolic link: launches are folders, the journal is a file; put it itself there"
        )


def check_name(folder: Path) -> None:
    """UsageError for the name of a folder that is not a text: no file of a campaign could be written or found by it."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise UsageError(f"the folder {str(folder)!a} has a name that is not UTF-8; give it another one") from None


def hang_text(hung_in: str) -> str:
    """What is said of a launch, or of several, behind their name."""
    return f"did not end after all results were written (in {hung_in}), and was ended; its results count"


def spent_s(entries: Iterable[JournalEntry]) -> float:
    """Time in launches, those included that were measured again; pauses between runs are not."""
    return sum(entry.elapsed_s or 0.0 for entry in entries if entry.event == "accepted")


def goal_progress(entries: Iterable[JournalEntry]) -> GoalProgress:
    """How far the launches for a precision goal are."""
    all_entries = tuple(entries)
    ended, budget_s = None, None
    for entry in all_entries:
        if entry.event in ("start", "done"):
            ended = entry.ended
        if entry.event in ("planned", "done"):
            budget_s = entry.time_budget_s
    return GoalProgress(ended, spent_s(all_entries), budget_s)


def _entry(line: bytes, source: str) -> JournalEntry | None:
    """The event on a line; None when the line is not whole. Raises MeasurementError for a field of another type."""
    if not line.endswith(b"\n"):
        return None
    entry = object_or_none(line)
    return parsed(JournalEntry, entry, source) if entry is not None and "event" in entry else None
