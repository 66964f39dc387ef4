"""What the journal says is on the disk: at every sync, all that a line of it stands for was synced before.

A model of the disk keeps what a loss of power would leave: the content of a file as of its last sync, the entries of a
folder as of its last. The campaign is a real one of simulated launches, and every sync of it is seen.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ictus.store import durable

from .conftest import Rig

REMADE = (".parquet",)
"""Made again from the files that were measured, so never waited for."""


def identity(path: Path) -> tuple[int, int]:
    """Of a file or folder, whatever its name is."""
    found = path.stat()
    return found.st_dev, found.st_ino


def named(descriptor: int) -> Path:
    """The path of an open file."""
    return Path(f"/proc/self/fd/{descriptor}").readlink()


@dataclass
class Disk:
    """What would be left."""

    contents: dict[tuple[int, int], bytes] = field(default_factory=dict)
    entries: dict[tuple[int, int], dict[str, tuple[int, int]]] = field(default_factory=dict)
    order: list[tuple[str, str]] = field(default_factory=list)
    """("sync", name) and ("rename", name), oldest first."""

    def sync(self, descriptor: int) -> None:
        """In place of os.fsync."""
        path = named(descriptor)
        if path.is_dir():
            self.entries[identity(path)] = {one.name: identity(one) for one in path.iterdir()}
        else:
            self.contents[identity(path)] = path.read_bytes()
        self.order.append(("sync", path.name))

    def holds(self, path: Path, below: Path) -> bool:
        """Whether a file would be there as it is now, and so each folder between it and `below`."""
        if path.is_file() and self.contents.get(identity(path)) != path.read_bytes():
            return False
        chain = (path, *(one for one in path.parents if one.is_relative_to(below) and one != below))
        return all(self.entries.get(identity(one.parent), {}).get(one.name) == identity(one) for one in chain)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk below all folders of the test."""
    kept, renamed = Disk(), Path.rename

    def rename(path: Path, target: Path) -> Path:
        kept.order.append(("rename", target.name))
        return renamed(path, target)

    monkeypatch.setattr(os, "fsync", kept.sync)
    monkeypatch.setattr(Path, "rename", rename)
    return kept


def lost(disk: Disk, folder: Path) -> list[str]:
    """What the journal on the disk stands for and the disk has not: plan, schedule, and the files of each launch that
    it has accepted.
    """
    journal = folder / "journal.jsonl"
    said = [json.loads(line) for line in disk.contents.get(identity(journal), b"").decode().splitlines()]
    wanted = [folder / "campaign.json", folder / "schedule.json"]
    launches = {path.name: path for path in (folder / "launches").iterdir()} if said else {}
    slots = {one["slot"] for one in said if one["event"] == "accepted"}
    for name, path in launches.items():
        if int(name.partition("-")[0]) in slots:
            wanted += [one for one in path.rglob("*") if one.is_file() and one.suffix not in REMADE]
    assert len([name for name in launches if int(name.partition("-")[0]) in slots]) == len(slots)
    return [str(path.relative_to(folder)) for path in wanted if said and not disk.holds(path, folder)]


class TestCampaign:
    """At each of its syncs."""

    def run(self, rig: Rig, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """What a loss of power at any sync of the journal would have lost; the campaign runs to its end."""
        missing: list[str] = []
        sync = disk.sync

        def then_look(descriptor: int) -> None:
            sync(descriptor)
            if named(descriptor).name == "journal.jsonl":
                missing.extend(lost(disk, rig.folder))

        monkeypatch.setattr(os, "fsync", then_look)
        rig.run()
        assert disk.order.count(("sync", "journal.jsonl")) > 4
        return missing

    def test_what_the_journal_says_is_on_the_disk(self, rig: Rig, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
        """Plan and schedule before its first line; a launch's files and its folder before the line that accepts it."""
        assert self.run(rig, disk, monkeypatch) == []

    @pytest.mark.parametrize("left_out", ["sync_file", "sync_folder"])
    def test_a_sync_that_is_left_out_is_seen(
        self, left_out: str, rig: Rig, disk: Disk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In the modules that name it, too."""
        from ictus.store import arrival

        for module in (durable, arrival):
            monkeypatch.setattr(module, left_out, lambda _path: None)
        assert self.run(rig, disk, monkeypatch) != []


def test_a_document_is_synced_before_it_gets_its_name_and_its_name_after(tmp_path: Path, disk: Disk) -> None:
    """So the name has the old content or the new, and the new one is there on return."""
    target = tmp_path / "campaign.json"
    durable.write_atomically(target, b"old")
    durable.write_atomically(target, b"new")
    assert disk.order == [("sync", "campaign.json.writing"), ("rename", "campaign.json"), ("sync", tmp_path.name)] * 2
    assert disk.holds(target, tmp_path)
    assert disk.contents[identity(target)] == b"new"


def test_a_line_is_on_the_disk_when_it_was_appended(tmp_path: Path, disk: Disk) -> None:
    """Each by a sync of its own."""
    for text in ("first", "second"):
        durable.append_line(tmp_path / "lines", text)
        assert disk.contents[identity(tmp_path / "lines")].endswith(f"{text}\n".encode())
    assert disk.order == [("sync", "lines")] * 2
