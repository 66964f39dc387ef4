"""samples.npy as columns, in one pass over the records, in chunks that fit the cache; and raw.npy, the start and end of
every repetition on every rank, in ticks of that rank's clock.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.checksum import FileHash
from ictus.model.errors import MeasurementError
from ictus.model.input_file import regular_file
from ictus.model.sample import RAW, SAMPLE
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.npy_header import read_header

Columns = Mapping[str, NDArray[Any]]

_CHUNK = 4096
"""Records taken apart at a time, 0.3 MB: every field of a chunk is read while it is in the cache."""
_PART = 1 << 18
"""Records of a part, 19 MB."""
LARGE = 1 << 21
"""With more samples than this, 155 MB, a launch is read in parts: memory stays that of its longest case."""


def read_samples(path: Path, names: Iterable[str] = SAMPLE.names or (), checksums: Checksums = UNCHECKED) -> Columns:
    """Columns of all samples, by the names of the record's fields (all, or `names`), each of shape (samples,).

    MeasurementError when the file is missing, torn (its size disagrees with its header), of another shape, or not what
    its launch's checksums say: each chunk is hashed while it is in the cache.
    """
    size = count_samples(path)
    columns = {name: np.empty(size, SAMPLE[name].newbyteorder("=")) for name in names}
    first = 0
    for chunk in _chunks(path, _CHUNK, checksums):
        for name, column in columns.items():
            column[first : first + chunk.size] = chunk[name]
        first += chunk.size
    return columns


def read_parts(
    path: Path, names: Iterable[str] = SAMPLE.names or (), checksums: Checksums = UNCHECKED
) -> Iterator[Columns]:
    """The same columns of one part of the samples after the other. A checksum that is wrong is an error at the end."""
    fields = tuple(names)
    for chunk in _chunks(path, _PART, checksums):
        yield {name: chunk[name].astype(SAMPLE[name].newbyteorder("=")) for name in fields}


def whole_cases(parts: Iterable[Columns]) -> Iterator[Columns]:
    """The parts cut anew where a case ends, for a launch whose cases have all their samples in one stretch each."""
    kept: list[dict[str, NDArray[Any]]] = []
    for part in parts:
        ids = part["case_id"]
        changes = np.flatnonzero(ids[1:] != ids[:-1])
        last = int(changes[-1]) + 1 if changes.size else 0
        if last or (kept and kept[-1]["case_id"][-1] != ids[0]):
            yield _joined([*kept, {name: column[:last] for name, column in part.items()}])
            kept = []
        kept.append({name: column[last:] for name, column in part.items()})
    if kept:
        yield _joined(kept)


def _joined(parts: list[dict[str, NDArray[Any]]]) -> Columns:
    """Parts one after another; they are taken apart, so that no more than a column is there twice."""
    return {name: np.concatenate([part.pop(name) for part in parts]) for name in tuple(parts[0])}


def count_samples(path: Path) -> int:
    """The number of samples by the header; MeasurementError as in `read_samples`."""
    return _whole(path, SAMPLE)[1]


def _chunks(path: Path, most: int, checksums: Checksums) -> Iterator[NDArray[np.void]]:
    """The records of samples.npy, at most so many at a time, all in one buffer: it holds a chunk until the next one."""
    begin, size = _whole(path, SAMPLE)
    file_hash = FileHash() if checksums.covers(path) else None
    # Read into one small buffer: mapped pages would each cost a fault, and this is most of a summary's work.
    buffer = np.empty(min(most, size), SAMPLE)
    with regular_file(path) as file:
        header = np.empty(begin, np.uint8)
        _fill(file, header, path)
        if file_hash is not None:
            file_hash.update(header.data)
        for first in range(0, size, most):
            chunk = buffer[: size - first]
            _fill(file, chunk, path)
            if file_hash is not None:
                file_hash.update(chunk.view(np.uint8).data)
            yield chunk
    if file_hash is not None:
        checksums.check(path, file_hash)


def _fill(file: io.FileIO, records: NDArray[Any], path: Path) -> None:
    """Read as many records, in as many parts as it takes; MeasurementError where the file became shorter."""
    unwritten = records.view(np.uint8).data
    while unwritten:
        got = file.readinto(unwritten)
        if not got:
            raise MeasurementError(f"{path} became shorter while it was read")
        unwritten = unwritten[got:]


def check_whole(path: Path) -> None:
    """MeasurementError when samples.npy is missing, torn or of another shape; reads its header only."""
    _whole(path, SAMPLE)


def mapped_records(path: Path, record: np.dtype[np.void]) -> NDArray[np.void]:
    """The records of a file of the core, shape (records,), mapped and not read; MeasurementError as in
    `read_samples`.
    """
    begin, size = _whole(path, record)
    return np.memmap(path, record, "r", begin, (size,)) if size else np.empty(0, record)


def _whole(path: Path, record: np.dtype[np.void]) -> tuple[int, int]:
    """Where the records of a file begin, and how many there are; MeasurementError as in `read_samples`."""
    header = read_header(path)
    if header.dtype != record or len(header.shape) != 1:
        raise MeasurementError(f"{path} holds {header.dtype} of shape {header.shape}, expected one row of {record}")
    return header.begin, header.shape[0]


def read_ticks(
    path: Path, n_ranks: int, checksums: Checksums = UNCHECKED
) -> dict[int, tuple[NDArray[np.int64], NDArray[np.uint16]]]:
    """By case: durations in ticks, shape (ranks, repetitions), and the flags that all ranks agreed on, shape
    (repetitions,), repetitions in the order measured.

    MeasurementError when the file is missing, torn, of another shape or not what its launch's checksums say, or a
    rank's repetitions are not all there.
    """
    checksums.check_file(path)
    records = mapped_records(path, RAW)
    stamps_by_case = {}
    for case_id in np.unique(records["case_id"]).tolist():
        case_records = np.array(records[records["case_id"] == case_id])
        case_records = case_records[np.lexsort((case_records["repetition"], case_records["rank"]))]
        n = case_records.size // n_ranks
        if not np.array_equal(case_records["rank"], np.repeat(np.arange(n_ranks), n)) or not np.array_equal(
            case_records["repetition"], np.tile(np.arange(n), n_ranks)
        ):
            raise MeasurementError(f"{path}: case {case_id} does not have every repetition of {n_ranks} ranks once")
        ticks = (case_records["end"] - case_records["start"]).astype(np.int64).reshape(n_ranks, n)
        stamps_by_case[case_id] = (ticks, case_records["flags"].reshape(n_ranks, n)[0].astype(np.uint16))
    return stamps_by_case
