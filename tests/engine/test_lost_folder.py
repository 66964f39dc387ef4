"""A folder that is removed or moved while it is measured in: the run ends and says so, and makes nothing anew there."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ictus.engine import event
from ictus.engine.runner import run_campaign
from ictus.launch import lease as leases, process
from ictus.launch.launchers.simulated import Simulated
from ictus.model.design import Slot
from ictus.model.errors import DiskError, FolderLost, MeasurementError
from ictus.model.job import Outcome

from .conftest import Rig


def losing(slot: int, lose: Callable[[Path], object], *, before: bool) -> Callable[[Slot, Path], Outcome]:
    """Launches of which one loses its campaign's folder, before or after it has written its files."""
    simulated = Simulated()

    def execute(launch: Slot, folder: Path) -> Outcome:
        campaign = folder.parent.parent
        if launch.slot == slot and before:
            lose(campaign)
            raise MeasurementError("the launcher found no folder")
        outcome = simulated(launch, folder)
        if launch.slot == slot:
            lose(campaign)
        return outcome

    return execute


@pytest.mark.parametrize("before", [True, False])
def test_a_removed_folder_is_said_and_not_made_again(rig: Rig, before: bool) -> None:
    """Half a campaign was made anew, without a journal: it was measured on for nobody."""
    with pytest.raises(FolderLost, match="was removed, moved or replaced while it was measured in"):
        rig.run(losing(1, shutil.rmtree, before=before))
    assert not rig.folder.exists()


def test_a_moved_folder_continues_in_its_new_place(rig: Rig) -> None:
    """Nothing is lost; whatever is put in its place is not touched."""
    place = rig.folder.with_name("elsewhere")

    def move(folder: Path) -> None:
        folder.rename(place)
        (folder / "launches").mkdir(parents=True)
        (folder / "journal.jsonl").write_text("another's")

    with pytest.raises(DiskError, match=r"command\.json"):  # its launch is gone from there: that shows first
        rig.run(losing(1, move, before=False))
    assert sorted(path.name for path in rig.folder.rglob("*")) == ["journal.jsonl", "launches"]
    assert (rig.folder / "journal.jsonl").read_text() == "another's"
    before = {path: path.read_bytes() for path in (place / "launches" / "0000-b").glob("*")} or {
        path: path.read_bytes() for path in (place / "launches" / "0000-a").glob("*")
    }
    rig.folder = place
    assert rig.run().done == 4
    assert before
    assert {path: path.read_bytes() for path in before} == before


def test_nothing_is_written_into_a_journal_that_was_replaced(rig: Rig) -> None:
    """Between two launches: the lock is on a file that nobody sees any more."""

    def replace(folder: Path) -> None:
        journal = folder / "journal.jsonl"
        journal.rename(folder / "old")
        journal.write_bytes(b"")

    with pytest.raises(FolderLost):
        rig.run(losing(1, replace, before=False))
    assert (rig.folder / "journal.jsonl").read_bytes() == b""


def test_a_folder_removed_while_faults_are_counted_is_not_made_again(rig: Rig) -> None:
    """Between two of the short launches before the first one: their folders lie deeper."""
    counting = 0

    def remove(one: event.Event) -> None:
        nonlocal counting
        counting += isinstance(one, event.PreparationStep)
        if counting == 2:
            shutil.rmtree(rig.folder)

    with pytest.raises(FolderLost):
        run_campaign(rig.folder, rig.design(), Simulated(), remove, page_faults=True)
    assert not rig.folder.exists()


@pytest.mark.parametrize("removal", ["rm -r $PWD", f"rm {leases.FILE}"], ids=["whole", "half way"])
def test_a_launch_whose_folder_is_gone_is_ended(removal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When its lease is renewed next, not at its end; a renewal puts nothing into a folder that is being removed."""
    monkeypatch.setattr(process, "RENEWED_S", 0.05)
    folder = tmp_path / "0000-mpich.partial"
    folder.mkdir()
    with (
        pytest.raises(MeasurementError, match=f"{leases.FILE}' was removed while the launch ran"),
        leases.lease_in(folder, 60.0) as lease,
    ):
        process.run(("/bin/sh", "-c", f"{removal}; exec sleep 60"), {"PATH": "/bin"}, folder, 60.0, lease=lease)
    assert not (folder / leases.FILE).exists()
