"""Settings of the library that are tried in the program itself, because nothing outside of it says what they are worth:
limits of eager messages for point-to-point calls, algorithms for collectives that keep their guidelines.

Each is launched a few times, in turns with the program as it is. The fastest one goes on to the proof, in launches of
its own: the choice among many is never a proof.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from statistics import median
from typing import ClassVar

from ictus.advice.calls import CallPlace
from ictus.advice.trial import AdvisedProgram, contradiction_in, launch_program
from ictus.engine.attempt import LaunchFailure, LaunchInterruption
from ictus.engine.document_loop import DocumentLoop, EndedLaunch
from ictus.engine.event import Observer, StudyLaunchStarted
from ictus.engine.launch_loop import launch_folder
from ictus.model.algorithm import Setting
from ictus.model.document import Document
from ictus.model.random import SplitMix64, shuffled_by
from ictus.store.document import version, write_document
from ictus.store.durable import make_folder

ROUNDS = 3
"""Launches of each setting."""
WORTH = 0.95
"""A setting with a larger ratio is not worth a proof: so few pairs would not show its gain."""


@dataclass(frozen=True)
class LibrarySetting:
    """A setting of the library, by a name that its user knows."""

    name: str
    """Unique among those that are tried for the same calls: `btl_sm_eager_limit=16384`, `allreduce=ring`."""
    setting: Setting


@dataclass(frozen=True)
class TriedSetting:
    """What the launches of one setting say."""

    place: CallPlace
    """The calls that it is for."""
    name: str
    ratio: float | None
    """Median over the rounds of the run time with it to that as it is; None where a launch with it does not count."""
    reason: str = ""
    """Why none counts: the program failed with it, or it was not in force."""

    @property
    def is_worth_a_proof(self) -> bool:
        """Whether its gain is one that pairs of launches can prove."""
        return self.ratio is not None and self.ratio < WORTH


class ScreenedLaunch(Document):
    """What one launch of the program took, with a setting or as it is."""

    FILE: ClassVar = "screened.json"

    round: int
    setting: str
    """Its name; empty: the program as it is."""
    run_s: float | None
    """From the start of the launch to its end; None where it does not count."""
    reason: str = ""


class Screening(Document):
    """The settings that were chosen to be tried: a later call with more time goes on with the same."""

    FILE: ClassVar = "screening.json"

    settings: tuple[str, ...]


@dataclass(frozen=True)
class ScreeningLaunch:
    """One launch to come."""

    slot: int
    round: int
    tried: LibrarySetting | None
    """None: the program as it is."""

    @property
    def folder_name(self) -> str:
        """Where it is kept, under launches/."""
        words = "as-it-is" if self.tried is None else re.sub(r"[^A-Za-z0-9_.]+", "_", self.tried.name)
        return f"{self.slot:04}-{words}"


@dataclass(frozen=True)
class SettingsTrial:
    """Settings to be tried in a program."""

    program: AdvisedProgram
    place: CallPlace
    """The calls that they are for."""
    settings: tuple[LibrarySetting, ...]
    limit_s: float
    """A launch with a setting that takes longer is ended, and the setting out."""
    seed: int
    """Decides the order of each round."""

    @property
    def limited(self) -> AdvisedProgram:
        """The program with this limit of a launch."""
        request = self.program.request
        return replace(self.program, request=replace(request, timeout_s=min(request.timeout_s, self.limit_s)))


def draw_rounds(settings: Sequence[LibrarySetting], seed: int) -> tuple[ScreeningLaunch, ...]:
    """ROUNDS rounds of each setting and the program as it is, each in an order of its own."""
    drawn, numbers = SplitMix64(seed), count()
    sides: tuple[LibrarySetting | None, ...] = (None, *settings)
    return tuple(
        ScreeningLaunch(next(numbers), number, setting)
        for number in range(ROUNDS)
        for setting in shuffled_by(sides, drawn)
    )


def chosen(settings: Sequence[LibrarySetting], folder: Path, room: int) -> tuple[LibrarySetting, ...]:
    """The settings that are tried: the first that there is room for, or those that `folder` has begun with."""
    file = folder / Screening.FILE
    if file.is_file():
        names = Screening.read(file).settings
        return tuple(setting for setting in settings if setting.name in names)
    return tuple(settings[: max(room, 0)])


def screened(trial: SettingsTrial, folder: Path, observer: Observer) -> tuple[TriedSetting, ...]:
    """Launch the program with each setting and as it is; what `folder` has is not launched again. In the order of the
    settings.

    Raises:
        MeasurementError: the program as it is failed; what is complete is kept.
        StoppedByUser: the same call continues.
    """
    slots = draw_rounds(trial.settings, trial.seed)
    with launch_folder(folder) as journal:
        names = tuple(setting.name for setting in trial.settings)
        if not (folder / Screening.FILE).is_file():
            write_document(folder / Screening.FILE, Screening(ictus=version(), settings=names))
        run = _ScreeningRun(folder, slots, journal, observer, ScreenedLaunch)
        run.trial = trial
        run.to_the_end()
    launches = [ScreenedLaunch.read(folder / "launches" / slot.folder_name / ScreenedLaunch.FILE) for slot in slots]
    return tuple(tried_setting(trial.place, setting.name, launches) for setting in trial.settings)


def tried_setting(call_place: CallPlace, name: str, launches: Sequence[ScreenedLaunch]) -> TriedSetting:
    """What these launches say of the setting of that name."""
    as_it_is = {launch.round: launch.run_s for launch in launches if not launch.setting}
    of_setting = [launch for launch in launches if launch.setting == name]
    reason = next((launch.reason for launch in of_setting if launch.run_s is None), "")
    ratios = [
        launch.run_s / before
        for launch in of_setting
        if launch.run_s is not None and (before := as_it_is.get(launch.round))
    ]
    return TriedSetting(call_place, name, median(ratios) if ratios and not reason else None, reason)


def best_of(tried: Sequence[TriedSetting]) -> TriedSetting | None:
    """The fastest that is worth a proof; None where none is."""
    worth = [setting for setting in tried if setting.is_worth_a_proof]
    return min(worth, key=lambda setting: setting.ratio or 0.0, default=None)


class _ScreeningRun(DocumentLoop[ScreeningLaunch]):
    trial: SettingsTrial

    def tell_begun(self, slot: ScreeningLaunch, attempt: int) -> None:
        name = "as it is" if slot.tried is None else slot.tried.name
        what = name if slot.tried is None or name.startswith("without ") else f"with {name}"
        self.observer(StudyLaunchStarted(f"the program {what}, {self.trial.place.operation}", attempt, self.progress()))

    def attempt(self, slot: ScreeningLaunch, partial: Path) -> EndedLaunch | LaunchFailure | LaunchInterruption:
        make_folder(partial, within=partial.parent)
        reason, elapsed_s = self._refusal(slot), 0.0
        if not reason:
            setting = None if slot.tried is None else slot.tried.setting
            program = self.trial.program if setting is None else self.trial.limited
            outcome = launch_program(program, setting, partial, counted=True)
            if isinstance(outcome, LaunchInterruption) or (isinstance(outcome, LaunchFailure) and setting is None):
                return outcome
            if isinstance(outcome, LaunchFailure):
                reason = outcome.reason
            else:
                elapsed_s = outcome.elapsed_s
                reason = "" if setting is None else contradiction_in(partial, setting, 0)
        launch = ScreenedLaunch(
            ictus=version(),
            round=slot.round,
            setting="" if slot.tried is None else slot.tried.name,
            run_s=None if reason else elapsed_s,
            reason=reason,
        )
        write_document(partial / ScreenedLaunch.FILE, launch)
        return EndedLaunch(elapsed_s)

    def _refusal(self, slot: ScreeningLaunch) -> str:
        """Why an earlier launch of the same setting did not count: it is not launched again."""
        earlier = (launch for launch in self.slots if launch.tried is not None and launch.tried == slot.tried)
        files = [
            self.launches / earlier_launch.folder_name / ScreenedLaunch.FILE
            for earlier_launch in earlier
            if earlier_launch.slot < slot.slot
        ]
        return next((launch.reason for launch in map(ScreenedLaunch.read, files) if launch.reason), "")
