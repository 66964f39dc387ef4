"""How samples of real launches scatter: launches differ, samples of one are alike, machines have modes, and some calls
come late. Factors around 1, drawn.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray


@dataclass(frozen=True)
class Noise:
    """Standard deviations are of logarithms."""

    launch: float = 0.03
    """What a launch is slower by as a whole."""
    drift: float = 0.03
    """What its samples wander by, slowly."""
    samples_alike: float = 100.0
    """Correlation time of that, samples."""
    sample: float = 0.05
    mode_share: float = 0.2
    """Of launches in a mode of the machine in which all calls take `mode` times as long."""
    mode: float = 1.2
    late_share: float = 0.01
    """Of samples that take `late` times as long."""
    late: float = 5.0

    def of_launches(self, random: np.random.Generator, launches: int) -> FloatArray:
        """What all that a launch measures has in common, shape (launches,)."""
        in_mode = random.random(launches) < self.mode_share
        return np.exp(random.normal(0, self.launch, launches)) * np.where(in_mode, self.mode, 1.0)

    def of_samples(self, random: np.random.Generator, launches: int, n: int) -> FloatArray:
        """The samples of one case in the order measured, shape (launches, n)."""
        late = np.where(random.random((launches, n)) < self.late_share, self.late, 1.0)
        slow = wander(random, launches, n, self.samples_alike) * self.drift
        return np.exp(slow + random.normal(0, self.sample, (launches, n))) * late


def wander(random: np.random.Generator, launches: int, n: int, samples_alike: float) -> FloatArray:
    """An autoregression of first order with that correlation time, of standard deviation 1, shape (launches, n)."""
    kept = float(np.exp(-1 / samples_alike))
    steps = random.standard_normal((launches, n)) * np.sqrt(1 - kept * kept)
    steps[:, 0] = random.standard_normal(launches)
    found: FloatArray = scipy.signal.lfilter([1.0], [1.0, -kept], steps, axis=1)
    return found


USUAL = Noise()
ALIKE = Noise(launch=0.0, mode_share=0.0)
"""Launches that do not differ but by what wanders inside them."""
