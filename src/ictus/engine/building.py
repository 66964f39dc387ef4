"""Compiling for a library, with words for those who wait: what is compiled, how long it takes and took before."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from ictus.engine.event import Note, Observer, PreparationStep
from ictus.model.errors import IctusError
from ictus.model.library import Installation
from ictus.model.quantity import format_span
from ictus.mpi.build import BuildRecord
from ictus.mpi.cache import cache_folder

T = TypeVar("T")

MEASURING_PROGRAM = "measuring program"
"""What the core is called where people wait for it."""


def build_with_progress(
    build: Callable[[Installation, Callable[[str], None]], T], installation: Installation, what: str, observer: Observer
) -> T:
    """The result of `build` for a library; `what` names it. Where it is compiled now, for a minute, an event for
    each step says how long it has taken, and how long the newest measuring program took. Raises MeasurementError where
    it fails.
    """
    name = f"{what} for {installation.label} ({installation.flavour} {installation.version})"
    last_s = _last_build_s()
    last = "last build" if what == MEASURING_PROGRAM else MEASURING_PROGRAM
    step = f"compiling the {name}{'' if last_s is None else f'; the {last} took {format_span(last_s)}'}"
    began: list[float] = []

    def tell(detail: str) -> None:
        began.append(time.monotonic())
        observer(PreparationStep(step, f"{detail}, {format_span(began[-1] - began[0])}"))

    built = build(installation, tell)
    if began:
        observer(Note(f"compiled the {name} in {format_span(time.monotonic() - began[0])}"))
    return built


def _last_build_s() -> float | None:
    """Seconds that the newest core in the cache took to build; None where there is none that can be read."""
    with suppress(OSError, IctusError):
        records = list((cache_folder() / "builds").glob(f"*/{BuildRecord.FILE}"))
        return BuildRecord.read(max(records, key=lambda record: record.stat().st_mtime)).built_s if records else None
    return None
