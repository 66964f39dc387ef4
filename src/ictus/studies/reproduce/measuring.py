"""Measures reproducibility: plans each way, rehearses, predicts the time, runs or continues all trials."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.backend import LauncherChoice
from ictus.engine.campaign import MeasurementRequest, PreparedCampaign, prepare_campaign
from ictus.engine.event import Note, Observer
from ictus.engine.folder import check_folder, check_same, refuse_other
from ictus.engine.series import Part, is_complete, run_series
from ictus.engine.trust import check_trusted
from ictus.model.case import expand
from ictus.model.design import Design, make_design
from ictus.model.errors import OptionError, StoppedByUser, UsageError
from ictus.model.plan import Plan
from ictus.model.plan_parts import PredictedCount
from ictus.model.platform import reseeded
from ictus.model.random import SplitMix64, shuffled_by
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.render.progress_line import left_text
from ictus.store.manifest import CAMPAIGN, read_manifest
from ictus.studies.lens.suites.registry import Look, find_look
from ictus.studies.reproduce.progress import SeriesProgress
from ictus.studies.reproduce.record import (
    DOCUMENT,
    FULL,
    OWN,
    QUICK,
    QUICK_TRIALS,
    SUITES,
    TRIALS,
    Reproduction,
    new_reproduction,
    read_reproduction,
    rehearsal_folder,
    trial_folder,
    write_reproduction,
)

_OWN_CLOCK = ("none", "barrier")
"""Process synchronisations that need no global clock: suites that use them have none."""

Make = Callable[[Plan, bool], Design]
"""From a plan, and whether cases keep its order, to the design of a campaign."""


def parts_of(study: Reproduction, make: Make) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The rehearsals, and the campaigns of all trials: each trial holds every way once, in shuffled order.

    A trial depends on the study's seed and its own number only. Raises UsageError for what a way cannot measure.
    """
    plans = {way: way_plan(study.plan, way) for way in study.ways}
    generator = SplitMix64(study.plan.seed or 0)

    def part(folder: str, way: str, **changes: object) -> Part:
        seed = generator.next_u64() >> 11  # 53 bits: whole in every reader of JSON
        platform = plans[way].platform
        if platform is not None:  # else the first launch of every campaign would be the same one
            changes["platform"] = reseeded(platform, seed)
        return Part(folder, make(plans[way].model_copy(update={"seed": seed, **changes}), way != OWN))

    once: Mapping[str, object] = {"launches": 1, "contention_retries": 0}
    rehearsals = tuple(part(rehearsal_folder(way), way, **once) for way in study.ways)
    trials = [
        part(trial_folder(trial, way), way)
        for trial in range(study.trials)
        for way in shuffled_by(study.ways, generator)
    ]
    return rehearsals, tuple(trials)


def way_plan(plan: Plan, way: str) -> Plan:
    """The plan of one campaign of a way: ours, or one run of a suite."""
    return plan if way == OWN else suite_plan(plan, find_look(way))


def suite_plan(campaign_plan: Plan, look: Look) -> Plan:
    """One launch that does as the suite does: its synchronisation, its scheme, its numbers of calls and warm-ups, sizes
    in their order; disturbed or not, it is not done again.
    """
    registries = Registries.load()
    method = look.method(look.calls(0)).checked(registries)
    synchronised = method.procsync.name not in _OWN_CLOCK
    plan = (
        campaign_plan.repeated(repetition=method.repetition)
        .model_copy(
            update={
                "procsync": (method.procsync,),
                "scheme": method.scheme,
                "clocksync": campaign_plan.clocksync if synchronised else (Spec("none"),),
                "clock_bound_s": campaign_plan.clock_bound_s if synchronised else None,
                "launches": 1,
                "contention_retries": 0,
                "warmup": look.lens.warmup,
                "raw": look.lens.needs_raw,
            }
        )
        .checked(registries)
    )
    counts = tuple(
        PredictedCount(
            operation=case.operation,
            size_bytes=case.size_bytes,
            n=case.n,
            procsync=case.procsync,
            scheme=case.scheme,
            nrep=look.calls(case.block_bytes),
        )
        for case in expand(plan, registries).cases
    )
    if method.scheme.name != "per-call" or len({count.nrep for count in counts}) == 1:
        return plan
    spec = registries.check("repetition", "fixed")
    return plan.repeated(look.label, spec, counts)


@dataclass(frozen=True)
class ReproduceOptions:
    """The options of a study of reproducibility; None: as recorded, else the default."""

    trials: int | None = None
    suites: tuple[str, ...] | None = None
    """Labels of lenses."""
    summary: str | None = None
    quick: bool = False


def measure_trials(
    plan: Mapping[str, Any],
    folder: Path | None,
    launcher_choice: LauncherChoice,
    observer: Observer,
    options: ReproduceOptions,
) -> Path:
    """Measure all trials, or those that are missing; the folder they are in. `plan` has values by TOML key.

    Raises UsageError, MeasurementError, StoppedByUser.
    """
    path = folder or Path(f"reproduce-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    exists = (path / DOCUMENT).is_file()
    requested = requested_trials(plan, path, options)
    if exists:
        check_trusted(
            path, requested.plan, launcher_choice.launcher, [key for key, value in plan.items() if value is not None]
        )
    request = MeasurementRequest(
        path / rehearsal_folder(OWN), requested.plan, launcher_choice.launcher, launcher_choice.scenario
    )
    prepared = prepare_campaign(request, observer)
    study = _checked(path, requested, prepared, exists=exists)
    rehearsals, trials = parts_of(study, _make(prepared))
    if exists:
        _check_libraries(path, rehearsals[0])
    else:
        write_reproduction(path, study)
    if not _run(path, rehearsals, trials, prepared, observer):
        parts = (*rehearsals, *trials)
        n_complete = sum(part.n_launches for part in parts if is_complete(path / part.name))
        raise StoppedByUser(path, n_complete, sum(part.n_launches for part in parts))
    return path


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
        observer(Note(f"{progress.n_waiting} launches to come: {time}, going by one launch of each way"))
    return run_series(folder, trials, prepared.backend.execute, progress.show)


def requested_trials(plan: Mapping[str, Any], path: Path, options: ReproduceOptions) -> Reproduction:
    """The study that `measure_trials` measures: a new one, or that of the folder. Raises UsageError."""
    plan_values = {key: value for key, value in plan.items() if value is not None}
    return (_continued if (path / DOCUMENT).is_file() else _new_study)(path, plan_values, options)


def _new_study(folder: Path, plan_values: Mapping[str, Any], options: ReproduceOptions) -> Reproduction:
    """A new study; UsageError where it cannot be."""
    check_folder(folder)
    plan = Plan.from_values({**(QUICK if options.quick else FULL), **plan_values}).seeded()
    _check_plan(plan)
    return new_reproduction(
        options.trials or (QUICK_TRIALS if options.quick else TRIALS),
        options.summary or "median",
        tuple(SUITES.split(",")) if options.suites is None else options.suites,
        plan,
    )


def _continued(folder: Path, plan_values: Mapping[str, Any], options: ReproduceOptions) -> Reproduction:
    """The study in the folder, with the given options laid over its plan so that differences are found."""
    existing = read_reproduction(folder)
    for option, here, requested in (
        ("--trials", existing.trials, options.trials),
        ("--lens", ",".join(existing.suites), None if options.suites is None else ",".join(options.suites)),
        ("--summary", existing.summary, options.summary),
    ):
        if requested not in (None, here):
            raise UsageError(
                f"{option} {requested}: '{folder}' holds a study with {here}; leave it out, or give another -o"
            )
    base = existing.plan.values()
    if "nrep" in plan_values:
        base["repetition"] = "fixed"
    plan = Plan.from_values({**base, **plan_values})
    _check_plan(plan)
    return existing.model_copy(update={"plan": plan})


def _check_plan(plan: Plan) -> None:
    """UsageError for what would be more than one way to measure a case."""
    for name in ("procsync", "clock", "clocksync"):
        if len(getattr(plan, name)) > 1:
            raise OptionError((name, getattr(plan, name), "one is reproduced at a time"))


def _checked(folder: Path, requested: Reproduction, prepared: PreparedCampaign, *, exists: bool) -> Reproduction:
    """The study with the complete plan; UsageError where the folder holds another one."""
    plan = prepared.design.plan
    if exists:
        differences = read_reproduction(folder).plan.differences(plan)
        refuse_other(folder, "study", [f"{line} asked for" for line in differences])
    return requested.model_copy(update={"plan": plan})


def _check_libraries(folder: Path, rehearsal: Part) -> None:
    """UsageError where a library differs from the one that the study started with."""
    path = folder / rehearsal.name
    if (path / CAMPAIGN).is_file():
        check_same(path, read_manifest(path), rehearsal.design)


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
