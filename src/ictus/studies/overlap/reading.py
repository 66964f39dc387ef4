"""Reads overlap.json and phases.npy of one launch (file-format.md) and checks them against each other: impossible
phases are never summarised.
"""

import numpy as np
from numpy.typing import NDArray

from ictus.model.errors import MeasurementError
from ictus.studies.overlap.record import (
    BLOCKING,
    PHASES,
    CaseAnswer,
    CaseRuns,
    OverlapAnswer,
    OverlapLaunch,
    OverlapRun,
    RankMeans,
    RunAnswer,
    crowding_of,
)

_PARTS = ("init", "test", "compute", "wait")
_ROUNDING = 1e-9
"""Relative: what adding up four numbers may lose."""


def launch_of(
    answer: OverlapAnswer, records: NDArray[np.void], thread: str, source: str, number: int = 0
) -> OverlapLaunch:
    """A launch from its document and the records of its phases, shape (repetitions of all runs,).

    Raises:
        MeasurementError: either is not as documented, or they contradict each other; `source` is named.
    """
    cases = tuple(_case(case, records, source) for case in answer.cases)
    expected = sum(run.attempted for case_answer in answer.cases for run in case_answer.runs)
    if expected != records.size:
        raise MeasurementError(f"{source}: {records.size} records of phases, {expected} repetitions were attempted")
    return OverlapLaunch(
        setting=answer.setting,
        thread=thread,
        number=number,
        thread_level=answer.mpi.thread_level,
        n_threads=answer.threads,
        control_variables=answer.control_variables,
        cases=cases,
        crowding=crowding_of(answer, thread),
    )


def _case(answer: CaseAnswer, records: NDArray[np.void], source: str) -> CaseRuns:
    of_case = records[records["case_id"] == answer.case_id]
    where = f"{source}, {answer.operation} of {answer.size_bytes} B"
    runs = tuple(_run(run, of_case[of_case["run"] == run.run], where) for run in answer.runs)
    if not runs or runs[0].compute != BLOCKING:
        raise MeasurementError(f"{where}: the blocking run is missing")
    return CaseRuns(answer.operation, answer.size_bytes, answer.target_s, runs)


def _run(run: RunAnswer, records: NDArray[np.void], where: str) -> OverlapRun:
    where_run = f"{where}, run {run.run}"
    _check(records, where_run)
    valid = records[records["flags"] == 0]
    if (records.size, valid.size) != (run.attempted, run.valid):
        raise MeasurementError(
            f"{where_run}: {records.size} repetitions of which {valid.size} valid, but {run.attempted} were attempted "
            f"of which {run.valid} valid"
        )
    return OverlapRun(
        compute=run.compute,
        intervals_bytes=tuple(sorted(run.intervals_bytes)),
        tests=run.tests,
        attempted=run.attempted,
        valid=run.valid,
        alone_s=np.array(run.alone_s),
        means=RankMeans(np.array(run.mean.compute_s), np.array(run.mean.total_s)),
        phases={name: valid[name].astype(np.float64) for name in PHASES},
    )


def _check(records: NDArray[np.void], where_run: str) -> None:
    """On each rank the phases add up to the whole. So the longest of each is not longer than the longest whole, nor
    that than their sum. Raises MeasurementError that names the repetition.
    """
    total, parts = records["total"], np.stack([records[name] for name in _PARTS])
    finite = np.isfinite(total) & np.isfinite(parts).all(axis=0) & np.isfinite(records["overhead"])
    good = finite & (parts >= 0).all(axis=0) & (parts.max(axis=0) <= total * (1 + _ROUNDING))
    good &= total <= parts.sum(axis=0) * (1 + _ROUNDING)
    if not good.all():
        wrong = records[int(np.argmin(good))]
        phases_text = ", ".join(f"{name} {wrong[name]:.3g}" for name in (*_PARTS, "total"))
        raise MeasurementError(
            f"{where_run}, repetition {wrong['repetition']}: phases contradict each other ({phases_text})"
        )
