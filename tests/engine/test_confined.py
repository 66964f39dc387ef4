"""Nothing outside of a campaign's folder is read, moved or written, whatever its files say."""

import json
import shutil
from pathlib import Path

import pytest

from ictus.model.errors import MeasurementError
from ictus.store.campaign import load
from ictus.store.durable import write_atomically

from .conftest import Rig


@pytest.fixture
def ended(rig: Rig) -> Rig:
    """A complete campaign of two launches."""
    rig.values |= {"op": "bcast", "sizes": "64", "launches": 1, "nrep": 2}
    rig.run()
    return rig


def redirect(folder: Path, name: str | None) -> None:
    """The journal's first accepted launch is to lie in `name`."""
    journal = folder / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for line in lines:
        line.pop("checksum")  # somebody who knows the format leaves none behind
    next(line for line in lines if line["event"] == "accepted")["folder"] = name
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    "name", ["../foreign", "launches/../../foreign", "/tmp/foreign", "launches/..", "launches/a/b", None]
)
def test_a_journal_that_names_a_folder_outside_is_refused(ended: Rig, tmp_path: Path, name: str | None) -> None:
    """Before the fix `run` moved it under aside/, and `show` wrote its summary there."""
    foreign = tmp_path / "foreign"
    shutil.copytree(next((ended.folder / "launches").iterdir()), foreign)
    (foreign / "summary.parquet").unlink()
    before = contents(foreign)
    redirect(ended.folder, name)
    for act in (lambda: load(ended.folder), ended.run):
        with pytest.raises(MeasurementError, match=r"journal.jsonl names the launch .*: a launch lies in"):
            act()
    assert contents(foreign) == before


def test_a_launch_that_is_a_link_is_named_and_never_moved(ended: Rig, tmp_path: Path) -> None:
    """Reading names it, going on refuses it, and what it leads to stays as it is."""
    foreign = tmp_path / "foreign"
    launch = min((ended.folder / "launches").iterdir())
    launch.rename(foreign)
    (foreign / "summary.parquet").unlink()
    before = contents(foreign)
    launch.symlink_to(foreign)
    campaign = load(ended.folder, leave_out_damaged=True)
    assert [launch.folder.name for launch in campaign.launches] != []
    assert len(campaign.launches) == 1
    assert "is a symbolic link" in campaign.warnings[0]
    with pytest.raises(MeasurementError, match="is a symbolic link: launches are folders"):
        ended.run()
    assert contents(foreign) == before


def test_launches_that_lie_behind_a_link_are_refused(ended: Rig, tmp_path: Path) -> None:
    """A link in the place of launches/ would have every half-written launch of a foreign folder set aside."""
    foreign = tmp_path / "foreign"
    (ended.folder / "launches").rename(foreign)
    (foreign / "0009-x.partial").mkdir()
    (ended.folder / "launches").symlink_to(foreign)
    for act in (lambda: load(ended.folder), ended.run):
        with pytest.raises(MeasurementError, match="is a symbolic link"):
            act()
    assert (foreign / "0009-x.partial").is_dir()


def test_a_schedule_whose_label_is_a_path_is_refused(ended: Rig) -> None:
    """A launch's folder is named after its library's label. The file is named, not an option that nobody typed."""
    schedule = ended.folder / "schedule.json"
    document = json.loads(schedule.read_text("utf-8"))
    document["slots"][0]["mpi"] = "../../x"
    schedule.write_text(json.dumps(document), "utf-8")
    with pytest.raises(MeasurementError, match=rf"{schedule}: label '\.\./\.\./x'"):
        load(ended.folder)


def test_a_journal_that_is_a_link_is_not_appended_to(ended: Rig, tmp_path: Path) -> None:
    """What it leads to stays as it is."""
    journal, foreign = ended.folder / "journal.jsonl", tmp_path / "foreign.jsonl"
    journal.rename(foreign)
    journal.symlink_to(foreign)
    before = foreign.read_bytes()
    with pytest.raises(MeasurementError, match=r"journal\.jsonl.* is a symbolic link"):
        ended.run()
    assert foreign.read_bytes() == before


def test_a_link_under_the_name_of_a_half_written_file_is_not_followed(ended: Rig, tmp_path: Path) -> None:
    """It is replaced."""
    foreign, link = tmp_path / "foreign.txt", ended.folder / "page.writing"
    foreign.write_text("mine")
    link.symlink_to(foreign)
    write_atomically(ended.folder / "page", b"ours")
    assert foreign.read_text() == "mine"
    assert (ended.folder / "page").read_text() == "ours"
