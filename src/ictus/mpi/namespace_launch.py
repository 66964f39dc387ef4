"""What must hold before a launch on hosts made of namespaces: a clock that tells them apart, a machine that can."""

from ictus.launch.namespaces.probe import probe
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.platform import base_clock
from ictus.model.spec import Spec

CLOCK = "monotonic"
"""The base clock that differs between such hosts."""


def check_clock(clock: Spec) -> None:
    """Find out that `clock` tells such hosts apart: `monotonic`, or another put over it. Raises UsageError."""
    if base_clock(clock) != CLOCK:
        raise UsageError(
            f"clock '{clock}' reads the same on all hosts made of namespaces, for they share the machine's counter and "
            f"its time of day: only CLOCK_MONOTONIC is set apart; use --clock {CLOCK}"
        )


def check_machine() -> None:
    """Find out that such hosts can be made here, by making two. Raises MeasurementError with the reason."""
    reason = probe()
    if reason is not None:
        raise MeasurementError(f"no hosts can be made of namespaces here: {reason}")
