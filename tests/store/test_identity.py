"""No launch counts twice, or for another one: journal, schedule and the launch's own record agree."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.launch_document import edit_head, forget_checksums

from ictus.model.errors import MeasurementError
from ictus.store.campaign import load
from ictus.store.journal import campaign_state, read_journal

from .conftest import MakeFolder

Entry = dict[str, Any]


def edit_journal(folder: Path, edit: Callable[[list[Entry]], object]) -> None:
    """Rewrite a journal without checksums of its lines, as somebody could who knows the format."""
    forget_checksums(folder)
    path = folder / "journal.jsonl"
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    edit(entries)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")


def accepted(entries: list[Entry]) -> list[Entry]:
    """The entries of launches that count."""
    return [entry for entry in entries if entry["event"] == "accepted"]


def test_two_entries_that_name_one_folder_are_an_error(make_folder: MakeFolder) -> None:
    """Its samples would count twice."""
    folder = make_folder()
    edit_journal(folder, lambda entries: accepted(entries)[1].update(folder=accepted(entries)[0]["folder"]))
    with pytest.raises(MeasurementError, match=r"counts the launch launches/0000-\w twice: for slots 0 and 1"):
        load(folder)


def test_a_disturbed_try_that_is_also_the_accepted_one_is_an_error(make_folder: MakeFolder) -> None:
    """It would stand beside itself with --include-contended."""
    folder = make_folder()
    edit_journal(folder, lambda entries: entries.append({**accepted(entries)[0], "event": "contended"}))
    with pytest.raises(MeasurementError, match=r"twice: for slots 0 and 0"):
        load(folder, contended=True)


def test_a_slot_with_two_launches_is_an_error(make_folder: MakeFolder) -> None:
    """One of them would be lost without a word."""
    folder = make_folder()
    edit_journal(folder, lambda entries: accepted(entries)[1].update(slot=0))
    with pytest.raises(MeasurementError, match=r"accepts two launches for slot 0: launches/0000-\w and launches/0001-"):
        load(folder)


def test_swapped_folders_are_named(make_folder: MakeFolder) -> None:
    """With checksums by their files, without them by the seeds."""
    folder = make_folder()
    one, other = (launch.folder for launch in load(folder).launches[:2])
    one.rename(folder / "between")
    other.rename(one)
    (folder / "between").rename(other)
    with pytest.raises(MeasurementError, match=rf"launch {one.name}: .* the checksum of launch {one.name} is"):
        load(folder)
    forget_checksums(folder)
    with pytest.raises(MeasurementError, match=rf"launch {other.name}: ran with seed \d+, expected was \d+"):
        load(folder)


def test_a_copy_of_another_launch_is_named(make_folder: MakeFolder) -> None:
    """Though the journal has no checksums."""
    folder = make_folder()
    forget_checksums(folder)
    one, other = (launch.folder for launch in load(folder).launches[:2])
    shutil.rmtree(other)
    shutil.copytree(one, other)
    with pytest.raises(MeasurementError, match=rf"launch {other.name}: ran with seed"):
        load(folder)


@pytest.mark.parametrize(("part", "key"), [("library", "label"), ("algorithm", "name")])
def test_a_launch_of_another_library_or_algorithm_is_named(make_folder: MakeFolder, part: str, key: str) -> None:
    """What its launcher said of it."""
    folder = make_folder()
    launch = load(folder).launches[0]
    edit_head(launch.folder / "launch.json", launcher={part: {key: "other"}})
    with pytest.raises(MeasurementError, match=rf"was launched with {part} 'other', expected was"):
        load(folder)


def test_a_journal_line_that_changed_or_is_missing_is_found(make_folder: MakeFolder) -> None:
    """A bit of every byte but the last, without which a line is not whole; a line less; a line twice."""
    path = make_folder() / "journal.jsonl"
    sound = path.read_bytes()
    assert campaign_state(read_journal(path).entries).accepted.keys() == {0, 1, 2, 3}
    for at in range(len(sound) - 1):
        spoilt = bytearray(sound)
        spoilt[at] ^= 1
        path.write_bytes(spoilt)
        with pytest.raises(MeasurementError, match=r"journal\.jsonl, line \d+"):
            read_journal(path)
    lines = sound.splitlines(keepends=True)
    for number in range(len(lines) - 1):
        for edited in (lines[:number] + lines[number + 1 :], [*lines[: number + 1], *lines[number:]]):
            path.write_bytes(b"".join(edited))
            with pytest.raises(MeasurementError, match=r"journal\.jsonl, line \d+ is damaged"):
                read_journal(path)


@pytest.mark.parametrize("name", ["campaign.json", "schedule.json"])
def test_a_bit_that_flips_in_a_manifest_is_found(make_folder: MakeFolder, name: str) -> None:
    """In every byte before its last line."""
    folder = make_folder()
    path = folder / name
    sound = path.read_bytes()
    for at in range(0, sound.rindex(b',\n"checksum"'), 7):
        spoilt = bytearray(sound)
        spoilt[at] ^= 1
        path.write_bytes(spoilt)
        with pytest.raises(MeasurementError, match=rf"{name} (changed after Ictus wrote it|is no JSON)"):
            load(folder)


def test_a_file_that_was_meant_to_change_is_read_without_its_last_line(make_folder: MakeFolder) -> None:
    """As the message says."""
    folder = make_folder()
    path = folder / "campaign.json"
    text = path.read_text("utf-8").replace('"created": "', '"created": "somewhen ')
    path.write_text(text, "utf-8")
    with pytest.raises(MeasurementError, match="or remove that line where the change was meant"):
        load(folder)
    path.write_text(text[: text.rindex(',\n"checksum"')] + "\n}\n", "utf-8")
    assert load(folder).created.startswith("somewhen")
