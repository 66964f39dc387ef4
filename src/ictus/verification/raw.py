"""Samples computed again from the stamps of every rank (raw.npy), which a campaign has with --raw.

A rank's own durations are exact to a tick. The makespan is checked as closely as launch.json allows: the stamps are
mapped by a model that lies between the one that opened the block and the residual that closed it, so that two ranks
can differ from the opening models by what their residuals differ at most.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any

from ictus.verification.problem import Place, Problem
from ictus.verification.samples import PlainSamples

_RECORD = struct.Struct("<IIIHqq")
_HEADER_LENGTH = struct.Struct("<H")
_OTHER_COUNTER = 1e-3
"""Relative: a rank with a counter of its own has a frequency of its own, which no file says."""

Stamps = dict[tuple[int, int], dict[int, tuple[int, int, int]]]
"""By case and repetition: flags, first and last tick of each rank."""


def read_stamps(content: bytes) -> Stamps:
    """All stamps; ValueError where the file is torn, or a rank has a repetition twice."""
    (length,) = _HEADER_LENGTH.unpack_from(content, 8)
    found: Stamps = {}
    try:
        records = list(_RECORD.iter_unpack(content[10 + length :]))
    except struct.error as error:
        raise ValueError(str(error)) from error
    for case_id, repetition, rank, flags, start, end in records:
        ranks = found.setdefault((case_id, repetition), {})
        if rank in ranks:
            raise ValueError(f"case {case_id}, repetition {repetition}: rank {rank} is there twice")
        ranks[rank] = (flags, start, end)
    return found


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
        residuals = [one["residual_s"] if isfinite(one["residual_s"]) else 0.0 for one in self.models]
        return max(*residuals, 0.0) - min(*residuals, 0.0)


def check_stamps(
    place: Place, case: Mapping[str, Any], samples: PlainSamples, stamps: Stamps, clocks: Clocks
) -> Iterator[Problem]:
    """Every sample of a case against the stamps of the ranks that take part in it."""
    calls, tick = case["calls"], 1 / clocks.frequency_hz
    relative = 0.0 if clocks.shared else _OTHER_COUNTER
    taking = clocks.taking
    for sample in samples:
        number = sample.repetition
        ranks = stamps.get((sample.case_id, number), {})
        missing = [rank for rank in taking if rank not in ranks]
        if missing:
            yield place.wrong(f"repetition[{number}]", f"no stamp of rank {missing[0]}", "one of every rank")
            continue
        if any(ranks[rank][0] != sample.flags for rank in taking):
            yield place.wrong(
                f"flags[{number}]", [ranks[rank][0] for rank in taking], f"{sample.flags}, as samples.npy"
            )
        own = [(ranks[rank][2] - ranks[rank][1]) * tick / calls for rank in taking]
        values = {"local_max": max(own), "local_min": min(own), "local_mean": fsum(own) / len(own)}
        for field, value in values.items():
            said = getattr(sample, field)
            if not abs(said - value) <= 2 * tick / calls + relative * abs(value):
                yield place.wrong(f"{field}[{number}]", said, f"{value!r}, from the stamps")
        if case["headline"] == "makespan":
            first = [clocks.global_s(rank, ranks[rank][1]) for rank in taking]
            value = (max(clocks.global_s(rank, ranks[rank][2]) for rank in taking) - min(first)) / calls
            slack = (clocks.spread_s + 4 * tick) / calls + relative * abs(value)
            if not abs(sample.makespan - value) <= slack:
                yield place.wrong(f"makespan[{number}]", sample.makespan, f"{value!r} +- {slack:.3g}, from the stamps")
