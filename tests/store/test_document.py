"""JSON files and the journal."""

import json
import os
from pathlib import Path

import pytest

from ictus.model.document import read_object
from ictus.model.errors import MeasurementError
from ictus.store.document import write_document
from ictus.store.durable import write_atomically
from ictus.store.journal import JournalEntry, campaign_state, read_journal


def test_a_document_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk refuses, what was there before is still there."""
    path = tmp_path / "file"
    write_atomically(path, b"before")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"after")
    assert path.read_bytes() == b"before"


def test_documents_are_json_with_a_line_for_each_object(tmp_path: Path) -> None:
    """Whatever they hold reads back."""
    document = {"format": 1, "cases": [{"a": "µ"}, {"a": None}], "notes": [], "plan": {"x": [1, 2]}}
    write_document(tmp_path / "d.json", document)
    assert read_object(tmp_path / "d.json") == document
    text = (tmp_path / "d.json").read_text("utf-8")
    assert json.loads(text) == {**document, "checksum": json.loads(text)["checksum"]}
    assert (tmp_path / "d.json").read_text("utf-8").splitlines()[2] == '  {"a": "µ"},'


def entries(path: Path, *lines: str) -> list[str]:
    """Events of a journal of these lines."""
    path.write_text("".join(lines))
    return [entry.event for entry in read_journal(path).entries]


def test_a_last_line_that_was_torn_off_is_left_out(tmp_path: Path) -> None:
    """Without its end of line it never happened, even when it looks whole."""
    path = tmp_path / "journal.jsonl"
    assert entries(path, '{"event": "start"}\n', '{"event": "la') == ["start"]
    assert entries(path, '{"event": "start"}\n', '{"event": "launch"}') == ["start"]
    assert read_journal(path).sound_bytes == 19
    assert entries(path) == []
    assert read_journal(tmp_path / "none").entries == ()


def test_damage_before_the_last_line_is_an_error(tmp_path: Path) -> None:
    """What happened cannot be guessed."""
    with pytest.raises(MeasurementError, match="line 1 is damaged"):
        entries(tmp_path / "journal.jsonl", "{]\n", '{"event": "start"}\n')


def test_a_field_of_another_type_is_named_with_its_line(tmp_path: Path) -> None:
    """It was written by hand, or by a later version that means something else by it."""
    with pytest.raises(MeasurementError, match=r"journal\.jsonl, line 2: 'slot' is 'x', expected a valid integer"):
        entries(tmp_path / "journal.jsonl", '{"event": "start"}\n', '{"event": "launch", "slot": "x"}\n')


@pytest.mark.parametrize("event", ["accepted", "contended", "failed"])
def test_an_event_of_a_launch_without_its_slot_is_refused(event: str) -> None:
    """It would count as a launch of no slot, or take nothing back."""
    entry = JournalEntry(event=event, folder="launches/0000-a")
    with pytest.raises(MeasurementError, match=f"key 'slot' of an event '{event}' is missing"):
        campaign_state([entry])


def test_the_standing_is_what_the_events_add_up_to() -> None:
    """Accepted per slot; contended tries in order; an acceptance that was taken back does not count."""
    events = [
        {"event": "contended", "slot": 0, "folder": "launches/0000-a.try1"},
        {"event": "contended", "slot": 0, "folder": "launches/0000-a.try2"},
        {"event": "accepted", "slot": 0, "folder": "launches/0000-a"},
        {"event": "accepted", "slot": 1, "folder": "launches/0001-b"},
        {"event": "failed", "slot": 1, "aside": "aside/0001-b.1"},
    ]
    found = campaign_state([JournalEntry.model_validate(one) for one in events])
    assert found.accepted == {0: "launches/0000-a"}
    assert found.contended == {0: ("launches/0000-a.try1", "launches/0000-a.try2")}
