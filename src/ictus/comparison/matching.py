"""Matches the cases of two sides: from summaries to the samples of launch medians that a test takes. Frames in, arrays
out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ictus.comparison.case_titles import ALGORITHM, DERIVED, IDENTITY, LIBRARY, brief
from ictus.comparison.heap import with_page_faults
from ictus.model.environment import ENVIRONMENT, UNSET
from ictus.model.job_size import LINKED, follows
from ictus.model.launch_factor import NAMED, is_launch_factor, named_values
from ictus.store.campaign import Campaign

_FACTORS = (LIBRARY, *IDENTITY)
GLOBAL = "makespan"
"""The metric that is read from several clocks, so that their error blurs it."""
LOCAL = "max"
"""The metric where clocks are not synchronised."""


@dataclass(frozen=True)
class Side:
    """Half of a comparison: one value of the compared factor in one campaign."""

    campaign: Campaign
    value: object
    name: str
    """What the side is called in tables."""


@dataclass(frozen=True)
class MatchedCase:
    """One case with the launch medians of both sides, seconds, None for a launch without a valid sample.

    Where launches are shared, entry k of both belongs to the same launch.
    """

    case: Mapping[str, Any]
    a: tuple[float | None, ...]
    b: tuple[float | None, ...]
    clock_bound_a_s: float | None
    """Largest proven error of the clocks in the launches of each side."""
    clock_bound_b_s: float | None
    metrics: tuple[str, str]
    """The metric of both sides."""
    too_few: int | None
    """Samples of the launch that has fewest, where that is too few for the summary."""
    launches_a: tuple[int, ...]
    """The running number of each launch of `a` in its campaign, from 1."""
    launches_b: tuple[int, ...]
    heap_matters_a: bool
    """Whether page faults of a call depend on the heap, on each side."""
    heap_matters_b: bool
    missing: str = ""
    """Who has it and why the other has not, where it is there on one side only, or on none; else nothing."""


@dataclass
class CaseSample:
    """One case on one side, with its launches."""

    factors: Mapping[str, Any]
    metric: str
    too_few: int | None
    medians: dict[int, float | None] = field(default_factory=dict)
    """By launch."""
    clock_bounds_s: list[float] = field(default_factory=list)
    heap_matters: bool = False

    def clock_bound_s(self) -> float | None:
        """The largest proven error; None where nothing was proved."""
        return max(self.clock_bounds_s, default=None)


def medians(campaign: Campaign, by: str = LIBRARY) -> pl.DataFrame:
    """One row per launch and case: `launch` (a running number), `mpi`, all factors of the case, and the summary's
    columns; and `by`, where it is a factor of launches (model/launch_factor.py). `value` is the one number of each
    launch.
    """
    summaries = campaign.summaries
    # Rows of a launch are contiguous and ascend by case: where the slot changes or the case steps back begins the next.
    begins = (pl.col("slot") != pl.col("slot").shift()) | (pl.col("case_id") <= pl.col("case_id").shift())
    numbered = summaries.with_columns(begins.fill_null(value=True).cum_sum().alias("launch"))
    joined = numbered.drop("n").join(campaign.cases, on="case_id", how="left", maintain_order="left")
    joined = with_page_faults(joined, campaign)
    if not is_launch_factor(by):
        return joined
    return with_launch_factor(joined, campaign, by)


def with_launch_factor(frame: pl.DataFrame, campaign: Campaign, factor: str) -> pl.DataFrame:
    """A frame of `medians` with the factor's value in each launch, which is not part of its variant any more."""
    values_by_slot, plain = _launch_values(campaign, factor), campaign.variants_without(factor)
    return frame.with_columns(
        pl.col("slot").replace_strict(values_by_slot, return_dtype=pl.String).alias(factor),
        pl.col(ALGORITHM).replace(plain),
    )


def with_launch_factors(frame: pl.DataFrame, campaign: Campaign) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The same with all factors that a plan may cross in launches, and their names."""
    crossed = (factor for setting in campaign.settings for factor in setting)
    factors = tuple(dict.fromkeys((*NAMED, *crossed)))
    columns = [
        pl.col("slot").replace_strict(_launch_values(campaign, factor), return_dtype=pl.String).alias(factor)
        for factor in factors
    ]
    return frame.with_columns(*columns, pl.col(ALGORITHM).replace(campaign.variants_without(*factors))), factors


def _launch_values(campaign: Campaign, factor: str) -> dict[int, str | None]:
    """The value of a factor of launches in each of them, by slot. None for a launch that does not count yet, where only
    its record would say it.
    """
    settings = {name: setting for name, (_, setting) in campaign.planned_variants.items()}
    default = named_values(campaign.plan)[factor][0] if factor in NAMED else None
    planned = {slot.slot: settings.get(slot.algorithm, {}).get(factor, default) for slot in campaign.slots}
    setting_by_slot = {slot: value if value is None else value or UNSET for slot, value in planned.items()}
    if factor in NAMED:
        return {
            **setting_by_slot,
            **{launch.slot.slot: launch.factors.get(factor, default) or UNSET for launch in campaign.launches},
        }
    name = factor.removeprefix(ENVIRONMENT)
    return {
        **setting_by_slot,
        **{launch.slot.slot: launch.environment.get(name, UNSET) for launch in campaign.launches},
    }


def match(a: Side, b: Side, by: str, *, paired: bool) -> list[MatchedCase]:
    """The cases that both sides have, in the order of `a`'s campaign. `paired` joins them launch by launch."""
    key = matching_key(by, a.campaign, b.campaign)
    left, right = (samples_of(side, by, key) for side in (a, b))
    matches = []
    for case, sample in left.items():
        if case not in right:
            continue
        here, medians_b = sample.medians, right[case].medians
        launches = sorted(here.keys() | medians_b.keys())
        launches_a, launches_b = (
            tuple(launch for launch in launches if paired or launch in side) for side in (here, medians_b)
        )
        matches.append(
            MatchedCase(
                sample.factors,
                tuple(map(here.get, launches_a)),
                tuple(map(medians_b.get, launches_b)),
                sample.clock_bound_s(),
                right[case].clock_bound_s(),
                (sample.metric, right[case].metric),
                min((fewest for fewest in (sample.too_few, right[case].too_few) if fewest is not None), default=None),
                launches_a,
                launches_b,
                sample.heap_matters,
                right[case].heap_matters,
            )
        )
    return matches


def differing(a: Side, b: Side, by: str) -> dict[str, tuple[tuple[object, ...], tuple[object, ...]]]:
    """Factors whose values on one side have nothing in common with those on the other, with the values of both: why no
    case matches.
    """
    left, right = (_of(side, by) for side in (a, b))
    if left.is_empty() or right.is_empty():
        return {}
    names = [factor for factor in (*IDENTITY, *(() if by == LIBRARY else (LIBRARY,))) if factor != by]
    values_by_name = {
        name: tuple(tuple(side[name].unique(maintain_order=True)) for side in (left, right)) for name in names
    }
    return {
        name: (here, values_b) for name, (here, values_b) in values_by_name.items() if not set(here) & set(values_b)
    }


def values(campaign: Campaign, factor: str) -> tuple[object, ...]:
    """The values of a factor (or `mpi`) in a campaign, in the order of the plan."""
    if factor == ALGORITHM:
        return campaign.variants
    if is_launch_factor(factor):
        value_by_slot, places = _launch_values(campaign, factor), {name: i for i, name in enumerate(campaign.variants)}
        launches = sorted(campaign.launches, key=lambda launch: places[launch.algorithm])
        return tuple(dict.fromkeys(value_by_slot[launch.slot.slot] for launch in launches))
    if factor == LIBRARY:
        measured = set(campaign.summaries[LIBRARY].to_list())
        return tuple(label for label in campaign.labels if label in measured)
    return tuple(campaign.cases[factor].unique(maintain_order=True).to_list())


def _of(side: Side, by: str) -> pl.DataFrame:
    return medians(side.campaign, by).filter(pl.col(by) == side.value)


def launch_medians(side: Side, by: str) -> dict[tuple[object, ...], dict[int, float | None]]:
    """For every case of a side, by its `case_key`: the median of each launch, seconds, None without a valid sample."""
    key = matching_key(by, side.campaign)
    return {case: sample.medians for case, sample in samples_of(side, by, key).items()}


def case_key(case: Mapping[str, Any], by: str) -> tuple[object, ...]:
    """The key that distinguishes a case from the others where `by` is compared."""
    return tuple(case[factor] for factor in _FACTORS if factor != by and factor in case)


def matching_key(by: str, *campaigns: Campaign) -> list[str]:
    """The factors in which cases must agree: not the compared one, and not what follows from it. Two nodes instead of
    one with as many processes on each are twice as many processes.
    """
    derived = {follows(campaign.plan.nodes, campaign.plan.ppn) for campaign in campaigns} if by in LINKED else set()
    return [factor for factor in _FACTORS if factor != by and factor not in derived]


def samples_of(side: Side, by: str, key: Sequence[str]) -> dict[tuple[object, ...], CaseSample]:
    """For every case of a side: its factors, the median of each launch and the bounds of its clocks."""
    samples: dict[tuple[object, ...], CaseSample] = {}
    frame = _of(side, by).sort("case_id", "launch", maintain_order=True)
    columns = (*key, *DERIVED, "launch", "value", "metric", "too_few", "clock_bound", "heap_matters")
    for row in frame.select(*columns).iter_rows(named=True):
        case = tuple(row[name] for name in key)
        if case not in samples:
            factors = {name: row[name] for name in (*key, *DERIVED)}
            samples[case] = CaseSample(factors, row["metric"], row["too_few"])
        samples[case].medians[row["launch"]] = row["value"]
        samples[case].heap_matters |= row["heap_matters"]
        if row["clock_bound"] is not None and row["metric"] == GLOBAL:
            samples[case].clock_bounds_s.append(row["clock_bound"])
    return samples


def nothing_in_common(a: Side, b: Side, by: str, missing: Sequence[str] = ()) -> str:
    """Why no case was measured on both sides; `missing` has why they lack each."""
    unlike = differing(a, b, by)
    texts = [
        f"{name} ({' against '.join(', '.join(brief(name, value) for value in of_side) for of_side in both)})"
        for name, both in unlike.items()
    ]
    lacks = dict.fromkeys(text.partition("; ")[2] for text in missing)
    why = "; ".join(lacks) if 0 < len(lacks) < 4 else "no combination of factors was measured on both sides"
    why = f"they differ in {', '.join(texts)}" if texts else why
    return f"'{a.name}' and '{b.name}' have no case in common: {why}"
