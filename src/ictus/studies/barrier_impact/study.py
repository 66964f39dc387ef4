"""The same collective under every process synchronisation, in the same launches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.comparison.evidence import ComparisonEvidence, side_by_side
from ictus.comparison.warnings import campaign_warnings
from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.engine.measurement import PlanLike, between_starts, measure_with_defaults, plan_words
from ictus.model.errors import OptionError, UsageError
from ictus.model.reduction import USUAL, Reduction
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign, load
from ictus.studies.barrier_impact.analysis import SMALLEST, Impact, default_reference, impacts, label, named, procsyncs
from ictus.studies.barrier_impact.winners import Contest, contests

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
    """Measure the campaign of `measure`, or continue it; its folder."""
    target, values = plan_words(plan)
    starts = values.get("procsync")
    if isinstance(starts, list) and len(set(starts)) < 2:
        raise OptionError(("procsync", starts, "two or more are needed to see the effect of the start"))
    usual = QUICK if quick else {**FULL, "procsync": every_start()}
    return measure_with_defaults(
        target or values, folder, usual, world, observer, prefix="impact", family=between_starts
    )


def check_starts(names: Mapping[str, str | None]) -> None:
    """UsageError, before minutes of measuring, for an option whose value is no process synchronisation."""
    for option, name in names.items():
        if name not in (None, SMALLEST):
            try:
                Registries.load().check("procsync", name)
            except UsageError as error:
                raise OptionError((option, name, str(error))) from error


def every_start() -> list[str]:
    """Every process synchronisation that there is: each barrier, and each other start but imposed arrivals."""
    registries = Registries.load()
    barriers = [f"barrier({member.name})" for member in registries.family("barrier").members]
    others = [
        member.name for member in registries.family("procsync").members if member.name not in ("barrier", "arrival")
    ]
    return [*barriers, *others]


@dataclass(frozen=True)
class JudgedImpact:
    """How the rows came about: labels of norm and reference, and the rules of the tests."""

    norm: str
    reference: str
    adjust: str
    level: float
    reduction: Reduction = USUAL

    def as_row(self) -> dict[str, object]:
        """For scripts."""
        return {"norm": self.norm, "reference": self.reference, "adjust": self.adjust, "level": self.level} | (
            self.reduction.as_row()
        )


@dataclass(frozen=True)
class ImpactResult:
    """All that is shown."""

    campaign: Campaign
    rows: Sequence[Impact]
    contests: Sequence[Contest]
    judged: JudgedImpact
    warnings: tuple[str, ...]

    @property
    def evidence(self) -> ComparisonEvidence:
        """What it rests on: all starts are in the same launches, and libraries in turn."""
        return side_by_side(self.campaign, paired=True)


def read_impact(
    folder: Path,
    reference: str | None,
    norm: str,
    *,
    adjust: str | None,
    level: float | None,
    equivalence: float,
    contended: bool,
    reduction: Reduction = USUAL,
) -> ImpactResult:
    """The results of a campaign, by the given rules, else by those of its plan. UsageError for a norm or a reference
    that it does not have.
    """
    campaign = load(folder, contended=contended, reduction=reduction)
    measured = procsyncs(campaign)
    full = default_reference(measured) if reference is None else named(reference, measured, "--reference")
    base = norm if norm == SMALLEST else named(norm, measured, "--norm")
    rules: dict[str, Any] = {
        "adjust": adjust or campaign.plan.adjust,
        "level": campaign.plan.level if level is None else level,
    }
    rows = impacts(campaign, reference=full, norm=base, equivalence=equivalence, **rules)
    shown = norm if norm == SMALLEST else label(base)
    judged = JudgedImpact(shown, label(full), **rules, reduction=reduction)
    found = contests(rows, equivalence=equivalence, **rules)
    return ImpactResult(campaign, rows, found, judged, campaign_warnings(campaign))
