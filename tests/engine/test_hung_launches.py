"""Launches that hang after all their results were written: they count, and it is recorded and told that they hung."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus

from ictus.engine.event import LaunchFailed, WarningNote
from ictus.launch.launchers.simulated import Simulated
from ictus.model.design import Slot
from ictus.model.job import Outcome
from ictus.store.campaign import load
from ictus.store.durable import rename
from ictus.store.journal import read_journal
from ictus.store.launch_files import CommandDocument

from .conftest import Rig

SENTENCE = "did not end after all results were written (in MPI_Finalize)"


def accepted(rig: Rig) -> list[Any]:
    """The journal's entries of launches that count."""
    return [one for one in read_journal(rig.folder / "journal.jsonl").entries if one.event == "accepted"]


def test_a_launch_that_hangs_after_its_results_counts_and_is_told(rig: Rig) -> None:
    """Two of the four hang, of which one says where. None is made again; each is named as it happens, in `show`, in its
    JSON, in the journal and in command.json; nothing is wrong with the folder.
    """
    assert rig.run(rig.faulty(slot_1=["hang"], slot_2=["hang-unseen"])).done == 4
    assert not rig.seen(LaunchFailed)
    assert [entry.hung_in for entry in accepted(rig)] == [None, "MPI_Finalize", "MPI_Finalize or its launcher", None]
    campaign = load(rig.folder)
    assert [one.hung_in for one in campaign.launches] == [None, "MPI_Finalize", "MPI_Finalize or its launcher", None]
    commands = [CommandDocument.read(one.folder / CommandDocument.FILE) for one in campaign.launches]
    assert [(one.exit_code, one.hung_in) for one in commands] == [
        (0, None), (None, "MPI_Finalize"), (None, "MPI_Finalize or its launcher"), (0, None),
    ]  # fmt: skip
    told = [one.text for one in rig.seen(WarningNote) if isinstance(one, WarningNote) and "did not end" in one.text]
    assert len(told) == 2
    assert f"{campaign.slots[1].folder_name} ({campaign.slots[1].mpi}, 2 processes) {SENTENCE}" in told[0]
    shown = json.loads(run_ictus("show", rig.folder, "--json").out)
    assert shown["hung_launches"] == [
        {"mpi": campaign.slots[1].mpi, "hung_in": "MPI_Finalize", "launches": 1, "of": 2},
        {"mpi": campaign.slots[2].mpi, "hung_in": "MPI_Finalize or its launcher", "launches": 1, "of": 2},
    ]
    said = f"1 of 2 launches of {campaign.slots[1].mpi} {SENTENCE}, and were ended: their samples count"
    assert any(said in warning for warning in shown["warnings"])
    assert said in " ".join(run_ictus("show", rig.folder).err.split())
    assert all(row["n_launches"] == 2 for row in shown["rows"])
    verified = run_ictus("verify", rig.folder)
    assert verified.code == 0, verified.out + verified.err


def test_samples_of_a_hung_launch_are_those_of_one_that_ends(rig: Rig, tmp_path: Path) -> None:
    """Nothing was to come."""
    other = Rig(tmp_path / "other")
    rig.run(rig.faulty(slot_0=["hang"]))
    other.run()
    columns = ("case_id", "repetition", "makespan")
    assert (
        load(rig.folder).samples.select(columns).collect().equals(load(other.folder).samples.select(columns).collect())
    )


def test_a_launch_that_failed_and_hangs_is_set_aside(rig: Rig) -> None:
    """A rank had crashed when the results were there: it fails as one that ends."""

    def execute(slot: Slot, folder: Path) -> Outcome:
        outcome = rig.faulty(slot_0=["hang"])(slot, folder)
        if outcome.hung and not list((rig.folder / "aside").glob("*")):
            error = {"rank": 1, "time_s": 0.5, "host": "h", "kind": "crash", "message": "ended by SIGSEGV"}
            (folder / "error.1.json").write_text(json.dumps(error))
        return outcome

    rig.run(execute)
    (failed,) = rig.seen(LaunchFailed)
    assert isinstance(failed, LaunchFailed)
    assert failed.reason.startswith("rank 1 on h: ended by SIGSEGV")


def test_a_hang_is_known_after_the_runner_was_killed(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the rename of the launch and its line in the journal, which the next run writes from command.json;
    killed while the launch was ended, its folder is half-written: set aside, and measured again.
    """

    class Killed(BaseException):
        pass

    def kill(source: Path, target: Path) -> None:
        rename(source, target)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("ictus.engine.launch_loop.rename", kill)
        with pytest.raises(Killed):
            rig.run(rig.faulty(slot_0=["hang"]))

    def killed_in_grace(slot: Slot, folder: Path) -> Outcome:
        Simulated()(slot, folder)
        raise Killed

    with pytest.raises(Killed):
        rig.run(killed_in_grace)
    rig.run()
    assert [(entry.slot, entry.hung_in) for entry in accepted(rig)] == [
        (0, "MPI_Finalize"), (1, None), (2, None), (3, None),
    ]  # fmt: skip
    (aside,) = (rig.folder / "aside").iterdir()
    assert aside.name.startswith("0001-")
    assert load(rig.folder).complete


def test_what_hung_and_was_lost_is_not_told(rig: Rig) -> None:
    """A launch that is damaged and measured again: the new one ended."""
    rig.run(rig.faulty(slot_0=["hang"]))
    (load(rig.folder).launches[0].folder / "samples.npy").write_bytes(b"")
    rig.run()
    assert [one.hung_in for one in load(rig.folder).launches] == [None] * 4
