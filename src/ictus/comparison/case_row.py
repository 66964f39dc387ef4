"""A case of a library over its launches: the row that commands, pages and scripts share."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ictus.comparison.case_titles import Case
from ictus.comparison.clock_bounds import near_clock_bound
from ictus.comparison.matching import GLOBAL
from ictus.render.table import row_columns


@dataclass(frozen=True)
class CaseRow:
    """One case of one library over all its launches. Times in seconds, None where no sample was valid."""

    mpi: str
    case: Case
    n_launches: int
    """Launches with a valid sample of this case."""
    median_s: float | None
    """Median of the launch medians."""
    low_s: float | None
    """Limits of the median's interval over launches; None where there are too few."""
    high_s: float | None
    min_s: float | None
    """Smallest and largest launch median."""
    max_s: float | None
    attempted: int
    """Samples taken, valid or not, in all launches."""
    valid: int
    late: int
    """Samples for which a rank came to the start after the deadline."""
    long: int
    """Samples that outlasted their window; one may be late and long."""
    rejected: int
    """Samples of batches that the start's own rule took again; they say nothing of the batch it accepted."""
    outlier_share: float | None
    """Share of the valid samples outside Tukey's fences."""
    start_skew_s: float | None
    """Median over launches of the median start skew."""
    clock_bound_s: float | None
    """Largest proven error of the global clock."""
    metric: str
    """What the latency is: `makespan`, or `max` where clocks are not synchronised, or what was asked for."""
    summary: str
    """What each launch's number is over its samples."""
    too_few: int | None
    """Samples of the launch that has fewest, where that is too few for the summary; there is no number then."""
    heap_matters: bool = False
    """Whether it is marked: page faults of a call depend on the heap."""
    messages: int = 0
    """Messages of one call, of all pairs, where it is a window of messages (`bandwidth`, `bibandwidth`); else 0."""

    @property
    def messages_per_s(self) -> float | None:
        """The message rate of all pairs together; None where the call is not a window of messages, or took no time."""
        return self.messages / self.median_s if self.messages and self.median_s else None

    @property
    def bytes_per_s(self) -> float | None:
        """The bandwidth of all pairs together, as `messages_per_s`."""
        rate = self.messages_per_s
        return None if rate is None else rate * self.case["block_bytes"]

    @property
    def valid_share(self) -> float | None:
        """The share of all samples; None without samples."""
        return self.valid / self.attempted if self.attempted else None

    @property
    def near_clock_bound(self) -> bool:
        """Whether the median is marked: less than ten times the proven error of the clocks."""
        return self.metric == GLOBAL and near_clock_bound(self.median_s, self.clock_bound_s)


CASE_COLUMNS = row_columns(schema="ictus.show/1")


def frame_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a frame, the factors of a case as columns of their own."""
    flat = [{**row["case"], **{name: value for name, value in row.items() if name != "case"}} for row in rows]
    return pl.DataFrame(flat, infer_schema_length=None)
