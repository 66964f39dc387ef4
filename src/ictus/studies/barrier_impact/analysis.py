"""The effect of the start on a latency: the same cases under every process synchronisation, paired launch by launch.

After Fig. 2 and 6 of "MPI process synchronization in space and time". All samples of a launch share its factor, so two
process synchronisations are compared by ratios within launches, and all ratios of a campaign are one family.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ictus.comparison.case_titles import ALGORITHM, IDENTITY, LIBRARY, brief
from ictus.comparison.matching import medians
from ictus.model.errors import UsageError
from ictus.model.unknown import unknown
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.median import median_interval
from ictus.stats.verdict import CaseRules
from ictus.store.campaign import Campaign

SMALLEST = "smallest"
"""The norm of a row's medians, where it is not a process synchronisation."""

PREFERRED = ("harmonize", "window", "barrier(")
"""The reference of ratios: the first of these that was measured."""

_PROCSYNC = "procsync"
_SHARED = tuple(name for name in IDENTITY if name not in (_PROCSYNC, ALGORITHM))


@dataclass(frozen=True)
class ImpactTarget:
    """What is measured under every process synchronisation: an operation and a size in one variant of a library."""

    mpi: str
    algorithm: str
    operation: str
    n: int
    size_bytes: int
    factors: tuple[object, ...]
    """All other factors of the case."""


@dataclass(frozen=True)
class Impact:
    """One target under one process synchronisation. Times in seconds, None where no sample was valid."""

    target: ImpactTarget
    procsync: str
    """In full form; `label` is short."""
    medians_s: tuple[tuple[int, float | None], ...]
    """Launch median of each block of the schedule, ascending by block."""
    median_s: float | None
    low_s: float | None
    """Limits of the median's interval over launches; None where there are too few."""
    high_s: float | None
    normalised: float | None
    """The median relative to the target's smallest one, or to that of the requested norm."""
    start_skew_s: float | None
    """Median over launches of the mean start skew."""
    valid_share: float | None
    against: CaseComparison | None
    """This process synchronisation against the reference, paired within launches; None for the reference itself."""

    @property
    def label(self) -> str:
        """As short as can be: `barrier(dissemination)`."""
        return label(self.procsync)

    @property
    def n_launches(self) -> int:
        """Launches with a median."""
        return sum(median is not None for _, median in self.medians_s)


def label(procsync: str) -> str:
    """A process synchronisation as short as can be: `barrier(dissemination)`."""
    return brief(_PROCSYNC, procsync)


def procsyncs(campaign: Campaign) -> tuple[str, ...]:
    """All process synchronisations of a campaign in the order of its plan; UsageError where there is only one."""
    starts = tuple(campaign.cases[_PROCSYNC].unique(maintain_order=True).to_list())
    if len(starts) < 2:
        raise UsageError(
            f"'{campaign.folder}' has one process synchronisation ({starts[0]}): nothing to compare it with"
        )
    return starts


def named(text: str, measured: Sequence[str], option: str) -> str:
    """The measured process synchronisation that was typed as `text`: its label, its full form, or its bare name."""
    matching = [start for start in measured if text in (start, label(start), start.partition("(")[0])]
    exact = [start for start in matching if text in (start, label(start))]
    if len(exact or matching) != 1:
        raise unknown(f"process synchronisation '{text}' of {option}", text, map(label, measured))
    return (exact or matching)[0]


def default_reference(measured: Sequence[str]) -> str:
    """The default reference of ratios: a start on the global clock rather than a barrier."""
    return next((start for first in PREFERRED for start in measured if start.startswith(first)), measured[0])


def impacts(
    campaign: Campaign,
    *,
    reference: str,
    norm: str = SMALLEST,
    level: float,
    adjust: str,
    equivalence: float,
    forecast: bool = True,
) -> tuple[Impact, ...]:
    """All targets under all process synchronisations, in the order of the plan. `reference` and `norm` (or `smallest`)
    are full forms; ratios are p-values of one family. Without `forecast` nobody asks how many launches an undecided one
    needs, which takes most of the time.
    """
    measured = procsyncs(campaign)
    skews, targets = _mean_skews(campaign), _targets(campaign)
    rules = CaseRules(paired=True, level=level, adjust=adjust, equivalence=equivalence)
    against = _against(targets, measured, reference, rules, forecast=forecast)
    rows: list[Impact] = []
    for target, by_procsync in targets.items():
        middles = {name: _middle(frame) for name, frame in by_procsync.items()}
        base = _base(middles, norm)
        rows += [
            _impact(target, name, by_procsync[name], base, skews, against=against.get((target, name)))
            for name in measured
            if name in by_procsync
        ]
    return tuple(rows)


def _targets(campaign: Campaign) -> dict[ImpactTarget, dict[str, pl.DataFrame]]:
    """For each target and process synchronisation the summaries of its launches."""
    order = {label: index for index, label in enumerate(campaign.labels)}
    variants = {name: index for index, name in enumerate(campaign.variants)}
    blocks = {launch.slot.slot: launch.slot.block for launch in campaign.launches}
    frame = medians(campaign).with_columns(pl.col("slot").replace_strict(blocks, return_dtype=pl.Int64).alias("block"))
    by_target: dict[ImpactTarget, dict[str, pl.DataFrame]] = {}
    for group in frame.sort("case_id", "launch").partition_by(
        LIBRARY, ALGORITHM, *_SHARED, _PROCSYNC, maintain_order=True
    ):
        row = group.row(0, named=True)
        shared_factors = tuple(row[name] for name in _SHARED if name not in ("operation", "n", "size_bytes"))
        target = ImpactTarget(
            row[LIBRARY], row[ALGORITHM], row["operation"], row["n"], row["size_bytes"], shared_factors
        )
        by_target.setdefault(target, {})[row[_PROCSYNC]] = group
    operations = {
        key: index
        for index, key in enumerate(
            dict.fromkeys((impact_target.operation, impact_target.n) for impact_target in by_target)
        )
    }

    def place(target: ImpactTarget) -> tuple[int, ...]:
        return operations[target.operation, target.n], variants[target.algorithm], order[target.mpi]

    return {target: by_target[target] for target in sorted(by_target, key=place)}


def _impact(
    target: ImpactTarget,
    procsync: str,
    frame: pl.DataFrame,
    base: float | None,
    skews: Mapping[tuple[str, str, int], float],
    *,
    against: CaseComparison | None,
) -> Impact:
    values = frame["value"].drop_nulls().to_numpy()
    interval = median_interval(values) if values.size else None
    attempted, valid = int(frame["attempted"].sum()), int(frame["valid"].sum())
    return Impact(
        target=target,
        procsync=procsync,
        medians_s=tuple(frame.sort("block").select("block", "value").iter_rows()),
        median_s=interval.median if interval else None,
        low_s=interval.low if interval else None,
        high_s=interval.high if interval else None,
        normalised=interval.median / base if interval and base else None,
        start_skew_s=skews.get((target.mpi, target.algorithm, int(frame["case_id"][0]))),
        valid_share=valid / attempted if attempted else None,
        against=against,
    )


def _middle(frame: pl.DataFrame) -> float | None:
    values = frame["value"].drop_nulls().to_numpy()
    return float(np.median(values)) if values.size else None


def _base(middles: Mapping[str, float | None], norm: str) -> float | None:
    """The divisor of a target's medians."""
    if norm != SMALLEST:
        return middles.get(norm)
    return min((middle for middle in middles.values() if middle is not None), default=None)


def _against(
    by_target: Mapping[ImpactTarget, Mapping[str, pl.DataFrame]],
    measured: Sequence[str],
    reference: str,
    rules: CaseRules,
    *,
    forecast: bool,
) -> dict[tuple[ImpactTarget, str], CaseComparison]:
    """Each process synchronisation against the reference, launch by launch, all as one family."""
    keys = list(_compared(by_target, measured, reference))
    sides = [(_by_launch(by_target[target][name]), _by_launch(by_target[target][reference])) for target, name in keys]
    launches = [sorted(here.keys() | of_reference.keys()) for here, of_reference in sides]
    results = compare_cases(
        [[here.get(launch) for launch in slots] for (here, _), slots in zip(sides, launches, strict=True)],
        [
            [of_reference.get(launch) for launch in slots]
            for (_, of_reference), slots in zip(sides, launches, strict=True)
        ],
        rules,
        forecast=forecast,
    )
    return dict(zip(keys, results, strict=True))


def _compared(
    by_target: Mapping[ImpactTarget, Mapping[str, pl.DataFrame]], measured: Sequence[str], reference: str
) -> Iterator[tuple[ImpactTarget, str]]:
    for target, by_procsync in by_target.items():
        if reference in by_procsync:
            yield from ((target, name) for name in measured if name in by_procsync and name != reference)


def _by_launch(frame: pl.DataFrame) -> dict[int, float | None]:
    return dict(frame.select("launch", "value").iter_rows())


def _mean_skews(campaign: Campaign) -> dict[tuple[str, str, int], float]:
    """By library, variant and case: the median over launches of the mean start skew of valid samples."""
    valid = campaign.samples.filter((pl.col("flags") == 0) & pl.col("start_skew").is_finite())
    launches = valid.group_by(LIBRARY, ALGORITHM, "slot", "case_id").agg(pl.col("start_skew").mean())
    means = launches.group_by(LIBRARY, ALGORITHM, "case_id").agg(pl.col("start_skew").median()).collect()
    return {(mpi, variant, case_id): skew for mpi, variant, case_id, skew in means.iter_rows() if math.isfinite(skew)}
