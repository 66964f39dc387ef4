"""From the launches of a prediction to one number of repetitions for each case. Campaigns in, rows out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from ictus.model.errors import UsageError
from ictus.model.plan_parts import CountKey, PredictedCount
from ictus.model.reduction import FIELDS
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec
from ictus.stats.arrays import FloatArray
from ictus.stats.nrep import WINDOW, WINDOWS, NrepPrediction, NrepRule, predict
from ictus.stats.stratum_effects import without_strata
from ictus.stats.summary import inside
from ictus.store.campaign import Campaign
from ictus.store.modes import modes_of, places_of, probes_of

_PREDICTS = "nrep"
_KEYS = ["slot", "case_id", "metric"]
_DRAWN = 250
"""Totals of a curve, about."""


@dataclass(frozen=True)
class NrepLaunch:
    """One case in one launch."""

    slot: int
    prediction: NrepPrediction
    curve: NrepPrediction
    """The same metrics at many more totals, for a figure."""
    values: FloatArray = field(repr=False)
    """Latencies of the valid samples in the order measured, seconds."""
    mode: int
    """Of the machine, from 0; negative where it is unknown."""
    ends: bool
    """Whether there are no samples any more before the metrics are under their thresholds, and before `max`."""
    stopped: int | None
    """The count at which the core ended the case by the same rule; None where it did not, or had another rule."""

    @property
    def nrep(self) -> int:
        """The count of this launch. Where the recorded samples just miss a threshold that the core, which maps its
        clocks by its present model, saw as kept, the core's count holds.
        """
        return self.prediction.nrep if self.prediction.converged or self.stopped is None else self.stopped

    @property
    def converged(self) -> bool:
        """Whether the metrics came under their thresholds."""
        return self.prediction.converged or self.stopped is not None


@dataclass(frozen=True)
class NrepRow:
    """One case of one library over the launches of the prediction."""

    mpi: str
    case: Mapping[str, Any]
    launches: tuple[NrepLaunch, ...]

    @property
    def nrep(self) -> int:
        """The largest of the launches."""
        return max(launch.nrep for launch in self.launches)

    @property
    def converged(self) -> bool:
        """Whether every launch did."""
        return all(launch.converged for launch in self.launches)

    @property
    def ends(self) -> bool:
        """Whether more than `nrep` are needed, for which a launch has no samples: the number is unknown."""
        return any(launch.ends for launch in self.launches)

    @property
    def spread(self) -> float | None:
        """Standard deviation over mean of the launch medians of the first `nrep` samples, within modes of the machine:
        small where the count is enough (the paper's definition 1). None for a single launch.
        """
        return self._spread([launch.values[: self.nrep] for launch in self.launches])

    @property
    def spread_all(self) -> float | None:
        """The same for all samples; None if no launch has more."""
        has_more = any(launch.values.size > self.nrep for launch in self.launches)
        return self._spread([launch.values for launch in self.launches]) if has_more else None

    def _spread(self, samples: Sequence[FloatArray]) -> float | None:
        if len(samples) < 2:
            return None
        medians = without_strata(
            [np.median(sample[inside(sample)]) for sample in samples], [launch.mode for launch in self.launches]
        )
        return float(medians.std(ddof=1) / medians.mean())


def rule_text(rule: NrepRule) -> str:
    """The rule as the repetition `nrep(...)`, in full form."""
    chosen = ",".join(
        f"{name}={f'{rule.thresholds[name]:g}' if name in rule.thresholds else 'off'}"
        for name in ("rse", "cov_mean", "cov_median")
    )
    windows = ",".join(f"{key}={rule.windows.get(name, WINDOW)}" for name, key in WINDOWS.items())
    text = f"{_PREDICTS}(min={rule.least},max={rule.most},step={rule.step},{chosen},{windows})"
    return str(Registries.load().check("repetition", text))


def own_rule(campaign: Campaign) -> NrepRule | None:
    """The rule that the launches stopped by; None where they had another repetition."""
    spec = campaign.plan.repetition
    return NrepRule.of(spec) if spec.name == _PREDICTS else None


def nrep_rows(campaign: Campaign, rule: NrepRule) -> tuple[NrepRow, ...]:
    """A row for each library, algorithm and case, in the order of the plan; UsageError where no sample is valid."""
    stops = own_rule(campaign) == rule
    slots = [launch.slot.slot for launch in campaign.launches]
    modes = dict(zip(slots, map(int, modes_of(probes_of(campaign), places_of(campaign))), strict=True))
    most_attempts = _most_attempts(campaign.plan.repetition)
    launches_by_case: dict[tuple[int, str, str], list[NrepLaunch]] = {}
    for slot, mpi, algorithm, case_id, values, attempted in _sequences(campaign):
        prediction = predict(values, rule)
        ended = stops and values.size < rule.most and values.size in prediction.totals and attempted < most_attempts
        ends = not prediction.converged and not ended and values.size < rule.most
        curve, stopped = _curve(values[: prediction.nrep], rule), values.size if ended else None
        launch = NrepLaunch(slot, prediction, curve, values, modes[slot], ends, stopped)
        launches_by_case.setdefault((case_id, algorithm, mpi), []).append(launch)
    cases = {row["case_id"]: row for row in campaign.cases.iter_rows(named=True)}
    rows = []
    for case_id, algorithm, mpi in sorted(launches_by_case, key=lambda key: _order(campaign, key)):
        factors = {name: value for name, value in cases[case_id].items() if name != "case_id"}
        launches = sorted(launches_by_case[case_id, algorithm, mpi], key=lambda nrep_launch: nrep_launch.slot)
        rows.append(NrepRow(mpi, {**factors, "algorithm": algorithm}, tuple(launches)))
    if not rows:
        raise UsageError(f"'{campaign.folder}' has no valid sample: nothing can be predicted")
    return tuple(rows)


def _curve(values: FloatArray, rule: NrepRule) -> NrepPrediction:
    """From half the first look on, a total every so often."""
    step = max(1, values.size // _DRAWN)
    return predict(values, replace(rule, least=max(2, rule.least // 2), most=max(rule.most, values.size), step=step))


def _order(campaign: Campaign, key: tuple[int, str, str]) -> tuple[int, int, int]:
    case_id, algorithm, mpi = key
    return case_id, campaign.variants.index(algorithm), campaign.labels.index(mpi)


def _sequences(campaign: Campaign) -> Iterator[tuple[int, str, str, int, Any, int]]:
    """Slot, library, algorithm, case, latencies of the valid samples in the order measured, samples attempted."""
    metrics = {(slot, case_id): metric for slot, case_id, metric in campaign.summaries[_KEYS].iter_rows()}
    for launch, source in zip(campaign.launches, campaign.sources, strict=True):
        frame = source.lazy().select("case_id", "flags", "makespan", "local_max").collect()
        for (case_id,), case_frame in frame.partition_by("case_id", as_dict=True, maintain_order=True).items():
            name = FIELDS[metrics[launch.slot.slot, case_id]]
            values = case_frame.filter(pl.col("flags") == 0, pl.col(name).is_finite())[name].to_numpy()
            if values.size:
                yield launch.slot.slot, launch.mpi, launch.algorithm, int(case_id), values, case_frame.height


def _most_attempts(repetition: Spec) -> float:
    """Attempts at which the core gives up."""
    number, most = repetition.argument("max_attempts"), repetition.argument("max")
    if isinstance(number, Number):
        return float(number.text)
    return 3 * float(most.text) if isinstance(most, Number) else float("inf")


def predicted_counts(rows: Sequence[NrepRow]) -> tuple[PredictedCount, ...]:
    """One count for each case, the largest of its libraries and algorithms: compared sides are measured alike."""
    by_key: dict[CountKey, PredictedCount] = {}
    for row in rows:
        case = row.case
        count = PredictedCount(
            operation=case["operation"],
            size_bytes=case["size_bytes"],
            n=case["n"],
            procsync=case["procsync"],
            scheme=case["scheme"],
            nrep=row.nrep,
            converged=row.converged,
        )
        earlier = by_key.get(count.key, count)
        largest, both = max(count.nrep, earlier.nrep), count.converged and earlier.converged
        by_key[count.key] = count.model_copy(update={"nrep": largest, "converged": both})
    return tuple(by_key.values())


def unpredicted(campaign: Campaign) -> str | None:
    """Why the campaign is not a complete prediction; None where it is one."""
    if own_rule(campaign) is None:
        return f"was measured with repetition {campaign.plan.repetition.name}, not predicted by `ictus nrep`"
    n_accepted, planned = sum(launch.accepted for launch in campaign.launches), len(campaign.slots)
    return None if campaign.complete else f"is not complete: {n_accepted} of {planned} launches"
