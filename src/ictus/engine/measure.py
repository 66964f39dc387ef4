"""From options to a campaign on the disk: what `ictus run` and `ictus demo` share."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.execute import Ready, Tell, ready
from ictus.engine.recovery import check_vacant
from ictus.engine.runner import Ending, run_campaign
from ictus.engine.target import check_goal
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.algorithm import Variant
from ictus.model.attainable import check_memory, check_one_host
from ictus.model.availability import ALL, check_available, may_lack, shared
from ictus.model.case import expand
from ictus.model.design import Design, make_design
from ictus.model.environment import common
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.large_counts import beyond_int, check_large
from ictus.model.library import LibraryRequest, parse_library
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.mpi.command import on_one_host
from ictus.mpi.flavours.simgrid import SIMULATOR
from ictus.mpi.machine import read_machine
from ictus.mpi.namespace_launch import check_clock, check_machine
from ictus.mpi.preflight import Finding, preflight
from ictus.render.console import warn
from ictus.render.plan_options import plan_of
from ictus.render.progress import Display
from ictus.render.shell_command import command
from ictus.store.charter import CAMPAIGN, read_charter


@dataclass(frozen=True)
class Request:
    """What the user asked for. `given` are options by TOML key, None where one was left out."""

    folder: Path
    plan: Plan
    launcher: str
    scenario: Path | None
    found: Ready | None = None
    """The libraries, where they were looked for already."""


def request(
    target: Path | None,
    output: Path | None,
    given: Mapping[str, Any],
    *,
    launcher: str,
    scenario: Path | None,
    prefix: str,
) -> Request:
    """Understand `ictus run [PLAN.toml | FOLDER] [-o FOLDER] [options]`.

    A folder that holds a campaign is gone on with: its plan is the base, and options that say something else are an
    error later on. A new folder is named after the plan, so that the same command goes on with it; without a plan,
    with the date. Raises UsageError.
    """
    begun, file = (target, None) if target is not None and target.is_dir() else (None, target)
    if begun is not None and output is not None and begun.resolve() != output.resolve():
        raise UsageError(f"two folders, '{begun}' and -o '{output}': name one")
    folder = begun or output or _new_folder(file, prefix)
    if (folder / CAMPAIGN).is_file() and file is None:
        return Request(folder, _over(read_charter(folder).plan, given), launcher, scenario)
    if begun is not None:
        raise UsageError(f"'{begun}' is no campaign folder; `{command('run', '-o', begun)}` begins one")
    return Request(folder, plan_of(file, given), launcher, scenario)


def _new_folder(file: Path | None, prefix: str) -> Path:
    """Where a campaign goes for which no folder was named."""
    dated = f"{prefix}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    return Path(dated if file is None or file.stem == file.name else file.stem)


def check_folder(folder: Path) -> None:
    """Find out before anything is built that the campaign's folder cannot be one. Raises UsageError."""
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"-o '{folder}' is a file, not a folder")
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for one in missing:  # only a try: nothing is left of a campaign that does not begin
            one.rmdir()
    except OSError as error:
        raise UsageError(f"-o '{folder}' cannot be created: {error.strerror}") from error
    if folder.is_dir():
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UsageError(f"-o '{folder}' cannot be written to")
        if not (folder / CAMPAIGN).exists():
            check_vacant(folder)


def _over(begun: Plan, given: Mapping[str, Any]) -> Plan:
    """The plan that a campaign was begun with, with the options given now laid over it."""
    base = begun.values()
    known = {key: value for key, value in given.items() if value is not None}
    # The number of repetitions stands in two fields of a complete plan: one given now replaces both.
    if "repetition" in known:
        base["nrep"], base["predicted"] = None, []
    elif "nrep" in known:
        base["repetition"], base["predicted"] = parse_spec(base["repetition"]).name, []
    return Plan.from_values({**base, **known}, "option")


@dataclass(frozen=True)
class Prepared:
    """A design that can be run."""

    folder: Path
    design: Design
    ready: Ready


def prepare(asked: Request, display: Display) -> Prepared:
    """Check the plan, find the libraries, build their cores, look at the machine. Raises UsageError,
    MeasurementError.
    """
    registries = Registries.load()
    expand(asked.plan, registries)  # names and sizes are wrong before anything is built, or not at all
    if asked.launcher == Namespaces.name:
        check_clock(asked.plan.clock)
        check_machine()
    check_folder(asked.folder)
    with display.preparing() as tell:
        found = asked.found or ready(wanted(asked.plan), asked.launcher, asked.scenario, tell)
        machine, findings = _look(found, max(asked.plan.processes), tell) if found.real else ({"host": "simulated"}, ())
    plan, left_out = _with_all(placed(asked.plan, found), found, registries)
    newer = may_lack(plan.operations, registries)
    if newer:
        check_available(newer, found.availability())
    with display.preparing() as tell:
        variants = _variants(plan, found, tell)
    design = make_design(
        plan, registries, found.installations, machine=machine, variants=variants, reference_cvars=found.reference_cvars
    )
    _check_attainable(design, found, asked.launcher, registries)
    large = beyond_int(design.cases, registries)
    if large:
        check_large(large, found.availability(), registries)
    check_goal(design)
    heed(findings)
    return Prepared(asked.folder, replace(design, notes=(*left_out, *design.notes)), found)


def _check_attainable(design: Design, found: Ready, launcher: str, registries: Registries) -> None:
    """UsageError for a case that this host cannot have, where it is known that launches stay on it."""
    shell = {**os.environ, **common(design.plan.environment)}
    elsewhere = any("HOSTFILE" in name.upper().replace("_", "") for name in shell)
    if not found.real or launcher != Mpiexec.name or elsewhere or not on_one_host(shell):
        return
    check_one_host(design.cases)
    memory = design.machine.get("memory_bytes")
    if isinstance(memory, int):
        check_memory(design.cases, memory, registries)


def _with_all(plan: Plan, found: Ready, registries: Registries) -> tuple[Plan, tuple[str, ...]]:
    """The plan with `all` operations as those that every library has, and what is left out."""
    if ALL not in plan.operations:
        return plan, ()
    operations, left_out = shared(plan.operations, found.availability(), registries)
    return plan.model_copy(update={"operations": operations}), left_out


def wanted(plan: Plan) -> tuple[LibraryRequest, ...]:
    """Those that the plan names; for a platform without any the simulator."""
    return plan.libraries or (() if plan.platform is None else (parse_library(SIMULATOR),))


def placed(plan: Plan, found: Ready) -> Plan:
    """The plan for the world that the libraries are in; UsageError for a platform that they are not on."""
    if found.on_platform:
        return plan.simulated()
    if plan.platform is not None:
        labels = ", ".join(one.label for one in found.installations)
        raise UsageError(f"platform '{plan.platform}': {labels} is not simulated; leave it out, or name -m {SIMULATOR}")
    return plan


def _variants(plan: Plan, found: Ready, tell: Tell) -> Mapping[str, tuple[Variant, ...]]:
    if plan.algorithms:
        tell("asking the libraries for their algorithms")
    return found.variants(plan)


def _look(found: Ready, n_ranks: int, tell: Tell) -> tuple[Mapping[str, Any], tuple[Finding, ...]]:
    tell("looking at the machine")
    return read_machine().record(), preflight(found.installations, n_ranks)


def heed(findings: Sequence[Finding]) -> None:
    """Show what stands in the way; MeasurementError where launches would fail."""
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        raise MeasurementError("; ".join(f"{finding.subject}: {finding.message}" for finding in errors))
    warn(f"{finding.subject}: {finding.message}" for finding in findings if finding.level == "warning")


def measure(prepared: Prepared, display: Display) -> Ending:
    """Run the campaign, or go on with it. Raises UsageError, MeasurementError."""
    design = prepared.design
    with display:
        return run_campaign(prepared.folder, design, prepared.ready.execute(design), display.show)
