"""What the skew shim must show, computed from its log by the formulas of skew-shim.md and nothing of the core."""

import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ictus.model.random import SplitMix64

_SEGMENT_S = 0.01


@dataclass(frozen=True)
class Truth:
    """The skew of one process, as its line of the log says."""

    rank: int
    program: str
    owner: int
    offset_s: float
    drift: float
    wander: float
    wander_seed: int
    origin_ns: dict[str, int]

    def shown_ns(self, timeline: str, true_ns: int) -> int:
        """What the process is shown when the clock stands at `true_ns`, nanoseconds. Only the difference is ever a
        floating-point number: near the time of day such numbers are 256 ns apart.
        """
        t = (true_ns - self.origin_ns[timeline]) * 1e-9
        return true_ns + round((self.offset_s + self.drift * t + self.wandered_s(t)) * 1e9)

    def true_ns(self, timeline: str, shown_ns: int) -> int:
        """Where the clock stands when the process is shown `shown_ns`; without wander only."""
        assert self.wander == 0
        origin = self.origin_ns[timeline]
        return origin + round((shown_ns - origin - self.offset_s * 1e9) / (1 + self.drift))

    def wandered_s(self, t: float) -> float:
        """By how much it has wandered after `t` seconds."""
        if self.wander == 0:
            return 0.0
        begin = 0.0
        for index, rate in enumerate(itertools.islice(self._rates(), int(t / _SEGMENT_S) + 1)):
            if (index + 1) * _SEGMENT_S > t:
                return begin + rate * (t - index * _SEGMENT_S)
            begin += rate * _SEGMENT_S
        return begin

    def _rates(self) -> Iterator[float]:
        """The drift by wander in each segment of 10 ms."""
        random = SplitMix64(self.wander_seed)
        rate = 0.0
        while True:
            yield rate
            first, second = ((random.next_u64() >> 11) * 2.0**-53 for _ in range(2))
            normal = math.sqrt(-2 * math.log(1 - first)) * math.cos(2 * math.pi * second)
            rate += self.wander * math.sqrt(_SEGMENT_S) * normal


def read_log(path: Path) -> dict[int, Truth]:
    """The truth of each rank, of the process that wrote last."""
    truths: dict[int, Truth] = {}
    for line in path.read_text("utf-8").splitlines():
        fields = json.loads(line)
        truths[fields["rank"]] = Truth(**{name: fields[name] for name in Truth.__dataclass_fields__})
    return truths
