"""The samples of one launch, read record by record, and what must hold for each of them and for all together.

A record is made an object when it is looked at: ten million at once would take all memory of a small machine.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import fsum, inf, isfinite
from typing import Any

from ictus.verification.plain import same
from ictus.verification.problem import CaseLocation, Problem
from ictus.verification.records import records_of

_FORMATS = "IIHdddddddd"
_RECORD = struct.Struct("<" + _FORMATS)
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


_OFFSETS = {
    field.name: (struct.calcsize("<" + _FORMATS[:index]), _FORMATS[index])
    for index, field in enumerate(fields(PlainSample))
}
"""Of each field in a record, with its kind."""


@dataclass(frozen=True)
class PlainSamples:
    """Records of samples.npy, by their numbers."""

    records: memoryview
    """The file behind its header."""
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[PlainSample]:
        for number in self.numbers:
            yield PlainSample(*_RECORD.unpack_from(self.records, number * _RECORD.size))

    def values(self, name: str) -> "array[Any]":
        """One field of each record."""
        offset, kind = _OFFSETS[name]
        field = struct.Struct("<" + kind)
        places = (number * _RECORD.size + offset for number in self.numbers)
        return array(kind, (field.unpack_from(self.records, start)[0] for start in places))

    def valid(self, name: str) -> Iterator[Any]:
        """One field of each record without a flag."""
        return (value for value, flag in zip(self.values(name), self.values("flags"), strict=True) if flag == 0)

    def by_case(self) -> "dict[int, PlainSamples]":
        """The samples of each case, in the order measured."""
        indices: dict[int, array[int]] = {}
        for number, case_id in zip(self.numbers, self.values("case_id"), strict=True):
            indices.setdefault(case_id, array("I")).append(number)
        return {case_id: PlainSamples(self.records, numbers) for case_id, numbers in indices.items()}


NO_SAMPLES = PlainSamples(memoryview(b""), ())


def read_plain(content: bytes | memoryview) -> PlainSamples:
    """All records of a file; ValueError where its size is not a whole number of them."""
    records = records_of(content, _RECORD.size)
    return PlainSamples(records, range(len(records) // _RECORD.size))


def check_case(
    location: CaseLocation,
    case: Mapping[str, Any],
    samples: PlainSamples,
    *,
    printed: bool = False,
    opening_error_s: float = 0.0,
) -> Iterator[Problem]:
    """What must hold for the samples of a case, which is a row of cases.npy. Where another suite `printed` them, fields
    that it has not are NaN. `opening_error_s` is how wrong the clock was by which its samples were flagged.
    """
    flag_counts = Counter(samples.values("flags"))
    counts = {name: sum(n for flags, n in flag_counts.items() if flags & flag) for name, flag in FLAGS.items()}
    counts |= {"attempted": len(samples), "valid": flag_counts[0]}
    for name, count in counts.items():
        if case[name] != count:
            yield location.wrong(name, case[name], f"{count}, as samples.npy has it")
    before = None
    for number, sample in enumerate(samples):
        if sample.repetition != number:
            yield location.wrong(f"repetition[{number}]", sample.repetition, number)
        if sample.flags > LATE | LONG | REJECTED:
            yield location.wrong(f"flags[{number}]", sample.flags, "bits 0 to 2 alone")
        if printed:
            yield from _check_printed(location, case, number, sample)
        else:
            yield from _check_times(location, case, number, sample, opening_error_s)
        if before is not None and sample.start < before.start - _slack(before) - _slack(sample):
            yield location.wrong(f"start[{number}]", sample.start, f"no less than {before.start!r}, the one before")
        before = sample


def _check_printed(
    location: CaseLocation, case: Mapping[str, Any], number: int, sample: PlainSample
) -> Iterator[Problem]:
    """The headline is there; what there is lies in its order."""
    times = {name: getattr(sample, name) for name in (*_LOCAL, "makespan", "start_skew")}
    for name, value in times.items():
        if value < 0 or value == inf or (name == case["headline"] and not isfinite(value) and sample.flags == 0):
            yield location.wrong(
                f"{name}[{number}]", value, "0 or more" if name == case["headline"] else "0 or more, or NaN"
            )
    low, mean, high = sample.local_min, sample.local_mean, sample.local_max
    if any(smaller > larger * (1 + _ROUNDING) for smaller, larger in ((low, mean), (mean, high), (low, high))):
        yield location.wrong(f"local_mean[{number}]", mean, f"between local_min {low!r} and local_max {high!r}")


def _check_times(
    location: CaseLocation, case: Mapping[str, Any], number: int, sample: PlainSample, opening_error_s: float
) -> Iterator[Problem]:
    """Times of one sample against each other."""

    def wrong(field: str, expected: str) -> Problem:
        return location.wrong(f"{field}[{number}]", getattr(sample, field), expected)

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
        yield from (wrong(*field_and_text) for field_and_text in _against_global(case, sample, opening_error_s))


def _against_global(case: Mapping[str, Any], sample: PlainSample, opening_error_s: float) -> Iterator[tuple[str, str]]:
    """Fields of the global clock that contradict the local ones, or the window, by more than clocks can be wrong. A
    sample is flagged by the clock of its block's beginning, and mapped by that of its end, which knows better.
    """
    calls, slack = case["calls"], 2 * _slack(sample)
    longest = sample.makespan * calls * (1 + _CLOCK_RATE) + slack
    if sample.local_max * calls > longest:
        yield "makespan", f"no less than local_max {sample.local_max!r}"
    if sample.start_skew > longest:
        yield "start_skew", f"no more than makespan {sample.makespan!r}"
    window_s = case["window_s"] if case["procsync"].startswith("window(") else inf
    if sample.flags == 0 and sample.makespan * calls > window_s + slack + 2 * opening_error_s:
        yield "makespan", f"within the window of {window_s!r} s, as it is not marked as an overrun"


def _slack(sample: PlainSample) -> float:
    """What the clocks of two ranks may be wrong by; a microsecond where nothing is proven."""
    return sample.clock_bound if isfinite(sample.clock_bound) else 1e-6


def check_ranks(location: CaseLocation, ranks: Sequence[Mapping[str, Any]], samples: PlainSamples) -> Iterator[Problem]:
    """The ranks' own durations (a row of case_ranks.npy) against the samples, which are reduced over ranks."""
    n_valid = samples.values("flags").count(0)
    together = [rank for rank in ranks if rank["n"] > 0]
    for number, rank in enumerate(ranks):
        if rank["n"] not in (0, n_valid):
            yield location.wrong(f"n[{number}]", rank["n"], n_valid)
        if rank["n"] > 0 and not (
            rank["min_s"] <= rank["median_s"] <= rank["max_s"]
            and rank["min_s"] * (1 - _ROUNDING) <= rank["mean_s"] <= rank["max_s"] * (1 + _ROUNDING)
        ):
            yield location.wrong(
                f"median_s[{number}]", rank["median_s"], "minimum, median, mean, maximum in their order"
            )
    if not n_valid or not together:
        return
    expected = {
        "max_s": (max(rank["max_s"] for rank in together), max(samples.valid("local_max"))),
        "min_s": (min(rank["min_s"] for rank in together), min(samples.valid("local_min"))),
        "mean_s": (
            fsum(rank["mean_s"] for rank in together) / len(together),
            fsum(samples.valid("local_mean")) / n_valid,
        ),
    }
    for field, (actual, over_ranks) in expected.items():
        if not same(actual, over_ranks, _ROUNDING):
            yield location.wrong(field, actual, f"{over_ranks!r} over all ranks, as samples.npy has it")
