"""One attempt at a launch of a campaign: prepares its folder, executes and checks it, and explains a failure.

MPI_T control variables are compared with a reference from a clean environment, because MPI_T knows no defaults.
"""

import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

from ictus.engine.in_force import not_in_force
from ictus.model.arguments import arguments_text
from ictus.model.case import case_table
from ictus.model.design import Design, Slot
from ictus.model.document import Document
from ictus.model.errors import IctusError, LaunchTimeout, MeasurementError, UsageError
from ictus.model.job import Outcome
from ictus.model.job_size import JobSize
from ictus.model.launch_factor import MAP_BY, value_in
from ictus.model.placement import misplaced
from ictus.mpi.failure_cause import quoted_cause, with_steering
from ictus.store.arrival import Arrival, accept_launch
from ictus.store.document import write_document
from ictus.store.durable import make_folder, rename
from ictus.store.launch_files import COMMAND, CONTROL_VARIABLES, CommandDocument, control_variables
from ictus.store.placement import placement_request, places_of


class Execute(Protocol):
    """Starts the core for one slot and waits for its end.

    `folder` holds arguments.txt and receives all that the core, its ranks and their launcher write. Ctrl-C ends the
    launch; it may be reported as `Outcome.interrupted` or raised as KeyboardInterrupt. MeasurementError says that the
    launch could not even be started, UsageError that no try can succeed.
    """

    def __call__(self, slot: Slot, folder: Path) -> Outcome:
        """Run one launch to its end."""
        ...


@dataclass(frozen=True)
class LaunchInterruption:
    """The user ended the launch."""


@dataclass(frozen=True)
class LaunchFailure:
    """The launch failed; `final` when another attempt would fail too, `ran` when it ended well all the same: then the
    request was no mistake.
    """

    reason: str
    final: bool
    ran: bool = False
    timed_out: bool = False

    def error(self) -> IctusError:
        """As an error: UsageError for a mistake in the request."""
        if self.timed_out:
            return LaunchTimeout(self.reason)
        return UsageError(self.reason) if self.final and not self.ran else MeasurementError(self.reason)


Result = Arrival | LaunchFailure | LaunchInterruption


_USAGE = 2
"""Exit code of the core for a mistake in the request."""


def attempt(design: Design, slot: Slot, folder: Path, execute: Execute) -> Result:
    """Run `slot` in `folder`, which is made anew, and accept what it wrote.

    On an Arrival the folder is complete and on the disk. OSError when the disk refuses.
    """
    make_folder(folder, within=folder.parent)
    cases = case_table(design.cases)
    (folder / "arguments.txt").write_text(arguments_text(design.plan, slot, cases), "utf-8")
    try:
        outcome = execute(slot, folder)
    except KeyboardInterrupt:
        return LaunchInterruption()
    except (MeasurementError, UsageError) as problem:
        return LaunchFailure(str(problem), final=isinstance(problem, UsageError))
    record_command(folder, outcome, design.reference_cvars.get(slot.mpi))
    result = judged(outcome, folder, design.plan.timeout_s)
    if result is not None:
        return result
    accepted = _accepted(design, slot, folder)
    if isinstance(accepted, LaunchFailure):
        return replace(accepted, reason=with_steering(accepted.reason, outcome.steering))
    return replace(accepted, hung_in=hung_in(outcome, folder)) if isinstance(accepted, Arrival) else accepted


def judged(outcome: Outcome, folder: Path, timeout_s: float) -> LaunchFailure | LaunchInterruption | None:
    """How a launch of the core ended; None where it ended well."""
    if outcome.interrupted:
        return LaunchInterruption()
    reason = failure_of(outcome, folder, timeout_s)
    if reason is None:
        return None
    error = first_error(folder)
    # A mistake in what was asked for is the same the next time: the core says so by its exit code, and its error file.
    final = outcome.exit_code == _USAGE or (error is not None and error.kind == "usage")
    return LaunchFailure(reason, final=final, timed_out=outcome.timed_out)


def _accepted(design: Design, slot: Slot, folder: Path) -> Result:
    """A launch that ended well, checked and written."""
    try:
        ignored = not_in_force(folder, design.variant(slot.mpi, slot.algorithm))
        if ignored is not None:  # the library would ignore it the next time too
            return LaunchFailure(ignored, final=True, ran=True)
        arrival = accept_launch(folder, slot, case_table(design.cases), validated=design.plan.validation)
        size = JobSize(slot.n, slot.nodes, slot.ppn)
        map_by = value_in(design.plan, design.variant(slot.mpi, slot.algorithm), MAP_BY)
        requested = placement_request(arrival.record.head.launcher, size, map_by, design.plan.pin)
        elsewhere = misplaced(requested, places_of(arrival.record))
        return arrival if elsewhere is None else LaunchFailure(elsewhere, final=True, ran=True)
    except (MeasurementError, UsageError) as problem:
        return LaunchFailure(str(problem), final=False)


def record_command(folder: Path, outcome: Outcome, reference: Mapping[str, str] | None) -> None:
    """command.json: how the launch was started and ended, and which control variables are not as in a clean one."""
    write_document(
        folder / COMMAND,
        CommandDocument(
            command=outcome.command,
            environment=dict(outcome.environment),
            exit_code=outcome.exit_code,
            timed_out=outcome.timed_out,
            hung_in=hung_in(outcome, folder),
            elapsed_s=outcome.elapsed_s,
            differing_cvars=_differing(folder, reference),
        ),
    )


def _differing(folder: Path, reference: Mapping[str, str] | None) -> dict[str, Any] | None:
    """Control variables that differ from the reference; None where there is none to compare, or none were written."""
    if reference is None or not (folder / CONTROL_VARIABLES).exists():
        return None
    try:
        return differing_cvars(reference, control_variables(folder))
    except MeasurementError:
        return None


def set_aside(folder: Path, aside: Path) -> Path:
    """Move a launch that is not to be analysed under `aside`, where it is kept; returns its place."""
    make_folder(aside, within=aside.parent)
    name = folder.name.removesuffix(".partial")
    target = next(path for path in (aside / f"{name}.{number}" for number in range(1, 10**6)) if not path.exists())
    rename(folder, target)
    return target


class RankError(Document):
    """error.RANK.json: what one rank said before it ended the launch."""

    FILE: ClassVar = "error.RANK.json"
    VERSIONED: ClassVar = False

    rank: int
    """-1 where it crashed before it knew."""
    time_s: float
    host: str = "unknown"
    kind: str = "measurement"
    """`usage` (the request is impossible, so that another attempt is useless), `measurement`, `crash` (a signal), or
    `ended` (what it was doing when the launch was ended, which tells a cause of time-outs alone)."""
    message: str

    def __str__(self) -> str:
        who = "a rank" if self.rank < 0 else f"rank {self.rank}"
        return f"{who} on {self.host}: {self.message}"


def first_error(folder: Path) -> RankError | None:
    """The earliest complaint of a rank, None when no rank left a readable one."""
    errors = [error for path in folder.glob("error.*.json") if (error := _rank_error(path)) is not None]
    return min(errors, key=lambda error: (error.time_s, error.rank), default=None)


def failure_of(outcome: Outcome, folder: Path, timeout_s: float) -> str | None:
    """The failure of a launch, from its outcome and its errors, with the variables that steered its library; None
    without one.
    """
    error = first_error(folder)
    if error is not None and error.kind == "ended" and not outcome.timed_out:
        error = None  # it was ended because of something else
    if error is not None and error.kind == "usage" and not outcome.timed_out:
        return str(error)
    if outcome.hung and error is None:
        return None  # its results are whole
    reason = _reason(outcome, error, folder, timeout_s)
    return None if reason is None else with_steering(reason, outcome.steering)


FINALIZE = "MPI_Finalize"
FINALIZE_OR_LAUNCHER = "MPI_Finalize or its launcher"
"""What is left to hang in when all results are written."""


def hung_in(outcome: Outcome, folder: Path) -> str | None:
    """Where a launch hung whose results were written: FINALIZE where a rank said so when it was ended, else
    FINALIZE_OR_LAUNCHER: ranks were killed at once, or had ended. None for one that did not hang.
    """
    if not outcome.hung:
        return None
    rank_errors = (error for path in folder.glob("error.*.json") if (error := _rank_error(path)) is not None)
    return (
        FINALIZE
        if any(rank_error.kind == "ended" and FINALIZE in rank_error.message for rank_error in rank_errors)
        else FINALIZE_OR_LAUNCHER
    )


def _reason(outcome: Outcome, error: RankError | None, folder: Path, timeout_s: float) -> str | None:
    if outcome.timed_out:
        cause = f"; {error}" if error is not None else quoted_cause(folder, silent="")
        return f"did not end within {timeout_s:g} s (option timeout) and was ended{cause}"
    if outcome.stuck:
        return f"it failed, its launcher did not end, and was ended{quoted_cause(folder)}"
    if error is not None:
        # A library that aborts says why on standard error; after SIGKILL of one rank, only the launcher knows of it.
        return f"{error}{quoted_cause(folder)}" if error.kind == "crash" else str(error)
    if outcome.exit_code is not None and outcome.exit_code < 0:
        return f"its launcher was ended by {_signal_name(-outcome.exit_code)}{quoted_cause(folder)}"
    if outcome.exit_code != 0:
        return f"ended with exit code {outcome.exit_code}{quoted_cause(folder)}"
    return None


def _signal_name(number: int) -> str:
    """`SIGKILL`; the number of one without a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _rank_error(path: Path) -> RankError | None:
    try:
        return RankError.read(path)
    except MeasurementError:  # cut short when its rank was killed: another one tells more
        return None


def differing_cvars(reference: Mapping[str, str], measured: Mapping[str, str]) -> dict[str, dict[str, str | None]]:
    """Variables whose value differs, as `{name: {"reference": ..., "found": ...}}`, by name; None: not there at all."""
    return {
        name: {"reference": reference.get(name), "found": measured.get(name)}
        for name in sorted({*reference, *measured})
        if reference.get(name) != measured.get(name)
    }
