"""A launch as frames: samples with the names of the main factors, and one summary row per case."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.reduction import FIELDS, USUAL, Reduction
from ictus.stats.median import median_of
from ictus.stats.summary import summarise_launch
from ictus.store.arrival_checks import stretches
from ictus.store.launch_record import LaunchRecord
from ictus.store.samples import Columns

NAMED_FACTORS = ("operation", "size_bytes", "procsync")
"""Factors that samples.parquet spells out beside slot, mpi, n and algorithm; the others are found by case_id in
campaign.json.
"""

SUMMARY = {
    "slot": pl.Int32,
    "mpi": pl.String,
    "n": pl.Int32,
    "algorithm": pl.String,
    "case_id": pl.UInt32,
    "headline": pl.String,
    **dict.fromkeys(("attempted", "valid", "late", "long", "outliers", "kept"), pl.Int64),
    **dict.fromkeys(("median", "mean", "min", "max", "q1", "q3", "half_shift"), pl.Float64),
    "shift_matters": pl.Boolean,
    **dict.fromkeys(("start_skew", "clock_bound"), pl.Float64),
    "contended": pl.Boolean,
}
"""Columns of summary.parquet. Times in seconds; null where there is no valid sample."""

METRICS = {field: metric for metric, field in FIELDS.items()}
"""The metric that each field of a sample has."""


def samples_frame(samples: Columns, slot: Slot, cases: Mapping[int, Case]) -> pl.DataFrame:
    """All samples of a launch with the names of their factors, in the order measured."""
    rows = [cases[case_id] for case_id in sorted(cases)]
    indices = np.zeros(max(cases, default=0) + 1, np.uint32)
    indices[[case.case_id for case in rows]] = np.arange(len(rows))
    index = indices[samples["case_id"]]
    leading = [
        _constant("slot", slot.slot, pl.Int32, len(index)),
        _constant("mpi", slot.mpi, pl.Enum([slot.mpi]), len(index)),
        _constant("n", slot.n, pl.Int32, len(index)),
        _constant("algorithm", slot.algorithm, pl.Enum([slot.algorithm]), len(index)),
        _factor("operation", [str(case.operation) for case in rows], index),
        pl.Series("size_bytes", np.array([case.size_bytes for case in rows], np.int64)[index]),
        _factor("procsync", [str(case.procsync) for case in rows], index),
    ]
    return pl.DataFrame([*leading, *(pl.Series(name, column) for name, column in samples.items())])


def summary_frame(record: LaunchRecord, samples: Columns, slot: Slot, reduction: Reduction = USUAL) -> pl.DataFrame:
    """One row per case of a launch, ascending by case_id, in the columns of SUMMARY and `quantile`, which is null where
    the reduction asks for none. `samples` have the field of its metric.
    """
    headline = {case.case_id: FIELDS.get(reduction.metric, case.headline) for case in record.cases}
    values = _headline_values(headline, samples)
    summary = summarise_launch(
        samples["case_id"],
        values,
        samples["flags"],
        outlier_factor=reduction.factor,
        quantile=reduction.quantile,
    ).columns()
    ids = summary["case_id"].tolist()
    skews, bounds = _synchronisation(ids, samples)
    columns: dict[str, Any] = {
        **summary,
        "headline": [headline[case_id] for case_id in ids],
        "start_skew": skews,
        "clock_bound": bounds,
    }
    same = {"slot": slot.slot, "mpi": slot.mpi, "n": slot.n, "algorithm": slot.algorithm, "contended": record.contended}
    # Made without a query: a campaign has thousands of launches, and a query takes longer than such a small frame.
    return pl.DataFrame(
        [
            _constant(name, same[name], dtype, len(ids))
            if name in same
            else pl.Series(name, columns[name], dtype, nan_to_null=True)
            for name, dtype in {**SUMMARY, "quantile": pl.Float64}.items()
        ]
    )


def reduced(summaries: pl.DataFrame, reduction: Reduction) -> pl.DataFrame:
    """Summaries of all launches with what the reduction makes of them: `value`, each launch's number; `metric` of its
    samples, instead of `headline`; `too_few`, the kept samples of the launch that has fewest, in cases in which that is
    too few for the summary: these have no value at all, because slow launches may be the ones with few samples.
    """
    fewest = pl.col("kept").min().over("mpi", "n", "algorithm", "case_id")
    too_few = pl.when(fewest < reduction.least_samples).then(fewest) if reduction.quantile is not None else pl.lit(None)
    value = "quantile" if reduction.quantile is not None else reduction.summary
    return summaries.with_columns(
        pl.col("headline").replace_strict(METRICS, return_dtype=pl.String).alias("metric"),
        too_few.cast(pl.Int64).alias("too_few"),
    ).select(
        pl.exclude("headline", "quantile"),
        pl.when(pl.col("too_few").is_null()).then(pl.col(value)).alias("value"),
    )


def cases_frame(cases: Sequence[Case]) -> pl.DataFrame:
    """One row per case, one column per factor."""
    frame = pl.DataFrame([case.record() for case in cases], infer_schema_length=None)
    return frame.with_columns(pl.col("case_id").cast(pl.UInt32), pl.col("n").cast(pl.Int32))


def _constant(name: str, value: object, dtype: pl.DataType | type[pl.DataType], length: int) -> pl.Series:
    """The value in each of so many rows."""
    return pl.Series(name, [value], dtype).new_from_index(0, length)


def _factor(name: str, texts: Sequence[str], index: NDArray[np.uint32]) -> pl.Series:
    """The text of each number: few distinct ones, stored once each."""
    return pl.Series(name, texts, pl.Enum(sorted(set(texts)))).gather(index)


def _headline_values(headline: Mapping[int, str], samples: Columns) -> NDArray[np.float64]:
    """Each sample's value of the headline of its case."""
    kinds = set(headline.values())
    if len(kinds) <= 1:
        return samples[next(iter(kinds), "local_max")]
    ids = samples["case_id"]
    cases_by_kind = {
        kind: [case_id for case_id, kind_of_case in headline.items() if kind_of_case == kind] for kind in sorted(kinds)
    }
    return np.select(
        [np.isin(ids, cases) for cases in cases_by_kind.values()], [samples[kind] for kind in cases_by_kind], np.nan
    )


def _synchronisation(case_ids: Sequence[int], samples: Columns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per case, over valid samples: the median start skew and the largest proven clock error; NaN where undefined."""
    skews, bounds = np.full((2, len(case_ids)), np.nan)
    ids, valid = samples["case_id"], samples["flags"] == 0
    parts: dict[int, list[slice]] = {}
    for begin, length in zip(*stretches(ids), strict=True):
        parts.setdefault(int(ids[begin]), []).append(slice(int(begin), int(begin + length)))
    for row, case_id in enumerate(case_ids):
        good = [(part, valid[part]) for part in parts.get(case_id, ())]
        skew, bound = (_finite(samples[name], good) for name in ("start_skew", "clock_bound"))
        skews[row] = median_of(skew) if skew.size else np.nan
        bounds[row] = bound.max() if bound.size else np.nan
    return skews, bounds


def _finite(column: NDArray[np.float64], good: Sequence[tuple[slice, NDArray[np.bool_]]]) -> NDArray[np.float64]:
    """The finite values of a case: the marked ones of its stretches."""
    parts = [column[part] if mask.all() else column[part][mask] for part, mask in good]
    joined = parts[0] if len(parts) == 1 else np.concatenate(parts)
    finite = np.isfinite(joined)
    return joined if finite.all() else joined[finite]
