"""The steps of a check: select the guidelines that apply, predict repetitions (NREP), measure both sides (MEASURE), and
confirm predicted violations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ictus.engine.backend import Backend, LauncherChoice, prepare_backend
from ictus.engine.campaign import (
    MeasurementRequest,
    PreparedCampaign,
    placed,
    prepare_campaign,
    requested_libraries,
    run_prepared,
)
from ictus.engine.event import Note, Observer, WarningNote, log
from ictus.engine.extension import FIRST_SHARE, extend, extendable
from ictus.engine.folder import check_folder
from ictus.engine.measurement import PlanLike, check_prediction, plan_words, with_prediction
from ictus.engine.trust import check_trusted
from ictus.guidelines.catalogue import inapplicable
from ictus.guidelines.check.algorithm_trace import trace_algorithms
from ictus.guidelines.check.analysis import (
    CheckResult,
    check_of,
    is_complete,
    options_of,
    rule_fields,
    rules_of,
)
from ictus.guidelines.check.judgement_request import JudgementRequest
from ictus.guidelines.check.plans import measured_plan, returned_plan, to_confirm
from ictus.guidelines.check.request import OF_SUBSETS, RECORDED, CheckRequest, judging, parse_check
from ictus.guidelines.judgement import launches_needed, n_tests, too_few
from ictus.guidelines.missing_sizes import empty_calls, missing_sizes
from ictus.guidelines.verdict import GuidelineVerdict
from ictus.guidelines.verify import unconfirmed
from ictus.launch.launchers import check_usable
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.case import expand
from ictus.model.design import make_design
from ictus.model.errors import UsageError
from ictus.model.looks import Looks
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.stats.compare import STRATA
from ictus.stats.looks import InterimLook
from ictus.stats.sequential import UNUSABLE
from ictus.store.check import IN_RETURNED, CheckRecord, new_check, read_check, write_check
from ictus.store.manifest import CAMPAIGN, read_manifest


def check(
    plan: PlanLike = None,
    folder: Path | str | None = None,
    *,
    op: str | None = None,
    guidelines: str | None = None,
    user: Path | str | None = None,
    test: str | None = None,
    tolerance: float | None = None,
    strata: str = STRATA[0],
    metric: str | None = None,
    summary: str | None = None,
    outliers: str | None = None,
    confirm: bool = True,
    launcher: str = Mpiexec.name,
    scenario: Path | str | None = None,
    observer: Observer = log,
) -> CheckResult:
    """Check performance guidelines, as `ictus check` does: measure what is missing, then judge.

    Args:
        plan: what is measured besides the operations, which the guidelines say; a plan file, values by TOML key, or the
            folder of a check.
        folder: where the check is kept; left out, that of a plan file PLAN.toml is PLAN, else `check-DATE`. A folder
            that holds the same check is continued.
        op: the operations of GL1 and GL2, such as `ialltoallv,pingpong`, or `all`; left out, the paper's nine.
        guidelines: `paper`, `further`, `datatypes`, `user`, `all` or names such as `GL3,ibcast-*`.
        user: a file with guidelines of your own, TOML.
        test: the test by ranks that decides.
        tolerance: by which share the left side may be slower, such as 0.05.
        strata: `modes` compares launches within modes of the machine, `off` regardless of them.
        metric: of each sample over its processes: makespan, max, mean, min, root; auto.
        summary: of each launch over its samples: median, mean, min, p90, p95, p99.
        outliers: factor of Tukey's fences, or off.
        confirm: whether predicted violations of split-robustness are measured too.
        launcher: how ranks are started: a name of `ictus list launcher`, or `simulated`.
        scenario: for the launcher `simulated`: the file of the world to measure, JSON.
        observer: receives each event; by default it goes to the logger `ictus`.

    Raises:
        UsageError: a guideline or the plan is wrong, or the folder holds something else.
        MeasurementError: a library, a launch or the disk failed; what is complete is kept.
        StoppedByUser: Ctrl-C; the same call continues.
    """
    target, values = plan_words(plan)
    if not isinstance(plan, Plan):  # a whole plan has the operations of a campaign, which the guidelines replace
        op = values.pop("op", None) if op is None else op
    judged = JudgementRequest(
        test, tolerance, strata, metric, summary, outliers, values.get("adjust"), values.get("level")
    )
    own_options = {"op": op, "guidelines": guidelines, "user": user, **judged.recorded}
    path = None if folder is None else Path(folder)
    request = parse_check(target, path, own_options, values, launcher=launcher, observer=observer)
    launcher_choice = LauncherChoice(launcher, None if scenario is None else Path(scenario))
    check_result = measure_check(request, launcher_choice, observer, judged, confirm=confirm)
    return check_result or check_of(request.folder, judged.options(request.folder))


def measure_check(
    request: CheckRequest,
    launcher_choice: LauncherChoice,
    observer: Observer,
    judged: JudgementRequest,
    *,
    step: str = "all",
    confirm: bool = True,
) -> CheckResult | None:
    """Measure what is missing for the step. `judged` is about the verdicts that decide what is confirmed, and the check
    that they are of is returned: nobody has to read and judge it again. None where nothing was judged. Raises as
    `check`.
    """
    folder, steps = request.folder, None
    judged.check_names()
    if step in ("all", "nrep", "measure") and not is_complete(folder, request.plan.launches):
        check_prediction(request.plan)
        steps = steps_of(request, launcher_choice, observer)
        if step == "nrep":
            steps.nrep()
            return None
        steps.measure()
    if step in ("all", "measure"):
        returned = returned_plan(folder, rules_of(read_check(folder)))
        if returned is not None:
            steps = steps or steps_of(request, launcher_choice, observer)
            steps.measure_returned(returned)
    check_result = None
    if step == "confirm" or (step == "all" and confirm):
        check_result = check_of(folder, judged.options(folder))
        predicted = unconfirmed(check_result.verdicts)
        if to_confirm(folder, predicted):
            steps = steps or steps_of(request, launcher_choice, observer)
            steps.confirm(check_result.verdicts, predicted)
            check_result = check_of(folder, judged.options(folder))
    if steps is not None and steps.can_trace:
        check_result = check_result or check_of(folder, judged.options(folder))
        trace_algorithms(folder, steps.record.plan, steps.backend, check_result.verdicts, observer)
    return check_result


@dataclass(frozen=True)
class Steps:
    """A check whose libraries are ready."""

    folder: Path
    record: CheckRecord
    launcher_choice: LauncherChoice
    backend: Backend
    observer: Observer

    def nrep(self) -> None:
        """Predict the repetitions of each case, where they are missing."""
        with_prediction(self._request(), self.observer)

    def measure(self) -> None:
        """Measure the campaign, or the missing rest of it. Raises StoppedByUser."""
        prepared = prepare_campaign(with_prediction(self._request(), self.observer), self.observer)
        if not (self.folder / CAMPAIGN).is_file():
            tests = max(self.tests(self.record.plan), 1)
            fewest = launches_needed(tests, options_of(self.record), self._look())
            prepared = replace(prepared, design=extendable(prepared.design, fewest))
        self._measured(prepared, page_faults=True)

    def measure_returned(self, plan: Plan) -> None:
        """Measure the guidelines that depend on the heap with freed memory returned. Raises StoppedByUser."""
        folder = self.folder / IN_RETURNED
        if not is_complete(folder, plan.launches):
            self.say_too_few(self.tests(self.record.plan) + self.tests(plan), "with those of returned memory ")
        self.observer(Note(f"measuring what depends on the heap with freed memory returned too, in {folder}"))
        self._run(replace(self._request(), folder=folder, plan=plan))

    def confirm(self, verdicts: Sequence[GuidelineVerdict], predicted: Sequence[GuidelineVerdict]) -> None:
        """Measure what the verdicts predicted, as far as no campaign of confirmations has it."""
        judged = [verdict for verdict in verdicts if verdict.p_value is not None]
        self.say_too_few(len(judged) + len(predicted), "with the predicted ones ")
        for folder, plan in to_confirm(self.folder, predicted):
            self.observer(Note(f"confirming predicted violations of split-robustness, in {folder}"))
            self._run(replace(self._request(), folder=folder, plan=plan))

    def tests(self, plan: Plan) -> int:
        """Tests of a campaign of this check, without what is predicted by it."""
        registries = Registries.load()
        plan = plan.repeated(1)  # nothing is predicted yet
        design = make_design(plan, registries, self.backend.installations, variants=self.backend.variants(plan))
        launched = [
            (library.label, variant.name) for library in design.libraries for variant in design.of(library.label)
        ]
        return n_tests(rules_of(self.record), design.cases, launched, registries)

    def say_too_few(self, tests: int, which: str = "") -> None:
        """Warn before anything is measured whose verdict is known to be that launches are too few."""
        note = too_few(self.record.plan.launches, tests, options_of(self.record), self._look())
        if note:
            self.observer(WarningNote(f"{which}{note}, now or later, or fewer guidelines or sizes"))

    def _look(self) -> InterimLook | None:
        """The look at all launches of a check that can grow; None where they are fixed."""
        plan, exists = self.record.plan, (self.folder / CAMPAIGN).is_file()
        looks = read_manifest(self.folder).looks if exists else Looks(plan.launches, 2, FIRST_SHARE)
        if looks is None or plan.adjust == UNUSABLE:
            return None
        return InterimLook(looks, max(1, len(looks.until(plan.launches))))

    @property
    def can_trace(self) -> bool:
        """Whether the algorithms of violated calls can be looked for, where no variable of their library shows them."""
        return self.backend.real and self.launcher_choice.launcher == Mpiexec.name

    def _request(self) -> MeasurementRequest:
        return MeasurementRequest(
            self.folder, self.record.plan, self.launcher_choice.launcher, self.launcher_choice.scenario, self.backend
        )

    def _run(self, request: MeasurementRequest) -> None:
        self._measured(prepare_campaign(request, self.observer))

    def _measured(self, prepared: PreparedCampaign, *, page_faults: bool = False) -> None:
        extend(prepared.folder, prepared.design)
        run_prepared(prepared, self.observer, page_faults=page_faults)


def steps_of(request: CheckRequest, launcher_choice: LauncherChoice, observer: Observer) -> Steps:
    """Make the libraries ready, find out which guidelines apply, and write the check down where it begins now.

    Raises UsageError, MeasurementError.
    """
    plan = request.plan
    check_usable(launcher_choice.launcher, plan.clock[0])
    if request.record is not None:
        check_trusted(request.folder, plan, launcher_choice.launcher, request.typed)
    else:
        measured_plan(plan, request.rules).checked(Registries.load())  # what is wrong is said before anything is built
        check_folder(request.folder)
    backend = prepare_backend(
        requested_libraries(plan), launcher_choice.launcher, launcher_choice.scenario, observer, plan
    )
    record = _new_record(request, backend, observer) if request.record is None else request.record
    steps = Steps(request.folder, record, launcher_choice, backend, observer)
    if not is_complete(request.folder, record.plan.launches):
        steps.say_too_few(steps.tests(record.plan))
    if request.record is None or record.plan.launches > read_check(request.folder).plan.launches:
        write_check(request.folder, record)
    return steps


def _new_record(request: CheckRequest, backend: Backend, observer: Observer) -> CheckRecord:
    """The check with the guidelines that apply to all of the libraries."""
    registries = Registries.load()
    lacking = inapplicable(request.rules, backend.availability(), registries)
    reasons = {lack.rule: f"{lack.rule.name} ({lack.rule.text}): {lack.reason}" for lack in reversed(lacking)}
    rules = tuple(rule for rule in request.rules if rule not in reasons)
    full_plan = placed(request.plan, backend)
    cases = expand(measured_plan(full_plan, rules).repeated(1), registries).cases if rules else ()
    for rule in rules:
        missing = missing_sizes(rule, cases, registries)
        if missing:
            reasons[rule] = f"{rule.name} of {rule.left}: {missing}"
    rules = tuple(rule for rule in rules if rule not in reasons)
    if not rules:
        raise UsageError("no guideline applies: " + "; ".join(reasons.values()))
    empty = empty_calls(rules, cases)
    left_out = (*reasons.values(), *((empty,) if empty else ()))
    for text in left_out:
        observer(WarningNote(f"left out: {text}"))
    chosen = {key: str(request.options[key]) for key in ("guidelines", *RECORDED) if key in request.options}
    plan = measured_plan(full_plan, rules)
    fields = {key: full_plan.values()[key] for key in OF_SUBSETS} if plan.subsets else {}
    options = {**judging(request.options), **chosen, **fields}
    return new_check(plan, [rule_fields(rule) for rule in rules], left_out, options)
