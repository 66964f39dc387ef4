"""The checksum of a library: that of the files which a program would load, wherever they lie."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.launch.launchers.simulated import Simulated
from ictus.model.checksum import checksum
from ictus.mpi import inquiry
from ictus.mpi.inquiry import library_checksum
from ictus.mpi.recognition import LinkedLibraries

PROGRAM = Path("program")


def links(monkeypatch: pytest.MonkeyPatch, *libraries: str, folders: tuple[Path, ...] = ()) -> None:
    """The program asks for these libraries, in these folders."""
    found = LinkedLibraries(libraries, tuple(map(str, folders)), static=False)
    monkeypatch.setattr(inquiry, "linked", lambda _program: found)


def test_it_is_that_of_all_libraries_of_mpi_in_the_order_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other libraries do not count; another byte is another library."""
    links(monkeypatch, "libmpicxx.so.12", "libc.so.6", "libmpi.so.12", folders=(tmp_path / "gone", tmp_path))
    (tmp_path / "libmpi.so.12").write_bytes(b"one")
    (tmp_path / "libmpicxx.so.12").write_bytes(b"two")
    installation = Simulated.installation("mpich")
    assert library_checksum(PROGRAM, installation) == checksum(b"onetwo")
    (tmp_path / "libmpi.so.12").write_bytes(b"0ne")
    assert library_checksum(PROGRAM, installation) == checksum(b"0netwo")


def test_what_the_program_does_not_say_is_beside_the_wrapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`PREFIX/bin/mpicxx` has its libraries in `PREFIX/lib` or `PREFIX/lib64`."""
    links(monkeypatch, "libmpi.so.40")
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64" / "libmpi.so.40").write_bytes(b"forty")
    installation = replace(Simulated.installation("openmpi"), wrapper=tmp_path / "bin" / "mpicxx")
    assert library_checksum(PROGRAM, installation) == checksum(b"forty")


def test_what_is_not_found_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is nowhere, a program without one, and a file that is no program."""
    installation = Simulated.installation("mpich")
    links(monkeypatch, "libmpi.so.12", folders=(tmp_path,))
    assert library_checksum(PROGRAM, installation) == "unknown"
    links(monkeypatch, "libc.so.6", folders=(tmp_path,))
    assert library_checksum(PROGRAM, installation) == "unknown"
    monkeypatch.undo()
    assert library_checksum(tmp_path / "missing", installation) == "unknown"
