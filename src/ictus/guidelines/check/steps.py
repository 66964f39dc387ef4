"""The steps of a check: which guidelines apply, NREP, MEASURE, and the confirmation of what was predicted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ictus.engine.execute import Ready, ready
from ictus.engine.extension import extend
from ictus.engine.measure import Request, check_folder, measure, placed, prepare, wanted
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
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.mpi.namespace_launch import check_clock, check_machine
from ictus.render.console import warn
from ictus.render.output import print_note
from ictus.render.progress import Display
from ictus.render.shell_command import command
from ictus.store.charter import read_charter
from ictus.store.check import CheckRecord, new_check, next_split, read_check, split_folders, write_check
from ictus.studies.nrep.predicted import with_prediction


@dataclass(frozen=True)
class Steps:
    """A check whose libraries are ready."""

    folder: Path
    record: CheckRecord
    launcher: str
    scenario: Path | None
    found: Ready

    def nrep(self) -> None:
        """Predict how often each case is to be repeated, as far as that is not there."""
        with_prediction(self._request())

    def measure(self) -> None:
        """Measure the campaign, or what is missing of it. Raises MeasurementError where the user stopped it."""
        self._run(with_prediction(self._request()))

    def confirm(self, predicted: Sequence[Verdict]) -> None:
        """Measure what was predicted, as far as no campaign of confirmations has it."""
        for folder, plan in to_confirm(self.folder, predicted):
            print_note(f"confirming predicted violations of split-robustness, in {folder}")
            self._run(replace(self._request(), folder=folder, plan=plan))

    def ask(self, verdicts: Sequence[Verdict]) -> None:
        """Find out which algorithms violated calls take, where no variable of their library tells."""
        if self.found.real and self.launcher == Mpiexec.name:
            ask(self.folder, self.record.plan, self.found, verdicts)

    def _request(self) -> Request:
        return Request(self.folder, self.record.plan, self.launcher, self.scenario, self.found)

    def _run(self, request: Request) -> None:
        display = Display()
        prepared = prepare(request, display)
        extend(prepared.folder, prepared.design)
        ending = measure(prepared, display)
        if ending.stopped:
            raise MeasurementError(
                f"stopped: {ending.done} of {ending.total} launches in {request.folder} are complete; "
                f"`{command('check', '-o', self.folder)}` goes on with the rest"
            )


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


def steps_of(asked: Asked, launcher: str, scenario: Path | None) -> Steps:
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
    with Display().preparing() as tell:
        found = ready(wanted(plan), launcher, scenario, tell)
    record = _begun(asked, found) if asked.record is None else asked.record
    begins_or_grows = asked.record is None or record.plan.launches > read_check(asked.folder).plan.launches
    if begins_or_grows:
        warn(_too_few(record, found))
        write_check(asked.folder, record)
    return Steps(asked.folder, record, launcher, scenario, found)


def _too_few(record: CheckRecord, found: Ready) -> tuple[str, ...]:
    """Said before anything is measured: launches that can decide nothing."""
    registries = Registries.load()
    plan = record.plan.model_copy(
        update={"nrep": 1, "repetition": "fixed", "predicted": ()}
    )  # nothing is predicted yet
    design = make_design(plan, registries, found.installations, variants=found.variants(plan))
    launched = [(one.label, variant.name) for one in design.libraries for variant in design.of(one.label)]
    tests = n_tests(rules_of(record), design.cases, launched, registries)
    said = too_few(plan.launches, tests, options_of(record))
    return (said,) if said else ()


def _begun(asked: Asked, found: Ready) -> CheckRecord:
    """The check with the guidelines that apply to all of the libraries."""
    registries = Registries.load()
    lacking = inapplicable(asked.rules, found.availability(), registries)
    reasons = {one.rule: f"{one.rule.name} ({one.rule.text}): {one.reason}" for one in reversed(lacking)}
    rules = tuple(rule for rule in asked.rules if rule not in reasons)
    if not rules:
        raise UsageError("no guideline applies: " + "; ".join(reasons.values()))
    warn(f"left out: {text}" for text in reasons.values())
    plan = measured_plan(placed(asked.plan, found), rules)
    chosen = {key: str(asked.options[key]) for key in ("guidelines", "user") if key in asked.options}
    options = {**judging(asked.options), **chosen}
    return new_check(plan, [rule_fields(rule) for rule in rules], tuple(reasons.values()), options)
