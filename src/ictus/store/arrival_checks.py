"""Is this launch what was asked for? Everything that can silently go wrong is looked at once, on arrival.

A binary started by another library's launcher runs as so many single processes, ends with exit code 0 and prints
plausible numbers; a rank that died late leaves half a file. Each check says what it expected and what it found.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from ictus.model.case import Case
from ictus.model.errors import MeasurementError
from ictus.model.sample import LATE, LONG
from ictus.model.slot import Slot
from ictus.store.launch_record import LaunchRecord
from ictus.store.samples import Columns

_SAME = ("operation", "size_bytes", "block_bytes", "moved_bytes", "datatype", "root", "warmup")
"""Factors that launch.json must repeat as they were asked for, or give as null where the operation has none (a root).

Specs may be spelled differently and are left out.
"""


def check_launch(
    record: LaunchRecord, samples: Columns, slot: Slot, cases: Mapping[int, Case], *, validated: bool
) -> None:
    """MeasurementError that lists everything in which a launch is not what `slot` asked for.

    `validated`: whether each operation that moves data must have had its result checked.
    """
    problems = [*_ranks(record, slot), *_cases(record, slot, cases)]
    if validated:
        problems += _unvalidated(record)
    if not problems:  # samples mean nothing when the cases are not those asked for
        problems = [*_counts(record, samples), *_times(record, samples)]
    if problems:
        raise MeasurementError("; ".join(problems))


def _ranks(record: LaunchRecord, slot: Slot) -> Iterator[str]:
    if record.n_ranks != slot.n:
        yield (
            f"ran with {record.n_ranks} ranks where {slot.n} were asked for: was it started by the launcher of another "
            f"MPI library?"
        )
    elif record.ranks != record.n_ranks:
        yield f"launch.json lists {record.ranks} ranks of {record.n_ranks}"
    if record.seed != slot.seed:
        yield f"ran with seed {record.seed}, asked for was {slot.seed}"


def _cases(record: LaunchRecord, slot: Slot, cases: Mapping[int, Case]) -> Iterator[str]:
    measured = [case.case_id for case in record.cases]
    missing = [case_id for case_id in slot.cases if case_id not in measured]
    foreign = [case_id for case_id in measured if case_id not in slot.cases]
    if missing:
        yield f"cases {_listed(missing)} were not measured"
    if foreign:
        yield f"cases {_listed(foreign)} were not asked for"
    if len(set(measured)) != len(measured):
        yield "a case was measured twice"
    for case in record.cases:
        asked = cases.get(case.case_id)
        for key in _SAME if asked is not None and not foreign else ():
            found = case.factors.get(key)
            if found is not None and found != getattr(asked, key):
                yield f"case {case.case_id} has {key} {found!r}, asked for was {getattr(asked, key)!r}"
        if case.headline == "makespan" and not record.synchronised:
            yield f"case {case.case_id} has the headline makespan, but clocks are not synchronised"


def _unvalidated(record: LaunchRecord) -> Iterator[str]:
    ids = [case.case_id for case in record.cases if not case.validated and case.factors.get("moved_bytes")]
    if ids:
        yield f"the results of cases {_listed(ids)} were not validated"


def _counts(record: LaunchRecord, samples: Columns) -> Iterator[str]:
    """Counts of launch.json against the samples themselves."""
    ids, flags, repetition = samples["case_id"], samples["flags"], samples["repetition"]
    known = np.array(sorted(case.case_id for case in record.cases), dtype=np.uint32)
    index = np.searchsorted(known, ids)
    if known.size == 0 or (ids.size and not np.array_equal(known[np.minimum(index, known.size - 1)], ids)):
        yield "samples.npy holds samples of a case that launch.json does not list"
        return
    found = {
        "attempted": np.bincount(index, minlength=known.size),
        "valid": np.bincount(index[flags == 0], minlength=known.size),
        "late": np.bincount(index[flags & LATE != 0], minlength=known.size),
        "long": np.bincount(index[flags & LONG != 0], minlength=known.size),
    }
    place = {int(case_id): position for position, case_id in enumerate(known)}
    for case in record.cases:
        for key, counts in found.items():
            said, counted = getattr(case, key), int(counts[place[case.case_id]])
            if said != counted:
                yield f"case {case.case_id}: launch.json says {said} {key} samples, samples.npy has {counted}"
    if not _numbered(index, repetition, found["attempted"]):
        yield "the repetitions of a case are not numbered 0, 1, 2, ... in the order measured"


def _numbered(index: np.ndarray, repetition: np.ndarray, attempted: np.ndarray) -> bool:
    """Whether each case's repetitions count up from 0, whatever stretches its samples lie in."""
    if index.size == 0:
        return True
    if np.any(np.diff(index) < 0):
        order = np.argsort(index, kind="stable")
        index, repetition = index[order], repetition[order]
    begins = np.concatenate(([0], np.cumsum(attempted)[:-1]))
    return bool(np.array_equal(repetition, np.arange(index.size) - begins[index]))


def _times(record: LaunchRecord, samples: Columns) -> Iterator[str]:
    """Every valid sample has the times that its headline needs, and none of them runs backwards."""
    valid = samples["flags"] == 0
    for field in sorted({"local_max", *(case.headline for case in record.cases)}):
        bad = int(np.count_nonzero(~(samples[field][valid] >= 0) | np.isinf(samples[field][valid])))
        if bad:
            yield f"{bad} valid samples have a {field} that is negative or no number"


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, ids[:8])) + (f" and {len(ids) - 8} more" if len(ids) > 8 else "")
