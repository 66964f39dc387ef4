"""Where `make test` puts temporary files."""

import os
import tempfile
from pathlib import Path

import pytest
from tools.suite import ROOM_BYTES, temporary_base


def _state(monkeypatch: pytest.MonkeyPatch, free_bytes: int, flags: int) -> None:
    fields = list(os.statvfs("/"))
    fields[0] = fields[1] = 1
    fields[2:5] = [free_bytes] * 3
    fields[8] = flags
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*fields, 0)))


def test_temporary_files_are_in_memory_that_has_room_and_can_be_executed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Containers often have 64 MB there, and forbid programs."""
    disk = Path(tempfile.gettempdir())
    _state(monkeypatch, ROOM_BYTES, 0)
    assert temporary_base(tmp_path) == tmp_path
    _state(monkeypatch, ROOM_BYTES - 1, 0)
    assert temporary_base(tmp_path) == disk
    _state(monkeypatch, ROOM_BYTES, os.ST_NOEXEC)
    assert temporary_base(tmp_path) == disk


def test_without_such_memory_they_are_on_disk(tmp_path: Path) -> None:
    """Other systems have no such folder."""
    assert temporary_base(tmp_path / "missing") == Path(tempfile.gettempdir())
