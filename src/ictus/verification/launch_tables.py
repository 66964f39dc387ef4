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
from ictus.verification.problem import Place, Problem
from ictus.verification.samples import LATE, LONG, PlainSample

_SAMPLE = tuple(field.name for field in fields(PlainSample))


def check_tables(
    folder: Path, slot: Mapping[str, Any], cases: Sequence[Mapping[str, Any]],
    samples: Mapping[int, Sequence[PlainSample]], in_order: Sequence[PlainSample], *, contended: bool,
) -> Iterator[Problem]:  # fmt: skip
    """Both tables, where they are there. One that is damaged is not parsed; reading makes it again."""
    for name in ("summary.parquet", "samples.parquet"):
        path, place = folder / name, Place(folder.name, name)
        if not path.exists():
            continue
        if not is_sound(path, None):
            yield place.wrong("checksum", "not that of the file", "a table as it was written; reading makes it again")
            continue
        frame = pl.read_parquet(path)
        if name == "samples.parquet":
            yield from _check_samples(place, frame, slot, in_order)
        else:
            yield from _check_summary(place, frame, slot, cases, samples, contended=contended)


def _check_summary(
    place: Place, frame: pl.DataFrame, slot: Mapping[str, Any], cases: Sequence[Mapping[str, Any]],
    samples: Mapping[int, Sequence[PlainSample]], *, contended: bool,
) -> Iterator[Problem]:  # fmt: skip
    rows = {row["case_id"]: row for row in frame.iter_rows(named=True)}
    if sorted(rows) != sorted(samples) or frame.height != len(rows):
        yield place.wrong("case_id", sorted(rows), sorted(samples))
    launch = {"slot": slot["slot"], "mpi": slot["mpi"], "n": slot["n"], "contended": contended}
    launch["algorithm"] = slot.get("algorithm", "default")
    for case in cases:
        own, row = samples.get(case["case_id"], []), rows.get(case["case_id"])
        if row is None:
            continue
        here = Place(place.launch, place.file, str(case["case_id"]))
        expected = {**launch, "headline": case["headline"], **_expected(case["headline"], own)}
        for key, value in expected.items():
            if key == "shift_matters" and value is None:
                continue
            if not same(row[key], value):
                yield here.wrong(key, row[key], f"{value!r}, from samples.npy")


def _expected(headline: str, samples: Sequence[PlainSample]) -> dict[str, Any]:
    """All columns of a case that follow from its samples."""
    flags = [one.flags for one in samples]
    found = vars(summary([getattr(one, headline) for one in samples], flags))
    valid = [one for one in samples if one.flags == 0]
    skews = [one.start_skew for one in valid if isfinite(one.start_skew)]
    bounds = [one.clock_bound for one in valid if isfinite(one.clock_bound)]
    return {
        **found,
        "late": sum(bool(flag & LATE) for flag in flags),
        "long": sum(bool(flag & LONG) for flag in flags),
        "start_skew": quantile(skews, 0.5) if skews else None,
        "clock_bound": max(bounds, default=None),
    }


def _check_samples(
    place: Place, frame: pl.DataFrame, slot: Mapping[str, Any], samples: Sequence[PlainSample]
) -> Iterator[Problem]:
    for key, expected in (("slot", slot["slot"]), ("mpi", slot["mpi"]), ("n", slot["n"])):
        values = frame[key].cast(pl.String).unique().to_list()
        if values not in ([], [str(expected)]):
            yield place.wrong(key, values, expected)
    for key in _SAMPLE:
        found, expected_values = frame[key].to_list(), [getattr(one, key) for one in samples]
        if list(map(repr, found)) != list(map(repr, expected_values)):
            yield place.wrong(key, "other values", "those of samples.npy")
