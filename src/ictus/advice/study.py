"""The circle from its options: profile, check, tune, proof in the program."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ictus.advice.circle import Circle
from ictus.advice.outcome import Advice
from ictus.advice.request import AdviseOptions, earlier_record, record_in
from ictus.advice.trial import AdvisedProgram
from ictus.engine.event import Observer, log
from ictus.launch.launchers import with_hosts
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.case import expand
from ictus.model.errors import UsageError
from ictus.model.job_size import ANYWHERE, MAPPINGS, check_order, one_placement
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.mpi.build import build_profile
from ictus.mpi.operation_library import identified
from ictus.programs.program import check_launch, find_program, prepare_library
from ictus.programs.request import ProgramRequest
from ictus.tuning.budget import LEAST_LAUNCHES


def advise(
    program: Sequence[str],
    folder: Path | str = "ictus-advice",
    *,
    mpi: str | None = None,
    n: int = 2,
    launches: int | None = None,
    nrep: int | None = None,
    limit: int | None = None,
    least: float | None = None,
    budget_s: float | None = None,
    seed: int | None = None,
    environment: Mapping[str, str] | None = None,
    plan: Mapping[str, Any] | None = None,
    pin: bool = True,
    launcher: str = Mpiexec.name,
    nodes: int | None = None,
    ppn: int | None = None,
    map_by: str | None = None,
    hosts: Path | str | None = None,
    timeout_s: float = 600.0,
    observer: Observer = log,
) -> Advice:
    """Find what makes a program faster without touching it, and prove it, as `ictus advise` does.

    Args:
        program: the program, as a path or by its name in PATH, and its arguments.
        folder: every step is kept here, and continued after an interruption.
        mpi: the library that it was built with, by label, flavour or wrapper; the first that is found.
        n: number of processes.
        launches: of checks, of confirmations, and of the program with and without each remedy, 6 or more; 20.
        nrep: valid repetitions of a case in a launch; 100.
        limit: candidates of a call, with the call itself; 24.
        least: share of the program's time from which on a call matters; 0.01.
        budget_s: time in launches, seconds; half an hour.
        seed: decides the order of everything; drawn.
        environment: variables of the program's ranks, and of all that is measured.
        plan: how checks measure, by keys of a plan, such as `procsync`.
        pin: whether ranks are placed on cores.
        launcher: how ranks are started: a name of `ictus list launcher`.
        nodes: number of nodes; left out, the launcher decides. Checks and races have them too.
        ppn: processes on each node; with `nodes`, `n` follows.
        map_by: what consecutive ranks take in turn: core, socket or node.
        hosts: a file with one host per line, for the launchers mpiexec, ssh and a template.
        timeout_s: a launch of the program that takes longer is ended.
        observer: receives each event; by default it goes to the logger `ictus`.

    Raises:
        UsageError: there is no such program or library, or the folder holds something else.
        MeasurementError: a step failed, or the program did; what is complete is kept.
        StoppedByUser: Ctrl-C; the same call continues.
    """
    options = AdviseOptions(
        mpi=mpi,
        n=n,
        launches=launches,
        nrep=nrep,
        limit=limit,
        least=least,
        budget_s=budget_s,
        seed=seed,
        environment=environment,
        plan=plan,
        pin=pin,
        launcher=with_hosts(launcher, None if hosts is None else Path(hosts)),
        nodes=nodes,
        ppn=ppn,
        map_by=map_by,
        timeout_s=timeout_s,
    )
    return run_advice(program, Path(folder), options, observer)


def run_advice(words: Sequence[str], folder: Path, options: AdviseOptions, observer: Observer) -> Advice:
    """The circle around the program `words`, kept in `folder`. Raises as `advise`."""
    if not words:
        raise UsageError("advise: no program")
    if options.launches is not None and options.launches < LEAST_LAUNCHES:
        raise UsageError(f"launches {options.launches}: fewer than {LEAST_LAUNCHES} can confirm nothing")
    file = find_program(words[0])
    check_launch(options.launcher)
    (size,) = one_placement((options.n,), options.nodes or ANYWHERE, options.ppn or ANYWHERE)
    check_order(options.map_by or MAPPINGS[0])
    plan = dict(options.plan or {})
    if "plugin" in plan:
        named = [plan["plugin"]] if isinstance(plan["plugin"], str) else plan["plugin"]
        plan["plugin"] = [identified(str(plugin)) for plugin in named]
    options = replace(options, n=size.n, plan=plan or None)
    plan_values = {key: value for key, value in plan.items() if key not in ("mpi", "op", "sizes")}
    expand(
        Plan.from_values({**plan_values, "op": "bcast", "sizes": "8"}), Registries.load()
    )  # a wrong word is told now
    earlier_record(folder, options)  # so is a folder that holds something else
    installation, counter = prepare_library(options.mpi, build_profile, "profile library", observer, file)
    record = record_in(folder, (str(file), *words[1:]), installation.label, options)
    program = AdvisedProgram(
        file=file,
        request=ProgramRequest(
            record.program,
            options.mpi,
            record.n,
            record.environment,
            options.pin,
            options.launcher,
            options.timeout_s,
            record.nodes,
            record.ppn,
            record.map_by,
        ),
        installation=installation,
        counter=counter,
    )
    return Circle(folder, record, options, program, observer).run()
