"""The same collective under every process synchronisation, in the same launches."""

from pathlib import Path

from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.engine.measurement import PlanLike, measure_usual, plan_words
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.store.campaign import load
from ictus.studies.barrier_impact.analysis import Impact, default_reference, impacts, named, procsyncs

QUICK = {
    "op": "bcast,allreduce",
    "sizes": "8,8Ki",
    "procsync": ["none", "barrier(library)", "barrier(linear)", "barrier(dissemination)", "window", "harmonize"],
    "launches": 12,
    "nrep": 100,
    "contention-retries": 0,
}
FULL = {"op": "bcast,allreduce", "sizes": "8..64Ki*8", "launches": 20, "nrep": 300}


def measure(
    plan: PlanLike,
    folder: Path | None,
    world: World,
    observer: Observer,
    *,
    quick: bool = False,
    reference: str | None = None,
    equivalence: float = 0.05,
) -> tuple[Impact, ...]:
    """A row for each target and start, against the start `reference` (None: the first on the global clock). `quick`
    measures six starts instead of all; ratios within `equivalence`, a share, count as the same.
    """
    campaign = load(measure_impact(plan, folder, world, observer, quick=quick))
    known = procsyncs(campaign)
    full = default_reference(known) if reference is None else named(reference, known, "reference")
    return impacts(
        campaign, reference=full, level=campaign.plan.level, adjust=campaign.plan.adjust, equivalence=equivalence
    )


def measure_impact(
    plan: PlanLike, folder: Path | None, world: World, observer: Observer, *, quick: bool = False
) -> Path:
    """Measure the campaign of `measure`, or go on with it; its folder."""
    target, values = plan_words(plan)
    starts = values.get("procsync")
    if isinstance(starts, list) and len(set(starts)) < 2:
        raise UsageError(f"--procsync {','.join(starts)}: two or more are needed to see what the start does")
    usual = QUICK if quick else {**FULL, "procsync": every_start()}
    return measure_usual(target or values, folder, usual, world, observer, prefix="impact")


def every_start() -> list[str]:
    """Every process synchronisation that there is: each barrier, and each other start but imposed arrivals."""
    registries = Registries.load()
    barriers = [f"barrier({member.name})" for member in registries.family("barrier").members]
    others = [
        member.name for member in registries.family("procsync").members if member.name not in ("barrier", "arrival")
    ]
    return [*barriers, *others]
