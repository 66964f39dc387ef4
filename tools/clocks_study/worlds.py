"""The simulated worlds of the study: platforms, numbers of ranks, drifts."""

from dataclasses import dataclass

#: Held out: none of the seeds from here on was looked at while algorithms were written.
FIRST_SEED = 1001

PLATFORMS = {
    "flat": "latency=1us,jitter=300ns",
    "fat tree": "latency=1us,jitter=300ns,radix=16,hop=500ns",
    "two level": "latency=1.5us,jitter=400ns,ranks_per_host=16,host_latency=200ns,host_jitter=50ns",
    "asymmetric": "latency=1us,jitter=300ns,asymmetry=500ns",
    "soft delays": "latency=1us,jitter=300ns,shape=4",
}
SYMMETRIC = ("flat", "fat tree", "two level", "soft delays")


@dataclass(frozen=True)
class Row:
    """One world of the study but for its seed."""

    platform: str
    size: int
    drift_ppm: float
    wander_ppm: float

    def world(self, seed: int) -> str:
        """The world in the grammar of ictus-simulate."""
        return (
            f"world(size={self.size},seed={seed},drift={self.drift_ppm:g}ppm,wander={self.wander_ppm:g}ppm,"
            f"{PLATFORMS[self.platform]})"
        )

    @property
    def seeds(self) -> tuple[int, ...]:
        """20 at least; of few ranks more, for a median over the largest of few errors is worth less."""
        return tuple(range(FIRST_SEED, FIRST_SEED + {2: 60, 8: 40}.get(self.size, 20)))

    @property
    def name(self) -> str:
        """For tables: `flat, 64 ranks, 20 ppm, wandering`."""
        wander = f", wander {self.wander_ppm:g} ppm" if self.wander_ppm else ""
        return f"{self.platform}, {self.size} ranks, {self.drift_ppm:g} ppm{wander}"

    @property
    def symmetric(self) -> bool:
        """Whether the ways there and back are equally long."""
        return self.platform in SYMMETRIC


#: Drift and wander in ppm; without drift all err by nanoseconds, and wander moves only what is already far below what
#: others err by: one platform has them.
EVERY_KIND = ((0.0, 0.0), (1.0, 0.0), (20.0, 0.0), (20.0, 0.001))


def _clocks(platform: str, size: int) -> tuple[Row, ...]:
    return tuple(Row(platform, size, drift, wander) for drift, wander in EVERY_KIND)


#: Judged at equal time, over all seeds.
JUDGED = (
    *_clocks("flat", 2),
    *_clocks("flat", 8),
    *_clocks("flat", 64),
    *(Row(platform, 64, 20.0, 0.0) for platform in ("fat tree", "two level", "soft delays", "asymmetric")),
    Row("flat", 256, 20.0, 0.0),
)

#: Where bounds that assume nothing are judged.
PROVEN_ON = (
    Row("flat", 64, 20.0, 0.001),
    Row("soft delays", 64, 20.0, 0.0),
    Row("asymmetric", 64, 20.0, 0.0),
    Row("asymmetric", 64, 20.0, 0.001),
)

#: In the table, at one setting of each algorithm.
TABLED = tuple(
    Row(platform, size, drift, wander)
    for platform in ("flat", "fat tree", "two level")
    for size in (64, 256, 512, 1024)
    for drift in (0.0, 1.0, 20.0)
    for wander in (0.0, 0.001)
)
