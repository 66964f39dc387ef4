"""The source of a launch's samples: its Parquet file, which is made when samples are read for the first time."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.store.arrival import SAMPLES
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.columns import samples_frame
from ictus.store.durable import is_ours
from ictus.store.large_launch import lazy_samples
from ictus.store.samples import LARGE, count_samples, read_samples
from ictus.store.table_file import is_sound, write_table


@dataclass(frozen=True)
class SampleSource:
    """One complete launch and what its samples are labelled with."""

    folder: Path
    slot: Slot
    cases: Mapping[int, Case]
    checksums: Checksums = UNCHECKED

    def lazy(self) -> pl.LazyFrame:
        """The launch's samples. A Parquet file that is missing or damaged is written now, where that is allowed."""
        path, origin = self.folder / SAMPLES, self.checksums.origin()
        if not is_sound(path, origin):
            frame = self._frame(self.folder / "samples.npy")
            if not is_ours(self.folder):
                return frame.lazy()
            try:
                write_table(frame, path, origin)
            except OSError:
                return frame.lazy()
        return pl.scan_parquet(path)

    def _frame(self, path: Path) -> pl.DataFrame | pl.LazyFrame:
        if count_samples(path) > LARGE:
            self.checksums.check_file(path)
            return lazy_samples(path, self.slot, self.cases)
        return samples_frame(read_samples(path, checksums=self.checksums), self.slot, self.cases)
