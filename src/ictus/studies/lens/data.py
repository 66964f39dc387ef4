"""From a launch's files to what a lens takes: the valid repetitions of each case, per-rank summaries, raw durations."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from ictus.store.campaign import Launch
from ictus.store.raw import read_ticks
from ictus.store.source import SampleSource
from ictus.studies.lens.suites.measured import FloatArray, Measured, RankSummaries

RAW = "raw.npy"


def measured_cases(launch: Launch, source: SampleSource) -> dict[int, Measured]:
    """What each case of the launch left, by id; a case without a valid repetition is left out.

    Raises MeasurementError for raw data that are damaged.
    """
    valid = source.lazy().filter(pl.col("flags") == 0).select("case_id", "local_max", "root").collect()
    samples = valid.partition_by("case_id", as_dict=True, maintain_order=True)
    path = launch.folder / RAW
    ticks = read_ticks(path, launch.n) if path.is_file() else {}
    resolution = launch.record["clock"].get("resolution_s")
    found = {}
    for case in launch.record["cases"]:
        case_id = int(case["case_id"])
        frame = samples.get((case_id,))
        if frame is None:
            continue
        ranks = _ranks(case["per_rank"])
        found[case_id] = Measured(
            size_bytes=int(case["size_bytes"]),
            calls=int(case.get("calls", 1)),
            local_max=frame["local_max"].to_numpy(),
            root=frame["root"].to_numpy(),
            ranks=ranks,
            local=_local(*ticks[case_id], ranks.mean) if case_id in ticks else None,
            resolution_s=float(resolution) if isinstance(resolution, (int, float)) else float("nan"),
        )
    return found


def _ranks(per_rank: Mapping[str, Any]) -> RankSummaries:
    names = ("mean_s", "min_s", "max_s", "median_s")
    return RankSummaries(*(np.asarray(per_rank[name], np.float64) for name in names))


def _local(ticks: np.ndarray[Any, np.dtype[np.int64]], flags: np.ndarray[Any, Any], mean_s: FloatArray) -> FloatArray:
    """Durations in seconds of the valid repetitions, shape (ranks, repetitions).

    launch.json tells only rank 0's frequency, but every rank's mean in seconds: that says what its ticks are worth.
    """
    valid = ticks[:, flags == 0].astype(np.float64)
    mean = valid.mean(axis=1, keepdims=True)
    return np.asarray(valid * np.divide(mean_s[:, np.newaxis], mean, out=np.zeros_like(mean), where=mean > 0))
