"""Which launches face each other: from summaries to the samples of launch medians that a test takes; and which cases
only one side has. Frames in, arrays out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ictus.comparison.case_titles import ALGORITHM, DERIVED, IDENTITY, operation_title, processes_title, size_title
from ictus.model.environment import ENVIRONMENT, UNSET
from ictus.store.campaign import Campaign

LIBRARY = "mpi"
_FACTORS = (LIBRARY, *IDENTITY)


@dataclass(frozen=True)
class Side:
    """Half of a comparison: one value of the compared factor in one campaign."""

    campaign: Campaign
    value: object
    name: str
    """What the side is called in tables."""


@dataclass(frozen=True)
class Match:
    """One case with the launch medians of both sides, seconds, None for a launch without a valid sample.

    Where launches are shared, entry k of both belongs to the same launch.
    """

    case: Mapping[str, Any]
    a: tuple[float | None, ...]
    b: tuple[float | None, ...]
    clock_bound_a_s: float | None
    """Largest proven error of the clocks in the launches of each side."""
    clock_bound_b_s: float | None


@dataclass
class _Sample:
    """One case on one side, while its launches are gathered."""

    factors: Mapping[str, Any]
    medians: dict[int, float | None] = field(default_factory=dict)
    """By launch."""
    clock_bounds_s: list[float] = field(default_factory=list)

    def clock_bound_s(self) -> float | None:
        return max(self.clock_bounds_s, default=None)


def by_environment(factor: str) -> bool:
    """Whether a factor is a variable of the environment, `env.NAME`."""
    return factor.startswith(ENVIRONMENT) and len(factor) > len(ENVIRONMENT)


def medians(campaign: Campaign, by: str = LIBRARY) -> pl.DataFrame:
    """One row per launch and case: `launch` (a running number), `mpi`, all factors of the case, and the summary's
    columns; and `by`, where it is a variable of the environment. `median` is the one number of each launch by the
    campaign's reduction: a mean where means were asked for.
    """
    summaries = campaign.summaries
    # Rows of a launch are contiguous and ascend by case: where the slot changes or the case steps back begins the next.
    begins = (pl.col("slot") != pl.col("slot").shift()) | (pl.col("case_id") <= pl.col("case_id").shift())
    numbered = summaries.with_columns(begins.fill_null(value=True).cum_sum().alias("launch"))
    if campaign.reduction.average == "mean":
        numbered = numbered.with_columns(pl.col("mean").alias("median"))
    joined = numbered.drop("n").join(campaign.cases, on="case_id", how="left", maintain_order="left")
    if not by_environment(by):
        return joined
    return with_variable(joined, campaign, by)


def with_variable(frame: pl.DataFrame, campaign: Campaign, factor: str) -> pl.DataFrame:
    """A frame of `medians` with what the variable was in each launch, which is no part of its variant any more."""
    found, plain = _environment(campaign, factor), campaign.variants_without(factor.removeprefix(ENVIRONMENT))
    return frame.with_columns(
        pl.col("slot").replace_strict(found, return_dtype=pl.String).alias(factor), pl.col(ALGORITHM).replace(plain)
    )


def _environment(campaign: Campaign, factor: str) -> dict[int, str]:
    """What the variable was in each launch, by slot."""
    name = factor.removeprefix(ENVIRONMENT)
    recorded = {launch.slot.slot: launch.environment for launch in campaign.launches}
    return {slot: variables.get(name, UNSET) for slot, variables in recorded.items()}


def match(a: Side, b: Side, by: str, *, paired: bool) -> list[Match]:
    """The cases that both sides have, in the order of `a`'s campaign. `paired` joins them launch by launch."""
    key = [factor for factor in _FACTORS if factor != by]
    left, right = (_samples(side, by, key) for side in (a, b))
    matches = []
    for case, sample in left.items():
        if case not in right:
            continue
        here, there = sample.medians, right[case].medians
        launches = sorted(here.keys() | there.keys())
        matches.append(
            Match(
                sample.factors,
                tuple(here.get(launch) for launch in launches if paired or launch in here),
                tuple(there.get(launch) for launch in launches if paired or launch in there),
                sample.clock_bound_s(),
                right[case].clock_bound_s(),
            )
        )
    return matches


def differing(a: Side, b: Side, by: str) -> dict[str, tuple[tuple[object, ...], tuple[object, ...]]]:
    """Factors whose values on one side have nothing in common with those on the other, with the values of both: why no
    case matches.
    """
    left, right = (_of(side, by) for side in (a, b))
    names = [factor for factor in (*IDENTITY, *(() if by == LIBRARY else (LIBRARY,))) if factor != by]
    found = {name: tuple(tuple(side[name].unique(maintain_order=True)) for side in (left, right)) for name in names}
    return {name: (here, there) for name, (here, there) in found.items() if not set(here) & set(there)}


def values(campaign: Campaign, factor: str) -> tuple[object, ...]:
    """The values of a factor (or `mpi`) in a campaign, in the order of the plan."""
    if factor == ALGORITHM:
        return campaign.variants
    if by_environment(factor):
        found, places = _environment(campaign, factor), {name: i for i, name in enumerate(campaign.variants)}
        launches = sorted(campaign.launches, key=lambda launch: places[launch.algorithm])
        return tuple(dict.fromkeys(found[launch.slot.slot] for launch in launches))
    if factor == LIBRARY:
        measured = set(campaign.summaries[LIBRARY].to_list())
        return tuple(label for label in campaign.labels if label in measured)
    return tuple(campaign.cases[factor].unique(maintain_order=True).to_list())


def _of(side: Side, by: str) -> pl.DataFrame:
    return medians(side.campaign, by).filter(pl.col(by) == side.value)


def launch_medians(side: Side, by: str) -> dict[tuple[object, ...], dict[int, float | None]]:
    """Of every case of a side, by its `case_key`: the median of each launch, seconds, None without a valid sample."""
    key = [factor for factor in _FACTORS if factor != by]
    return {case: sample.medians for case, sample in _samples(side, by, key).items()}


def case_key(case: Mapping[str, Any], by: str) -> tuple[object, ...]:
    """What tells a case from the others where `by` is compared."""
    return tuple(case[factor] for factor in _FACTORS if factor != by)


def _samples(side: Side, by: str, key: Sequence[str]) -> dict[tuple[object, ...], _Sample]:
    """For every case: its factors, the median of each launch and the bounds of its clocks."""
    found: dict[tuple[object, ...], _Sample] = {}
    frame = _of(side, by).sort("case_id", "launch", maintain_order=True)
    for row in frame.select(*key, *DERIVED, "launch", "median", "clock_bound").iter_rows(named=True):
        case = tuple(row[name] for name in key)
        if case not in found:
            found[case] = _Sample({name: row[name] for name in (*key, *DERIVED)})
        found[case].medians[row["launch"]] = row["median"]
        if row["clock_bound"] is not None:
            found[case].clock_bounds_s.append(row["clock_bound"])
    return found


_NAMED = 3


@dataclass(frozen=True)
class Unmatched:
    """A case that `there` has and `not_in` has not: folders, or sides of one folder each."""

    there: str
    not_in: str
    case: Mapping[str, Any]
    """All its factors, the library among them."""

    def as_row(self) -> dict[str, Any]:
        """The row for scripts."""
        return {"there": self.there, "not_in": self.not_in, "case": dict(self.case)}


def unmatched(pairs: Sequence[tuple[Side, Side]], by: str) -> tuple[Unmatched, ...]:
    """For pairs of sides from two campaigns: the cases of each that its twin has not, in the order of its campaign."""
    found: list[Unmatched] = []
    for a, b in pairs:
        if a.campaign is not b.campaign:
            for side, twin in ((a, b), (b, a)):
                own, other = _cases(side.campaign, by, side.value), _cases(twin.campaign, by, twin.value)
                found += [Unmatched(side.name, twin.name, case) for key, case in own.items() if key not in other]
    return tuple(found)


def unmatched_values(campaign: Campaign, other: Campaign, by: str) -> tuple[Unmatched, ...]:
    """The cases of those values of the compared factor that only one of both campaigns has."""
    found: list[Unmatched] = []
    for one, twin in ((campaign, other), (other, campaign)):
        names = (one.folder.resolve().name, twin.folder.resolve().name)
        names = (str(one.folder), str(twin.folder)) if names[0] == names[1] else names
        for value in values(one, by):
            if value not in values(twin, by):
                found += [Unmatched(*names, case) for case in _cases(one, by, value).values()]
    return tuple(found)


def unmatched_warnings(found: Sequence[Unmatched]) -> Iterator[str]:
    """`2 cases of now:mpich are not in base:mpich, and left out: MPI_Bcast 64 B n=2, MPI_Scan 8 B n=2`."""
    for there, not_in in dict.fromkeys((one.there, one.not_in) for one in found):
        cases = [one.case for one in found if (one.there, one.not_in) == (there, not_in)]
        number = "1 case" if len(cases) == 1 else f"{len(cases)} cases"
        rest = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
        named = ", ".join(case_name(case) for case in cases[:_NAMED])
        yield (f"{number} of {there} {'is' if len(cases) == 1 else 'are'} not in {not_in}, and left out: {named}{rest}")


def case_name(case: Mapping[str, Any]) -> str:
    """`mpich MPI_Bcast 64 B n=2`; without the library where the case has none."""
    words = (str(case[LIBRARY]),) if LIBRARY in case else ()
    return " ".join((*words, operation_title(case), size_title(case), processes_title(case))).rstrip()


def _cases(campaign: Campaign, by: str, value: object) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The cases with that value, by all factors but the compared one."""
    frame = medians(campaign, by).filter(pl.col(by) == value)
    rows = frame.sort("case_id", maintain_order=True).select(_FACTORS).unique(maintain_order=True)
    return {tuple(row[name] for name in _FACTORS if name != by): row for row in rows.iter_rows(named=True)}
