"""A launch of millions of samples: checked and summarised some cases at a time, its table made part by part, so that
memory does not grow with the launch.
"""

from collections.abc import Iterator, Mapping, Set as AbstractSet
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError
from ictus.model.reduction import USUAL, Reduction
from ictus.model.sample import SAMPLE
from ictus.store.arrival_checks import check_samples
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.columns import samples_frame, summary_frame
from ictus.store.launch_record import LaunchRecord
from ictus.store.samples import Columns, read_parts, whole_cases

_NONE: Columns = {name: np.empty(0, SAMPLE[name].newbyteorder("=")) for name in SAMPLE.names or ()}


def summary_of_cases(
    record: LaunchRecord,
    path: Path,
    slot: Slot,
    names: tuple[str, ...],
    *,
    reduction: Reduction = USUAL,
    checksums: Checksums = UNCHECKED,
) -> pl.DataFrame | None:
    """`summary_frame` of samples.npy, of which these fields are read. None where something is not as the core writes
    it: the samples of a case lie in several stretches, or are not what the record says. Who reads all can tell.
    """
    all_ids = {case.case_id for case in record.cases}
    read_ids = set[int]()
    frames = []
    for samples in whole_cases(read_parts(path, names, checksums)):
        ids = set(np.unique(samples["case_id"]).tolist())
        if ids & read_ids or not _are_of(record, ids, samples):
            return None
        read_ids |= ids
        frames.append(summary_frame(record, samples, slot, reduction))
    return pl.concat(frames).sort("case_id") if _are_of(record, all_ids - read_ids, _NONE) else None


def _are_of(record: LaunchRecord, ids: AbstractSet[int], samples: Columns) -> bool:
    """Whether these are the samples of these cases."""
    try:
        check_samples(replace(record, cases=tuple(case for case in record.cases if case.case_id in ids)), samples)
    except MeasurementError:
        return False
    return True


def lazy_samples(path: Path, slot: Slot, cases: Mapping[int, Case]) -> pl.LazyFrame:
    """`samples_frame` of samples.npy, read part by part whenever it is collected or written."""

    def parts(
        columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        left = n_rows
        for samples in read_parts(path):
            frame = samples_frame(samples, slot, cases).head(left if left is not None else len(samples["case_id"]))
            left = None if left is None else left - frame.height
            frame = frame if columns is None else frame.select(columns)
            yield frame if predicate is None else frame.filter(predicate)
            if left == 0:
                return

    return register_io_source(parts, schema=samples_frame(_NONE, slot, cases).schema)
