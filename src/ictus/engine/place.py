"""Where the ranks of a study run: here, on two hosts made of namespaces, or on a simulated platform."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.engine.failure import failure_of, first_error
from ictus.engine.measure import heed
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.installation import Installation
from ictus.model.job import Job, Outcome
from ictus.model.library import parse_library
from ictus.model.platform import FAMILY as PLATFORMS
from ictus.model.platform import SimulatedPlatform, parse_platform, simulated_clock
from ictus.model.registries import unknown
from ictus.model.spec import parse_spec
from ictus.mpi.build import build_core
from ictus.mpi.command import launch, on_one_host
from ictus.mpi.cores import usable_cores
from ictus.mpi.discover import discover, find
from ictus.mpi.flavours import flavour
from ictus.mpi.namespace_launch import CLOCK, check_clock, check_machine
from ictus.mpi.preflight import preflight
from ictus.render.console import errors
from ictus.render.progress import Display
from ictus.store.document import read_document
from ictus.studies.options import DEFAULT_LAUNCHER, Asked

HERE = "here"
SKEWED_HOSTS = "skewed(scope=host)"
"""The clock of a simulation: each host's own, off by a known skew."""

_ANSWER = "study.json"
"""Where a launch writes what it found."""


@dataclass(frozen=True)
class Place:
    """A library, its core, and how ranks are started with it."""

    installation: Installation
    program: Path
    launcher: str
    clock: str
    asked: Asked
    platform: SimulatedPlatform | None = None
    """Where simulated ranks run."""

    @property
    def one_counter(self) -> bool:
        """Whether all ranks can be expected to read one counter, so that errors are computed and not waited for."""
        return self.platform is not None or (self.asked.platform == HERE and on_one_host(os.environ))

    @property
    def clocks(self) -> dict[str, str]:
        """The clocks of a launch, as the core's options."""
        return {"clock": self.clock, "clock-domain": self.asked.clock_domain}

    def measure(self, study: Sequence[str], n_ranks: int, options: Mapping[str, str]) -> Mapping[str, Any]:
        """What one launch of `ictus-bench STUDY` says, the study in words such as `clocks accuracy`: its document.

        Raises UsageError for what the core refuses, MeasurementError where the launch fails.
        """
        with tempfile.TemporaryDirectory(prefix="ictus-study-") as name:
            folder = Path(name)
            words = [f"--{key}={value}" for key, value in {**options, "output": _ANSWER}.items()]
            job = Job(
                n_ranks=n_ranks,
                program=(str(self.program), *study, *words),
                folder=folder,
                timeout_s=self.asked.timeout_s,
                environment=self.asked.environment,
                pin=self.asked.pin,
                n_cores=usable_cores().n,
                platform=self.platform,
            )
            outcome = launch(self.installation, job, self.launcher)
            check_outcome(outcome, folder, self.asked.timeout_s)
            return read_document(folder / _ANSWER)


def check_outcome(outcome: Outcome, folder: Path, timeout_s: float) -> None:
    """Raises UsageError for what the core refused, MeasurementError for a launch that failed or was stopped."""
    if outcome.interrupted:
        raise MeasurementError("stopped; nothing is kept")
    reason = failure_of(outcome, folder, timeout_s)
    if reason is None:
        return
    error = first_error(folder)
    if outcome.exit_code == UsageError.exit_code or (error is not None and error.kind == "usage"):
        raise UsageError(_said_by_core(folder) or reason)
    raise MeasurementError(reason)


def _said_by_core(folder: Path) -> str:
    """The core's own complaint about its options."""
    text = (folder / "stderr.txt").read_text("utf-8", "replace")
    said = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("ictus-bench:")]
    return said[0] if said else ""


def find_place(asked: Asked) -> Place:
    """Find the library, build its core, look for what stands in the way.

    Raises UsageError for an unknown place, library or launcher, MeasurementError where a core does not build or this
    machine cannot make such hosts.
    """
    platform = _platform(asked.platform)
    on_namespaces = asked.platform == Namespaces.name
    _check_launcher(asked)
    clock = _clock(asked)
    if on_namespaces:
        check_clock(clock)
        check_machine()
    with Display(errors()).preparing() as tell:
        installation = _installation(asked, simulated=platform is not None)
        tell(f"core for {installation.label} ({installation.flavour} {installation.version})")
        build = build_core(installation, lambda text: tell(f"core for {installation.label}: {text}"))
    if asked.platform == HERE:
        heed(preflight((build.installation,), max(asked.processes), repeated=False))
    launcher = Namespaces.name if on_namespaces else asked.launcher
    return Place(build.installation, build.program, launcher, clock, asked, platform)


def _check_launcher(asked: Asked) -> None:
    """UsageError for a launcher that does not belong to the place: places other than here bring their own."""
    if asked.platform != HERE and asked.launcher not in (DEFAULT_LAUNCHER, asked.platform):
        raise UsageError(
            f"--launcher '{asked.launcher}' with --platform '{asked.platform}': ranks are started there in its own way"
        )
    if asked.platform == HERE and asked.launcher == Namespaces.name:
        raise UsageError(f"--launcher '{asked.launcher}': say --platform {Namespaces.name}")


def check_real(asked: Asked, what: str) -> None:
    """UsageError for a simulated place; `what` needs a real one."""
    if _platform(asked.platform) is not None:
        raise UsageError(f"--platform '{asked.platform}': {what}; use --platform {HERE} or {Namespaces.name}")


def _platform(on: str) -> SimulatedPlatform | None:
    """The simulated platform that is named, None for a real place."""
    if on in (HERE, Namespaces.name):
        return None
    name = parse_spec(on).name
    known = [HERE, Namespaces.name, *(member.name for member in PLATFORMS.members)]
    if name not in known:
        raise unknown(f"--platform '{on}'", name, known)
    return parse_platform(on)


def _clock(asked: Asked) -> str:
    """The clock that is meant: on namespaces the one that tells hosts apart, in simulated time one with a skew."""
    if asked.platform == HERE:
        return asked.clock or "tsc"
    if asked.platform == Namespaces.name:
        return asked.clock or CLOCK
    return simulated_clock(asked.clock or SKEWED_HOSTS)


def _installation(asked: Asked, *, simulated: bool) -> Installation:
    """The library that was named, else the first one found that fits the place."""
    if asked.mpi is not None:
        request = parse_library(asked.mpi)
        found = find(request.which, request.label)
    elif simulated:
        found = find("simgrid")
    else:
        real = [one for one in discover() if not flavour(one.flavour).simulated]
        if not real:
            raise UsageError("no MPI found: `make setup` installs two, `ictus doctor` says what else can be done")
        found = real[0]
    if flavour(found.flavour).simulated != simulated:
        need = (
            "a simulated platform, such as --platform flat"
            if not simulated
            else "a simulated library, such as -m simgrid"
        )
        raise UsageError(f"-m '{found.label}' with --platform '{asked.platform}': that takes {need}")
    return found
