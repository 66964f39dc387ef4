"""The source of a launch's samples: its Parquet file, which is made when samples are read for the first time."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.sample import SAMPLE
from ictus.store.arrival import SAMPLES, write_frame
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.columns import samples_frame
from ictus.store.samples import read_samples


@dataclass(frozen=True)
class SampleSource:
    """One complete launch and what its samples are labelled with."""

    folder: Path
    slot: Slot
    cases: Mapping[int, Case]
    checksums: Checksums = UNCHECKED

    def lazy(self) -> pl.LazyFrame:
        """The launch's samples. A Parquet file that is missing or damaged is written now, where that is allowed."""
        path = self.folder / SAMPLES
        if not _is_samples(path):
            samples = read_samples(self.folder / "samples.npy", checksums=self.checksums)
            frame = samples_frame(samples, self.slot, self.cases)
            try:
                write_frame(frame, path)
            except OSError:
                return frame.lazy()
        scanned = pl.scan_parquet(path)
        names = scanned.collect_schema().names()
        if "algorithm" in names:
            return scanned
        variant = pl.lit(self.slot.algorithm).alias("algorithm")  # an older version of Ictus wrote the file
        return scanned.select(*names[:3], variant, *names[3:])


def _is_samples(path: Path) -> bool:
    try:
        return set(SAMPLE.names or ()) <= set(pl.read_parquet_schema(path))
    except (OSError, pl.exceptions.PolarsError):
        return False
