"""Cases that a side lacks: each is a row that says who has it and why the other has not, so that no reader and no gate
takes it for compared.

A campaign that Ictus measured should have what its schedule has. What a schedule has on one side only (a root of an
operation without one) is missing nowhere. Another suite's output, and a second campaign, should have what its twin has.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

import numpy as np
import polars as pl

from ictus.comparison.case_titles import (
    ALGORITHM,
    DERIVED,
    LIBRARY,
    case_title,
    group_key,
    grouped,
    naming,
    varying,
)
from ictus.comparison.matching import (
    CaseSample,
    MatchedCase,
    Side,
    matching_key,
    samples_of,
    values,
    with_launch_factor,
)
from ictus.model.launch_factor import is_launch_factor
from ictus.store.campaign import Campaign

Matched = list[tuple[Side, Side, MatchedCase]]
Key = tuple[object, ...]
_LONGEST = 160
"""Characters of the reason why a launch failed."""


@dataclass(frozen=True)
class _PlannedCase:
    """A case of a schedule."""

    factors: Mapping[str, Any]
    slots: tuple[int, ...]
    """The launches that should measure it."""


@dataclass(frozen=True, eq=False)
class _Place:
    """One campaign of a side, with the cases that it should have and those that it has."""

    name: str
    campaign: Campaign
    planned: Mapping[Key, _PlannedCase]
    measured: Mapping[Key, CaseSample]

    def why(self, case: Key) -> str:
        """Why it lacks the case."""
        _planned_case = self.planned.get(case)
        if self.campaign.imported is not None:
            of_it = {slot for planned_case in self.planned.values() for slot in planned_case.slots}
            return f"none of {len(of_it)} launches of {self.name} has it"
        if _planned_case is None:
            return f"it is not in the plan of {self.name}"
        slots = {slot.slot: slot.folder_name for slot in self.campaign.slots}
        lost_slots = [slot for slot in _planned_case.slots if slot in self.campaign.lost]
        if not lost_slots:
            return f"{self.name} has no complete launch of it"
        more_text = f" (and {len(lost_slots) - 1} more)" if len(lost_slots) > 1 else ""
        reason = shorten(self.campaign.lost[lost_slots[0]], _LONGEST, placeholder=" ...")
        return f"launch {slots[lost_slots[0]]}{more_text} {reason}"


def with_missing(
    pairs: Sequence[tuple[Side, Side]],
    matched: Matched,
    campaigns: tuple[Sequence[Campaign], Sequence[Campaign]],
    by: str,
    control: str | None = None,
) -> Matched:
    """The matched cases of each pair, and those that a campaign of either side lacks, or its control; in the order of
    the campaign, those that are missing by their size.
    """
    with_lacking: Matched = []
    for a, b in pairs:
        of_pair = [matched_pair for matched_pair in matched if matched_pair[0] is a and matched_pair[1] is b]
        missing = [(a, b, case) for case in _missing(a, b, campaigns, by, control)]
        with_lacking += _in_order([*of_pair, *missing]) if missing else of_pair
    return with_lacking


def planned_values(campaign: Campaign, by: str) -> tuple[object, ...]:
    """The values of a factor in a campaign, and behind them those of which no launch counts yet."""
    planned: tuple[object, ...] = ()
    if by == LIBRARY:
        planned = campaign.labels
    elif by == ALGORITHM:
        planned = tuple(dict.fromkeys(slot.algorithm for slot in campaign.slots))
    elif by in campaign.settings[0]:
        planned = tuple(_schedule(campaign, by)[by].unique(maintain_order=True).to_list())
    return tuple(dict.fromkeys((*values(campaign, by), *planned)))


def unmeasured(campaign: Campaign) -> Iterator[str]:
    """`in no launch of new: MPI_Bcast 32 KiB n=2 and 4 more (none of 8 launches of new has it)`, for each library."""
    if campaign.complete and campaign.imported is None:
        return
    key = matching_key(LIBRARY, campaign)
    places = [_place(Side(campaign, label, label), LIBRARY, key) for label in campaign.labels]
    planned = {
        case: _planned_case.factors for in_campaign in places for case, _planned_case in in_campaign.planned.items()
    }
    for in_campaign in places:
        expected = planned if campaign.imported is not None else in_campaign.planned
        lacking = [case for case in expected if case not in in_campaign.measured]
        if lacking:
            names = (case_title(planned[case]) for case in lacking)
            yield naming(f"in no launch of {in_campaign.name}: {{}} ({in_campaign.why(lacking[0])})", names)


def _missing(
    a: Side, b: Side, campaigns: tuple[Sequence[Campaign], Sequence[Campaign]], by: str, control: str | None
) -> Iterator[MatchedCase]:
    ours, others = campaigns
    alone = not others
    if alone and ours[0].complete and ours[0].imported is None:
        return
    others = others or ours
    key = matching_key(by, *ours, *others)

    def places(side: Side, side_campaigns: Sequence[Campaign], value: object) -> list[_Place]:
        plain = len(side_campaigns) < 2 and value == side.value
        return [
            _place(Side(campaign, value, side.name if plain else f"{campaign.folder.resolve().name}:{value}"), by, key)
            for campaign in side_campaigns
        ]

    first, second = places(a, ours, a.value), places(b, others, b.value)
    controls = [] if control is None else [*places(a, ours, control), *places(b, others, control)]
    every = [*first, *second]
    cases = {
        case: _planned_case.factors for in_campaign in every for case, _planned_case in in_campaign.planned.items()
    }
    for case, factors in cases.items():
        lacking = [in_campaign for in_campaign in every if case not in in_campaign.measured]
        lacking = lacking or [in_campaign for in_campaign in controls if case not in in_campaign.measured]
        planned = all(case in in_campaign.planned for in_campaign in every)
        if lacking and (planned or not alone or ours[0].imported is not None):
            who = _who(a.name, b.name, first, second, lacking)
            text = "; ".join((who, *dict.fromkeys(in_campaign.why(case) for in_campaign in lacking)))
            yield _match(case, factors, first, second, text)


def _who(a: str, b: str, first: Sequence[_Place], second: Sequence[_Place], lacking: Sequence[_Place]) -> str:
    """`only in old`, where all campaigns of one side have it and none of the other."""
    without = [[in_campaign for in_campaign in side if in_campaign in lacking] for side in (first, second)]
    if len(without[0]) == len(first) and len(without[1]) == len(second):
        return "on neither side"
    if not without[0] and len(without[1]) == len(second) == len(lacking):
        return f"only in {a}"
    if not without[1] and len(without[0]) == len(first) == len(lacking):
        return f"only in {b}"
    return f"not in {', '.join(in_campaign.name for in_campaign in lacking)}"


def _match(
    case: Key, factors: Mapping[str, Any], first: Sequence[_Place], second: Sequence[_Place], text: str
) -> MatchedCase:
    """With the numbers of the side that has it: of its launches, of several campaigns one each."""

    def side(places: Sequence[_Place]) -> tuple[dict[int, float | None], CaseSample | None]:
        samples = [in_campaign.measured[case] for in_campaign in places if case in in_campaign.measured]
        if len(places) == 1:
            return (samples[0].medians if samples else {}), next(iter(samples), None)
        values_each = [
            [value for value in case_sample.medians.values() if value is not None] for case_sample in samples
        ]
        middles: list[float | None] = [float(np.median(values_s)) if values_s else None for values_s in values_each]
        return dict(enumerate(middles, 1)), next(iter(samples), None)

    (a, sample_a), (b, two) = side(first), side(second)
    metrics = [sample.metric for sample in (sample_a, two) if sample is not None]
    return MatchedCase(
        factors,
        tuple(a.values()),
        tuple(b.values()),
        None if sample_a is None else sample_a.clock_bound_s(),
        None if two is None else two.clock_bound_s(),
        (metrics[0], metrics[-1]) if metrics else ("", ""),
        None,
        tuple(a),
        tuple(b),
        sample_a is not None and sample_a.heap_matters,
        two is not None and two.heap_matters,
        text,
    )


def _place(side: Side, by: str, key: Sequence[str]) -> _Place:
    planned: dict[Key, _PlannedCase] = {}
    frame = _schedule(side.campaign, by).filter(pl.col(by) == side.value)
    names = (*key, *DERIVED)
    for row in frame.group_by(names, maintain_order=True).agg(pl.col("slot")).iter_rows(named=True):
        case = tuple(row[name] for name in key)
        planned[case] = _PlannedCase({name: row[name] for name in names}, tuple(row["slot"]))
    return _Place(side.name, side.campaign, planned, samples_of(side, by, key))


def _schedule(campaign: Campaign, by: str) -> pl.DataFrame:
    """One row for each case of each planned launch, with the factors of both."""
    slots = pl.DataFrame(
        [
            {"slot": slot.slot, LIBRARY: slot.mpi, ALGORITHM: slot.algorithm, "case_id": list(slot.cases)}
            for slot in campaign.slots
        ]
    )
    frame = slots.explode("case_id").with_columns(pl.col("case_id").cast(pl.UInt32))
    joined = frame.join(campaign.cases, on="case_id", how="inner", maintain_order="left").sort(
        "case_id", maintain_order=True
    )
    return with_launch_factor(joined, campaign, by) if is_launch_factor(by) else joined


def _in_order(matched: Matched) -> Matched:
    """Block by block as a table has them, each by size."""
    names = varying([case.case for *_, case in matched])
    blocks = grouped(matched, lambda matched_pair: group_key(matched_pair[2].case, names))
    return [
        matched_pair
        for block in blocks
        for matched_pair in sorted(block, key=lambda matched_pair: int(matched_pair[2].case.get("size_bytes", 0)))
    ]
