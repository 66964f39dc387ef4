"""Ictus measures MPI communication: one common start, one common clock, fair comparisons of libraries.

This is the whole public interface from Python; `ictus.api` documents each part.
"""

from ictus.api import Cases, Comparison, cases, compare, load
from ictus.model.errors import GateHit, IctusError, MeasurementError, UsageError
from ictus.store.campaign import Campaign

__all__ = [
    "Campaign",
    "Cases",
    "Comparison",
    "GateHit",
    "IctusError",
    "MeasurementError",
    "UsageError",
    "cases",
    "compare",
    "load",
]
