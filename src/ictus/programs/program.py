"""Finds and checks a user's program, starts it with a library loaded before it, and passes its output on."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ictus.engine.backend import find_library
from ictus.engine.building import build_with_progress
from ictus.engine.event import Observer, WarningNote
from ictus.engine.obstacles import try_launcher
from ictus.launch.launchers import launcher
from ictus.launch.process import PassedStreams, run
from ictus.model.environment import UNSET
from ictus.model.errors import MeasurementError, OptionError, UsageError
from ictus.model.host_state import BUSY
from ictus.model.job import Job, Outcome
from ictus.model.library import Installation
from ictus.mpi.command import compose
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import usable_cores
from ictus.mpi.placed_job import placed_job, ranks_of_node
from ictus.mpi.preflight import busy_cores
from ictus.mpi.recognition import linked
from ictus.mpi.stages import Progress
from ictus.mpi.toolchain import compiler_of
from ictus.programs.request import ProgramRequest

Build = Callable[[Installation, Progress], Path]


_WATCH_S = 0.2
"""How long the load is watched before a program starts."""
_CORE_LIBRARIES = ("libmpi.so.", "libmpich.so.", "libmpi_abi.so.")
"""Beginnings of the names of the libraries that hold MPI itself; those of languages ask for one of them."""
_STARTERS = frozenset({"mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun", "srun"})
"""Programs that start ranks. As the program of a launch each rank would start ranks of its own."""


def find_program(name: str) -> Path:
    """The file of a program: as a path, or by its name in PATH, as a shell finds it.

    Raises:
        UsageError: there is none, it is not a program, or it is a launcher.
    """
    if Path(name).name in _STARTERS:
        raise UsageError(
            f"'{name}' is a launcher, and Ictus starts the ranks: name the program alone; -n says how many"
        )
    if "/" not in name:
        in_path = shutil.which(name)
        if in_path is None:
            hint = f"; './{name}' is here" if Path(name).is_file() else ""
            raise UsageError(f"program '{name}' is not in PATH{hint}")
        return Path(in_path).absolute()
    path = Path(name)
    if not path.exists():
        raise UsageError(f"program '{name}' does not exist")
    if path.is_dir() or not os.access(path, os.X_OK):
        raise UsageError(f"'{name}' is not a program: it is {'a folder' if path.is_dir() else 'not executable'}")
    return path.absolute()


def check_program(program: Path, preload: Path, installation: Installation) -> None:
    """UsageError where `preload`, built for `installation`, cannot work in front of `program`: it is linked against
    another MPI library, or statically. Of scripts and of what finds its MPI later nothing is known.
    """
    _check_linked(program, _mpi_of(preload), installation)


def _check_linked(program: Path, own_libraries: set[str], installation: Installation) -> None:
    about = linked(program)
    if about is None:
        return
    if about.static:
        raise UsageError(f"'{program}' is statically linked: nothing can be loaded in front of it")
    its = _mpi_of(program)
    if its and own_libraries and not its <= own_libraries:
        raise UsageError(
            f"'{program}' is linked against {', '.join(sorted(its))}, {installation.label} ({installation.flavour} "
            f"{installation.version}) is {', '.join(sorted(own_libraries))}: name the library that it was built with "
            f"(-m); `ictus mpi list` shows those that are here"
        )


def _linked_by(installation: Installation) -> set[str]:
    """The libraries that the wrapper links with, by an empty library that it makes; none where it makes none."""
    compiler = compiler_of(installation)
    with tempfile.TemporaryDirectory(prefix="ictus-exec-") as folder:
        made = Path(folder) / "empty.so"
        words = ("-shared", "-fPIC", "-Wl,--no-as-needed", "-x", "c++", os.devnull, "-o", str(made))
        subprocess.run((installation.compiled_by, *words), env=compiler.environment, capture_output=True, check=False)
        return _mpi_of(made)


def _mpi_of(file: Path) -> set[str]:
    about = linked(file)
    return set() if about is None else {name for name in about.libraries if name.startswith(_CORE_LIBRARIES)}


def with_preload(variables: Mapping[str, str], preload: Path) -> dict[str, str]:
    """`variables` of the ranks, with `preload` before the libraries that they or the shell preload already."""
    others = variables.get("LD_PRELOAD", os.environ.get("LD_PRELOAD", ""))
    return {**variables, "LD_PRELOAD": str(preload) if others in ("", UNSET) else f"{preload}:{others}"}


def with_library(
    variables: Mapping[str, str], program: Path, preload: Path, installation: Installation
) -> dict[str, str]:
    """`variables` of the ranks, with the folder of the MPI library in LD_LIBRARY_PATH where the loader would not find
    the one that `program` asks for (IMB of Intel's wheel says nowhere where it is): the folder that `preload`, built
    for `installation`, has it from. What the ranks would have had for LD_LIBRARY_PATH stays in front.
    """
    about = linked(preload)
    environment = launch_environment(installation, {}, variables).variables
    missing = _missing(program, environment) & _mpi_of(program)
    folders = () if about is None else about.folders
    library_folder = next((folder for folder in folders for name in missing if (Path(folder) / name).is_file()), None)
    if library_folder is None:
        return dict(variables)
    search_path = environment.get("LD_LIBRARY_PATH", "")
    return {**variables, "LD_LIBRARY_PATH": f"{search_path}:{library_folder}" if search_path else library_folder}


def _missing(program: Path, environment: Mapping[str, str]) -> set[str]:
    """Libraries that the loader does not find for `program`, by its own word; the program itself does not start."""
    if linked(program) is None:
        return set()
    tracing = {**environment, "LD_TRACE_LOADED_OBJECTS": "1"}
    listed = subprocess.run((program,), env=tracing, capture_output=True, text=True, errors="replace", check=False)
    return set(re.findall(r"^\s*(\S+) => not found$", listed.stdout, re.MULTILINE))


def program_job(
    program: Path, request: ProgramRequest, installation: Installation, variables: Mapping[str, str]
) -> Job:
    """A launch of a user's program in the folder where we are, its ranks with these variables."""
    job = Job(
        n_ranks=request.n,
        program=(str(program), *request.words[1:]),
        folder=Path.cwd(),
        timeout_s=request.timeout_s,
        environment=variables,
        pin=request.pin,
    )
    return placed_job(job, installation, request.launcher, request.size, request.map_by)


def launch_passed(
    installation: Installation, job: Job, launcher_name: str, passed: PassedStreams
) -> tuple[Outcome, tuple[str, ...]]:
    """Start `job`, its output passed on, and wait for its end; also the warnings of its environment. The folder of the
    job is where it runs.

    Raises:
        UsageError: the launcher is unknown.
        MeasurementError: it cannot be started.
    """
    with launcher(launcher_name).hosts() as hosts:
        placed = job if hosts is None else replace(job, hosts=hosts.first(job.nodes))
        command = compose(installation, placed, launcher_name)
        outcome = run(
            command.tokens, command.environment, job.folder, job.timeout_s, command.changed_variables, passed=passed
        )
    return replace(outcome, steering=command.steering), command.warnings


def check_launch(launcher_name: str, folder: Path | None = None, option: str = "") -> None:
    """What is wrong with a launch is said before a library is built: an unknown launcher, and a folder of this option
    that could not be made or written to; it is not made yet. Raises UsageError.
    """
    launcher(launcher_name)
    if folder is None:
        return
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    make_folder(folder, option)
    for new_folder in missing:
        new_folder.rmdir()


def make_folder(folder: Path, option: str) -> None:
    """Make the folder that an option names; OptionError where that is refused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError((option, str(folder), f"it cannot be created: {error.strerror}")) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OptionError((option, str(folder), "it cannot be written to"))


def prepare_library(
    mpi: str | None, build: "Build", what: str, observer: Observer, program: Path
) -> "tuple[Installation, Path]":
    """The library that `mpi` names (None: the first that is found), and what `build` makes for it, called `what`. A
    program of another library is refused before the minute that building may take.

    Raises:
        UsageError: there is no such library, or the program is not linked with it.
        MeasurementError: it does not build.
    """
    installation = find_library(mpi)
    if linked(program) is not None and not flavour(installation.flavour).simulated:
        _check_linked(program, _linked_by(installation), installation)
    made = build_with_progress(build, installation, what, observer)
    check_program(program, made, installation)
    return installation, made


def warn_before(request: ProgramRequest, installation: Installation, observer: Observer) -> None:
    """Warnings, before the launch, where another launcher than the one that was asked for starts the library, and where
    others use the cores of this host that the ranks need: waiting for each other they may take a hundred times as long.
    MeasurementError where the launcher cannot start the library.
    """
    try_launcher(installation, request.launcher, observer)
    n = ranks_of_node(request.size, request.launcher)
    busy, cores = busy_cores(watch_s=_WATCH_S), usable_cores().n
    if busy is not None and busy > BUSY and n + busy > cores:
        observer(
            WarningNote(
                f"other processes use {busy:.1f} of {cores} cores: the {n} ranks take turns with them and may take "
                f"many times as long; stop the other processes first, or give fewer ranks (-n)"
            )
        )


def check_end(outcome: "Outcome", timeout_s: float) -> None:
    """MeasurementError where the program was not left to end by itself."""
    if outcome.interrupted:
        raise MeasurementError("stopped; all ranks are ended")
    if outcome.timed_out:
        raise MeasurementError(f"--timeout {timeout_s:g}s: the program had not ended by then; all ranks are ended")


def exit_code(outcome: "Outcome") -> int:
    """The launcher's, as a shell would give it."""
    code = outcome.exit_code or 0
    return 128 - code if code < 0 else code
