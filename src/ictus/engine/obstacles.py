"""What stands in the way of launches, told before the first one."""

from collections.abc import Sequence

from ictus.engine.event import Observer, WarningNote
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import MeasurementError
from ictus.model.library import Installation
from ictus.mpi.plugin import plugin_for
from ictus.mpi.preflight import Finding


def try_launcher(installation: Installation, launcher: str, observer: Observer) -> None:
    """MeasurementError for a library that this launcher cannot start; a warning where the library's own does instead,
    which binds and places ranks by rules of its own.
    """
    if plugin_for(installation, launcher) == Mpiexec.name:
        observer(
            WarningNote(
                f"{installation.label}: its own {Mpiexec.name} starts it inside the allocation, since no plug-in of "
                f"{launcher} does; `ictus doctor --launcher {launcher}` says why"
            )
        )


def report_findings(findings: Sequence[Finding], observer: Observer) -> None:
    """Report obstacles; MeasurementError where launches would fail."""
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        raise MeasurementError("; ".join(f"{finding.subject}: {finding.message}" for finding in errors))
    for finding in findings:
        if finding.level == "warning":
            observer(WarningNote(f"{finding.subject}: {finding.message}"))
