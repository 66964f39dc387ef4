"""Launches of the program as it is and with a remedy, in pairs of random order; kept, and continued after an
interruption.

Where the remedy needs no library in front of the program, calls are counted in both: then the time inside the mended
calls is known too. The redirect library takes calls before they could be counted, so there the run time stands alone.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from ictus.advice.calls import MESSAGE_CALLS, MESSAGES, CallPlace
from ictus.engine.attempt import LaunchFailure, LaunchInterruption
from ictus.engine.document_loop import DocumentLoop, EndedLaunch
from ictus.engine.event import Observer, StudyLaunchStarted
from ictus.engine.in_force import wrong_control_variables
from ictus.engine.launch_loop import launch_folder
from ictus.launch.process import PassedStreams
from ictus.model import redirect_variables
from ictus.model.algorithm import Setting
from ictus.model.document import Document
from ictus.model.errors import IctusError, MeasurementError
from ictus.model.job import Outcome
from ictus.model.library import Installation
from ictus.mpi.failure_cause import with_steering
from ictus.programs.launch_pairs import PairedLaunch, draw_pairs
from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.program import launch_passed, program_job, with_library, with_preload
from ictus.programs.request import ProgramRequest
from ictus.store.document import version, write_document
from ictus.store.durable import make_folder
from ictus.store.launch_files import CONTROL_VARIABLES
from ictus.store.redirect import RedirectReport

CONTROL_VARIABLES_ASKED = "ICTUS_PROFILE_CVARS"
"""The variable that names the file for the control variables of the program's rank 0."""


class NotInForce(MeasurementError):
    """The program's own launches show that a remedy is not in force in them."""


class ProgramTimes(Document):
    """What one launch of the program took."""

    FILE: ClassVar = "program.json"

    pair: int
    """From 0; -1 is the warm-up, which does not count."""
    remedied: bool
    run_s: float
    """From the start of the launch to its end."""
    calls_s: float | None = None
    """Inside the mended calls, mean over the processes; None where a library takes them before they are counted."""
    calls_rerouted: int = 0
    """Of all processes, by the report of that library."""


@dataclass(frozen=True)
class AdvisedProgram:
    """A program that is launched again and again, and all that a launch of it needs."""

    file: Path
    request: ProgramRequest
    installation: Installation
    counter: Path
    """libictus-profile.so, built for the library."""


@dataclass(frozen=True)
class RemedyTrial:
    """A remedy to be tried in a program."""

    program: AdvisedProgram
    place: CallPlace
    """The calls that it mends."""
    setting: Setting
    """What puts it in force."""
    pairs: int
    seed: int
    """Decides which of a pair comes first."""


def is_counted(setting: Setting) -> bool:
    """Whether calls can be counted with this remedy in force; else they are in none of the launches, so that both sides
    are alike.
    """
    return redirect_variables.PROFILE not in setting.environment


def launch_program(
    program: AdvisedProgram, setting: Setting | None, folder: Path, *, counted: bool
) -> Outcome | LaunchFailure | LaunchInterruption:
    """Launch the program with a setting in force, or as it is (None); `folder` gets its output, its counters and its
    control variables, or the report of what was rerouted. A failure where it does not end well in time.
    """
    request = program.request
    variables = {**request.environment, **({} if setting is None else setting.environment)}
    variables = with_library(variables, program.file, program.counter, program.installation)
    settings = {"ICTUS_PROFILE": str(folder.absolute()), "ICTUS_PROFILE_RANKS": str(request.n)}
    if not counted:
        report = str((folder / RedirectReport.FILE).absolute())
        settings = {redirect_variables.REPORT: report, redirect_variables.RANKS: str(request.n)}
    else:
        settings[CONTROL_VARIABLES_ASKED] = str((folder / CONTROL_VARIABLES).absolute())
    variables = {**(with_preload(variables, program.counter) if counted else variables), **settings}
    job = replace(
        program_job(program.file, request, program.installation, variables),
        launcher_options=() if setting is None else setting.options,
    )
    with (folder / "stdout.txt").open("wb") as output_file:
        try:
            outcome, _ = launch_passed(program.installation, job, request.launcher, PassedStreams(output_file.fileno()))
        except KeyboardInterrupt:
            return LaunchInterruption()
    if outcome.interrupted:
        return LaunchInterruption()
    side = "as it is" if setting is None else "with the remedy in force"
    if outcome.timed_out:
        return LaunchFailure(f"the program {side} had not ended after {request.timeout_s:g} s", final=True, ran=True)
    if outcome.exit_code != 0:
        reason = with_steering(f"the program ended with {outcome.exit_code} {side}", outcome.steering)
        return LaunchFailure(reason, final=True, ran=True)
    return outcome


def try_remedy(trial: RemedyTrial, folder: Path, observer: Observer) -> tuple[ProgramTimes, ...]:
    """Launch the program in pairs with and without the remedy in force; the launches that count, in their order. Those
    that `folder` has are not repeated.

    Raises:
        NotInForce: a launch with the remedy shows that the library does not have its settings.
        MeasurementError: a launch failed; what is complete is kept.
        StoppedByUser: the same call continues.
    """
    slots = draw_pairs(trial.pairs, trial.seed)
    with launch_folder(folder) as journal:
        run = _TrialRun(folder, slots, journal, observer, ProgramTimes)
        run.trial = trial
        run.to_the_end()
    each = (ProgramTimes.read(folder / "launches" / slot.folder_name / ProgramTimes.FILE) for slot in slots)
    return tuple(times for times in each if times.pair >= 0)


def inside(profile: ProgramProfile, call_place: CallPlace) -> float:
    """Seconds inside the calls of a place, mean over the processes of the program; of messages in all of them."""
    operations = profile.calls["operation"].str.to_lowercase()
    same = (
        operations.is_in(MESSAGE_CALLS)
        if call_place.operation == MESSAGES
        else (operations == call_place.operation) & (profile.calls["n_ranks"] == call_place.n)
    )
    return float(profile.calls.filter(same)["time_s"].sum()) / profile.n_ranks


class _TrialRun(DocumentLoop[PairedLaunch]):
    trial: RemedyTrial
    contradiction: str = ""
    """What shows that the remedy is not in force; empty where nothing does."""

    def tell_begun(self, slot: PairedLaunch, attempt: int) -> None:
        what = "with the remedy" if slot.remedied else "as it is"
        self.observer(StudyLaunchStarted(f"the program {what}, {self.trial.place.operation}", attempt, self.progress()))

    def attempt(self, slot: PairedLaunch, partial: Path) -> EndedLaunch | LaunchFailure | LaunchInterruption:
        make_folder(partial, within=partial.parent)
        setting, counted = self.trial.setting, is_counted(self.trial.setting)
        outcome = launch_program(self.trial.program, setting if slot.remedied else None, partial, counted=counted)
        if not isinstance(outcome, Outcome):
            return outcome
        report_file = partial / RedirectReport.FILE
        rerouted = RedirectReport.read(report_file).rerouted if report_file.is_file() else 0
        if slot.remedied:
            self.contradiction = contradiction_in(partial, setting, rerouted)
            if self.contradiction:
                return LaunchFailure(self.contradiction, final=True, ran=True)
        times = ProgramTimes(
            ictus=version(),
            pair=slot.pair,
            remedied=slot.remedied,
            run_s=outcome.elapsed_s,
            calls_s=inside(load_profile(partial), self.trial.place) if counted else None,
            calls_rerouted=rerouted,
        )
        write_document(partial / ProgramTimes.FILE, times)
        return EndedLaunch(outcome.elapsed_s)

    def failure(self, slot: PairedLaunch, failed: LaunchFailure, aside: Path) -> IctusError:
        return NotInForce(self.contradiction) if self.contradiction else super().failure(slot, failed, aside)


def contradiction_in(folder: Path, setting: Setting, rerouted: int) -> str:
    """What a launch of the program left in `folder` that shows that the remedy was not in force in it; empty where
    nothing does. What the redirect library takes shows itself in its report, the rest in the control variables.
    """
    if not is_counted(setting):
        return "" if rerouted else "no call of the program was rerouted"
    return next(wrong_control_variables(folder, setting.expected), "")
