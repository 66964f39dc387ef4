"""The steps of a check: which guidelines apply, NREP, MEASURE, and the confirmation of what was predicted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ictus.engine.backend import Backend, prepare_backend
from ictus.engine.campaign import MeasurementRequest, placed, prepare_campaign, requested_libraries, run_prepared
from ictus.engine.event import Noted, Observer, Warned
from ictus.engine.folder import check_folder
from ictus.engine.prediction import with_prediction
from ictus.engine.runner import extend
from ictus.guidelines.applicability import inapplicable
from ictus.guidelines.check.asked import Asked, judging
from ictus.guidelines.check.asking import ask
from ictus.guidelines.check.cases import measured_plan, split_plan
from ictus.guidelines.check.reading import is_complete, options_of, rules_of
from ictus.guidelines.check.rows import rule_fields
from ictus.guidelines.forecast import n_tests, too_few
from ictus.guidelines.verdict import Verdict
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.design import make_design
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.mpi.namespace_launch import check_clock, check_machine
from ictus.store.charter import read_charter
from ictus.store.check import CheckRecord, new_check, next_split, read_check, split_folders, write_check


@dataclass(frozen=True)
class Steps:
    """A check whose libraries are ready."""

    folder: Path
    record: CheckRecord
    launcher: str
    scenario: Path | None
    backend: Backend
    observer: Observer

    def nrep(self) -> None:
        """Predict how often each case is to be repeated, as far as that is not there."""
        with_prediction(self._request(), self.observer)

    def measure(self) -> None:
        """Measure the campaign, or what is missing of it. Raises StoppedByUser."""
        self._run(with_prediction(self._request(), self.observer))

    def confirm(self, predicted: Sequence[Verdict]) -> None:
        """Measure what was predicted, as far as no campaign of confirmations has it."""
        for folder, plan in to_confirm(self.folder, predicted):
            self.observer(Noted(f"confirming predicted violations of split-robustness, in {folder}"))
            self._run(replace(self._request(), folder=folder, plan=plan))

    def ask(self, verdicts: Sequence[Verdict]) -> None:
        """Find out which algorithms violated calls take, where no variable of their library tells."""
        if self.backend.real and self.launcher == Mpiexec.name:
            ask(self.folder, self.record.plan, self.backend, verdicts, self.observer)

    def _request(self) -> MeasurementRequest:
        return MeasurementRequest(self.folder, self.record.plan, self.launcher, self.scenario, self.backend)

    def _run(self, request: MeasurementRequest) -> None:
        prepared = prepare_campaign(request, self.observer)
        extend(prepared.folder, prepared.design)
        run_prepared(prepared, self.observer)


def to_confirm(folder: Path, predicted: Sequence[Verdict]) -> tuple[tuple[Path, Plan], ...]:
    """Campaigns of confirmations to be measured: those that were begun, then one of what none of them has."""
    begun, whole = {path: read_charter(path) for path in split_folders(folder)}, read_charter(folder)
    launches = whole.plan.launches
    open_ones = [
        (path, charter.plan.model_copy(update={"launches": max(launches, charter.plan.launches)}))
        for path, charter in begun.items()
        if not is_complete(path, launches)
    ]
    planned = {(case.operation, case.size_bytes) for charter in begun.values() for case in charter.cases}
    plan = split_plan(whole, predicted, planned)
    return (*open_ones, *(() if plan is None else ((next_split(folder), plan),)))


def steps_of(asked: Asked, launcher: str, scenario: Path | None, observer: Observer) -> Steps:
    """Make the libraries ready, find out which guidelines apply, and write the check down where it begins now.

    Raises UsageError, MeasurementError.
    """
    plan = asked.plan
    if launcher == Namespaces.name:
        check_clock(plan.clock)
        check_machine()
    if asked.record is None:
        measured_plan(plan, asked.rules).checked(Registries.load())  # what is wrong is said before anything is built
        check_folder(asked.folder)
    backend = prepare_backend(requested_libraries(plan), launcher, scenario, observer)
    record = _begun(asked, backend, observer) if asked.record is None else asked.record
    begins_or_grows = asked.record is None or record.plan.launches > read_check(asked.folder).plan.launches
    if begins_or_grows:
        for warning in _too_few(record, backend):
            observer(Warned(warning))
        write_check(asked.folder, record)
    return Steps(asked.folder, record, launcher, scenario, backend, observer)


def _too_few(record: CheckRecord, backend: Backend) -> tuple[str, ...]:
    """Said before anything is measured: launches that can decide nothing."""
    registries = Registries.load()
    plan = record.plan.model_copy(
        update={"nrep": 1, "repetition": "fixed", "predicted": ()}
    )  # nothing is predicted yet
    design = make_design(plan, registries, backend.installations, variants=backend.variants(plan))
    launched = [(one.label, variant.name) for one in design.libraries for variant in design.of(one.label)]
    tests = n_tests(rules_of(record), design.cases, launched, registries)
    said = too_few(plan.launches, tests, options_of(record))
    return (said,) if said else ()


def _begun(asked: Asked, backend: Backend, observer: Observer) -> CheckRecord:
    """The check with the guidelines that apply to all of the libraries."""
    registries = Registries.load()
    lacking = inapplicable(asked.rules, backend.availability(), registries)
    reasons = {one.rule: f"{one.rule.name} ({one.rule.text}): {one.reason}" for one in reversed(lacking)}
    rules = tuple(rule for rule in asked.rules if rule not in reasons)
    if not rules:
        raise UsageError("no guideline applies: " + "; ".join(reasons.values()))
    for text in reasons.values():
        observer(Warned(f"left out: {text}"))
    plan = measured_plan(placed(asked.plan, backend), rules)
    chosen = {key: str(asked.options[key]) for key in ("guidelines", "user") if key in asked.options}
    options = {**judging(asked.options), **chosen}
    return new_check(plan, [rule_fields(rule) for rule in rules], tuple(reasons.values()), options)
