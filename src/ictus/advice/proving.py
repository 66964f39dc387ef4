"""Launches of the program itself: settings that are tried in it, and remedies with and without, within the budget."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from ictus.advice.calls import MESSAGES, CallPlace, CostlyCalls
from ictus.advice.library_settings import collective_place, collective_settings, message_place, message_settings
from ictus.advice.outcome import ProvenRemedy
from ictus.advice.proof import launch_line, proven
from ictus.advice.request import AdviseRecord
from ictus.advice.screening import ROUNDS, LibrarySetting, SettingsTrial, TriedSetting, best_of, chosen, screened
from ictus.advice.trial import AdvisedProgram, NotInForce, ProgramTimes, RemedyTrial, try_remedy
from ictus.engine.event import Note, Observer
from ictus.model.algorithm import Setting
from ictus.model.quantity import format_span
from ictus.programs.profile.analysis import ProgramProfile
from ictus.store.launch_files import CONTROL_VARIABLES, control_variables
from ictus.tuning.budget import LEAST_LAUNCHES

PROGRAM_SHARE = 0.5
"""Of the budget: launches of the program with remedies may take it."""
_SCREENING_SHARE = 0.5
"""Of what is left before settings are tried: that may take it."""
_START_S = 0.5
"""What a launch takes beside the time between MPI_Init and MPI_Finalize, about."""
_SLOWER = 3.0
"""A setting with which the program takes as many times longer is ended."""


@dataclass(frozen=True)
class TriedSettings:
    """What came of the settings that were tried in the program."""

    tried: tuple[TriedSetting, ...]
    worth: Mapping[CallPlace, LibrarySetting]
    """By the calls that they are for: those that are worth a proof, the fastest first."""
    short: tuple[str, ...]
    """What there was no time for, one sentence each."""
    budget_s: float | None
    """The budget that has time for it; None where this one has."""

    def named(self, call_place: CallPlace) -> tuple[str, ...]:
        """What the setting for these calls is, in a line; none where another remedy is tried. A line that launches
        does not show a variable that is left out.
        """
        return (f"{call_place.text}: {self.worth[call_place].name}",) if call_place in self.worth else ()


@dataclass(frozen=True)
class ProgramLaunches:
    """All that launches of the program need."""

    folder: Path
    """Of the advice."""
    record: AdviseRecord
    program: AdvisedProgram
    profile: ProgramProfile
    spent_s: Callable[[], float]
    """Seconds in launches so far, of every step."""
    observer: Observer

    def pairs(self, remedies: int) -> int:
        """How many pairs there is time for, of each of so many remedies."""
        pair_s = 2 * max(self.profile.elapsed_s, 1e-3) * max(remedies, 1)
        return min(self.record.launches, int(PROGRAM_SHARE * self.record.budget_s / pair_s) - 1)

    def budget_s(self, remedies: int) -> float | None:
        """The budget that has time to try so many remedies in the program; None where this one has."""
        if not remedies or self.pairs(remedies) >= LEAST_LAUNCHES:
            return None
        return 1.01 * remedies * 2 * (LEAST_LAUNCHES + 1) * max(self.profile.elapsed_s, 1e-3) / PROGRAM_SHARE

    def expected_s(self) -> float:
        """What launches of the program with one remedy will take."""
        return min(2 * (self.record.launches + 1) * self.profile.elapsed_s, PROGRAM_SHARE * self.record.budget_s)

    def try_settings(self, costly: CostlyCalls, unmended: Sequence[CallPlace], launcher: str) -> TriedSettings:
        """Settings of the library for the program's messages, and for the dearest collective without a remedy, where
        they cost enough. Raises as `screened`.
        """
        tried: list[TriedSetting] = []
        worth: list[tuple[float, CallPlace, LibrarySetting]] = []
        short: list[str] = []
        need_s: float | None = None
        for call_place in (message_place(costly, self.record.n), collective_place(costly, unmended)):
            if call_place is None or not (settings := self._settings(call_place, launcher)):
                continue
            folder = self.folder / "try" / call_place.name
            kept = chosen(settings, folder, self._room())
            if not kept:
                short.append(
                    f"The budget has no time to try settings of the library for {call_place.text} in the program."
                )
                need_s = max(need_s or 0.0, self._need_s(len(settings)))
                continue
            self.observer(Note(f"launching the program with settings for {call_place.text}, in {folder}"))
            trial = SettingsTrial(self.program, call_place, kept, _SLOWER * self._launch_s, self._seed(folder))
            tried_settings = screened(trial, folder, self.observer)
            tried += tried_settings
            if (best := best_of(tried_settings)) is not None:
                library_setting = next(candidate for candidate in kept if candidate.name == best.name)
                worth.append((best.ratio or 0.0, call_place, library_setting))
        fastest = {at: setting for _, at, setting in sorted(worth, key=lambda entry: entry[0])}
        return TriedSettings(tuple(tried), fastest, tuple(short), need_s)

    def with_tried(
        self, settings: Mapping[CallPlace, Setting], tried: TriedSettings
    ) -> tuple[dict[CallPlace, Setting], tuple[str, ...]]:
        """Remedies, and of the settings that are worth a proof those that there is time for beside them, the fastest
        first; what there is no time for.
        """
        taken, late = dict(settings), list[str]()
        for call_place, setting in tried.worth.items():
            if taken and self.pairs(len(taken) + 1) < LEAST_LAUNCHES:
                late.append(f"The budget has no time to prove {setting.name} for {call_place.text} in the program.")
            else:
                taken[call_place] = setting.setting
        return taken, tuple(late)

    def prove(
        self, settings: Mapping[CallPlace, Setting], use: Callable[[CallPlace], tuple[str, ...]]
    ) -> tuple[tuple[ProvenRemedy, ...], tuple[str, ...], frozenset[CallPlace]]:
        """The remedies in the program, judged together; what could not be tried in it; and where the program's launches
        contradict that the remedy is in force. `use` says which files a remedy has.
        """
        pairs, need_s = self.pairs(len(settings)), self.budget_s(len(settings))
        if need_s is not None:
            short = f"The budget has no time for {LEAST_LAUNCHES} pairs of launches of the program with each remedy"
            return (), (f"{short}: a --time-budget of {format_span(need_s)} has.",), frozenset()
        missed: dict[CallPlace, str] = {}
        times_by_place: dict[CallPlace, tuple[ProgramTimes, ...]] = {}
        for call_place, setting in settings.items():
            folder = self.folder / "confirm" / call_place.name
            self.observer(Note(f"launching the program with and without the remedy for {call_place.text}, in {folder}"))
            seed = (self.record.seed + crc32(call_place.name.encode())) % 10**9
            trial = RemedyTrial(self.program, call_place, setting, pairs, seed)
            try:
                times_by_place[call_place] = try_remedy(trial, folder, self.observer)
            except NotInForce as error:
                missed[call_place] = f"The remedy for {call_place.text} is not in force in the program: {error}."
        judged = proven(times_by_place)
        lines = {at: (*use(at), f"{at.text}: {launch_line(settings[at], self.program)}") for at in times_by_place}
        return (
            tuple(ProvenRemedy(at, lines[at], *judged[at]) for at in times_by_place),
            tuple(missed.values()),
            frozenset(missed),
        )

    def _settings(self, call_place: CallPlace, launcher: str) -> tuple[LibrarySetting, ...]:
        """What may be worth a try, the call itself counted among the candidates."""
        if call_place.operation != MESSAGES:
            settings = collective_settings(self.folder / "check" / call_place.name, call_place, launcher, self.observer)
        else:
            folder = self.folder / "profile"
            cvars = control_variables(folder) if (folder / CONTROL_VARIABLES).is_file() else {}
            variables = {**os.environ, **self.record.environment}
            settings = message_settings(self.program.installation.flavour, cvars, variables)
        return settings[: self.record.limit - 1]

    @property
    def _launch_s(self) -> float:
        return self.profile.elapsed_s + _START_S

    def _room(self) -> int:
        """Settings that there is time to try now."""
        left_s = self.record.budget_s - self.spent_s() - 2 * (LEAST_LAUNCHES + 1) * self._launch_s
        return int(_SCREENING_SHARE * left_s / (ROUNDS * self._launch_s)) - 1

    def _need_s(self, settings: int) -> float:
        """The budget that has room for so many."""
        tries_s = ROUNDS * (settings + 1) * self._launch_s / _SCREENING_SHARE
        return 1.01 * (self.spent_s() + 2 * (LEAST_LAUNCHES + 1) * self._launch_s + tries_s)

    def _seed(self, folder: Path) -> int:
        return (self.record.seed + crc32(f"try {folder.name}".encode())) % 10**9
