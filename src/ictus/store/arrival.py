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
from ictus.model.sample import SAMPLE
from ictus.store.arrival_checks import check_launch
from ictus.store.checksums import Checksums, checksums_of
from ictus.store.columns import samples_frame, summary_frame
from ictus.store.durable import is_ours, sync_file, sync_folder
from ictus.store.launch_record import LaunchRecord, read_launch
from ictus.store.samples import Columns, read_samples
from ictus.store.table_file import write_table

SAMPLES = "samples.parquet"
SUMMARY = "summary.parquet"

SUMMARISED = ("case_id", "repetition", "flags", "makespan", "local_max", "start_skew", "clock_bound")
"""The fields of a sample that its checks and its summary look at."""


def accept_launch(folder: Path, slot: Slot, cases: Mapping[int, Case], *, validated: bool = False) -> LaunchRecord:
    """Check a launch and write samples.parquet and summary.parquet into its folder, the summary last.

    `cases` are all cases of the campaign, so that the names of factors are the same in all launches. `validated`:
    whether results must have been checked. On return the core's files are on the disk; the Parquet files, which can
    always be made again, may not be yet. Raises MeasurementError for a launch that does not match the request, OSError
    when a file cannot be written.
    """
    record = read_launch(folder)
    samples = read_samples(folder / "samples.npy", SAMPLE.names or ())
    check_launch(record, samples, slot, cases, validated=validated)
    sync_file(folder / "samples.npy")
    sync_file(folder / "launch.json")
    origin = Checksums(checksums_of(folder)).origin()
    write_table(samples_frame(samples, slot, cases), folder / SAMPLES, origin)
    write_table(_usual(record, samples, slot), folder / SUMMARY, origin)
    sync_folder(folder)
    return record


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
        summary = _usual(self.record, self._samples(folder), self.slot)
        with contextlib.suppress(OSError):
            if is_ours(folder):
                write_table(summary, folder / SUMMARY, self.checksums.origin())
        return summary

    def summary_by(self, folder: Path, reduction: Reduction) -> pl.DataFrame:
        """Its summary by another reduction than the default, from its samples; nothing is written.

        Raises as `accept_launch`.
        """
        return summary_frame(self.record, self._samples(folder, reduction), self.slot, reduction)

    def _samples(self, folder: Path, reduction: Reduction = USUAL) -> Columns:
        headlines = (case.headline for case in self.record.cases)
        fields = dict.fromkeys((*SUMMARISED, *headlines, FIELDS.get(reduction.metric, "local_max")))
        samples = read_samples(folder / "samples.npy", fields, self.checksums)
        check_launch(self.record, samples, self.slot, self.cases, validated=self.validated)
        return samples


def _usual(record: LaunchRecord, samples: Columns, slot: Slot) -> pl.DataFrame:
    return summary_frame(record, samples, slot).drop("quantile")
