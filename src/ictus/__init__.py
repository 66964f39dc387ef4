"""Ictus measures MPI communication: one common start, one common clock, fair comparisons of libraries.

This is the whole public interface from Python; `ictus.api` documents it. Names are imported when they are first used:
polars and scipy take most of a second, which `ictus --help` does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ictus.api import (
        STUDIES,
        Advice,
        Campaign,
        Cases,
        Comparison,
        Event,
        GateHit,
        IctusError,
        Lenses,
        MeasurementError,
        Observer,
        Plan,
        ProfiledProgram,
        ProgramProfile,
        ProgramResult,
        Reduction,
        SeveralStopped,
        StoppedByUser,
        StudyOptions,
        UsageError,
        advise,
        cases,
        check,
        clock_errors,
        compare,
        diagnose,
        exec_program,
        export_results,
        ignore,
        import_results,
        lenses,
        load,
        load_clocks,
        load_profile,
        log,
        profile_program,
        run,
        run_campaigns,
        study,
        tune,
    )

__all__ = [
    "STUDIES",
    "Advice",
    "Campaign",
    "Cases",
    "Comparison",
    "Event",
    "GateHit",
    "IctusError",
    "Lenses",
    "MeasurementError",
    "Observer",
    "Plan",
    "ProfiledProgram",
    "ProgramProfile",
    "ProgramResult",
    "Reduction",
    "SeveralStopped",
    "StoppedByUser",
    "StudyOptions",
    "UsageError",
    "advise",
    "cases",
    "check",
    "clock_errors",
    "compare",
    "diagnose",
    "exec_program",
    "export_results",
    "ignore",
    "import_results",
    "lenses",
    "load",
    "load_clocks",
    "load_profile",
    "log",
    "profile_program",
    "run",
    "run_campaigns",
    "study",
    "tune",
]


def __getattr__(name: str) -> Any:
    """The public object of that name."""
    if name not in __all__:
        raise AttributeError(f"module 'ictus' has no attribute {name!r}")
    return getattr(import_module("ictus.api"), name)


def __dir__() -> list[str]:
    return sorted((*globals(), *__all__))
