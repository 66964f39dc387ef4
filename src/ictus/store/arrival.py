"""Acceptance of a launch: checked against what was asked for, then written as Parquet beside the original files.

One pair of files per launch and never one for the campaign: campaigns grow and resume, and it is faster.
"""

import errno
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.case import Case
from ictus.model.slot import Slot
from ictus.store.arrival_checks import check_launch
from ictus.store.columns import samples_frame, summary_frame
from ictus.store.durable import sync_file, sync_folder
from ictus.store.launch_record import LaunchRecord, read_launch
from ictus.store.samples import read_samples

SAMPLES = "samples.parquet"
SUMMARY = "summary.parquet"

_DISK_FULL = {28: errno.ENOSPC, 122: errno.EDQUOT}
"""Polars reports the operating system's error by number, in its text only."""


@dataclass(frozen=True)
class Arrival:
    """An accepted launch: its record and its two frames."""

    record: LaunchRecord
    samples: pl.DataFrame
    summary: pl.DataFrame


def read_arrival(folder: Path, slot: Slot, cases: Mapping[int, Case], *, validated: bool) -> Arrival:
    """Read a launch as the core left it and check it; MeasurementError says in what it is not what was asked for."""
    record, samples = read_launch(folder), read_samples(folder / "samples.npy")
    check_launch(record, samples, slot, cases, validated=validated)
    return Arrival(record, samples_frame(samples, slot, cases), summary_frame(record, samples, slot))


def accept_launch(folder: Path, slot: Slot, cases: Mapping[int, Case], *, validated: bool = False) -> LaunchRecord:
    """Check a launch and write samples.parquet and summary.parquet into its folder, the summary last.

    `cases` are all cases of the campaign, so that the names of factors are the same in all launches. `validated`:
    whether results must have been checked. On return what the core wrote is on the disk; the Parquet files may still be
    on their way, they can always be made again. Raises MeasurementError for a launch that is not what was asked for,
    OSError when it cannot be written.
    """
    arrival = read_arrival(folder, slot, cases, validated=validated)
    sync_file(folder / "samples.npy")
    sync_file(folder / "launch.json")
    _write(arrival.samples, folder / SAMPLES)
    _write(arrival.summary, folder / SUMMARY)
    sync_folder(folder)
    return arrival.record


def _write(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame whole. LZ4 and no column statistics: on arrival speed counts, and files are read whole."""
    temporary = path.with_name(path.name + ".writing")
    try:
        frame.write_parquet(temporary, compression="lz4", statistics=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        temporary.unlink(missing_ok=True)
        for number, code in _DISK_FULL.items():
            if f"os error {number}" in str(error):
                raise OSError(code, "No space left on device", str(path)) from error
        raise OSError(errno.EIO, str(error), str(path)) from error
    temporary.replace(path)
