"""Starts a user's MPI program with its barriers replaced or its collectives rerouted."""

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.engine.event import Observer, log
from ictus.launch.launchers import with_hosts
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.process import PassedStreams
from ictus.model.errors import OptionError, UsageError
from ictus.model.job import Outcome
from ictus.model.job_size import ANYWHERE, MAPPINGS
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.mpi.build import build_preload
from ictus.programs.exit_skew import ExitSkew, summarise_exits
from ictus.programs.preload import PreloadReport, read_exits
from ictus.programs.program import (
    check_end,
    check_launch,
    exit_code,
    find_program,
    launch_passed,
    make_folder,
    prepare_library,
    program_job,
    warn_before,
    with_library,
    with_preload,
)
from ictus.programs.redirect.launch import launch_redirected, prepare_redirect, remarks_on
from ictus.programs.request import ProgramRequest
from ictus.store.redirect import RedirectReport


@dataclass(frozen=True)
class ProgramResult:
    """How a program ended, and what became of its calls."""

    exit_code: int
    """The launcher's, as a shell would give it."""
    command: tuple[str, ...]
    elapsed_s: float
    """From the start of the launch to its end, seconds."""
    report: PreloadReport | RedirectReport | None
    """What the library in front of it counted; None where no MPI_Init was seen."""
    exit_skew: tuple[ExitSkew, ...]
    """How far apart processes left their barriers, where that was logged."""
    warnings: tuple[str, ...]
    redirected: bool


@dataclass(frozen=True)
class CallReplacement:
    """What becomes of a program's barriers, or with `redirect` of its other calls."""

    procsync: str | None = None
    redirect: Path | None = None
    plugins: tuple[Path, ...] = ()
    """Plug-ins that the redirect profile may name."""
    log_folder: Path | None = None
    """Where it is kept when each process left each barrier."""


def exec_program(
    program: Sequence[str],
    *,
    mpi: str | None = None,
    n: int = 2,
    procsync: str | None = None,
    redirect: Path | str | None = None,
    plugins: Sequence[Path | str] = (),
    log_folder: Path | str | None = None,
    environment: Mapping[str, str] | None = None,
    pin: bool = True,
    launcher: str = Mpiexec.name,
    nodes: int = ANYWHERE,
    ppn: int = ANYWHERE,
    map_by: str = MAPPINGS[0],
    hosts: Path | str | None = None,
    timeout_s: float = math.inf,
    output: int | None = None,
    observer: Observer = log,
) -> ProgramResult:
    """Run a program with MPI, barriers or collectives replaced, as `ictus exec` does; wait for its end.

    Args:
        program: the program, as a path or by its name in PATH, and its arguments.
        mpi: the library that it was built with, by label, flavour or wrapper; the first that is found.
        n: number of processes.
        procsync: what replaces a barrier (`ictus list procsync`); harmonize.
        redirect: instead of barriers, calls are replaced: a profile, or a folder of `*.prf`.
        plugins: libraries or sources of plug-ins that the profile may name; others are not loaded.
        log_folder: keep when each process left each barrier here.
        environment: variables of its ranks.
        pin: whether ranks are placed on cores.
        launcher: how ranks are started: a name of `ictus list launcher`.
        nodes: number of nodes; left out, the launcher decides.
        ppn: processes on each node; with `nodes`, `n` follows.
        map_by: what consecutive ranks take in turn: core, socket or node.
        hosts: a file with one host per line, for the launchers mpiexec, ssh and a template.
        timeout_s: all ranks are ended after this number of seconds.
        output: file descriptor that its standard output goes to; None: that of this process.
        observer: receives what is prepared; by default it goes to the logger `ictus`.

    Raises:
        UsageError: there is no such program, it is linked against another library, or an option is wrong.
        MeasurementError: a library does not build, the program cannot be started, or it was stopped.
    """
    started = with_hosts(launcher, None if hosts is None else Path(hosts))
    request = ProgramRequest(program, mpi, n, environment or {}, pin, started, timeout_s, nodes, ppn, map_by).agreed()
    calls = CallReplacement(
        procsync,
        None if redirect is None else Path(redirect),
        tuple(map(Path, plugins)),
        None if log_folder is None else Path(log_folder),
    )
    return run_replaced(request, calls, PassedStreams(output), observer)


def run_replaced(
    request: ProgramRequest, calls: CallReplacement, passed: PassedStreams, observer: Observer
) -> ProgramResult:
    """`exec_program` of what a request says."""
    if not request.words:
        raise UsageError("exec: no program")
    if calls.redirect is not None:
        if calls.procsync is not None or calls.log_folder is not None:
            raise UsageError("--redirect leaves barriers alone: without --procsync and --log")
        return _redirected(request, calls.redirect, calls.plugins, passed, observer)
    if calls.plugins:
        raise UsageError("--plugin: only a redirect profile names plug-ins; add --redirect PROFILE")
    return _with_barriers(request, calls.procsync or "harmonize", calls.log_folder, passed, observer)


def _redirected(
    request: ProgramRequest, profile: Path, plugins: Sequence[Path], passed: PassedStreams, observer: Observer
) -> ProgramResult:
    ready = prepare_redirect(request, profile, plugins, observer)
    outcome, calls, warnings = launch_redirected(ready, passed)
    check_end(outcome, request.timeout_s)
    return _result(outcome, calls, (), (*warnings, *remarks_on(calls, outcome)), redirected=True)


def _with_barriers(
    request: ProgramRequest, procsync: str, folder: Path | None, passed: PassedStreams, observer: Observer
) -> ProgramResult:
    file = find_program(request.words[0])
    check_start(_start(procsync))
    check_launch(request.launcher, folder, "log")
    installation, preload = prepare_library(request.mpi, build_preload, "preload library", observer, file)
    if folder is not None:
        make_folder(folder, "log")
    warn_before(request, installation, observer)
    with tempfile.TemporaryDirectory(prefix="ictus-exec-") as name:
        report_file = Path(name) / "preload.json"
        variables = {
            **with_preload(with_library(request.environment, file, preload, installation), preload),
            "ICTUS_PROCSYNC": procsync,
            "ICTUS_PRELOAD_RANKS": str(request.n),
            "ICTUS_PRELOAD_REPORT": str(report_file),
            **({} if folder is None else {"ICTUS_PRELOAD_LOG": str(folder.absolute())}),
        }
        job = program_job(file, request, installation, variables)
        outcome, warnings = launch_passed(installation, job, request.launcher, passed)
        check_end(outcome, request.timeout_s)
        report = PreloadReport.read(report_file) if report_file.is_file() else None
    counted = report is not None and report.finalised
    skews = summarise_exits(read_exits(folder), report) if counted and report is not None and folder is not None else ()
    return _result(outcome, report, tuple(skews), (*warnings, *_remarks(report, outcome)), redirected=False)


def _result(
    outcome: Outcome,
    report: PreloadReport | RedirectReport | None,
    skews: tuple[ExitSkew, ...],
    warnings: tuple[str, ...],
    *,
    redirected: bool,
) -> ProgramResult:
    return ProgramResult(
        exit_code(outcome), tuple(outcome.command), outcome.elapsed_s, report, skews, warnings, redirected
    )


def _start(procsync: str) -> Spec:
    try:
        return Registries.load().check("procsync", procsync)
    except UsageError as error:
        raise OptionError(("procsync", procsync, str(error))) from error


_CASE_ENDING = ("window-adaptive", "round-time")
"""Starts that decide when a case is over, in native/src/preload/settings.cpp: another program has no cases."""


def check_start(start: Spec) -> None:
    """UsageError, before anything is built, for a start that the preload library would refuse."""
    if start.name in _CASE_ENDING:
        reason = "it cannot replace a barrier, because it decides when a case ends, and a user's program has no cases"
        raise OptionError(("procsync", start.name, reason))
    for argument in start.arguments:
        if argument.key == "size" and str(argument.value) == "auto":
            reason = (
                f"size=auto follows the latency of the case, and a user's program has no cases; give a size, such as "
                f"{start.name}(size=100us)"
            )
            raise OptionError(("procsync", start.name, reason))
        if isinstance(argument.value, Spec):
            check_start(argument.value)


def _remarks(report: PreloadReport | None, outcome: Outcome) -> Iterator[str]:
    failed = outcome.exit_code != 0
    if report is None and not failed:
        yield (
            "no MPI_Init was seen, no barrier was replaced: the program uses no MPI, brings its own, or runs where its "
            "report cannot be read (--log FOLDER on a file system that all hosts share)"
        )
    if report is not None and not report.finalised and not failed:
        yield "the program ended without MPI_Finalize: its barriers were replaced, but nothing is known of them"
    if report is not None:
        yield from report.warnings
