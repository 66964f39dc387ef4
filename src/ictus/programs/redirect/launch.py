"""One launch of a user's program with rerouted collectives, or unchanged."""

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ictus.model import redirect_variables
from ictus.model.errors import UsageError

if TYPE_CHECKING:
    from ictus.engine.event import Observer
    from ictus.launch.process import PassedStreams
    from ictus.model.job import Outcome
    from ictus.model.library import Installation
    from ictus.store.redirect import RedirectReport


@dataclass(frozen=True)
class RedirectedProgram:
    """A program with the library that can be loaded in front of it."""

    program: Path
    words: tuple[str, ...]
    """Its arguments."""
    profile: Path
    installation: "Installation"
    library: Path
    n: int
    variables: dict[str, str]
    pin: bool
    launcher: str
    timeout_s: float = math.inf


def read_profile(source: Path) -> Path:
    """The file or folder, absolute, which holds profiles that the library will understand: ours or PGMPITuneLib's.

    Raises:
        UsageError: it cannot be read, or holds none.
    """
    from ictus.programs.redirect.pgmpi import parse_profiles  # noqa: PLC0415

    parse_profiles((str(file), read_text(file)) for file in profile_files(source))
    return source.absolute()


def profile_files(source: Path) -> tuple[Path, ...]:
    """The file, or those of the folder that are named as PGMPITuneLib's are. UsageError where there is none."""
    if not source.is_dir():
        return (source,)
    found = tuple(sorted(source.glob("*.prf")))
    if not found:
        raise UsageError(f"there is no *.prf in '{source}'")
    return found


def read_text(file: Path) -> str:
    """The content of a file that the user named. UsageError where it cannot be read."""
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"profile '{file}' cannot be read: {reason}") from error


def prepare_redirect(
    words: Sequence[str],
    profile: Path,
    mpi: str | None,
    n: int,
    variables: dict[str, str],
    *,
    pin: bool,
    launcher: str,
    timeout_s: float = math.inf,
    observer: "Observer",
) -> RedirectedProgram:
    """Everything that a launch needs; all that can be wrong with it is an error here."""
    from ictus.mpi.build import build_redirect  # noqa: PLC0415
    from ictus.programs.program import find_program, prepare_library, warn_of_load  # noqa: PLC0415

    program = find_program(words[0])
    checked = read_profile(profile)
    installation, library = prepare_library(mpi, build_redirect, "redirect library", observer, program)
    warn_of_load(n, observer)
    return RedirectedProgram(
        program, tuple(words[1:]), checked, installation, library, n, variables, pin, launcher, timeout_s
    )


def launch_redirected(
    ready: RedirectedProgram, passed: "PassedStreams", *, reroutes: bool = True
) -> "tuple[Outcome, RedirectReport | None, tuple[str, ...]]":
    """Start it and wait for its end: the outcome, the library's report, and warnings about its environment."""
    from ictus.programs.program import launch_passed, program_job, with_library, with_preload  # noqa: PLC0415
    from ictus.store.redirect import RedirectReport  # noqa: PLC0415

    variables = with_library(ready.variables, ready.program, ready.library, ready.installation)
    with tempfile.TemporaryDirectory(prefix="ictus-redirect-") as folder:
        report = Path(folder) / "redirect.json"
        if reroutes:
            variables = {
                **with_preload(variables, ready.library),
                redirect_variables.PROFILE: str(ready.profile),
                redirect_variables.REPORT: str(report),
                redirect_variables.RANKS: str(ready.n),
            }
        job = program_job(ready.program, ready.words, ready.n, variables, pin=ready.pin, timeout_s=ready.timeout_s)
        outcome, warnings = launch_passed(ready.installation, job, ready.launcher, passed)
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
