"""The samples of one launch, read record by record, and what must hold for each of them and for all together."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, inf, isfinite
from typing import Any

from ictus.verification.plain import same
from ictus.verification.problem import Place, Problem

_RECORD = struct.Struct("<IIHdddddddd")
_HEADER_LENGTH = struct.Struct("<H")
LATE, LONG, REJECTED = 1, 2, 4
FLAGS = {"late": LATE, "long": LONG, "rejected": REJECTED}
_LOCAL = ("start", "local_max", "local_mean", "local_min", "root")
_ROUNDING = 1e-9
"""Relative: sums over ranks and calls are rounded."""
_CLOCK_RATE = 1e-3
"""Two counters never differ more in their rates."""


@dataclass(frozen=True)
class PlainSample:
    """One record of samples.npy; times in seconds."""

    case_id: int
    repetition: int
    flags: int
    start: float
    makespan: float
    local_max: float
    local_mean: float
    local_min: float
    root: float
    start_skew: float
    clock_bound: float


def read_plain(content: bytes) -> list[PlainSample]:
    """All records of a file; ValueError where its size is not a whole number of them."""
    (length,) = _HEADER_LENGTH.unpack_from(content, 8)
    body = content[10 + length :]
    if content[:8] != b"\x93NUMPY\x01\x00" or len(body) % _RECORD.size:
        raise ValueError(f"expected a NumPy file of version 1.0 with whole records of {_RECORD.size} bytes")
    return [PlainSample(*values) for values in _RECORD.iter_unpack(body)]


def by_case(samples: Sequence[PlainSample]) -> dict[int, list[PlainSample]]:
    """The samples of each case, in the order measured."""
    found: dict[int, list[PlainSample]] = {}
    for sample in samples:
        found.setdefault(sample.case_id, []).append(sample)
    return found


def check_case(
    place: Place, case: Mapping[str, Any], samples: Sequence[PlainSample], *, printed: bool = False
) -> Iterator[Problem]:
    """What must hold for the samples of a case, which is a row of cases.npy. Where another suite `printed` them, fields
    that it has not are NaN.
    """
    counts = {name: sum(bool(one.flags & flag) for one in samples) for name, flag in FLAGS.items()}
    counts |= {"attempted": len(samples), "valid": sum(one.flags == 0 for one in samples)}
    for name, count in counts.items():
        if case[name] != count:
            yield place.wrong(name, case[name], f"{count}, as samples.npy has it")
    for number, sample in enumerate(samples):
        if sample.repetition != number:
            yield place.wrong(f"repetition[{number}]", sample.repetition, number)
        if sample.flags > LATE | LONG | REJECTED:
            yield place.wrong(f"flags[{number}]", sample.flags, "bits 0 to 2 alone")
        yield from (_check_printed if printed else _check_times)(place, case, number, sample)
    for number, (one, following) in enumerate(pairwise(samples), start=1):
        if following.start < one.start - _slack(one) - _slack(following):
            yield place.wrong(f"start[{number}]", following.start, f"no less than {one.start!r}, the one before")


def _check_printed(place: Place, case: Mapping[str, Any], number: int, sample: PlainSample) -> Iterator[Problem]:
    """The headline is there; what there is lies in its order."""
    found = {name: getattr(sample, name) for name in (*_LOCAL, "makespan", "start_skew")}
    for name, value in found.items():
        if value < 0 or value == inf or (name == case["headline"] and not isfinite(value) and sample.flags == 0):
            yield place.wrong(
                f"{name}[{number}]", value, "0 or more" if name == case["headline"] else "0 or more, or NaN"
            )
    low, mean, high = sample.local_min, sample.local_mean, sample.local_max
    if any(one > other * (1 + _ROUNDING) for one, other in ((low, mean), (mean, high), (low, high))):
        yield place.wrong(f"local_mean[{number}]", mean, f"between local_min {low!r} and local_max {high!r}")


def _check_times(place: Place, case: Mapping[str, Any], number: int, sample: PlainSample) -> Iterator[Problem]:
    """Times of one sample against each other."""

    def wrong(field: str, expected: str) -> Problem:
        return place.wrong(f"{field}[{number}]", getattr(sample, field), expected)

    infinite = [name for name in _LOCAL if not isfinite(getattr(sample, name))]
    if infinite:
        yield wrong(infinite[0], "a finite number")
        return
    between = f"between local_min {sample.local_min!r} and local_max {sample.local_max!r}"
    if sample.local_min < 0:
        yield wrong("local_min", "0 or more")
    if not sample.local_min <= sample.local_mean * (1 + _ROUNDING) <= sample.local_max * (1 + 2 * _ROUNDING):
        yield wrong("local_mean", between)
    if sample.root != 0 and not sample.local_min <= sample.root <= sample.local_max:
        yield wrong("root", between)
    if sample.clock_bound < 0:
        yield wrong("clock_bound", "0 or more, or NaN")
    of_global = ("makespan", "start_skew")
    if case["headline"] != "makespan":
        yield from (wrong(name, "NaN") for name in of_global if isfinite(getattr(sample, name)))
    elif any(not 0 <= getattr(sample, name) < inf for name in of_global):
        yield from (wrong(name, "0 or more") for name in of_global if not 0 <= getattr(sample, name) < inf)
    else:
        yield from (wrong(*one) for one in _against_global(case, sample))


def _against_global(case: Mapping[str, Any], sample: PlainSample) -> Iterator[tuple[str, str]]:
    """Fields of the global clock that contradict the local ones, or the window, by more than clocks can be wrong."""
    calls, slack = case["calls"], 2 * _slack(sample)
    longest = sample.makespan * calls * (1 + _CLOCK_RATE) + slack
    if sample.local_max * calls > longest:
        yield "makespan", f"no less than local_max {sample.local_max!r}"
    if sample.start_skew > longest:
        yield "start_skew", f"no more than makespan {sample.makespan!r}"
    window_s = case["window_s"] if case["procsync"].startswith("window(") else inf
    if sample.flags == 0 and sample.makespan * calls > window_s + slack:
        yield "makespan", f"within the window of {window_s!r} s, as it is not marked long"


def _slack(sample: PlainSample) -> float:
    """What the clocks of two ranks may be wrong by; a microsecond where nothing is proven."""
    return sample.clock_bound if isfinite(sample.clock_bound) else 1e-6


def check_ranks(place: Place, ranks: Sequence[Mapping[str, Any]], samples: Sequence[PlainSample]) -> Iterator[Problem]:
    """The ranks' own durations (a row of case_ranks.npy) against the samples, which are reduced over ranks."""
    valid = [sample for sample in samples if sample.flags == 0]
    together = [rank for rank in ranks if rank["n"] > 0]
    for number, rank in enumerate(ranks):
        if rank["n"] not in (0, len(valid)):
            yield place.wrong(f"n[{number}]", rank["n"], len(valid))
        if rank["n"] > 0 and not (
            rank["min_s"] <= rank["median_s"] <= rank["max_s"]
            and rank["min_s"] * (1 - _ROUNDING) <= rank["mean_s"] <= rank["max_s"] * (1 + _ROUNDING)
        ):
            yield place.wrong(f"median_s[{number}]", rank["median_s"], "minimum, median, mean, maximum in their order")
    if not valid or not together:
        return
    expected = {
        "max_s": (max(rank["max_s"] for rank in together), max(one.local_max for one in valid)),
        "min_s": (min(rank["min_s"] for rank in together), min(one.local_min for one in valid)),
        "mean_s": (
            fsum(rank["mean_s"] for rank in together) / len(together),
            fsum(one.local_mean for one in valid) / len(valid),
        ),
    }
    for field, (found, said) in expected.items():
        if not same(found, said, _ROUNDING):
            yield place.wrong(field, found, f"{said!r} over all ranks, as samples.npy has it")
