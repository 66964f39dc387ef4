"""A tuning from its options: begins it or continues it, explains, races, confirms, writes."""

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ictus.engine.backend import LauncherChoice, prepare_backend
from ictus.engine.campaign import requested_libraries
from ictus.engine.event import Observer, log
from ictus.engine.folder import check_same_values
from ictus.engine.forced import check_shell
from ictus.engine.plugins import with_plugins
from ictus.engine.trust import check_trusted, remember
from ictus.guidelines.check.analysis import options_of
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.document import Document
from ictus.model.errors import OptionError, UsageError
from ictus.model.plan import Plan
from ictus.model.plugin import read_plugin
from ictus.model.reduction import Reduction
from ictus.mpi.machine import read_machine
from ictus.mpi.operation_library import identified
from ictus.store.campaign import load
from ictus.store.check import read_check
from ictus.store.document import now, version, write_document
from ictus.tuning.budget import LEAST_LAUNCHES
from ictus.tuning.offers import Libraries
from ictus.tuning.outcome import Tuning
from ictus.tuning.session import TuningSession
from ictus.tuning.tuning import TuningInput, bases_of, tuned

DOCUMENT = "tune.json"
BUDGET_S = 600.0


class TuneRecord(Document):
    """The request of a tuning."""

    FILE: ClassVar = DOCUMENT

    created: str
    check: str
    """When the tuned check started."""
    seed: int
    launches: int = 20
    nrep: int = 200
    limit: int = 24
    guidelines: tuple[str, ...] = ()
    budget_s: float = BUDGET_S
    plugins: tuple[str, ...] = ()
    """Beside those of the check: `libmine.so#sha256=...`."""


@dataclass(frozen=True)
class TuneOptions:
    """The options of a tuning; None: as recorded, else the default."""

    budget_s: float | None = None
    """Time in launches, seconds; 600."""
    guidelines: tuple[str, ...] | None = None
    """Only violations of these; None: all."""
    launches: int | None = None
    """Fresh launches that confirm, of each variant; 20."""
    nrep: int | None = None
    """Valid repetitions of a case in a launch; 200."""
    limit: int | None = None
    """Candidates of a call, with the call itself; 24."""
    seed: int | None = None
    """Decides the order of everything; drawn."""
    race: bool = True
    """False: only explain."""
    plugins: tuple[str, ...] | None = None
    """Files with operations that race too, beside those of the check."""

    def recorded(self) -> dict[str, Any]:
        """The options that are recorded, as far as they are given."""
        names = None if self.guidelines is None else list(self.guidelines)
        plugins = None if self.plugins is None else [identified(plugin) for plugin in self.plugins]
        given_values = {
            "launches": self.launches,
            "plugins": plugins,
            "nrep": self.nrep,
            "limit": self.limit,
            "guidelines": names,
        }
        return {name: value for name, value in {**given_values, "seed": self.seed}.items() if value is not None}


def tune(
    check: Path | str,
    folder: Path | str | None = None,
    *,
    budget_s: float | None = None,
    guidelines: Sequence[str] | None = None,
    launches: int | None = None,
    nrep: int | None = None,
    limit: int | None = None,
    seed: int | None = None,
    plugins: Sequence[str] | None = None,
    explain: bool = False,
    launcher: str = Mpiexec.name,
    scenario: Path | str | None = None,
    observer: Observer = log,
) -> Tuning:
    """Find remedies for the violated guidelines of a check, as `ictus tune` does; files of remedies are written.

    Args:
        check: the folder of a check.
        folder: where the tuning is kept, and continued after an interruption; left out, CHECK-tune.
        budget_s: time in launches, seconds; 600.
        guidelines: names; only their violations get remedies.
        launches: fresh launches that confirm, of each variant, 6 or more; 20.
        nrep: valid repetitions of a case in a launch; 200.
        limit: candidates of a call, with the call itself; 24.
        seed: decides the order of everything; drawn.
        plugins: files of plug-ins whose operations race too, beside those of the check.
        explain: only explain violations, race nothing.
        launcher: how ranks are started: a name of `ictus list launcher`, or `simulated`.
        scenario: for the launcher `simulated`: the file of the world to measure, JSON.
        observer: receives each event; by default it goes to the logger `ictus`.

    Raises:
        UsageError: the folder is not a check, or holds another tuning.
        MeasurementError: a library, a launch or the disk failed; what is complete is kept.
        StoppedByUser: Ctrl-C; the same call continues.
    """
    check = Path(check)
    if launches is not None and launches < LEAST_LAUNCHES:
        raise UsageError(f"launches {launches}: fewer than {LEAST_LAUNCHES} can confirm nothing")
    names = None if guidelines is None else tuple(guidelines)
    options = TuneOptions(
        budget_s, names, launches, nrep, limit, seed, not explain, None if plugins is None else tuple(plugins)
    )
    out = check.with_name(f"{check.name}-tune") if folder is None else Path(folder)
    launcher_choice = LauncherChoice(launcher, None if scenario is None else Path(scenario))
    return run_tuning(check, out, options, launcher_choice, observer)


def run_tuning(
    folder: Path, out: Path, options: TuneOptions, launcher_choice: LauncherChoice, observer: Observer
) -> Tuning:
    """The tuning of the check in `folder`, kept in `out`. Raises as `tune`."""
    check_guidelines(folder, options.guidelines or ())
    reduction = options_of(read_check(folder)).reduction
    record = _record_in(folder, out, options, reduction)
    campaign = load(folder)
    check_trusted(folder, campaign.plan, launcher_choice.launcher)
    if options.race:
        check_shell(campaign, os.environ)
    typed = () if options.plugins is None else ("plugin",)
    both = _with_own_plugins(campaign.plan, record)
    check_trusted(out, both, launcher_choice.launcher, typed)
    plan = with_plugins(both, launcher_choice.launcher, observer)
    remember(plan)
    tuning_input = TuningInput(
        budget_s=(options.budget_s or record.budget_s) if options.race else 0.0,
        launches=record.launches,
        limit=record.limit,
        guidelines=record.guidelines,
        race=options.race,
        created=record.created,
    )
    backend = prepare_backend(
        requested_libraries(plan), launcher_choice.launcher, launcher_choice.scenario, observer, plan
    )
    bases = bases_of(backend, campaign)
    session = TuningSession(
        folder=out,
        check=folder,
        plan=plan,
        backend=backend,
        nrep=record.nrep,
        seed=record.seed,
        machine=read_machine().record() if backend.real else {"host": "simulated"},
        bases=bases,
        observer=observer,
        reduction=reduction,
    )
    return tuned(session, Libraries(backend, campaign, bases, observer, plan.plugins), tuning_input)


def _with_own_plugins(plan: Plan, record: TuneRecord) -> Plan:
    """The plan of the check with the plug-ins of the tuning."""
    paths = {plugin.path for plugin in plan.plugins}
    added = tuple(plugin for plugin in map(read_plugin, record.plugins) if plugin.path not in paths)
    return plan.model_copy(update={"plugins": (*plan.plugins, *added)})


def check_guidelines(folder: Path, names: Sequence[str]) -> None:
    """UsageError for a guideline that the check does not have, before anything is written."""
    names_there = tuple(dict.fromkeys(rule.name for rule in read_check(folder).rules))
    foreign = next((name for name in names if name not in names_there), None)
    if foreign is not None:
        raise OptionError(("guidelines", foreign, f"the check has {', '.join(names_there)}"))


def _record_in(folder: Path, out: Path, options: TuneOptions, reduction: Reduction) -> TuneRecord:
    """The tuning on the disk; a new one is written. UsageError where the folder holds another, and for repetitions
    that are too few for what the check is about.
    """
    exists = (out / DOCUMENT).is_file()
    record = requested_tuning(folder, out, options, reduction)
    if exists:
        if TuneRecord.read(out / DOCUMENT) != record:
            write_document(out / DOCUMENT, record)
        return record
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_document(out / DOCUMENT, record)
    except OSError as error:
        raise UsageError(f"-o '{out}' cannot be written: {error.strerror}") from error
    return record


def requested_tuning(folder: Path, out: Path, options: TuneOptions, reduction: Reduction) -> TuneRecord:
    """The tuning that is asked for, on the disk or new; nothing is written. Raises UsageError."""
    created, budget_s, given_options = read_check(folder).created, options.budget_s, options.recorded()
    if (out / DOCUMENT).is_file():
        record = TuneRecord.read(out / DOCUMENT)
        check_same_values(out, "tuning", record.model_dump(mode="json"), {**given_options, "check": created})
        return record if budget_s is None else record.model_copy(update={"budget_s": budget_s})
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"-o '{out}' is not a tuning and not empty: give another")
    drawn = {"seed": random.SystemRandom().randrange(10**9), "budget_s": budget_s or BUDGET_S}
    record = TuneRecord(ictus=version(), created=now(), check=created, **{**drawn, **given_options})
    if record.nrep < reduction.least_samples:
        raise OptionError(
            (
                "nrep",
                record.nrep,
                f"the check is about {reduction.summary}, which needs {reduction.least_samples} or more",
            )
        )
    return record
