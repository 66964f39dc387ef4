"""The steps of the circle. Each lies in a folder of its own, which the command of that step reads too; what is there is
not done again.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from zlib import crc32

from ictus.advice.budget import BudgetEnded, BudgetWatch, tuned_within
from ictus.advice.calls import CallPlace, CostlyCalls, ProgramCall, costly_calls
from ictus.advice.outcome import Advice, AdvisedCall, CallState
from ictus.advice.proving import ProgramLaunches
from ictus.advice.request import AdviseOptions, AdviseRecord
from ictus.advice.trial import CONTROL_VARIABLES_ASKED, AdvisedProgram
from ictus.engine.backend import LauncherChoice
from ictus.engine.event import Note, Observer
from ictus.guidelines.catalogue import catalogue
from ictus.guidelines.check.analysis import CheckResult, check_of
from ictus.guidelines.check.judgement_request import JudgementRequest
from ictus.guidelines.check.request import parse_check
from ictus.guidelines.check.study import measure_check
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import State
from ictus.model.algorithm import Setting
from ictus.model.errors import MeasurementError
from ictus.model.quantity import format_span
from ictus.model.registries import Registries
from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.profile.launch import run_profile
from ictus.store.campaign import JOURNAL
from ictus.store.durable import rename
from ictus.store.journal import read_journal, spent_s
from ictus.store.launch_files import CONTROL_VARIABLES
from ictus.tuning.outcome import Tuning, TuningResult
from ictus.tuning.study import DOCUMENT as TUNING, TuneOptions, run_tuning

_CHECKS_SHARE = 0.5
"""Of the budget: after it no further check begins."""
_LEAST_TUNING_S = _LEAST_CHECK_S = 30.0


@dataclass(frozen=True)
class _Step:
    """What is known of one place after check and tuning."""

    calls: tuple[AdvisedCall, ...]
    tuning: Tuning | None
    missing_s: float = 0.0
    """What its check would still take, where the budget ended before it."""
    marks: tuple[str, ...] = ()
    """Conditions of its check that make times differ, such as variables of the shell that select algorithms."""

    @property
    def is_missing(self) -> bool:
        """Whether the budget ended before an answer."""
        return any(call.state is CallState.NOT_REACHED for call in self.calls)

    def missed(self) -> "_Step":
        """The same where the remedy is not in force in the program."""
        return replace(
            self,
            calls=tuple(
                replace(call, state=CallState.NOT_IN_FORCE) if call.state is CallState.REMEDIED else call
                for call in self.calls
            ),
        )


@dataclass
class Circle:
    """The steps, each of which finds what an earlier call left."""

    folder: Path
    record: AdviseRecord
    options: AdviseOptions
    program: AdvisedProgram
    observer: Observer

    def run(self) -> Advice:
        """All steps."""
        profile = self._profile()
        rules = [rule for rule in catalogue(Registries.load()) if not rule.left.arguments]
        costly = costly_calls(profile, {rule.left.name for rule in rules}, Registries.load(), self.record.least)
        steps = {call_place: self._step(call_place, costly, rules, profile) for call_place in costly.places}
        launches = self._launches(profile)
        settings = self._settings(steps)
        tried = launches.try_settings(
            costly,
            [call_place for call_place, step in steps.items() if call_place not in settings and not step.is_missing],
            self.options.launcher,
        )
        settings, late = launches.with_tried(settings, tried)
        remedies, unproven, missed = launches.prove(
            settings, lambda call_place: (*self._files(steps.get(call_place)), *tried.named(call_place))
        )
        steps = {call_place: _step.missed() if call_place in missed else _step for call_place, _step in steps.items()}
        return Advice(
            program=shlex.join(self.record.program),
            library=profile.library,
            n=self.record.n,
            created=self.record.created,
            ictus=self.record.ictus,
            elapsed_s=profile.elapsed_s,
            costly=costly,
            calls=tuple(
                sorted(
                    (call for step in steps.values() for call in step.calls),
                    key=lambda advised_call: -advised_call.call.share,
                )
            ),
            remedies=remedies,
            unproven=(*self._by_hand(steps), *tried.short, *late, *unproven),
            tried=tried.tried,
            spent_s=self._spent_s(profile),
            budget_s=self.record.budget_s,
            missing_s=sum(step.missing_s for step in steps.values()),
            proof_budget_s=launches.budget_s(len(settings)),
            settings_budget_s=tried.budget_s,
            warnings=(
                *profile.warnings,
                *dict.fromkeys(text for step in steps.values() for text in step.marks),
                *(text for step in steps.values() if step.tuning for text in step.tuning.warnings),
            ),
        )

    def _profile(self) -> ProgramProfile:
        """Of one run of the program, whose folder gets its name when it is whole."""
        folder = self.folder / "profile"
        if not folder.is_dir():
            self.observer(Note("profiling one run of the program"))
            begun = self.folder / "profile.partial"
            for stale in begun.glob("rank-*.counters"):
                stale.unlink()
            variables = {CONTROL_VARIABLES_ASKED: str((begun / CONTROL_VARIABLES).absolute())}
            request = replace(self.program.request, environment={**self.record.environment, **variables})
            profiled = run_profile(request, begun, 2, self.observer)
            if profiled.exit_code != 0:
                raise MeasurementError(
                    f"the program ended with {profiled.exit_code}: nothing can be advised from such a run"
                )
            if profiled.profile is None:
                raise MeasurementError(" ".join(profiled.warnings))
            rename(begun, folder)
        return load_profile(folder)

    def _step(
        self, call_place: CallPlace, costly: CostlyCalls, rules: Sequence[Rule], profile: ProgramProfile
    ) -> _Step:
        """Check and, where a guideline is violated, tune."""
        calls = costly.of(call_place)
        folder = self.folder / "check" / call_place.name
        spent_s = self._spent_s(profile)
        late = spent_s > _CHECKS_SHARE * self.record.budget_s
        if not folder.is_dir() and (late or spent_s + self._check_s() > self.record.budget_s):
            return self._not_reached(calls, max(self._check_s(), _LEAST_CHECK_S))
        within_budget = BudgetWatch(self.observer, lambda: self.record.budget_s - self._spent_s(profile))
        own_rules = [rule for rule in rules if rule.left.name == call_place.operation]
        try:
            checked = self._check(call_place, calls, own_rules, folder, within_budget)
        except BudgetEnded as ended:
            self.observer(
                Note(f"the check of {call_place.text} would take {format_span(ended.left_s)} more: not continued")
            )
            return self._not_reached(calls, ended.left_s)
        broken = any(verdict.state is State.VIOLATED for verdict in checked.verdicts)
        tuning = self._tune(call_place, folder, profile, len(costly.places)) if broken else None
        return _Step(tuple(advised(call, checked, tuning) for call in calls), tuning, marks=checked.marks)

    def _settings(self, steps: Mapping[CallPlace, _Step]) -> dict[CallPlace, Setting]:
        """What puts the confirmed remedies in force, by the calls that they mend."""
        label, tunings = (
            self.record.library,
            {call_place: step.tuning for call_place, step in steps.items() if step.tuning},
        )
        return {
            call_place: tuning.settings[label] for call_place, tuning in tunings.items() if label in tuning.settings
        }

    def _launches(self, profile: ProgramProfile) -> ProgramLaunches:
        spent_s = partial(self._spent_s, profile)
        return ProgramLaunches(self.folder, self.record, self.program, profile, spent_s, self.observer)

    @staticmethod
    def _not_reached(calls: Sequence[ProgramCall], missing_s: float) -> _Step:
        return _Step(tuple(AdvisedCall(call, CallState.NOT_REACHED) for call in calls), None, missing_s)

    def _check_s(self) -> float:
        """What a check takes: as long as the longest before; 0 before the first."""
        check_folders = [path for path in (self.folder / "check").glob("*") if path.is_dir()]
        return max((self._in_launches_s(path) for path in check_folders), default=0.0)

    def _check(
        self,
        call_place: CallPlace,
        calls: Sequence[ProgramCall],
        rules: Sequence[Rule],
        folder: Path,
        observer: Observer,
    ) -> CheckResult:
        self.observer(Note(f"checking {call_place.text}, in {folder}"))
        sizes = sorted({call.size_bytes for call in calls} - {0}) or [8]
        values = {
            **self.record.plan,
            "mpi": [self.options.mpi or self.record.library],
            "n": [call_place.n],
            "sizes": sizes,
            "datatype": call_place.datatype,
            "launches": self.record.launches,
            "nrep": self.record.nrep,
            "seed": (self.record.seed + crc32(call_place.name.encode())) % 10**9,
            "env": {name: [value] for name, value in self.record.environment.items()},
            "pin": ["cores" if self.options.pin else "none"],
            **({"operator": call_place.operator} if call_place.operator else {}),
            **self._places(call_place.n),
        }
        names = ",".join(dict.fromkeys(rule.name for rule in rules))
        request = parse_check(None, folder, {"guidelines": names}, values)
        if request.record is None:  # a name may stand for rules of other operations too
            request = replace(request, rules=tuple(rule for rule in request.rules if rule in rules))
        judged = JudgementRequest()
        check_result = measure_check(request, LauncherChoice(self.options.launcher, None), observer, judged)
        return check_result or check_of(folder, judged.options(folder))

    def _places(self, n: int) -> dict[str, list[int | str]]:
        """Where `n` processes are checked, by keys of a plan: where the program has them. Nobody knows the nodes of the
        fewer processes of a communicator.
        """
        placement = {"nodes": self.record.nodes, "ppn": self.record.ppn} if n == self.record.n else {}
        return {"map-by": [self.record.map_by], **{key: [count] for key, count in placement.items() if count}}

    def _tune(self, call_place: CallPlace, check: Path, profile: ProgramProfile, places: int) -> Tuning:
        folder = self.folder / "tune" / call_place.name
        self.observer(Note(f"tuning {call_place.text}, in {folder}"))
        other_s = self._spent_s(profile) - self._in_launches_s(folder)
        left_s = self.record.budget_s - other_s - self._launches(profile).expected_s()
        room_s = max(left_s / places, _LEAST_TUNING_S)

        def tuned(budget_s: float | None) -> Tuning:
            options = TuneOptions(
                budget_s, None, self.record.launches, self.record.nrep, self.record.limit, self.record.seed
            )
            return run_tuning(check, folder, options, LauncherChoice(self.options.launcher, None), self.observer)

        return tuned_within(room_s, tuned, has_begun=(folder / TUNING).is_file())

    @staticmethod
    def _files(step: _Step | None) -> tuple[str, ...]:
        """How the files of a remedy are used, one line each."""
        tuning = None if step is None else step.tuning
        return () if tuning is None else tuple(f"{file.path}: {file.use}" for file in tuning.files)

    @staticmethod
    def _by_hand(steps: Mapping[CallPlace, _Step]) -> Iterator[str]:
        for step in steps.values():
            for file in step.tuning.files if step.tuning else ():
                if file.path == "in the program":
                    yield f"In the program: {file.use}."

    def _spent_s(self, profile: ProgramProfile) -> float:
        """Seconds in launches so far, of every step."""
        return profile.elapsed_s + self._in_launches_s(self.folder)

    @staticmethod
    def _in_launches_s(folder: Path) -> float:
        return sum(spent_s(read_journal(path).entries) for path in folder.rglob(JOURNAL))


def advised(call: ProgramCall, checked: CheckResult, tuning: Tuning | None) -> AdvisedCall:
    """A call by the verdicts of its check at its size, and by its tuning."""
    verdicts = [verdict for verdict in checked.verdicts if verdict.size_bytes == call.size_bytes or not call.size_bytes]
    broken = tuple(dict.fromkeys(verdict.rule.name for verdict in verdicts if verdict.state is State.VIOLATED))
    if not broken:
        open_ones = any(verdict.state is State.CANNOT_DECIDE for verdict in verdicts) or not verdicts
        return AdvisedCall(call, CallState.UNDECIDED if open_ones else CallState.HOLDS)
    cells = () if tuning is None else tuning.cells
    cell = next(
        (
            tuning_result
            for tuning_result in cells
            if tuning_result.cell.size_bytes == call.size_bytes or not call.size_bytes
        ),
        None,
    )
    state = (
        CallState.NO_REMEDY if cell is None or tuning is None else _state(cell, can_be_in_force=bool(tuning.settings))
    )
    winner = "" if cell is None or cell.winner is None else cell.winner.name
    ratio = None if cell is None or cell.confirmation is None else cell.confirmation.ratio
    return AdvisedCall(call, state, broken, winner, ratio)


def _state(cell: TuningResult, *, can_be_in_force: bool) -> CallState:
    """Some mock-ups cannot be rerouted to: then nothing is written that a launch could be given."""
    if cell.confirmed and cell.winner is not None:
        by_hand = cell.winner.in_the_program or not can_be_in_force
        return CallState.BY_HAND if by_hand else CallState.REMEDIED
    return CallState.NOT_REACHED if cell.cut_short else CallState.NO_REMEDY
