"""Ictus measures MPI communication: one common start, one common clock, fair comparisons of libraries.

This is the whole public interface from Python; `ictus.api` documents each part. Names are imported when they are first
used: polars and scipy take most of a second, which `ictus --help` does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ictus.api import Cases, Comparison, Lenses, cases, clock_errors, compare, lenses, load, load_clocks
    from ictus.model.errors import GateHit, IctusError, MeasurementError, UsageError
    from ictus.model.reduction import Reduction
    from ictus.store.campaign import Campaign
    from ictus.studies.diagnosis.analysis import diagnose

__all__ = [
    "Campaign",
    "Cases",
    "Comparison",
    "GateHit",
    "IctusError",
    "Lenses",
    "MeasurementError",
    "Reduction",
    "UsageError",
    "cases",
    "clock_errors",
    "compare",
    "diagnose",
    "lenses",
    "load",
    "load_clocks",
]

_HOMES = {
    **dict.fromkeys(("Cases", "Comparison", "cases", "clock_errors", "compare", "load", "load_clocks"), "ictus.api"),
    **dict.fromkeys(("Lenses", "lenses"), "ictus.api"),
    **dict.fromkeys(("GateHit", "IctusError", "MeasurementError", "UsageError"), "ictus.model.errors"),
    "Campaign": "ictus.store.campaign",
    "Reduction": "ictus.model.reduction",
    "diagnose": "ictus.studies.diagnosis.analysis",
}


def __getattr__(name: str) -> Any:
    """The public object of that name, from the module that it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ictus' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted((*globals(), *__all__))
