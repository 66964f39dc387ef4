"""Begins a study of reproducibility, or goes on with one: rehearse, say how long it takes, measure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.campaign import MeasurementRequest, PreparedCampaign, prepare_campaign
from ictus.engine.event import Noted, Observer
from ictus.engine.folder import check_folder, check_same
from ictus.engine.series import Part, run_series
from ictus.model.design import Design, make_design
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.render.progress import Display, left_text
from ictus.render.shell_command import command
from ictus.store.charter import CAMPAIGN, read_charter
from ictus.studies.reproduce.parts import Make, parts_of
from ictus.studies.reproduce.progress import SeriesProgress
from ictus.studies.reproduce.record import (
    DOCUMENT,
    OWN,
    Reproduction,
    new_reproduction,
    read_reproduction,
    rehearsal_folder,
    write_reproduction,
)


@dataclass(frozen=True)
class Wanted:
    """What was typed; None where an option was left out."""

    plan: Mapping[str, Any]
    """By TOML key."""
    usual: Mapping[str, Any]
    """What is measured where nothing else is said."""
    trials: int | None
    usual_trials: int
    suites: tuple[str, ...] | None
    usual_suites: tuple[str, ...]
    average: str | None
    usual_average: str


def measured(out: Path | None, wanted: Wanted, launcher: str, scenario: Path | None) -> Path:
    """Measure all trials, or those that are missing; the folder they are in.

    Raises UsageError, MeasurementError, which where the user stopped it names the command that goes on.
    """
    folder = out or Path(f"reproduce-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    begun = (folder / DOCUMENT).is_file()
    asked = _gone_on_with(folder, wanted) if begun else _begun(folder, wanted)
    with Display() as display:
        request = MeasurementRequest(folder / rehearsal_folder(OWN), asked.plan, launcher, scenario)
        prepared = prepare_campaign(request, display)
        study = _checked(folder, asked, prepared, begun=begun)
        rehearsals, trials = parts_of(study, _make(prepared))
        if begun:
            _check_libraries(folder, rehearsals[0])
        else:
            write_reproduction(folder, study)
        whole = _run(folder, rehearsals, trials, prepared, display)
    if not whole:
        raise MeasurementError(f"stopped; `{command('reproduce', '-o', folder)}` goes on with the rest")
    return folder


def _run(
    folder: Path,
    rehearsals: tuple[Part, ...],
    trials: tuple[Part, ...],
    prepared: PreparedCampaign,
    observer: Observer,
) -> bool:
    if not run_series(folder, rehearsals, prepared.backend.execute):
        return False
    progress = SeriesProgress(observer, folder, rehearsals, trials)
    if progress.n_waiting:
        time = left_text(progress.left_s).removesuffix(" left")
        observer(Noted(f"{progress.n_waiting} launches to come: {time}, going by one launch of each way"))
    return run_series(folder, trials, prepared.backend.execute, progress.show)


def _begun(folder: Path, wanted: Wanted) -> Reproduction:
    """A new study; UsageError where it cannot be."""
    check_folder(folder)
    plan = Plan.from_values({**wanted.usual, **wanted.plan}, "option").seeded()
    _check_plan(plan)
    return new_reproduction(
        wanted.trials or wanted.usual_trials,
        wanted.average or wanted.usual_average,
        wanted.usual_suites if wanted.suites is None else wanted.suites,
        plan,
    )


def _gone_on_with(folder: Path, wanted: Wanted) -> Reproduction:
    """The study that was begun, its plan with the options given now laid over it, so that differences are found."""
    there = read_reproduction(folder)
    for option, here, asked in (
        ("--trials", there.trials, wanted.trials),
        ("--lens", ",".join(there.suites), None if wanted.suites is None else ",".join(wanted.suites)),
        ("--average", there.average, wanted.average),
    ):
        if asked not in (None, here):
            raise UsageError(
                f"{option} {asked}: '{folder}' holds a study with {here}; leave it out, or give another -o"
            )
    base = there.plan.values()
    if "nrep" in wanted.plan:
        base["repetition"] = "fixed"
    plan = Plan.from_values({**base, **wanted.plan}, "option")
    _check_plan(plan)
    return Reproduction(there.ictus, there.created, there.trials, there.average, there.suites, plan)


def _check_plan(plan: Plan) -> None:
    """UsageError for what would be more than one way to measure a case."""
    if len(plan.procsync) > 1:
        raise UsageError(f"--procsync {','.join(plan.procsync)}: one is reproduced at a time")


def _checked(folder: Path, asked: Reproduction, prepared: PreparedCampaign, *, begun: bool) -> Reproduction:
    """The study with the complete plan; UsageError where it is not the one that was begun."""
    plan = prepared.design.plan
    if begun:
        differences = read_reproduction(folder).plan.differences(plan)
        if differences:
            raise UsageError(
                f"'{folder}' holds a study that differs in\n  "
                + "\n  ".join(f"{line} asked for" for line in differences)
                + "\nTrials of different plans are never mixed: give another -o, or leave the options out."
            )
    return Reproduction(asked.ictus, asked.created, asked.trials, asked.average, asked.suites, plan)


def _check_libraries(folder: Path, rehearsal: Part) -> None:
    """UsageError where a library is not what it was when the study was begun."""
    place = folder / rehearsal.name
    if (place / CAMPAIGN).is_file():
        check_same(place, read_charter(place), rehearsal.design)


def _make(prepared: PreparedCampaign) -> Make:
    registries, base, backend = Registries.load(), prepared.design, prepared.backend

    def make(plan: Plan, in_order: bool) -> Design:
        design = make_design(
            plan,
            registries,
            backend.installations,
            machine=base.machine,
            reference_cvars=base.reference_cvars,
            variants=base.variants,
        )
        return replace(design, in_order=in_order)

    return make
