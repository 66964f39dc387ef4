"""The derived tables of a launch: summary.parquet against a summary in plain Python, samples.parquet against the
samples.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import Any

import polars as pl

from ictus.store.table_file import is_sound
from ictus.verification.plain import quantile, same, summary
from ictus.verification.problem import CaseLocation, Problem
from ictus.verification.samples import LATE, LONG, NO_SAMPLES, PlainSample, PlainSamples

_SAMPLE = tuple(field.name for field in fields(PlainSample))
_PART = 1 << 16
"""Values that are objects at a time."""


def check_tables(
    folder: Path, slot: Mapping[str, Any], cases: Sequence[Mapping[str, Any]],
    samples: Mapping[int, PlainSamples], in_order: PlainSamples, *, contended: bool,
) -> Iterator[Problem]:  # fmt: skip
    """Both tables, where they are there. One that is damaged is not parsed; reading makes it again."""
    for name in ("summary.parquet", "samples.parquet"):
        path, location = folder / name, CaseLocation(folder.name, name)
        if not path.exists():
            continue
        if not is_sound(path, None):
            yield location.wrong(
                "checksum", "not that of the file", "a table as it was written; reading makes it again"
            )
            continue
        if name == "samples.parquet":
            yield from _check_samples(location, path, slot, in_order)
        else:
            yield from _check_summary(location, pl.read_parquet(path), slot, cases, samples, contended=contended)


def _check_summary(
    location: CaseLocation, frame: pl.DataFrame, slot: Mapping[str, Any], cases: Sequence[Mapping[str, Any]],
    samples: Mapping[int, PlainSamples], *, contended: bool,
) -> Iterator[Problem]:  # fmt: skip
    rows = {row["case_id"]: row for row in frame.iter_rows(named=True)}
    if sorted(rows) != sorted(samples) or frame.height != len(rows):
        yield location.wrong("case_id", sorted(rows), sorted(samples))
    launch = {"slot": slot["slot"], "mpi": slot["mpi"], "n": slot["n"], "contended": contended}
    launch["algorithm"] = slot.get("algorithm", "default")
    for case in cases:
        plain_samples, row = samples.get(case["case_id"], NO_SAMPLES), rows.get(case["case_id"])
        if row is None:
            continue
        here = CaseLocation(location.launch, location.file, str(case["case_id"]))
        expected = {**launch, "headline": case["headline"], **_expected(case["headline"], plain_samples)}
        for key, value in expected.items():
            if key == "shift_matters" and value is None:
                continue
            if not same(row[key], value):
                yield here.wrong(key, row[key], f"{value!r}, from samples.npy")


def _expected(headline: str, samples: PlainSamples) -> dict[str, Any]:
    """All columns of a case that follow from its samples."""
    flags = samples.values("flags")
    summary_values = vars(summary(samples.values(headline), flags))
    skews = [skew_s for skew_s in samples.valid("start_skew") if isfinite(skew_s)]
    return {
        **summary_values,
        "late": sum(bool(flag & LATE) for flag in flags),
        "long": sum(bool(flag & LONG) for flag in flags),
        "start_skew": quantile(skews, 0.5) if skews else None,
        "clock_bound": max(filter(isfinite, samples.valid("clock_bound")), default=None),
    }


def _check_samples(
    location: CaseLocation, path: Path, slot: Mapping[str, Any], samples: PlainSamples
) -> Iterator[Problem]:
    """Column by column, a part at a time: all of a large launch would be gigabytes of objects."""

    def column(key: str) -> pl.Series:
        return pl.read_parquet(path, columns=[key])[key]

    for key, expected in (("slot", slot["slot"]), ("mpi", slot["mpi"]), ("n", slot["n"])):
        values = column(key).cast(pl.String).unique().to_list()
        if values not in ([], [str(expected)]):
            yield location.wrong(key, values, expected)
    for key in _SAMPLE:
        measured, plain_values = column(key), samples.values(key)
        parts = range(0, max(len(measured), len(plain_values)), _PART)
        if any(_shown(measured[at : at + _PART].to_list()) != _shown(plain_values[at : at + _PART]) for at in parts):
            yield location.wrong(key, "other values", "those of samples.npy")


def _shown(values: Sequence[float]) -> list[str]:
    """So that what is not a number is the same as itself."""
    return list(map(repr, values))
