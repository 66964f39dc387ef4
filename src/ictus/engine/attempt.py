"""One try of one launch: its folder prepared, executed, recorded, checked. What comes of it is the runner's matter."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ictus.engine.failure import failure_of, first_error
from ictus.engine.in_force import not_in_force
from ictus.model.arguments import arguments_text
from ictus.model.case import case_table
from ictus.model.cvar import differing_cvars
from ictus.model.design import Design
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Outcome
from ictus.model.slot import Slot
from ictus.store.arrival import accept_launch
from ictus.store.document import read_object, write_document
from ictus.store.durable import make_folder, rename
from ictus.store.launch_record import LaunchRecord


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
class Interrupted:
    """The user ended the launch."""


@dataclass(frozen=True)
class Failed:
    """The launch came to nothing; `final` when another try would come to nothing too, `ran` when it ended well all the
    same: then it was no mistake in what was asked for.
    """

    reason: str
    final: bool
    ran: bool = False


Result = LaunchRecord | Failed | Interrupted


_USAGE = 2
"""Exit code of the core for a mistake in what was asked for."""


def attempt(design: Design, slot: Slot, folder: Path, execute: Execute) -> Result:
    """Run `slot` in `folder`, which is made anew, and accept what it wrote.

    On a LaunchRecord the folder is complete and on the disk. OSError when the disk refuses.
    """
    make_folder(folder)
    cases = case_table(design.cases)
    (folder / "arguments.txt").write_text(arguments_text(design.plan, slot, cases), "utf-8")
    try:
        outcome = execute(slot, folder)
    except KeyboardInterrupt:
        return Interrupted()
    except (MeasurementError, UsageError) as problem:
        return Failed(str(problem), final=isinstance(problem, UsageError))
    _record_command(folder, outcome, design.reference_cvars.get(slot.mpi))
    if outcome.interrupted:
        return Interrupted()
    reason = failure_of(outcome, folder, design.plan.timeout_s)
    if reason is not None:
        error = first_error(folder)
        # A mistake in the plan is the same the next time: the core says so by its exit code, and by its error file.
        return Failed(reason, final=outcome.exit_code == _USAGE or (error is not None and error.kind == "usage"))
    return _accepted(design, slot, folder)


def _accepted(design: Design, slot: Slot, folder: Path) -> Result:
    """A launch that ended well, checked and written."""
    try:
        ignored = not_in_force(folder, design.variant(slot.mpi, slot.algorithm))
        if ignored is not None:  # the library would ignore it the next time too
            return Failed(ignored, final=True, ran=True)
        return accept_launch(folder, slot, case_table(design.cases), validated=design.plan.validation)
    except (MeasurementError, UsageError) as problem:
        return Failed(str(problem), final=False)


def _record_command(folder: Path, outcome: Outcome, reference: Mapping[str, str] | None) -> None:
    """command.json: how the launch was started and ended, and which control variables are not as in a clean one."""
    write_document(
        folder / "command.json",
        {
            "command": list(outcome.command),
            "environment": dict(outcome.environment),
            "exit_code": outcome.exit_code,
            "timed_out": outcome.timed_out,
            "elapsed_s": outcome.elapsed_s,
            "differing_cvars": _differing(folder / "cvars.json", reference),
        },
    )


def _differing(path: Path, reference: Mapping[str, str] | None) -> dict[str, Any] | None:
    """Control variables that differ from the reference; None where there is none to compare, or none were written."""
    if reference is None or not path.exists():
        return None
    try:
        found = read_object(path)
    except MeasurementError:
        return None
    return differing_cvars(reference, {name: str(value) for name, value in found.get("cvars", {}).items()})


def set_aside(folder: Path, aside: Path) -> Path:
    """Move a launch that is not to be analysed under `aside`, where it is kept; returns its place."""
    make_folder(aside)
    name = folder.name.removesuffix(".partial")
    target = next(path for path in (aside / f"{name}.{number}" for number in range(1, 10**6)) if not path.exists())
    rename(folder, target)
    return target
