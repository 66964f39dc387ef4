"""What a study of the network shows: links, bandwidth in matchings against that of a link alone, noise of each rank.
Arrays in, values out. A launch is the unit of observation: intervals are Student's over launches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ictus.stats.arrays import FloatArray
from ictus.stats.mean import MeanInterval, mean_interval
from ictus.studies.network.loggp import FEWEST, LogGP, Trains, fit
from ictus.studies.network.record import NetworkAnswer, NetworkDocument, TrainTimes

INSIDE, BETWEEN = "inside a host", "between hosts"
KINDS = {
    "cache": "behind one cache",
    "socket": "in one socket",
    "host": INSIDE,
    "switch": "behind one switch",
    "network": BETWEEN,
}
"""The words for what two ranks have in common."""


@dataclass(frozen=True)
class SizeTimes:
    """One size of a link: means over launches of each launch's median, with their intervals."""

    size_bytes: int
    round_trip_s: MeanInterval
    gap_s: MeanInterval
    overhead_s: MeanInterval


@dataclass(frozen=True)
class LinkSummary:
    """One link."""

    sender: int
    receiver: int
    hosts: tuple[str, str]
    kind: str
    launches: int
    sizes: tuple[SizeTimes, ...]
    lines: tuple[LogGP, ...]
    """One for each protocol that its gaps show; empty for too few sizes."""

    @property
    def name(self) -> str:
        """`0, 1`."""
        return f"{self.sender}, {self.receiver}"

    @property
    def smallest(self) -> SizeTimes:
        """The smallest size."""
        return self.sizes[0]


@dataclass(frozen=True)
class BisectionSummary:
    """Streams of one kind of pairs, in bytes per second."""

    kind: str
    pairs: int
    """In all matchings of all launches."""
    alone: MeanInterval | None
    """A stream while all other ranks are silent."""
    effective: MeanInterval
    """Mean of a stream in random matchings."""
    slowest: float
    """The slowest one of any matching."""

    @property
    def share(self) -> float | None:
        """Effective against alone."""
        return None if self.alone is None else self.effective.mean / self.alone.mean


@dataclass(frozen=True)
class NoiseSummary:
    """One rank, over launches."""

    rank: int
    host: str
    cpus: str
    """Those it may use, in the first launch."""
    lost: MeanInterval
    """The share of its time that was not the quantum's: mean time against least."""
    largest_s: float
    """The longest that one quantum was held up."""
    slower: float
    """Its least time against that of the quickest rank: cores of several speeds."""


@dataclass(frozen=True)
class NetworkSummary:
    """All that the launches show together."""

    links: tuple[LinkSummary, ...]
    bisection: tuple[BisectionSummary, ...]
    noise: tuple[NoiseSummary, ...]


def summarise(study: NetworkDocument) -> NetworkSummary:
    """The launches of a study."""
    launches = study.launches
    hosts = study.settings[0].hosts
    places = launches[0].places.host
    return NetworkSummary(
        links=tuple(_links(launches, hosts)),
        bisection=tuple(_bisection(launches, places)),
        noise=tuple(_noise(launches, hosts)),
    )


def _kind(places: Sequence[int], sender: int, receiver: int) -> str:
    return INSIDE if places[sender] == places[receiver] else BETWEEN


def trains_of(answer: NetworkAnswer, link: TrainTimes) -> Trains:
    """The round trips of a link as arrays."""
    columns = (np.asarray(times_s, float) for times_s in (link.single_s, link.train_s, link.delayed_s, link.waited_s))
    return Trains(np.asarray(answer.sizes_bytes, float), answer.train, *columns)


def _links(launches: Sequence[NetworkAnswer], hosts: Sequence[str]) -> Iterator[LinkSummary]:
    """Those of the first launch, over all launches in which the same ranks were as near."""
    for link in launches[0].links:
        pair = (link.sender, link.receiver, link.shared)
        again = [
            (launch, times)
            for launch in launches
            for times in launch.links
            if (times.sender, times.receiver, times.shared) == pair
        ]
        yield _link(again, link, hosts, launches[0].places.host)


def _link(
    measured: Sequence[tuple[NetworkAnswer, TrainTimes]],
    first: TrainTimes,
    hosts: Sequence[str],
    places: Sequence[int],
) -> LinkSummary:
    trains = [trains_of(launch, link) for launch, link in measured]
    columns = zip(*(np.stack([train.round_trip_s, train.gap_s, train.overhead_s]).T for train in trains), strict=True)
    sizes = tuple(
        SizeTimes(size, *(mean_interval(values) for values in np.stack(launch).T))
        for size, launch in zip(measured[0][0].sizes_bytes, columns, strict=True)
    )
    return LinkSummary(
        sender=first.sender,
        receiver=first.receiver,
        hosts=(hosts[first.sender], hosts[first.receiver]),
        kind=_kind(places, first.sender, first.receiver) if first.shared is None else KINDS[first.shared],
        launches=len(measured),
        sizes=sizes,
        lines=fit(trains) if len(sizes) >= FEWEST else (),
    )


def _bisection(launches: Sequence[NetworkAnswer], places: Sequence[int]) -> Iterator[BisectionSummary]:
    volume = launches[0].stream_bytes * launches[0].stream
    for kind in (INSIDE, BETWEEN):
        together = [_speeds(launch, kind, volume) for launch in launches]
        if not all(speeds.size for speeds in together):
            continue
        alone = [volume / streams for answer in launches if (streams := _alone(answer, kind, places)).size]
        yield BisectionSummary(
            kind=kind,
            pairs=sum(speeds.size for speeds in together),
            alone=mean_interval([float(np.mean(speeds)) for speeds in alone]) if alone else None,
            effective=mean_interval([float(np.mean(speeds)) for speeds in together]),
            slowest=min(float(np.min(pair_speeds)) for pair_speeds in together),
        )


def _alone(answer: NetworkAnswer, kind: str, places: Sequence[int]) -> FloatArray:
    """Times of streams while all others are silent: of a pair of each matching of this kind; of links, in documents
    whose matchings have none.
    """
    paired = [
        matching.alone_s
        for matching in answer.matchings
        if matching.alone_s is not None and _kind(places, matching.sender[0], matching.receiver[0]) == kind
    ]
    streams = [link.stream_s for link in answer.links if _kind(places, link.sender, link.receiver) == kind]
    return np.asarray(paired, float) if paired else np.asarray([time for stream in streams for time in stream], float)


def _speeds(answer: NetworkAnswer, kind: str, volume: int) -> FloatArray:
    """Of all pairs of a kind in all matchings of a launch, bytes per second."""
    places = answer.places.host
    times = [
        time
        for matching in answer.matchings
        for sender, receiver, time in zip(matching.sender, matching.receiver, matching.stream_s, strict=True)
        if _kind(places, sender, receiver) == kind
    ]
    return volume / np.asarray(times, float)


def _noise(launches: Sequence[NetworkAnswer], hosts: Sequence[str]) -> Iterator[NoiseSummary]:
    with_noise = [launch.noise for launch in launches if launch.noise.least_s]
    if not with_noise:
        return
    least, mean, largest = (
        np.asarray([getattr(times, name) for times in with_noise], float) for name in ("least_s", "mean_s", "largest_s")
    )
    facts = launches[0].ranks or ()
    slower = np.median(least / least.min(axis=1, keepdims=True), axis=0) - 1
    for rank in range(least.shape[1]):
        yield NoiseSummary(
            rank=rank,
            host=hosts[rank],
            cpus=facts[rank].cpus_allowed if rank < len(facts) else "",
            lost=mean_interval(1 - least[:, rank] / mean[:, rank]),
            largest_s=float(np.max(largest[:, rank] - least[:, rank])),
            slower=float(slower[rank]),
        )
