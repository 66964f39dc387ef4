"""Reading writes derived files only, into fresh files of folders that are this user's own."""

import os
from pathlib import Path

import pytest
from tests.command_line import Ictus, succeed

from ictus.engine import journal
from ictus.launch import process
from ictus.model import input_file
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.input_file import UnreadableFile, file_content
from ictus.store import durable
from ictus.store.campaign import load
from ictus.submission.submit import SubmissionOptions, prepare


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Two launches, without derived files."""
    folder = tmp_path / "campaign"
    succeed("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "1", "--nrep", "3",
            "-o", folder)  # fmt: skip
    for path in folder.rglob("*.parquet"):
        path.unlink()
    return folder


def state(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read(folder: Path) -> int:
    """Everything that a reader asks for: summaries and samples."""
    found = load(folder)
    return found.samples.collect().height + found.summaries.height


def test_derived_files_are_written_in_an_own_folder(campaign: Path) -> None:
    """What the next tests forbid does happen here."""
    assert read(campaign) > 0
    assert len(list(campaign.rglob("*.parquet"))) == 4


def test_nothing_is_written_in_a_folder_of_another_user(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root could; derived data stay in memory."""
    before, own = state(campaign), read(campaign)
    for path in campaign.rglob("*.parquet"):
        path.unlink()
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(campaign).st_uid + 1)  # noqa: PTH116
    assert read(campaign) == own
    assert state(campaign) == before


@pytest.mark.parametrize("name", ["summary.parquet", "samples.parquet", "summary.parquet.writing"])
def test_a_link_in_a_launch_is_replaced_and_not_followed(campaign: Path, tmp_path: Path, name: str) -> None:
    """`show` wrote over its target."""
    victim = tmp_path / "precious"
    victim.write_bytes(b"precious")
    for launch in (campaign / "launches").iterdir():
        (launch / name).symlink_to(victim)
    read(campaign)
    assert victim.read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["report.html", "report.html.writing"])
def test_a_link_in_place_of_the_report_is_replaced(campaign: Path, tmp_path: Path, ictus: Ictus, name: str) -> None:
    """`report` wrote over its target."""
    victim = tmp_path / "precious"
    victim.write_bytes(b"precious")
    (campaign / name).symlink_to(victim)
    answer = ictus("report", campaign)
    assert answer.code == 0, answer.err
    assert victim.read_bytes() == b"precious"
    assert (campaign / "report.html").is_file()
    assert not (campaign / "report.html").is_symlink()


def test_a_file_that_is_put_there_between_two_steps_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link made after the old one was removed: the file is opened as a new one or not at all."""
    victim = tmp_path / "precious"
    victim.write_bytes(b"precious")
    remove = Path.unlink

    def race(path: Path, missing_ok: bool = False) -> None:
        remove(path, missing_ok)
        path.symlink_to(victim)

    monkeypatch.setattr(Path, "unlink", race)
    with pytest.raises(FileExistsError):
        durable.write_atomically(tmp_path / "report.html", b"mine")
    assert victim.read_bytes() == b"precious"


def test_links_in_a_study_are_replaced(tmp_path: Path) -> None:
    """Its page and its figures are written again by whoever reads it; a folder of figures elsewhere is refused."""
    from ictus.model.errors import MeasurementError
    from ictus.studies.keeping import FIGURES, PAGE, write_report

    victim, elsewhere = tmp_path / "precious", tmp_path / "elsewhere"
    victim.write_bytes(b"precious")
    elsewhere.mkdir()
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / PAGE).symlink_to(victim)
    write_report(folder, "page", ())
    assert victim.read_bytes() == b"precious"
    assert (folder / PAGE).read_text("utf-8") == "page"
    (folder / FIGURES).rmdir()
    (folder / FIGURES).symlink_to(elsewhere)
    with pytest.raises(MeasurementError, match="symbolic link"):
        write_report(folder, "page", ())


def test_a_file_that_is_exchanged_for_a_pipe_after_the_look_at_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening it would wait for ever."""
    path, opened = tmp_path / "file", os.open
    path.write_text("text")

    def exchanged(name: Path, flags: int) -> int:
        name.unlink()
        os.mkfifo(name)
        return opened(name, flags)

    monkeypatch.setattr(input_file.os, "open", exchanged)
    with pytest.raises(UnreadableFile, match="it is not a regular file"):
        file_content(path)


def test_a_link_that_is_put_in_place_of_the_journal_after_the_look_at_it_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal is cut to its sound lines, and so would be what the link leads to."""
    victim = tmp_path / "precious"
    victim.write_text("precious")
    monkeypatch.setattr(journal, "check_own", lambda path: path.symlink_to(victim))
    with pytest.raises(OSError, match="symbolic links"):
        journal.Journal(tmp_path)
    assert victim.read_text() == "precious"


def test_a_launch_is_not_measured_into_a_link(tmp_path: Path) -> None:
    """All that its ranks write would be elsewhere."""
    (tmp_path / "campaign").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "campaign" / "0001.partial").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        durable.make_folder(tmp_path / "campaign" / "0001.partial", within=tmp_path / "campaign")


@pytest.mark.parametrize("name", ["stdout.txt", "stderr.txt"])
def test_what_a_launch_says_is_not_written_through_a_link(tmp_path: Path, name: str) -> None:
    """It was emptied."""
    victim = tmp_path / "precious"
    victim.write_text("precious")
    (tmp_path / name).symlink_to(victim)
    with pytest.raises(MeasurementError, match="cannot start"):
        process.run(("/bin/true",), {}, tmp_path, 10)
    assert victim.read_text() == "precious"


def test_no_job_is_submitted_from_a_folder_of_another_user(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its script lies there until it runs."""
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(campaign).st_uid + 1)  # noqa: PTH116
    with pytest.raises(UsageError, match=r"belongs to another user.*submit the copy"):
        prepare(campaign, None, SubmissionOptions("slurm", launcher="simulated"), {})
