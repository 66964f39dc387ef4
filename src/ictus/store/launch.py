"""A complete launch of a campaign, loaded: its record and its summary; samples are read on demand."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.environment import UNSET
from ictus.model.errors import IctusError
from ictus.model.reduction import USUAL, Reduction
from ictus.store.arrival import SUMMARY, LateLaunch
from ictus.store.arrival_checks import check_identity
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.columns import SUMMARY as SUMMARY_COLUMNS
from ictus.store.launch_record import LaunchRecord, read_launch
from ictus.store.source import SampleSource
from ictus.store.table_file import read_table


@dataclass(frozen=True)
class Launch:
    """One complete launch."""

    slot: Slot
    folder: Path
    accepted: bool
    """False for a contended try that another one replaced."""
    contended: bool
    started: str
    elapsed_s: float | None
    """Duration of the measurement, None where it is unknown."""
    record: LaunchRecord
    """The core's record of it."""
    checksums: Checksums = UNCHECKED
    """What its files must be; empty where the journal does not say."""

    @property
    def mpi(self) -> str:
        """Label of the library."""
        return self.slot.mpi

    @property
    def n(self) -> int:
        """Number of processes."""
        return self.slot.n

    @property
    def algorithm(self) -> str:
        """Name of the library's variant: which of its algorithms were forced."""
        return self.slot.algorithm

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that it recorded, and those that were a factor of the plan; what was unset is not there."""
        given = (self.record.head.launcher or {}).get("algorithm") or {}
        found = {**self.record.head.environment, **(given.get("environment") or {})}
        return {name: str(value) for name, value in found.items() if value != UNSET}


@dataclass(frozen=True)
class LoadedLaunch:
    """A launch, its summary, and where its samples come from."""

    launch: Launch
    summary: pl.DataFrame
    source: SampleSource


@dataclass(frozen=True)
class LaunchLoader:
    """Loads the launches of a campaign."""

    cases: Mapping[int, Case]
    validated: bool
    """Whether results must have been checked."""
    reduction: Reduction

    def load(self, folder: Path, slot: Slot, checksums: Checksums, *, accepted: bool) -> LoadedLaunch | str:
        """The launch, or why it cannot be shown: `launch 0003-mpich: REASON`."""
        try:
            record = read_launch(folder, checksums)
            checksums.check_small(folder)
            check_identity(record, slot)
            summary = self._summary(folder, LateLaunch(record, slot, self.cases, checksums, self.validated))
        except IctusError as error:
            return f"launch {folder.name}: {error}"
        launch = Launch(
            slot=slot,
            folder=folder,
            accepted=accepted,
            contended=record.contended,
            started=record.head.started,
            elapsed_s=record.head.elapsed_s,
            record=record,
            checksums=checksums,
        )
        return LoadedLaunch(launch, summary, SampleSource(folder, slot, self.cases, checksums))

    def _summary(self, folder: Path, launch: LateLaunch) -> pl.DataFrame:
        outliers = self.reduction.outliers
        if outliers != USUAL.outliers:
            return launch.summary_with(folder, outliers)
        summary = read_table(folder / SUMMARY, launch.checksums.origin())
        sound = summary is not None and dict(summary.schema) == SUMMARY_COLUMNS
        return summary if summary is not None and sound else launch.summary(folder)
