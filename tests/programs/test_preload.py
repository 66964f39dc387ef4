"""What libictus-preload.so wrote is read strictly."""

import json
from pathlib import Path

import numpy as np
import pytest

from ictus.model.errors import MeasurementError, UsageError
from ictus.programs.preload import PreloadReport, read_exits

DOCUMENT = {
    "format": 1, "ictus": "1", "state": "finalised", "procsync": "none()", "clocksync": "none", "clock": "tsc",
    "library_version": "x", "n_ranks": 2, "elapsed_s": 1.5, "barriers": 3, "calls": 6, "missed": 0,
    "missed_share": None, "left_to_library": 0, "log": None, "warnings": ["w"],
    "communicators": [{"name": "MPI_COMM_WORLD", "communicators": 1, "n_ranks": 2, "barriers": 3, "calls": 6,
                       "missed": 0, "missed_share": None, "kept": 0, "stride": 1}],
}  # fmt: skip


def test_a_report_is_read_whole(tmp_path: Path) -> None:
    """And one of a program that still runs, or has ended without MPI_Finalize, is told apart."""
    file = tmp_path / "preload.json"
    file.write_text(json.dumps(DOCUMENT))
    report = PreloadReport.read(file)
    assert (report.finalised, report.barriers, report.missed_share, report.log) == (True, 3, None, None)
    assert report.communicators[0].calls == 6
    assert report.warnings == ("w",)
    assert list(report.declared()) == [
        "state", "procsync", "library_version", "n_ranks", "barriers", "calls", "missed", "missed_share",
        "left_to_library", "communicators", "log", "warnings",
    ], "what else the file says is not a row of --json"  # fmt: skip
    file.write_text(json.dumps({**DOCUMENT, "log": {"file": "exits.npy", "limit": 16384}}))
    assert PreloadReport.read(file).log == {"file": "exits.npy", "limit": 16384}
    file.write_text(json.dumps({**DOCUMENT, "state": "running"}))
    assert not PreloadReport.read(file).finalised


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    """Missing keys, unknown keys of a communicator, a later format."""
    file = tmp_path / "preload.json"
    file.write_text(json.dumps({key: value for key, value in DOCUMENT.items() if key != "calls"}))
    with pytest.raises(MeasurementError, match=r"preload\.json: key 'calls' is missing"):
        PreloadReport.read(file)
    file.write_text(json.dumps({**DOCUMENT, "communicators": [{"called": 1}]}))
    with pytest.raises(MeasurementError, match=r"key 'communicators\.0\.name' is missing"):
        PreloadReport.read(file)
    file.write_text(json.dumps({**DOCUMENT, "format": 2}))
    with pytest.raises(UsageError, match="format 2"):
        PreloadReport.read(file)


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    """No file, a torn one, an array of something else."""
    with pytest.raises(MeasurementError, match=r"exits\.npy"):
        read_exits(tmp_path)
    np.save(tmp_path / "exits.npy", np.zeros(100))
    with pytest.raises(MeasurementError, match=r"exits\.npy is not a log of exits: its fields are None"):
        read_exits(tmp_path)
    whole = (tmp_path / "exits.npy").read_bytes()
    (tmp_path / "exits.npy").write_bytes(whole[:-8])
    with pytest.raises(MeasurementError, match="torn"):
        read_exits(tmp_path)
