"""The Hockney model of a message, t(m) = alpha + beta m, fitted to what a ping-pong took one way.

alpha is the time of an empty message and beta that of each further byte. Both come of a straight line through the
medians of launches, weighted so that relative errors count (times span decades: the largest would decide alone), and
robust by Huber's weights, because no straight line holds over the change from eager messages to rendezvous. What the
line leaves is told as the largest relative residual: an expectation is no better than that.

Source: R. Hockney, The communication challenge for MPP, Parallel Computing 20(3), 1994; P. J. Huber, Robust estimation
of a location parameter, 1964.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.model.errors import UsageError
from ictus.stats.arrays import FloatArray

_ROUNDS = 50
_TUNING = 1.345
"""Huber's constant: 95 % efficient where errors are normal."""
_SCALE = 1.4826
"""Makes the median absolute deviation of normal errors their standard deviation."""
_LEAST_SIZES = 2


@dataclass(frozen=True)
class Hockney:
    """A link between two processes. Times in seconds."""

    alpha_s: float
    """Latency: what a message takes besides its bytes."""
    beta_s: float
    """For each byte."""
    residual: float | None
    """Largest relative difference between the line and what was measured; None for two sizes, through which a line goes
    exactly.
    """
    n_sizes: int

    @property
    def bandwidth(self) -> float:
        """Bytes per second; infinite where bytes cost nothing."""
        return 1 / self.beta_s if self.beta_s > 0 else float("inf")

    def message_s(self, size_bytes: float) -> float:
        """What one message takes."""
        return self.alpha_s + self.beta_s * size_bytes


def fit(sizes_bytes: Sequence[int], one_way_s: ArrayLike) -> Hockney:
    """The line through one median a size. Neither number is below 0: a line that would be is drawn through the rest.

    UsageError for fewer than two different sizes; `ValueError` for times that are not positive and finite.
    """
    x, y = np.asarray(sizes_bytes, dtype=np.float64), np.asarray(one_way_s, dtype=np.float64)
    if x.shape != y.shape or not (np.isfinite(y).all() and (y > 0).all()):
        raise ValueError("a line needs a positive time for each size")
    if np.unique(x).size < _LEAST_SIZES:
        raise UsageError(f"latency and bandwidth need ping-pongs of {_LEAST_SIZES} sizes, and there is {x.size}")
    weights = np.ones_like(y)
    alpha, beta = _line(x, y, weights)
    for _ in range(_ROUNDS):
        errors = (alpha + beta * x) / y - 1
        scale = _SCALE * float(np.median(np.abs(errors)))
        if scale <= np.finfo(np.float64).eps:
            break
        weights = np.minimum(1.0, _TUNING * scale / np.maximum(np.abs(errors), np.finfo(np.float64).tiny))
        alpha, beta = _line(x, y, weights)
    exact = np.unique(x).size <= _LEAST_SIZES
    return Hockney(alpha, beta, None if exact else float(np.abs((alpha + beta * x) / y - 1).max()), x.size)


def _line(x: FloatArray, y: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Least squares of relative errors: minimise the sum of w ((alpha + beta x) / y - 1)^2, both not negative."""
    w = weights / y**2
    total, mean_x, mean_y = w.sum(), (w * x).sum() / w.sum(), (w * y).sum() / w.sum()
    beta = float((w * (x - mean_x) * (y - mean_y)).sum() / (w * (x - mean_x) ** 2).sum())
    alpha = float(mean_y - beta * mean_x)
    if beta < 0:
        return float(mean_y), 0.0
    if alpha < 0:
        return 0.0, float((w * x * y).sum() / (w * x**2).sum())
    assert total > 0
    return alpha, beta
