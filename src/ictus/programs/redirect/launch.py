"""One launch of a user's program with rerouted collectives, or unchanged."""

import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.engine.event import Observer
from ictus.launch.process import PassedStreams
from ictus.model import redirect_variables
from ictus.model.errors import UsageError
from ictus.model.input_file import named_text
from ictus.model.job import Outcome
from ictus.model.library import Installation
from ictus.model.plugin import Plugin
from ictus.mpi.build import build_redirect
from ictus.mpi.operation_library import digest_of, operation_library
from ictus.programs.program import (
    check_launch,
    find_program,
    launch_passed,
    prepare_library,
    program_job,
    warn_before,
    with_library,
    with_preload,
)
from ictus.programs.redirect.pgmpi import parse_profiles
from ictus.programs.redirect.profile import RedirectProfile
from ictus.programs.request import ProgramRequest
from ictus.store.redirect import RedirectReport


@dataclass(frozen=True)
class RedirectedProgram:
    """A program with the library that can be loaded in front of it."""

    program: Path
    request: ProgramRequest
    profile: Path
    installation: "Installation"
    library: Path
    plugins: tuple[Path, ...] = ()
    """Files that the profile may name."""


def read_profile(source: Path) -> "RedirectProfile":
    """What the library will understand of a file or folder: profiles of ours or PGMPITuneLib's.

    Raises:
        UsageError: it cannot be read, or holds none.
    """
    return parse_profiles((str(file), read_text(file)) for file in profile_files(source)).profile


def check_plugins(profile: "RedirectProfile", source: Path, libraries: Mapping[Path, Path]) -> None:
    """UsageError where a profile, which may be a stranger's, names plug-ins that are none of the user's: shared
    libraries, by the files that the user named.
    """
    named = {file: digest_of(Plugin(str(library))) for file, library in libraries.items()}
    for plugin in profile.plugins:
        if plugin.sha256 not in named.values():
            files = ", ".join(f"{file} of another content (SHA-256 {digest})" for file, digest in named.items())
            advice = f"; --plugin names {files}" if files else ""
            raise UsageError(
                f"'{source}' would run operation '{plugin.name}' of a plug-in that you have not named: {plugin.path}, "
                f"SHA-256 {plugin.sha256[:12]}...{advice}\n"
                f"If you trust it, add --plugin {shlex.quote(plugin.path)}"
            )


def profile_files(source: Path) -> tuple[Path, ...]:
    """The file, or those of the folder that are named as PGMPITuneLib's are. UsageError where there is none."""
    if not source.is_dir():
        return (source,)
    paths = tuple(sorted(source.glob("*.prf")))
    if not paths:
        raise UsageError(f"there is no *.prf in '{source}'")
    return paths


def read_text(file: Path) -> str:
    """The content of a file that the user named. UsageError where it cannot be read."""
    return named_text(file, "profile")


def prepare_redirect(
    request: ProgramRequest, profile: Path, plugins: Sequence[Path], observer: "Observer"
) -> RedirectedProgram:
    """Everything that a launch needs; all that can be wrong with it is an error here."""
    program = find_program(request.words[0])
    check_launch(request.launcher)
    redirect_profile = read_profile(profile)
    if not plugins:
        check_plugins(redirect_profile, profile, {})
    installation, library = prepare_library(request.mpi, build_redirect, "redirect library", observer, program)
    libraries = {
        plugin: operation_library(installation, Plugin(str(plugin)), lambda _: None).absolute() for plugin in plugins
    }
    check_plugins(redirect_profile, profile, libraries)
    warn_before(request, installation, observer)
    return RedirectedProgram(program, request, profile.absolute(), installation, library, tuple(libraries.values()))


def launch_redirected(
    ready: RedirectedProgram, passed: "PassedStreams", *, reroutes: bool = True
) -> "tuple[Outcome, RedirectReport | None, tuple[str, ...]]":
    """Start it and wait for its end: the outcome, the library's report, and warnings about its environment."""
    request = ready.request
    variables = with_library(request.environment, ready.program, ready.library, ready.installation)
    with tempfile.TemporaryDirectory(prefix="ictus-redirect-") as folder:
        report = Path(folder) / "redirect.json"
        if reroutes:
            variables = {
                **with_preload(variables, ready.library),
                redirect_variables.PROFILE: str(ready.profile),
                redirect_variables.REPORT: str(report),
                redirect_variables.RANKS: str(request.n),
                **redirect_variables.plugins(ready.plugins),
            }
        job = program_job(ready.program, request, ready.installation, variables)
        outcome, warnings = launch_passed(ready.installation, job, request.launcher, passed)
        return outcome, RedirectReport.read(report) if report.is_file() else None, warnings


def remarks_on(report: "RedirectReport | None", outcome: "Outcome") -> tuple[str, ...]:
    """Remarks for the user on a launch with rerouting."""
    failed = outcome.exit_code != 0
    if report is None:
        return (
            ()
            if failed
            else ("no MPI_Init was seen, no call was rerouted: the program uses no MPI, or brings its own",)
        )
    if not report.finalised:
        return () if failed else ("the program ended without MPI_Finalize: nothing is known of its calls",)
    return report.warnings
