"""overlap.json and phases.npy of one launch, read as docs/file-format.md lays them down, and checked against each
other: phases that cannot have been measured are never summarised.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.errors import MeasurementError
from ictus.studies.clocks.reading import setting_of
from ictus.studies.overlap.record import BLOCKING, PHASES, CaseRuns, OverlapLaunch, OverlapRun, RankMeans, crowding_of

_PARTS = ("init", "test", "compute", "wait")
_ROUNDING = 1e-9
"""Relative: what adding up four numbers may lose."""


def parse_launch(
    document: Mapping[str, Any], records: NDArray[np.void], thread: str, source: str, number: int = 0
) -> OverlapLaunch:
    """A launch from its document and the records of its phases, shape (repetitions of all runs,).

    Raises:
        MeasurementError: either is not as documented, or they contradict each other; `source` is named.
    """
    try:
        if document["study"] != "overlap":
            raise MeasurementError(f"{source}: study {document['study']!r} is not 'overlap'")
        cases = tuple(_case(one, records, source) for one in document["cases"])
        expected = sum(run["attempted"] for one in document["cases"] for run in one["runs"])
        if expected != records.size:
            raise MeasurementError(f"{source}: {records.size} records of phases, {expected} repetitions were attempted")
        return OverlapLaunch(
            setting=setting_of(document),
            thread=thread,
            number=number,
            thread_level=str(document["mpi"]["thread_level"]),
            n_threads=tuple(int(n) for n in document["threads"]),
            control_variables=dict(document["control_variables"]),
            cases=cases,
            crowding=crowding_of(document, thread),
        )
    except KeyError as error:
        raise MeasurementError(f"{source}: key {error} is missing") from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise MeasurementError(f"{source} is not as documented: {error}") from error


def _case(values: Mapping[str, Any], records: NDArray[np.void], source: str) -> CaseRuns:
    own = records[records["case_id"] == values["case_id"]]
    where = f"{source}, {values['operation']} of {values['size_bytes']} B"
    runs = tuple(_run(one, own[own["run"] == one["run"]], where) for one in values["runs"])
    if not runs or runs[0].compute != BLOCKING:
        raise MeasurementError(f"{where}: the blocking run is missing")
    return CaseRuns(str(values["operation"]), int(values["size_bytes"]), float(values["target_s"]), runs)


def _run(values: Mapping[str, Any], records: NDArray[np.void], where: str) -> OverlapRun:
    place = f"{where}, run {values['run']}"
    _check(records, place)
    valid = records[records["flags"] == 0]
    if (records.size, valid.size) != (values["attempted"], values["valid"]):
        raise MeasurementError(
            f"{place}: {records.size} repetitions of which {valid.size} valid, but {values['attempted']} were "
            f"attempted of which {values['valid']} valid"
        )
    means = values["mean"]
    return OverlapRun(
        compute=str(values["compute"]),
        intervals_bytes=tuple(sorted(map(int, values["intervals_bytes"]))),
        tests=int(values["tests"]),
        attempted=int(values["attempted"]),
        valid=int(values["valid"]),
        alone_s=_numbers(values["alone_s"]),
        means=RankMeans(_numbers(means["compute_s"]), _numbers(means["total_s"])),
        phases={name: valid[name].astype(np.float64) for name in PHASES},
    )


def _check(records: NDArray[np.void], place: str) -> None:
    """On each rank the phases add up to the whole. So the longest of each is not longer than the longest whole, nor
    that than their sum. Raises MeasurementError that names the repetition.
    """
    total, parts = records["total"], np.stack([records[name] for name in _PARTS])
    finite = np.isfinite(total) & np.isfinite(parts).all(axis=0) & np.isfinite(records["overhead"])
    good = finite & (parts >= 0).all(axis=0) & (parts.max(axis=0) <= total * (1 + _ROUNDING))
    good &= total <= parts.sum(axis=0) * (1 + _ROUNDING)
    if not good.all():
        wrong = records[int(np.argmin(good))]
        shown = ", ".join(f"{name} {wrong[name]:.3g}" for name in (*_PARTS, "total"))
        raise MeasurementError(f"{place}, repetition {wrong['repetition']}: phases contradict each other ({shown})")


def _numbers(values: Any) -> NDArray[np.float64]:
    """Numbers, null as NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
