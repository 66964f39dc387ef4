"""The record of one repetition in samples.npy. Times are in seconds, NaN where undefined."""

import numpy as np

TIMES = ("start", "makespan", "local_max", "local_mean", "local_min", "root", "start_skew", "clock_bound")
"""The fields that are times, in the order of the record."""

SAMPLE = np.dtype([("case_id", "<u4"), ("repetition", "<u4"), ("flags", "<u2"), *((name, "<f8") for name in TIMES)])
"""74 bytes, packed, little-endian."""

RAW = np.dtype(
    [("case_id", "<u4"), ("repetition", "<u4"), ("rank", "<u4"), ("flags", "<u2"), ("start", "<i8"), ("end", "<i8")]
)
"""The record of raw.npy, 30 bytes, packed: start and end are ticks of that rank's clock since its epoch."""

LATE = 1
"""Flag bit 0: a rank reached the start after the deadline."""
LONG = 2
"""Flag bit 1: the operation ended after its window."""
REJECTED = 4
"""Flag bit 2: of a batch that the process synchronisation did not accept, a trial or one that it took again."""

FORMAT = 1
"""Version of file-format.md that is written, and the only one that is read."""
