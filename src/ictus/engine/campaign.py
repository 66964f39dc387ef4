"""From a request to a campaign on the disk: checks the plan, prepares the libraries, makes the design and runs it."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.backend import Backend, prepare_backend
from ictus.engine.deciding_schedule import first_looks
from ictus.engine.event import Observer, PreparationStep, WarningNote, ignore
from ictus.engine.extension import grow
from ictus.engine.folder import check_folder
from ictus.engine.obstacles import report_findings, try_launcher
from ictus.engine.plugins import with_plugins
from ictus.engine.runner import Ending, run_campaign
from ictus.engine.target import check_goal
from ictus.engine.trust import check_trusted, remember
from ictus.engine.variables import selecting_variables
from ictus.launch.launchers import check_usable
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.simulated import Simulated
from ictus.launch.modules import load_modules
from ictus.model.availability import ALL, check_available, may_lack, shared
from ictus.model.case import expand
from ictus.model.design import Design, make_design
from ictus.model.environment import common
from ictus.model.errors import OptionError, OutOfTime, StoppedByUser, UsageError
from ictus.model.feasibility import beyond_int, check_large, check_memory, check_one_host
from ictus.model.launch_factor import GOVERNOR
from ictus.model.library import Installation, LibraryRequest, parse_library
from ictus.model.plan import Plan
from ictus.model.quantity import format_span
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.model.start import StartRecord
from ictus.model.toml import read_toml
from ictus.mpi.command import on_one_host
from ictus.mpi.flavours.simgrid import SIMULATOR
from ictus.mpi.governor import check_governors
from ictus.mpi.machine import read_machine
from ictus.mpi.placed_job import ranks_of_node
from ictus.mpi.preflight import Finding, preflight
from ictus.store.manifest import CAMPAIGN, read_manifest


@dataclass(frozen=True)
class MeasurementRequest:
    """A campaign to measure: where, what, and how ranks are started."""

    folder: Path
    plan: Plan
    launcher: str
    scenario: Path | None
    backend: Backend | None = None
    """The libraries, where they were looked for already."""


def plan_of(file: Path | None, option_values: Mapping[str, Any]) -> Plan:
    """The plan of the options given (by TOML key, None: not given) over those of the file. Raises UsageError."""
    return Plan.from_values(plan_values(file, option_values))


def plan_values(file: Path | None, option_values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `plan_of`, by TOML key."""
    values = _written(file) if file is not None else {}
    Plan.from_values(values, source=f"plan '{file}'")  # what is wrong in the file is said of the file
    return values | {key: value for key, value in option_values.items() if value is not None}


def _written(file: Path) -> dict[str, Any]:
    """The plan in a file: TOML, or that of another campaign without its seed."""
    if file.name != CAMPAIGN:
        return read_toml(file)
    return {key: value for key, value in _measured_plan(file.parent).values().items() if key != "seed"}


def _measured_plan(folder: Path) -> Plan:
    """The plan of a campaign that Ictus measured. UsageError where another suite did: its plan is no request."""
    manifest = read_manifest(folder)
    if manifest.imported is not None:
        raise UsageError(
            f"'{folder}' holds results of {manifest.imported.title}, read by `ictus import`: nothing is measured into "
            "it or by its plan; name a plan of your own and another -o"
        )
    return manifest.plan


def parse_request(
    target: Path | None,
    output: Path | None,
    option_values: Mapping[str, Any],
    *,
    launcher: str,
    scenario: Path | None,
    prefix: str,
) -> MeasurementRequest:
    """Parse `ictus run [PLAN.toml | FOLDER] [-o FOLDER] [options]`.

    A folder that holds a campaign is continued: its plan is the base, and different options are an error later on. A
    new folder is named after the plan, so that the same command continues it; without a plan, by the date. Raises
    UsageError.
    """
    existing, file = (target, None) if target is not None and target.is_dir() else (None, target)
    if existing is not None and output is not None and existing.resolve() != output.resolve():
        raise UsageError(f"two folders, '{existing}' and -o '{output}': name one")
    folder = existing or output or new_folder(file, prefix)
    typed = {key for key, value in option_values.items() if value is not None}
    if (folder / CAMPAIGN).is_file() and file is None:
        recorded = _measured_plan(folder)
        check_trusted(folder, recorded, launcher, typed)
        return MeasurementRequest(folder, _over(recorded, option_values), launcher, scenario)
    if existing is not None:
        raise UsageError(f"'{existing}' is not a campaign folder; -o '{existing}' begins one there")
    if file is not None and file.name == CAMPAIGN:
        check_trusted(file.parent, _measured_plan(file.parent), launcher, typed)
    return MeasurementRequest(folder, plan_of(file, option_values), launcher, scenario)


def new_folder(file: Path | None, prefix: str) -> Path:
    """Where a campaign goes for which no folder was named."""
    dated = f"{prefix}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    return Path(dated if file is None or file.stem == file.name else file.stem)


def _over(recorded: Plan, option_values: Mapping[str, Any]) -> Plan:
    """The plan with which a campaign started, with the present options laid over it."""
    present = {key: value for key, value in option_values.items() if value is not None}
    if present.keys() & {"repetition", "nrep"}:
        recorded = recorded.repeated(repetition=Spec(recorded.repetition.name))
    return Plan.from_values({**recorded.values(), **present})


@dataclass(frozen=True)
class PreparedCampaign:
    """A design that can be run."""

    folder: Path
    design: Design
    backend: Backend


def prepare_campaign(request: MeasurementRequest, observer: Observer = ignore) -> PreparedCampaign:
    """Check the plan, find the libraries, build their cores, look at the machine. Raises UsageError,
    MeasurementError.
    """
    plan = with_plugins(request.plan, request.launcher, observer)
    registries = Registries.load()
    expand(plan, registries)  # names and sizes are wrong before anything is built, or not at all
    load_modules(plan.modules)
    for clock in plan.clock:
        check_usable(request.launcher, clock)
    check_folder(request.folder)
    simulated = request.launcher == Simulated.name or plan.platform is not None
    _check_governors(plan, request.launcher, real=not simulated)
    backend = request.backend or prepare_backend(
        requested_libraries(plan), request.launcher, request.scenario, observer, plan
    )
    machine, findings = (
        _look(backend, max(ranks_of_node(job_size, request.launcher) for job_size in plan.job_sizes), observer)
        if backend.real
        else ({"host": "simulated"}, ())
    )
    if plan.over_s is not None and backend.on_platform:
        raise OptionError(
            ("over", format_span(plan.over_s), f"{SIMULATOR} simulates a machine that stays as it is; leave it out")
        )
    plan, left_out = _with_all(placed(plan, backend), backend, registries)
    newer = may_lack(plan.operations, registries)
    if newer:
        check_available(newer, backend.availability())
    if plan.algorithms:
        observer(PreparationStep("asking the libraries for their algorithms"))
    design = make_design(
        plan,
        registries,
        backend.installations,
        machine=machine,
        variants=backend.variants(plan),
        reference_cvars=backend.reference_cvars,
    )
    _check_attainable(design, backend, request.launcher, registries)
    _check_governors(plan, request.launcher, real=backend.real)
    large = beyond_int(design.cases, registries)
    if large:
        check_large(large, backend.availability(), registries)
    check_goal(design)
    if plan.goal is not None and plan.goal.of_verdicts:
        first_looks(design)
    if backend.real:
        observer(PreparationStep("trying the launcher"))
        for installation in backend.installations:
            try_launcher(installation, request.launcher, observer)
    report_findings(findings, observer)
    for installation in backend.installations if backend.real else ():
        selecting = selecting_variables(plan.environment, installation)
        if selecting is not None:
            observer(WarningNote(selecting))
    remember(design.plan)
    start = start_record(request)
    _warn_of_other_world(request.folder, start, observer)
    design = replace(design, notes=(*left_out, *design.notes), start=start)
    return PreparedCampaign(request.folder, design, backend)


def start_record(request: MeasurementRequest) -> StartRecord:
    """How the launches of a request are started."""
    scenario = None if request.scenario is None else str(request.scenario.absolute())
    return StartRecord(launcher=request.launcher, scenario=scenario)


def _warn_of_other_world(folder: Path, start: StartRecord, observer: Observer) -> None:
    """A scenario is what simulated launches measure: with another one they are launches of another machine."""
    begun = read_manifest(folder).start if (folder / CAMPAIGN).is_file() else None
    if begun is not None and begun.scenario != start.scenario:
        was, current = (record.scenario or "the usual world" for record in (begun, start))
        observer(WarningNote(f"scenario: '{folder}' began with {was} and continues with {current}"))


def _check_attainable(design: Design, backend: Backend, launcher: str, registries: Registries) -> None:
    """UsageError for a case that this host cannot have, where it is known that launches stay on it."""
    if not backend.real or not _stays_here(design.plan, launcher):
        return
    check_one_host(design.cases)
    memory = design.machine.get("memory_bytes")
    if isinstance(memory, int):
        check_memory(design.cases, memory, registries)


def _stays_here(plan: Plan, launcher: str) -> bool:
    """Whether launches are known to stay on this host."""
    shell = {**os.environ, **common(plan.environment)}
    elsewhere = any("HOSTFILE" in name.upper().replace("_", "") for name in shell)
    return launcher == Mpiexec.name and not elsewhere and on_one_host(shell)


def _check_governors(plan: Plan, launcher: str, *, real: bool) -> None:
    """OptionError for a governor that cannot be set where launches are."""
    if not plan.governor:
        return
    if not real or not _stays_here(plan, launcher):
        where = "on other hosts" if real else "of simulated processors"
        raise OptionError((GOVERNOR, ",".join(plan.governor), f"none can be set {where}; leave it out"))
    check_governors(plan.governor)


def _with_all(plan: Plan, backend: Backend, registries: Registries) -> tuple[Plan, tuple[str, ...]]:
    """The plan with `all` operations resolved to those that every library has, and the left-out ones."""
    if ALL not in plan.operations:
        return plan, ()
    operations, left_out = shared(plan.operations, backend.availability(), registries)
    return plan.model_copy(update={"operations": operations}), left_out


def requested_libraries(plan: Plan) -> tuple[LibraryRequest, ...]:
    """Those that the plan names; for a platform without any the simulator."""
    return plan.libraries or (() if plan.platform is None else (parse_library(SIMULATOR),))


def placed(plan: Plan, backend: Backend) -> Plan:
    """The plan for the world that the libraries are in; UsageError for a platform that they are not on."""
    if backend.on_platform:
        return plan.simulated()
    refuse_platform(plan, backend.installations)
    return plan


def refuse_platform(plan: Plan, installations: Iterable[Installation]) -> None:
    """UsageError for a platform with libraries that are not simulated, as these are none."""
    if plan.platform is not None:
        labels = ", ".join(installation.label for installation in installations)
        raise UsageError(
            f"platform '{plan.platform}': {labels} is not simulated; leave the platform out, or name -m {SIMULATOR}"
        )


def _look(backend: Backend, n_ranks: int, observer: Observer) -> tuple[Mapping[str, Any], tuple[Finding, ...]]:
    observer(PreparationStep("looking at the machine"))
    return read_machine().record(), preflight(backend.installations, n_ranks)


def run_prepared(prepared: PreparedCampaign, observer: Observer = ignore, *, page_faults: bool = False) -> Ending:
    """Run the campaign, or continue it, to its end. With `page_faults` those of its calls are counted first, where
    the plan allows it. Raises UsageError, MeasurementError, StoppedByUser.
    """
    design, backend = prepared.design, prepared.backend
    counts = page_faults and design.plan.page_faults and backend.counts_faults
    grow(prepared.folder, design)
    execute = backend.execute(design)
    ending = run_campaign(prepared.folder, design, execute, observer, page_faults=counts, pause=backend.pause)
    if ending.out_of_time:
        raise OutOfTime(prepared.folder, ending.done, ending.total, ending.continue_at)
    if ending.stopped:
        raise StoppedByUser(prepared.folder, ending.done, ending.total)
    return ending
