"""Accepts a launch: checks it against the plan, then writes its Parquet files beside the original files.

There is one pair of files per launch and none for the campaign, because campaigns grow and resume.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.reduction import FIELDS, USUAL, Reduction
from ictus.store.arrival_checks import check_request, check_samples
from ictus.store.checksums import UNCHECKED, Checksums, checksums_of
from ictus.store.columns import SUMMARY as SUMMARY_COLUMNS, samples_frame, summary_frame
from ictus.store.durable import is_ours, sync_file, sync_folder
from ictus.store.large_launch import lazy_samples, summary_of_cases
from ictus.store.launch_record import LaunchRecord, read_launch
from ictus.store.samples import LARGE, count_samples, read_samples
from ictus.store.table_file import write_table

SAMPLES = "samples.parquet"
SUMMARY = "summary.parquet"

SUMMARISED = ("case_id", "repetition", "flags", "makespan", "local_max", "start_skew", "clock_bound")
"""The fields of a sample that its checks and its summary look at."""


@dataclass(frozen=True)
class Arrival:
    """A launch that was checked and written, with what was computed for that: nobody reads it again at once."""

    record: LaunchRecord
    summary: pl.DataFrame
    checksums: Mapping[str, str]
    """Of all measured files, by their names."""
    hung_in: str | None = None
    """Where the launch hung after its results were written; None where it ended."""


def accept_launch(folder: Path, slot: Slot, cases: Mapping[int, Case], *, validated: bool = False) -> Arrival:
    """Check a launch and write samples.parquet and summary.parquet into its folder, the summary last.

    `cases` are all cases of the campaign, so that the names of factors are the same in all launches. `validated`:
    whether results must have been checked. On return every file of the launch is on the disk, whoever wrote it; the
    Parquet files, which can always be made again, may not be yet. Raises MeasurementError for a launch that does not
    match the request, OSError when a file cannot be written.
    """
    record = read_launch(folder)
    check_request(record, slot, cases, validated=validated)
    path = folder / "samples.npy"
    table: pl.DataFrame | pl.LazyFrame
    if count_samples(path) > LARGE:
        summary, table = _checked_summary(record, path, slot), lazy_samples(path, slot, cases)
    else:
        samples = read_samples(path)
        check_samples(record, samples)
        summary, table = summary_frame(record, samples, slot), samples_frame(samples, slot, cases)
    checksums = checksums_of(folder)
    for name in checksums:
        sync_file(folder / name)
    origin = Checksums(checksums).origin()
    write_table(table, folder / SAMPLES, origin)
    write_table(_written(summary), folder / SUMMARY, origin)
    sync_folder(folder)
    return Arrival(record, summary, checksums)


@dataclass(frozen=True)
class LateLaunch:
    """A launch whose summary is made when it is loaded: another program wrote it, or another reduction is asked for."""

    record: LaunchRecord
    slot: Slot
    cases: Mapping[int, Case]
    checksums: Checksums
    validated: bool

    def summary(self, folder: Path) -> pl.DataFrame:
        """Its summary, checked as on arrival and written where that is allowed.

        Its samples.parquet is made when samples are needed; a comparison needs none. Raises as `accept_launch`.
        """
        summary = _written(self._summary(folder))
        with contextlib.suppress(OSError):
            if is_ours(folder):
                write_table(summary, folder / SUMMARY, self.checksums.origin())
        return summary

    def summary_by(self, folder: Path, reduction: Reduction) -> pl.DataFrame:
        """Its summary by another reduction than the default, from its samples; nothing is written.

        Raises as `accept_launch`.
        """
        return self._summary(folder, reduction)

    def _summary(self, folder: Path, reduction: Reduction = USUAL) -> pl.DataFrame:
        check_request(self.record, self.slot, self.cases, validated=self.validated)
        path = folder / "samples.npy"
        return _checked_summary(self.record, path, self.slot, reduction=reduction, checksums=self.checksums)


def _written(summary: pl.DataFrame) -> pl.DataFrame:
    """The columns that summary.parquet has; `drop` would be a query, which takes longer."""
    return summary[list(SUMMARY_COLUMNS)]


def _checked_summary(
    record: LaunchRecord,
    path: Path,
    slot: Slot,
    *,
    reduction: Reduction = USUAL,
    checksums: Checksums = UNCHECKED,
) -> pl.DataFrame:
    """`summary_frame` of samples.npy, of which only the fields are read that it needs. MeasurementError where it is not
    what the record says.
    """
    headlines = (case.headline for case in record.cases)
    names = tuple(dict.fromkeys((*SUMMARISED, *headlines, FIELDS.get(reduction.metric, "local_max"))))
    summary = None
    if count_samples(path) > LARGE:
        summary = summary_of_cases(record, path, slot, names, reduction=reduction, checksums=checksums)
    if summary is None:
        samples = read_samples(path, names, checksums)
        check_samples(record, samples)
        summary = summary_frame(record, samples, slot, reduction)
    return summary
