"""raw.npy: every rank's start and end of every repetition, in ticks of that rank's clock."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ictus.model.errors import MeasurementError
from ictus.model.sample import RAW
from ictus.store.samples import mapped_records


def read_ticks(path: Path, n_ranks: int) -> dict[int, tuple[NDArray[np.int64], NDArray[np.uint16]]]:
    """By case: durations in ticks, shape (ranks, repetitions), and the flags that all ranks agreed on, shape
    (repetitions,), repetitions in the order measured.

    MeasurementError when the file is missing, torn or of another shape, or a rank's repetitions are not all there.
    """
    records = mapped_records(path, RAW)
    found = {}
    for case_id in np.unique(records["case_id"]).tolist():
        own = np.array(records[records["case_id"] == case_id])
        own = own[np.lexsort((own["repetition"], own["rank"]))]
        n = own.size // n_ranks
        if not np.array_equal(own["rank"], np.repeat(np.arange(n_ranks), n)) or not np.array_equal(
            own["repetition"], np.tile(np.arange(n), n_ranks)
        ):
            raise MeasurementError(f"{path}: case {case_id} does not have every repetition of {n_ranks} ranks once")
        ticks = (own["end"] - own["start"]).astype(np.int64).reshape(n_ranks, n)
        found[case_id] = (ticks, own["flags"].reshape(n_ranks, n)[0].astype(np.uint16))
    return found
