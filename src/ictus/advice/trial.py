"""Launches of the program as it is and with a remedy, in pairs of random order; kept, and continued after an
interruption.

Where the remedy needs no library in front of the program, calls are counted in both: then the time inside the mended
calls is known too. The redirect library takes calls before they could be counted, so there the run time stands alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from ictus.advice.calls import CallPlace
from ictus.engine.attempt import LaunchFailure, LaunchInterruption
from ictus.engine.event import Note, Observer, StudyLaunchStarted
from ictus.engine.in_force import wrong_control_variables
from ictus.engine.journal import Journal
from ictus.engine.launch_loop import LaunchLoop, disk_errors
from ictus.engine.recovery import KeptLaunch, recover
from ictus.launch.process import PassedStreams
from ictus.model import redirect_variables
from ictus.model.algorithm import Setting
from ictus.model.document import Document
from ictus.model.errors import MeasurementError, StoppedByUser, UsageError
from ictus.model.library import Installation
from ictus.model.random import SplitMix64
from ictus.mpi.failure_cause import with_steering
from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.program import launch_passed, program_job, with_library, with_preload
from ictus.store.checksums import Checksums
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
    words: tuple[str, ...]
    """Its arguments."""
    installation: Installation
    counter: Path
    """libictus-profile.so, built for the library."""
    n: int
    variables: Mapping[str, str]
    pin: bool
    launcher: str
    timeout_s: float


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


@dataclass(frozen=True)
class _Slot:
    slot: int
    pair: int
    remedied: bool

    @property
    def folder_name(self) -> str:
        return f"{self.slot:04}-{'remedied' if self.remedied else 'as-it-is'}"


def is_counted(setting: Setting) -> bool:
    """Whether calls can be counted with this remedy in force; else they are in none of the launches, so that both sides
    are alike.
    """
    return redirect_variables.PROFILE not in setting.environment


def order_of(pairs: int, seed: int) -> tuple[_Slot, ...]:
    """A warm-up and `pairs` pairs, in each of which the first is drawn."""
    drawn = SplitMix64(seed)
    slots: list[_Slot] = []
    for pair in range(-1, pairs):
        first = bool(drawn.below(2))
        slots += [_Slot(len(slots) + number, pair, remedied) for number, remedied in enumerate((first, not first))]
    return tuple(slots)


def try_remedy(trial: RemedyTrial, folder: Path, observer: Observer) -> tuple[ProgramTimes, ...]:
    """Launch the program in pairs with and without the remedy in force; the launches that count, in their order. Those
    that `folder` has are not repeated.

    Raises:
        NotInForce: a launch with the remedy shows that the library does not have its settings.
        MeasurementError: a launch failed; what is complete is kept.
        StoppedByUser: the same call continues.
    """
    slots = order_of(trial.pairs, trial.seed)
    with disk_errors(folder):
        make_folder(folder / "launches")
        with Journal(folder) as journal:
            run = _TrialRun(folder, slots, journal, observer)
            run.trial = trial
            run.to_the_end()
    each = (ProgramTimes.read(folder / "launches" / one.folder_name / ProgramTimes.FILE) for one in slots)
    return tuple(one for one in each if one.pair >= 0)


def inside(profile: ProgramProfile, place: CallPlace) -> float:
    """Seconds inside the calls of a place, mean over the processes of the program."""
    same = profile.calls.filter(
        (profile.calls["operation"].str.to_lowercase() == place.operation) & (profile.calls["n_ranks"] == place.n)
    )
    return float(same["time_s"].sum()) / profile.n_ranks


class _TrialRun(LaunchLoop[_Slot, float]):
    """The record of a launch is how long it took, in seconds."""

    trial: RemedyTrial
    contradiction: str = ""
    """What shows that the remedy is not in force; empty where nothing does."""

    def to_the_end(self) -> None:
        whole = KeptLaunch(
            lambda folder: (folder / ProgramTimes.FILE).is_file(),
            lambda folder, checksums, _: _damage(folder / ProgramTimes.FILE, checksums),
            lambda _: {},
        )
        found, notes = recover(self.folder, self.slots, self.journal, whole)
        self.done = set(found.accepted)
        for note in notes:
            self.observer(Note(note))
        self.journal.start(resumed=bool(self.done))
        try:
            complete = self.run_all()
        except KeyboardInterrupt:
            complete = False
        except MeasurementError as error:
            if self.contradiction:
                raise NotInForce(self.contradiction) from error
            raise
        if not complete:
            self.stop()
            raise StoppedByUser(self.folder, len(self.done), len(self.slots))
        self.journal.append("done", {})

    def tell_begun(self, slot: _Slot, attempt: int) -> None:
        what = "with the remedy" if slot.remedied else "as it is"
        self.observer(StudyLaunchStarted(f"the program {what}, {self.trial.place.operation}", attempt, self.progress()))

    def attempt(self, slot: _Slot, partial: Path) -> float | LaunchFailure | LaunchInterruption:
        make_folder(partial, within=partial.parent)
        program, setting, counted = self.trial.program, self.trial.setting, is_counted(self.trial.setting)
        variables = {**program.variables, **(setting.environment if slot.remedied else {})}
        variables = with_library(variables, program.file, program.counter, program.installation)
        own = {"ICTUS_PROFILE": str(partial.absolute()), "ICTUS_PROFILE_RANKS": str(program.n)}
        if not counted:
            report = str((partial / RedirectReport.FILE).absolute())
            own = {redirect_variables.REPORT: report, redirect_variables.RANKS: str(program.n)}
        else:
            own[CONTROL_VARIABLES_ASKED] = str((partial / CONTROL_VARIABLES).absolute())
        variables = {**(with_preload(variables, program.counter) if counted else variables), **own}
        job = program_job(
            program.file, program.words, program.n, variables, pin=program.pin, timeout_s=program.timeout_s
        )
        job = replace(job, launcher_options=setting.options if slot.remedied else ())
        with (partial / "stdout.txt").open("wb") as said:
            try:
                outcome, _ = launch_passed(program.installation, job, program.launcher, PassedStreams(said.fileno()))
            except KeyboardInterrupt:
                return LaunchInterruption()
        if outcome.interrupted:
            return LaunchInterruption()
        side = "with the remedy in force" if slot.remedied else "as it is"
        if outcome.timed_out:
            return LaunchFailure(
                f"the program {side} had not ended after {program.timeout_s:g} s", final=True, ran=True
            )
        if outcome.exit_code != 0:
            reason = with_steering(f"the program ended with {outcome.exit_code} {side}", outcome.steering)
            return LaunchFailure(reason, final=True, ran=True)
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
        return outcome.elapsed_s

    def keep(self, slot: _Slot, partial: Path, record: float) -> None:
        self.accept(slot, partial, record)


def contradiction_in(folder: Path, setting: Setting, rerouted: int) -> str:
    """What a launch of the program left in `folder` that shows that the remedy was not in force in it; empty where
    nothing does. What the redirect library takes shows itself in its report, the rest in the control variables.
    """
    if not is_counted(setting):
        return "" if rerouted else "no call of the program was rerouted"
    return next(wrong_control_variables(folder, setting.expected), "")


def _damage(file: Path, checksums: Checksums) -> str | None:
    try:
        checksums.check_file(file)
        ProgramTimes.read(file)
    except (MeasurementError, UsageError) as error:
        return str(error)
    return None
