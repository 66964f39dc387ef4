"""A complete launch of a campaign, loaded: its record and its summary; samples are read on demand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.environment import UNSET
from ictus.model.errors import IctusError, OptionError
from ictus.model.reduction import FIELDS, USUAL, Reduction
from ictus.store.arrival import SUMMARY, LateLaunch
from ictus.store.arrival_checks import check_identity
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.columns import SUMMARY as SUMMARY_COLUMNS
from ictus.store.launch_record import LaunchRecord, MeasuredCase, read_launch
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
    hung_in: str | None = None
    """Where it hung after its results were written, and was ended; None where it ended."""

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
    def factors(self) -> Mapping[str, str]:
        """The factors of launches that the plan crosses, with their values here."""
        algorithm_record = (self.record.head.launcher or {}).get("algorithm") or {}
        return {"heap": self.slot.heap, **(algorithm_record.get("factors") or {})}

    @property
    def unplanned_variables(self) -> Mapping[str, str]:
        """The recorded variables without those of its variant, which tables name."""
        variant = (self.record.head.launcher or {}).get("algorithm") or {}
        planned = variant.get("environment") or {}
        return {name: str(value) for name, value in self.record.head.environment.items() if name not in planned}

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that it recorded, and those that were a factor of the plan; what was unset is not there."""
        algorithm_record = (self.record.head.launcher or {}).get("algorithm") or {}
        variables = {**self.record.head.environment, **(algorithm_record.get("environment") or {})}
        return {name: str(value) for name, value in variables.items() if value != UNSET}


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
        reduction = self.reduction
        if reduction.metric != USUAL.metric or reduction.quantile is not None or reduction.factor != USUAL.factor:
            return launch.summary_by(folder, reduction)
        summary = read_table(folder / SUMMARY, launch.checksums.origin())
        sound = summary is not None and dict(summary.schema) == SUMMARY_COLUMNS
        return summary if summary is not None and sound else launch.summary(folder)


def check_reduction(launches: Sequence[LoadedLaunch], reduction: Reduction) -> None:
    """UsageError for a metric that some launch does not have: that of synchronised clocks without any, the time of a
    root that was not timed, or a field of samples that another program left out; and for a summary over the calls of a
    launch that has one number of them all.
    """
    for loaded in launches if reduction.summary != USUAL.summary else ():
        record = loaded.launch.record
        if record.head.imported and any(case.calls != 1 for case in record.cases):
            why = (
                f"launch {loaded.launch.folder.name} is output of {record.head.imported}, with one number of each case"
            )
            raise OptionError(("summary", reduction.summary, f"{why} instead of its calls; leave it out"))
    for loaded in launches if reduction.metric != "auto" else ():
        name, cases = loaded.launch.folder.name, {case.case_id: case for case in loaded.launch.record.cases}
        for case_id, valid in loaded.summary.select("case_id", "valid").iter_rows():
            why = _lack(cases[case_id], valid, reduction.metric)
            if why:
                raise OptionError(("metric", reduction.metric, f"launch {name}, case {case_id}: {why}"))


def _lack(case: MeasuredCase, valid: int, metric: str) -> str:
    """Why a case of a launch does not have the metric; nothing where it has."""
    if metric == "makespan" and case.headline != "makespan":
        return "clocks were not synchronised, so there is no makespan; max, mean, min and root need no common clock"
    if metric == "root" and case.timed_root is None and (case.root not in (None, 0) or case.comm == "reversed"):
        return (
            f"its root is {case.root} of comm {case.comm}, and this launch, of an earlier version or simulated, kept "
            f"the time of rank 0 of the launch alone; measure it again"
        )
    return f"its samples have no {FIELDS[metric]}" if case.valid > 0 and valid == 0 else ""
