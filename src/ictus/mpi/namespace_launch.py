"""A launch on two hosts made of namespaces: real processes over real TCP, with clocks whose difference is known."""

from dataclasses import replace

from ictus.launch.namespaces.hosts import CLOCK_STEP_S, namespace_hosts
from ictus.launch.namespaces.probe import probe
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.installation import Installation
from ictus.model.job import Job, Outcome
from ictus.model.spec import Spec, parse_spec
from ictus.mpi.command import launch

CLOCK = "monotonic"
"""The base clock that differs between such hosts."""


def launch_on_namespaces(
    installation: Installation, job: Job, *, n_hosts: int = 2, clock_step_s: str | float = CLOCK_STEP_S
) -> Outcome:
    """Start `job` on hosts h0, h1, ... of its own, wait for its end, leave neither process nor host behind.

    The ranks are spread in equal blocks. The clock `monotonic` of each host is `clock_step_s` ahead of the one before;
    launch.json says so under `launcher.hosts`.

    Raises:
        UsageError: the flavour is unknown.
        MeasurementError: this machine cannot make such hosts (`probe` says why), or the launcher cannot be started.
    """
    with namespace_hosts(n_hosts, clock_step_s) as hosts:
        return launch(installation, replace(job, hosts=hosts))


def check_clock(clock: str) -> None:
    """Find out that `clock` tells such hosts apart: `monotonic`, or another put over it. Raises UsageError."""
    if _base(parse_spec(clock)) != CLOCK:
        raise UsageError(
            f"clock '{clock}' reads the same on all hosts made of namespaces, for they share the machine's counter and "
            f"its time of day: only CLOCK_MONOTONIC is set apart; use --clock {CLOCK}"
        )


def check_machine() -> None:
    """Find out that such hosts can be made here, by making two. Raises MeasurementError with the reason."""
    reason = probe()
    if reason is not None:
        raise MeasurementError(f"no hosts can be made of namespaces here: {reason}")


def _base(spec: Spec) -> str:
    """The name of the clock that `spec` is in the end: a skewed clock is as separate as the one below it."""
    below = next((one.value for one in spec.arguments if one.key in ("base", None)), None)
    return _base(below) if spec.name == "skewed" and isinstance(below, Spec) else spec.name
