"""Where the ranks of a study run: here, on two hosts made of namespaces, or on a simulated platform."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.campaign.failure import failure_of, first_error
from ictus.cli.clocks.options import Asked
from ictus.cli.console import errors
from ictus.cli.execute import Tell
from ictus.cli.measure import heed
from ictus.cli.progress import Display
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.installation import Installation
from ictus.model.job import Job, Outcome
from ictus.model.library import parse_library
from ictus.mpi.build import build_core
from ictus.mpi.command import launch, on_one_host
from ictus.mpi.cores import usable_cores
from ictus.mpi.discover import discover, find
from ictus.mpi.namespace_launch import CLOCK, check_clock, check_machine
from ictus.mpi.preflight import preflight
from ictus.store.document import read_document

HERE = "here"
NAME = "clocks.json"


@dataclass(frozen=True)
class Place:
    """A library, its core, and how ranks are started with it."""

    installation: Installation
    program: Path
    launcher: str
    clock: str
    asked: Asked

    @property
    def one_counter(self) -> bool:
        """Whether all ranks can be expected to read one counter, so that errors are computed and not waited for."""
        return self.asked.on == HERE and on_one_host(os.environ)

    def measure(self, study: str, n_ranks: int, options: Mapping[str, str]) -> Mapping[str, Any]:
        """What one launch of `ictus-bench clocks STUDY` says: the object of its clocks.json.

        Raises UsageError for what the core refuses, MeasurementError where the launch fails.
        """
        with tempfile.TemporaryDirectory(prefix="ictus-clocks-") as name:
            folder = Path(name)
            given = {**options, "output": NAME}
            words = [f"--{key}={value}" for key, value in given.items()]
            job = Job(
                n_ranks=n_ranks,
                program=(str(self.program), "clocks", study, *words),
                folder=folder,
                timeout_s=self.asked.timeout_s,
                environment=self.asked.environment,
                pin=self.asked.pin,
                n_cores=usable_cores().n,
            )
            outcome = launch(self.installation, job, self.launcher)
            _check(outcome, folder, self.asked.timeout_s)
            return read_document(folder / NAME)


def _check(outcome: Outcome, folder: Path, timeout_s: float) -> None:
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
    launcher = _launcher(asked)
    clock = asked.clock or _default_clock(asked.on)
    if asked.on == Namespaces.name:
        check_clock(clock)
        check_machine()
    with Display(errors()).preparing() as tell:
        installation, program = _core(asked, tell)
    if asked.on == HERE:
        heed(preflight((installation,), max(asked.processes)))
    return Place(installation, program, launcher, clock, asked)


def _launcher(asked: Asked) -> str:
    if asked.on == HERE:
        return asked.launcher
    if asked.on == Namespaces.name:
        return Namespaces.name
    raise UsageError(f"--on '{asked.on}': expected here, namespaces or a simulated platform")


def _default_clock(on: str) -> str:
    return CLOCK if on == Namespaces.name else "tsc"


def _core(asked: Asked, tell: Tell) -> tuple[Installation, Path]:
    if asked.mpi is not None:
        request = parse_library(asked.mpi)
        found = find(request.which, request.label)
    else:
        installed = discover()
        if not installed:
            raise UsageError("no MPI found: `make setup` installs two, `ictus doctor` says what else can be done")
        found = installed[0]
    tell(f"core for {found.label} ({found.flavour} {found.version})")
    build = build_core(found, lambda text: tell(f"core for {found.label}: {text}"))
    return build.installation, build.program
