"""Samples computed again from the stamps of every rank (raw.npy), which a campaign has with --raw.

A rank's own durations are exact to a tick. The makespan is checked as closely as launch.json allows: the stamps are
mapped by a model that lies between the one that opened the block and the residual that closed it, so that two ranks
can differ from the opening models by what their residuals differ at most.
"""

import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, isfinite
from typing import Any

from ictus.verification.problem import CaseLocation, Problem
from ictus.verification.records import records_of
from ictus.verification.samples import PlainSamples

_RECORD = struct.Struct("<IIIHqq")
_OTHER_COUNTER = 1e-3
"""Relative: a rank with a counter of its own has a frequency of its own, which no file says."""

Stamp = tuple[int, int, int]
"""Flags, first and last tick of a rank in a repetition."""


@dataclass(frozen=True, order=True)
class _RecordRange:
    """Records one after another that are repetitions of a rank in a case, each one more than the one before."""

    repetition: int
    """Of the first."""
    number: int
    """Of the first record in the file."""
    length: int


@dataclass(frozen=True)
class Stamps:
    """Records of raw.npy, found where they lie: an object for each would take many times the file."""

    records: memoryview
    """The file behind its header."""
    runs: Mapping[tuple[int, int], Sequence[_RecordRange]]
    """By case and rank, in the order of repetitions."""

    def find(self, case_id: int, rank: int, repetition: int) -> Stamp | None:
        """The stamp of a rank in a repetition, None where there is none."""
        runs = self.runs.get((case_id, rank), ())
        index = bisect_right(runs, repetition, key=lambda run: run.repetition) - 1
        if index < 0 or repetition >= runs[index].repetition + runs[index].length:
            return None
        number = runs[index].number + repetition - runs[index].repetition
        flags, start, end = _RECORD.unpack_from(self.records, number * _RECORD.size)[3:]
        return flags, start, end


def read_stamps(content: bytes | memoryview) -> Stamps:
    """All stamps; ValueError where the file is torn, or a rank has a repetition twice."""
    records = records_of(content, _RECORD.size)
    record_ranges: dict[tuple[int, int], list[_RecordRange]] = {}
    for case_id, rank, run in _runs(records):
        record_ranges.setdefault((case_id, rank), []).append(run)
    for (case_id, rank), runs in record_ranges.items():
        runs.sort()
        for run, later in pairwise(runs):
            if later.repetition < run.repetition + run.length:
                raise ValueError(f"case {case_id}, repetition {later.repetition}: rank {rank} is there twice")
    return Stamps(records, record_ranges)


def _runs(records: memoryview) -> Iterator[tuple[int, int, _RecordRange]]:
    """The runs of the file in its order, each with case and rank."""
    begin, first, expected = 0, (0, 0, 0), None
    number = 0
    for number, (case_id, repetition, rank, *_) in enumerate(_RECORD.iter_unpack(records)):
        if (case_id, repetition, rank) != expected:
            if number:
                yield first[0], first[2], _RecordRange(first[1], begin, number - begin)
            begin, first = number, (case_id, repetition, rank)
        expected = (case_id, repetition + 1, rank)
    if records:
        yield first[0], first[2], _RecordRange(first[1], begin, number + 1 - begin)


@dataclass(frozen=True)
class Clocks:
    """The clocks of a block: rank 0's frequency, the opening model and the residual of each rank."""

    frequency_hz: float
    models: Sequence[Mapping[str, Any]]
    taking: Sequence[int]
    """The ranks that take part in the case."""
    shared: bool
    """Whether all ranks were found to read rank 0's counter."""

    def global_s(self, rank: int, ticks: int) -> float:
        """The global time of a stamp by the opening model."""
        local, model = ticks / self.frequency_hz, self.models[rank]
        return float(local - (model["slope"] * local + model["intercept_s"]))

    @property
    def spread_s(self) -> float:
        """By how much two ranks may differ from their opening models."""
        residuals = [model["residual_s"] if isfinite(model["residual_s"]) else 0.0 for model in self.models]
        return max(*residuals, 0.0) - min(*residuals, 0.0)


def check_stamps(
    location: CaseLocation, case: Mapping[str, Any], samples: PlainSamples, stamps: Stamps, clocks: Clocks
) -> Iterator[Problem]:
    """Every sample of a case against the stamps of the ranks that take part in it."""
    calls, tick = case["calls"], 1 / clocks.frequency_hz
    relative = 0.0 if clocks.shared else _OTHER_COUNTER
    taking = clocks.taking
    for sample in samples:
        number = sample.repetition
        positions = [stamps.find(sample.case_id, rank, number) for rank in taking]
        ranks = [stamp for stamp in positions if stamp is not None]
        if len(ranks) < len(taking):
            missing = taking[positions.index(None)]
            yield location.wrong(f"repetition[{number}]", f"no stamp of rank {missing}", "one of every rank")
            continue
        if any(flags != sample.flags for flags, *_ in ranks):
            yield location.wrong(f"flags[{number}]", [flags for flags, *_ in ranks], f"{sample.flags}, as samples.npy")
        durations_s = [(end - start) * tick / calls for _, start, end in ranks]
        values = {
            "local_max": max(durations_s),
            "local_min": min(durations_s),
            "local_mean": fsum(durations_s) / len(durations_s),
        }
        for field, value in values.items():
            expected = getattr(sample, field)
            if not abs(expected - value) <= 2 * tick / calls + relative * abs(value):
                yield location.wrong(f"{field}[{number}]", expected, f"{value!r}, from the stamps")
        if case["headline"] == "makespan":
            first = [clocks.global_s(rank, start) for rank, (_, start, _) in zip(taking, ranks, strict=True)]
            last = [clocks.global_s(rank, end) for rank, (_, _, end) in zip(taking, ranks, strict=True)]
            value = (max(last) - min(first)) / calls
            slack = (clocks.spread_s + 4 * tick) / calls + relative * abs(value)
            if not abs(sample.makespan - value) <= slack:
                yield location.wrong(
                    f"makespan[{number}]", sample.makespan, f"{value!r} +- {slack:.3g}, from the stamps"
                )
