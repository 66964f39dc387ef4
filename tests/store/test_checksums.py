"""Checksums of a launch: in the journal when it is accepted, compared whenever a file of it is read."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.launch_document import forget_checksums

from ictus.model.errors import MeasurementError
from ictus.model.sample import SAMPLE
from ictus.store.campaign import Campaign, load
from ictus.store.checksums import Checksums, checksums_of
from ictus.store.journal import read_journal
from ictus.store.launch_files import control_variables
from ictus.store.samples import _CHUNK, read_samples, read_ticks

from .conftest import MakeFolder


def flip(path: Path, at: int = -1) -> Path:
    """Flip one bit of a file; its size stays."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    return path


def forget_tables(folder: Path) -> None:
    """Without what was derived, so that samples are read again."""
    for path in folder.rglob("*.parquet"):
        path.unlink()


def test_the_journal_has_a_checksum_of_every_measured_file(make_folder: MakeFolder) -> None:
    """Of none that is derived; each is what the file is now."""
    folder = make_folder()
    accepted = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    entries = [entry for entry in accepted if entry["event"] == "accepted"]
    assert len(entries) == 4
    for entry in entries:
        launch = folder / entry["folder"]
        assert set(entry["checksums"]) == {path.name for path in launch.iterdir() if path.suffix != ".parquet"}
        assert {"launch.json", "samples.npy", "cases.npy", "clocks.npy", "command.json"} <= set(entry["checksums"])
        assert entry["checksums"] == checksums_of(launch)
        assert all(text.startswith("xxh3:") and len(text) == 21 for text in entry["checksums"].values())
    assert load(folder).unchecked == 0


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("samples.npy", lambda campaign: campaign.samples.collect()),
        ("ranks.npy", lambda campaign: campaign.launches[0].record.ranks),
        ("hosts.npy", lambda campaign: campaign.launches[0].record.hosts),
        ("clocks.npy", lambda campaign: campaign.launches[0].record.clocks),
        ("blocks.npy", lambda campaign: campaign.launches[0].record.blocks),
        ("case_ranks.npy", lambda campaign: campaign.launches[0].record.case_ranks),
    ],
)
def test_a_flipped_bit_is_found_when_the_file_is_read(
    make_folder: MakeFolder, name: str, read: Callable[[Campaign], object]
) -> None:
    """The sentence names file and launch, what was found and what the journal says."""
    folder = make_folder()
    for path in folder.rglob("samples.parquet"):
        path.unlink()
    campaign = load(folder)
    launch = campaign.launches[0].folder
    said = campaign.launches[0].checksums.of[name]
    flip(launch / name)
    with pytest.raises(MeasurementError) as caught:
        read(campaign)
    text = str(caught.value)
    assert text.startswith(f"{launch / name}: the checksum of launch {launch.name} is xxh3:")
    assert f"the journal says {said}: the file changed after it was measured" in text


@pytest.mark.parametrize("name", ["launch.json", "cases.npy", "samples.npy", "hosts.npy", "clocks.npy", "command.json"])
def test_a_launch_that_changed_is_an_error_and_left_out_when_told_to(make_folder: MakeFolder, name: str) -> None:
    """A digit of a seed, a count of a case, a sample, where there are no tables of it yet; what only a report reads."""
    folder = make_folder()
    forget_tables(folder)
    path = next(iter(sorted((folder / "launches").iterdir()))) / name
    flip(path, -74 if name == "samples.npy" else -10)
    with pytest.raises(MeasurementError, match=f"launch {path.parent.name}: {path}: the checksum of launch"):
        load(folder)
    campaign = load(folder, leave_out_damaged=True)
    assert len(campaign.launches) == 3
    assert f"left out: launch {path.parent.name}: {path}: the checksum of launch" in campaign.warnings[0]


@pytest.mark.parametrize("n", [0, 1, _CHUNK, 2 * _CHUNK + 5])
def test_samples_are_hashed_chunk_by_chunk_as_the_whole_file_is(tmp_path: Path, n: int) -> None:
    """Header and every chunk: a bit that flips in the middle or at the end is found."""
    path = tmp_path / "samples.npy"
    np.save(path, np.zeros(n, SAMPLE))
    checksums = Checksums(checksums_of(tmp_path))
    assert read_samples(path, ("makespan",), checksums)["makespan"].size == n
    for at in (-1, -74 * (n // 2) - 1) if n else ():
        flip(path, at)
        with pytest.raises(MeasurementError, match=r"samples\.npy: the checksum of launch"):
            read_samples(path, ("makespan",), checksums)
        flip(path, at)


def test_stamps_and_control_variables_are_compared_too(tmp_path: Path) -> None:
    """A file that the journal does not name passes."""
    (tmp_path / "cvars.json").write_text('{"format": 1, "cvars": {"A": "1"}}')
    checksums = Checksums(checksums_of(tmp_path))
    assert control_variables(tmp_path, checksums) == {"A": "1"}
    (tmp_path / "cvars.json").write_text('{"format": 1, "cvars": {"A": "2"}}')
    assert control_variables(tmp_path) == {"A": "2"}
    with pytest.raises(MeasurementError, match=r"cvars\.json: the checksum of launch"):
        control_variables(tmp_path, checksums)
    (tmp_path / "raw.npy").write_bytes(b"other")
    with pytest.raises(MeasurementError, match=r"raw\.npy: the checksum of launch"):
        read_ticks(tmp_path / "raw.npy", 2, Checksums({"raw.npy": "xxh3:0"}))


def test_launches_without_checksums_are_read_and_counted(make_folder: MakeFolder) -> None:
    """As all of format 1, and those that others wrote."""
    folder = make_folder()
    forget_checksums(folder)
    campaign = load(folder)
    assert campaign.unchecked == len(campaign.launches) == 4
    assert campaign.warnings == ()


@pytest.mark.parametrize(
    ("said", "field"), [(3, "'checksums' is 3"), ({"samples.npy": 3}, "'checksums.samples.npy' is 3")]
)
def test_checksums_that_are_none_are_refused(tmp_path: Path, said: object, field: str) -> None:
    """A journal of somebody else: the line and the field are named."""
    entry = {"event": "accepted", "slot": 0, "folder": "launches/0000-a", "checksums": said}
    (tmp_path / "journal.jsonl").write_text(json.dumps(entry) + "\n")
    with pytest.raises(MeasurementError, match=rf"journal\.jsonl, line 1: {re.escape(field)}, expected a valid"):
        read_journal(tmp_path / "journal.jsonl")
