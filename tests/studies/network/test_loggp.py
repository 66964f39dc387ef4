"""LogGP parameters of links whose parameters are known: simulated message by message, not by the fit's own formula."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from ictus.stats.arrays import FloatArray
from ictus.stats.mean import MeanInterval
from ictus.studies.network.loggp import LogGP, Trains, break_at, fit

SIZES = np.array([1, *(1024 * kib for kib in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64))], float)
N = 16


@dataclass(frozen=True)
class Link:
    """Parameters in seconds, and how much a whole train differs from one time to the next."""

    latency: float = 2.1e-6
    overhead: float = 0.4e-6
    gap: float = 0.9e-6
    per_byte: float = 0.11e-9
    noise: float = 0.03e-6

    def message(self, size: float, count: int, delay: FloatArray) -> FloatArray:
        """When the last of `count` messages has been received: each enters the network when the processor has prepared
        it and the gap to the one before is over; the processor waits for `delay`, shape (repeats,), and goes on.
        """
        processor, free, arrived = (np.zeros(delay.size) for _ in range(3))
        for number in range(count):
            processor = processor + self.overhead + (delay if number else 0.0)
            enters = np.maximum(processor, free)
            free = enters + self.gap + (size - 1) * self.per_byte
            arrived = enters + (size - 1) * self.per_byte + self.latency + self.overhead
        return arrived

    def round_trip(self, size: float, count: int, delay: FloatArray, random: np.random.Generator) -> FloatArray:
        """The answer is one message."""
        exact = self.message(size, count, delay) + self.message(size, 1, 0.0 * delay)
        return exact + random.normal(0.0, self.noise, delay.size)


def trains(link_of: Callable[[float], Link], seed: int, repeats: int = 20) -> Trains:
    """A launch."""
    random = np.random.default_rng(seed)
    single, train, delayed, waited = (np.zeros((SIZES.size, repeats)) for _ in range(4))
    for i, size in enumerate(SIZES):
        link = link_of(float(size))
        single[i] = link.round_trip(size, 1, np.zeros(repeats), random)
        train[i] = link.round_trip(size, N, np.zeros(repeats), random)
        delayed[i] = link.round_trip(size, N, single[i], random)
        waited[i] = (N - 1) * single[i]
    return Trains(SIZES, N, single, train, delayed, waited)


def holds(interval: MeanInterval | None, truth: float, slack: float = 0.0) -> bool:
    """Whether the interval has it."""
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    return interval.low - slack <= truth <= interval.high + slack


def truths(found: LogGP, link: Link) -> list[bool]:
    """Of each parameter, whether its interval has it."""
    return [
        holds(found.latency_s, link.latency),
        holds(found.overhead_s, link.overhead),
        holds(found.gap_s, link.gap),
        holds(found.gap_per_byte_s, link.per_byte),
    ]


def test_without_noise_the_parameters_are_exact() -> None:
    """Intervals have no width then."""
    link = Link(noise=0.0)
    (found,) = fit([trains(lambda _: link, seed) for seed in (1, 2)])
    assert found.latency_s is not None
    assert found.latency_s.mean == pytest.approx(link.latency, rel=1e-9)
    assert found.overhead_s.mean == pytest.approx(link.overhead, rel=1e-9)
    assert found.gap_s.mean == pytest.approx(link.gap, rel=1e-9)
    assert found.gap_per_byte_s.mean == pytest.approx(link.per_byte, rel=1e-9)
    assert found.residual < 1e-9
    assert (found.low_bytes, found.high_bytes) == (1, 65536)


def test_intervals_of_95_percent_hold_the_truth_nearly_always_and_are_no_wider_than_they_must() -> None:
    """40 studies of 5 launches, four intervals each: 152 of 160 expected. Fewer than 140 has probability 2e-4 for
    independent ones. They would hold anything if they were wide: each is narrower than a tenth of its parameter.
    """
    link, held, lines = Link(), 0, 0
    for study in range(40):
        found = fit([trains(lambda _: link, 100 * study + launch, repeats=10) for launch in range(5)])
        lines += len(found)
        held += sum(truths(found[0], link)) if len(found) == 1 else 0
        for interval in (found[0].latency_s, found[0].overhead_s, found[0].gap_per_byte_s):
            assert interval is not None
            assert interval.high is not None
            assert interval.low is not None
            assert interval.high - interval.low < 0.2 * interval.mean
    assert held >= 140
    assert lines <= 44  # a break that is not there is seen rarely


@pytest.mark.parametrize("name", ["train_s", "single_s", "delayed_s"])
def test_a_column_that_is_wrong_by_a_tenth_of_the_overhead_leaves_the_intervals(name: str) -> None:
    """What a fit that ignores a column could not see."""
    link = Link()
    whole = [trains(lambda _: link, seed) for seed in range(5)]
    wrong = [replace(one, **{name: getattr(one, name) + 0.1 * link.overhead * (N - 1)}) for one in whole]
    assert all(truths(fit(whole)[0], link))
    assert not all(truths(fit(wrong)[0], link))


def test_another_protocol_above_eight_kibibytes_is_another_line() -> None:
    """Rendezvous: a larger gap, fewer nanoseconds for each byte. The first line has the latency."""
    eager, rendezvous = Link(), Link(gap=6e-6, per_byte=0.05e-9)
    found = fit([trains(lambda size: eager if size <= 8192 else rendezvous, seed) for seed in range(5)])
    assert [(one.low_bytes, one.high_bytes) for one in found] == [(1, 8192), (12288, 65536)]
    assert all(truths(found[0], eager))
    assert holds(found[1].gap_s, rendezvous.gap)
    assert holds(found[1].gap_per_byte_s, rendezvous.per_byte)
    assert found[1].latency_s is None


def test_one_line_is_not_broken_and_a_gap_of_nothing_is_no_division_by_it() -> None:
    """A network that takes any number of messages at once has g = 0, and at 1 byte no gap at all."""
    straight: FloatArray = (SIZES - 1) * 1e-10
    assert break_at(SIZES, straight, 1e-9) == ((0, SIZES.size),)
    bent = np.where(SIZES > 8192, straight + 3e-6, straight)
    assert break_at(SIZES, bent, 1e-9) == ((0, 7), (7, SIZES.size))


def test_too_few_sizes_are_refused() -> None:
    """Three points show no line."""
    one = trains(lambda _: Link(), 1)
    few = replace(
        one,
        **{name: getattr(one, name)[:3] for name in ("sizes_bytes", "single_s", "train_s", "delayed_s", "waited_s")},
    )
    with pytest.raises(ValueError, match="4 sizes or more"):
        fit([few])
