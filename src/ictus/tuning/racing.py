"""Races: candidates are measured launch by launch, and a candidate that is significantly slower than the leader leaves.

After each of a few planned looks the candidate with the least median of launch medians leads. Every other remaining
candidate is tested against it, one-sided on log medians: Welch's t-test between launches, the paired test where both
were measured in the same launches. Rank tests would need seven launches of each before they could decide; a race may
err, because its winner is tested again in fresh launches and by ranks (tuning/confirming.py).

The best candidate stays: it leaves only if it is found slower than the leader. Each test is at level / (looks x other
candidates), so over all looks and leaders this happens in at most a `level` of races where log medians are normal.
tests/tuning/test_racing.py counts it, also with heavy tails, two modes, and modes of the machine that probes see, whose
effect is taken out first (`within_modes`).

Source: O. Maron, A. Moore, Hoeffding races, NIPS 1993; M. Birattari et al., A racing algorithm for configuring
metaheuristics, GECCO 2002.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, isfinite, log, sqrt

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray
from ictus.stats.stratum_effects import without_strata
from ictus.tuning.candidates import WAYS, Candidate

LOOKS = (4, 6, 9, 13, 20)
"""Launches of each candidate at each look."""
LEVEL = 0.05
"""Chance that the best candidate of a race is thrown out."""
EQUAL = 0.02
"""Of candidates this close to the leader, the least intrusive wins."""
_ENOUGH = 2
"""Launches of a side that a t-test needs."""
_NOTHING = 1e-24
"""Variance of log medians that is no more than the last digits."""

Launch = tuple[str, int]
"""Which campaign of the race, and which of its slots."""

Medians = Mapping[str, Mapping[Launch, float]]
"""By candidate: the median of each launch that measured it. Launches that two share are pairs."""


@dataclass(frozen=True)
class Out:
    """Why a candidate is out."""

    look: int
    """From 1."""
    leader: str
    ratio: float
    """To the leader, of geometric means."""
    p_value: float | None
    """None where it had no valid launch."""


@dataclass(frozen=True)
class RaceState:
    """A race after some looks."""

    looks: int
    alive: tuple[str, ...]
    """In the order given; never empty."""
    leader: str
    out: Mapping[str, Out] = field(default_factory=dict)

    @property
    def decided(self) -> bool:
        """Whether one is left."""
        return len(self.alive) == 1


def race(
    names: Sequence[str],
    looks: Sequence[Medians],
    *,
    planned: int = len(LOOKS),
    level: float = LEVEL,
    spared: Collection[str] = (),
) -> RaceState:
    """The race after these looks, each with all launches so far. `names` are all candidates, the original first, which
    leads before anything is known. The order of launches and the names play no part. Those that are `spared` leave only
    where they are slower than the leader by more than what is called equal.
    """
    state = RaceState(0, tuple(names), names[0])
    threshold = level / (planned * max(len(names) - 1, 1))
    for medians in looks:
        state = _looked_at(state, medians, threshold, spared)
    return state


def winner(state: RaceState, candidates: Sequence[Candidate], medians: Medians, *, equal: float = EQUAL) -> Candidate:
    """The least intrusive remaining candidate whose median is within `equal` of the leader's."""
    by_name = {candidate.name: candidate for candidate in candidates}
    best = _middle(medians.get(state.leader, {}))
    close = [
        by_name[name]
        for name in state.alive
        if name == state.leader or _middle(medians.get(name, {})) <= best * (1 + equal)
    ]
    return min(
        close,
        key=lambda candidate: (WAYS.index(candidate.way), _middle(medians.get(candidate.name, {})), candidate.name),
    )


def runners_up(
    first: Candidate, candidates: Sequence[Candidate], medians: Medians, *, equal: float = EQUAL
) -> tuple[Candidate, ...]:
    """Those that seem to be faster than the original beside who won, the fastest first, whether they are out or not."""
    original, *others = candidates
    limit = _middle(medians.get(original.name, {})) * (1 - equal)
    faster = [rival for rival in others if rival != first and _middle(medians.get(rival.name, {})) < limit]
    return tuple(sorted(faster, key=lambda candidate: (_middle(medians[candidate.name]), candidate.name)))


def _looked_at(state: RaceState, medians: Medians, threshold: float, spared: Collection[str]) -> RaceState:
    look = state.looks + 1
    valid = [name for name in state.alive if _logs(medians.get(name, {})).size]
    if not valid:
        return RaceState(look, state.alive, state.leader, state.out)
    leader = min(valid, key=lambda name: (_middle(medians[name]), name))
    out = dict(state.out)
    for name in state.alive:
        if name not in valid:
            out[name] = Out(look, leader, float("nan"), None)
        elif name != leader:
            limit = 1 + EQUAL if name in spared else 1.0
            p_value = p_slower(medians[name], {key: limit * time for key, time in medians[leader].items()})
            if p_value <= threshold:
                out[name] = Out(look, leader, _mean(medians[name]) / _mean(medians[leader]), p_value)
    return RaceState(look, tuple(name for name in state.alive if name not in out), leader, out)


def within_modes(medians: Medians, modes: Mapping[Launch, int]) -> Medians:
    """The medians less what the mode of the machine adds to all candidates alike; as they are where launches were in
    one mode. Times that cannot be are left as they are.
    """
    entries = [(name, launch, time) for name, times in medians.items() for launch, time in times.items()]
    usable = [(name, launch, time) for name, launch, time in entries if _usable(time)]
    if not usable:
        return medians
    names, launches, times = zip(*usable, strict=True)
    adjusted = without_strata(times, [modes.get(launch, -1) for launch in launches], names)
    without_modes = {name: dict(by_launch) for name, by_launch in medians.items()}
    for name, launch, time in zip(names, launches, adjusted, strict=True):
        without_modes[name][launch] = float(time)
    return without_modes


def p_slower(slow: Mapping[Launch, float], fast: Mapping[Launch, float]) -> float:
    """One-sided: that `slow` is slower than `fast`. Pairs where they share all launches; 1 without evidence.

    Without variance the slower one is slower, as in a simulator without noise.
    """
    a, b = _logs(slow), _logs(fast)
    if min(a.size, b.size) < _ENOUGH:
        return 1.0
    if slow.keys() == fast.keys() and a.size == b.size == len(slow):
        ratios = a - np.array([log(fast[key]) for key in slow])
        return _p_above(float(ratios.mean()), float(ratios.var(ddof=1)) / a.size, a.size - 1)
    parts = float(a.var(ddof=1)) / a.size, float(b.var(ddof=1)) / b.size
    variance = sum(parts)
    # Welch and Satterthwaite's degrees of freedom
    freedom = (
        variance**2 / (parts[0] ** 2 / (a.size - 1) + parts[1] ** 2 / (b.size - 1)) if variance > _NOTHING else 1.0
    )
    return _p_above(float(a.mean() - b.mean()), variance, freedom)


def _p_above(difference: float, variance: float, freedom: float) -> float:
    """One-sided p of Student's t."""
    if variance <= _NOTHING:
        return 0.0 if difference > sqrt(_NOTHING) else 1.0
    return float(scipy.special.stdtr(freedom, -difference / sqrt(variance)))


def _usable(time_s: float) -> bool:
    return isfinite(time_s) and time_s > 0


def _logs(times: Mapping[Launch, float]) -> FloatArray:
    return np.array([log(time) for time in times.values() if _usable(time)], dtype=np.float64)


def _middle(times: Mapping[Launch, float]) -> float:
    logs = _logs(times)
    return exp(float(np.median(logs))) if logs.size else float("inf")


def _mean(times: Mapping[Launch, float]) -> float:
    return exp(float(_logs(times).mean()))
