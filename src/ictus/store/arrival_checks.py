"""Checks a launch against the plan when it arrives, for everything that can go wrong silently.

A binary started by another library's launcher runs as single processes, ends with exit code 0 and prints plausible
numbers; a rank that died late leaves half a file. Each check says what it expected and what it found.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ictus.model.call import IN_PLACE, OUT_OF_PLACE
from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError
from ictus.model.sample import LATE, LONG
from ictus.stats.summary import count_marked
from ictus.store.launch_record import LaunchRecord
from ictus.store.samples import Columns

_SAME = ("operation", "size_bytes", "block_bytes", "moved_bytes", "datatype", "root", "in_place", "warmup")
"""Factors that a launch must repeat unchanged, or give as null where the operation has none (a root).

Specs may be spelled differently and are left out.
"""


_UNKNOWN = (None, "unknown", -1)
"""Values that a launch of format 1 may leave out."""


def check_request(record: LaunchRecord, slot: Slot, cases: Mapping[int, Case], *, validated: bool) -> None:
    """MeasurementError that lists every difference between what a launch says of itself and the request of `slot`.

    `validated`: whether each operation that moves data must have had its result checked.
    """
    problems = [*_ranks(record, slot), *_library(record, slot), *_cases(record, slot, cases)]
    if validated:
        problems += _unvalidated(record)
    if problems:
        raise MeasurementError("; ".join(problems))


def check_samples(record: LaunchRecord, samples: Columns) -> None:
    """MeasurementError that lists every difference between the samples of a launch and what it says of them. They mean
    nothing before the request was checked.
    """
    problems = [*_counts(record, samples), *_times(record, samples)]
    if problems:
        raise MeasurementError("; ".join(problems))


def check_identity(record: LaunchRecord, slot: Slot) -> None:
    """MeasurementError where a launch is not that of `slot`: folders were swapped, or one was copied over another."""
    problems = [*_ranks(record, slot), *_library(record, slot)]
    if problems:
        raise MeasurementError("; ".join(problems))


def _library(record: LaunchRecord, slot: Slot) -> Iterator[str]:
    """Label and variant, where the launch says them."""
    launcher = record.head.launcher or {}
    for part, key, expected in (("library", "label", slot.mpi), ("algorithm", "name", slot.algorithm)):
        part_facts = launcher.get(part)
        value = part_facts.get(key, expected) if isinstance(part_facts, Mapping) else expected
        if value != expected:
            yield f"was launched with {part} {value!r}, expected was {expected!r}"


def _ranks(record: LaunchRecord, slot: Slot) -> Iterator[str]:
    if record.n_ranks != slot.n:
        yield (
            f"ran with {record.n_ranks} ranks, expected were {slot.n}: was it started by the launcher of another "
            f"MPI library?"
        )
    else:
        yield from _shapes(record)
    if record.seed != slot.seed:
        yield f"ran with seed {record.seed}, expected was {slot.seed}"


def _shapes(record: LaunchRecord) -> Iterator[str]:
    """Arrays have a row for each case, block and rank; their headers show this."""
    shapes = {name: array.shape for name, array in record.head.arrays.items()}
    listed, n_ranks = shapes["ranks"][0], record.n_ranks
    if listed != n_ranks:
        yield f"the launch lists {listed} ranks of {n_ranks}"
    for name, rows in (("case_ranks", "cases"), ("clocks", "blocks")):
        expected = (*shapes[rows], n_ranks)
        if shapes[name] != expected:
            yield f"{name}.npy has shape {list(shapes[name])}, {rows} and ranks make {list(expected)}"


def _cases(record: LaunchRecord, slot: Slot, cases: Mapping[int, Case]) -> Iterator[str]:
    measured = [case.case_id for case in record.cases]
    measured_ids, planned_ids = set(measured), set(slot.cases)
    missing = [case_id for case_id in slot.cases if case_id not in measured_ids]
    foreign = [case_id for case_id in measured if case_id not in planned_ids]
    if missing:
        yield f"cases {_listed(missing)} were not measured"
    if foreign:
        yield f"cases {_listed(foreign)} are not in the plan"
    if len(measured_ids) != len(measured):
        yield "a case was measured twice"
    for case in record.cases:
        planned = None if foreign else cases.get(case.case_id)
        for key in _SAME if planned else ():
            value, expected = _case_value(key, getattr(case, key)), getattr(planned, key)
            expected = str(expected) if key == "operation" else expected
            if value not in _UNKNOWN and value != expected:
                yield f"case {case.case_id} has {key} {value!r}, expected was {expected!r}"
        if case.headline == "makespan" and not record.synchronised:
            yield f"case {case.case_id} has the headline makespan, but clocks are not synchronised"


def _case_value(key: str, value: object) -> object:
    """The value in the form that a case has: a launch stores a root as a number, and in-place as a truth value."""
    if key == "in_place" and isinstance(value, bool):
        return IN_PLACE if value else OUT_OF_PLACE
    return str(value) if key == "root" and value is not None else value


def _unvalidated(record: LaunchRecord) -> Iterator[str]:
    ids = [case.case_id for case in record.cases if not case.validated and case.moved_bytes > 0]
    if ids:
        yield f"the results of cases {_listed(ids)} were not validated"


def _counts(record: LaunchRecord, samples: Columns) -> Iterator[str]:
    """Differences between the counts of a launch and its samples."""
    ids, flags = samples["case_id"], samples["flags"]
    begins, lengths = stretches(ids)
    counted = {case.case_id: dict.fromkeys(("attempted", *_COUNTS), 0) for case in record.cases}
    edges = np.append(begins, ids.size)
    marked = {"attempted": lengths} | {name: count_marked(mask(flags), edges) for name, mask in _COUNTS.items()}
    for stretch, case_id in enumerate(ids[begins].tolist()):
        if case_id not in counted:
            yield "samples.npy holds samples of a case that the launch does not list"
            return
        for name, counts in marked.items():
            counted[case_id][name] += int(counts[stretch])
    for case in record.cases:
        for name, count in counted[case.case_id].items():
            recorded = getattr(case, name)
            if recorded != count:
                yield f"case {case.case_id}: the launch says {recorded} {name} samples, samples.npy has {count}"
    if not _numbered(ids[begins].tolist(), begins, lengths, samples["repetition"]):
        yield "the repetitions of a case are not numbered 0, 1, 2, ... in the order measured"


_COUNTS: Mapping[str, Callable[[NDArray[np.uint16]], NDArray[np.bool_]]] = {
    "valid": lambda flags: flags == 0,
    "late": lambda flags: flags & LATE != 0,
    "long": lambda flags: flags & LONG != 0,
}
"""The samples of each count. `attempted` is missing here: it counts all samples."""


def stretches(ids: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Start and length of each run of equal ids; a launch of Ictus has one run for each case."""
    begins = np.flatnonzero(ids[1:] != ids[:-1]) + 1
    begins = np.concatenate(([0], begins)) if ids.size else begins[:0]
    return begins, np.diff(begins, append=ids.size)


def _numbered(
    ids: list[int], begins: NDArray[np.int64], lengths: NDArray[np.int64], repetition: NDArray[np.uint32]
) -> bool:
    """Whether the repetitions of each case count up from 0, also across several stretches of one case."""
    counts = dict.fromkeys(ids, 0)
    for case_id, begin, length in zip(ids, begins.tolist(), lengths.tolist(), strict=True):
        first, counts[case_id] = counts[case_id], counts[case_id] + length
        expected = np.arange(first, first + length, dtype=np.uint32)
        if not np.array_equal(repetition[begin : begin + length], expected):
            return False
    return True


def _times(record: LaunchRecord, samples: Columns) -> Iterator[str]:
    """Problems of valid samples: a time that their headline needs is negative, infinite or NaN."""
    always = () if record.head.imported else ("local_max",)
    for field in sorted({*always, *(case.headline for case in record.cases)}):
        of_field = slice(None) if field in always else _of(record, field, samples)
        times, flags = samples[field][of_field], samples["flags"][of_field]
        if not times.size or (times.min() >= 0 and times.max() < np.inf):  # a NaN makes minimum and maximum NaN
            continue  # all samples are sound, so the valid ones are too
        times = times[flags == 0]
        if not ((times >= 0) & (times < np.inf)).all():
            bad = np.count_nonzero(~(times >= 0) | np.isinf(times))
            yield f"{bad} valid samples have a {field} that is negative or not a finite number"


def _of(record: LaunchRecord, headline: str, samples: Columns) -> NDArray[np.bool_] | slice:
    """The samples of the cases with this headline."""
    ids = [case.case_id for case in record.cases if case.headline == headline]
    return slice(None) if len(ids) == len(record.cases) else np.isin(samples["case_id"], ids)


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, ids[:8])) + (f" and {len(ids) - 8} more" if len(ids) > 8 else "")
