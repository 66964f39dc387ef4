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
            of_it = {slot for one in self.planned.values() for slot in one.slots}
            return f"none of {len(of_it)} launches of {self.name} has it"
        if _planned_case is None:
            return f"it is not in the plan of {self.name}"
        slots = {slot.slot: slot.folder_name for slot in self.campaign.slots}
        known = [slot for slot in _planned_case.slots if slot in self.campaign.lost]
        if not known:
            return f"{self.name} has no complete launch of it"
        more = f" (and {len(known) - 1} more)" if len(known) > 1 else ""
        reason = shorten(self.campaign.lost[known[0]], _LONGEST, placeholder=" ...")
        return f"launch {slots[known[0]]}{more} {reason}"


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
    found: Matched = []
    for a, b in pairs:
        own = [one for one in matched if one[0] is a and one[1] is b]
        missing = [(a, b, case) for case in _missing(a, b, campaigns, by, control)]
        found += _in_order([*own, *missing]) if missing else own
    return found


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
    planned = {case: _planned_case.factors for place in places for case, _planned_case in place.planned.items()}
    for place in places:
        known = planned if campaign.imported is not None else place.planned
        lacking = [case for case in known if case not in place.measured]
        if lacking:
            names = (case_title(planned[case]) for case in lacking)
            yield naming(f"in no launch of {place.name}: {{}} ({place.why(lacking[0])})", names)


def _missing(
    a: Side, b: Side, campaigns: tuple[Sequence[Campaign], Sequence[Campaign]], by: str, control: str | None
) -> Iterator[MatchedCase]:
    ours, others = campaigns
    alone = not others
    if alone and ours[0].complete and ours[0].imported is None:
        return
    others = others or ours
    key = matching_key(by, *ours, *others)

    def places(side: Side, own: Sequence[Campaign], value: object) -> list[_Place]:
        plain = len(own) < 2 and value == side.value
        return [
            _place(Side(campaign, value, side.name if plain else f"{campaign.folder.resolve().name}:{value}"), by, key)
            for campaign in own
        ]

    first, second = places(a, ours, a.value), places(b, others, b.value)
    controls = [] if control is None else [*places(a, ours, control), *places(b, others, control)]
    every = [*first, *second]
    cases = {case: _planned_case.factors for place in every for case, _planned_case in place.planned.items()}
    for case, factors in cases.items():
        lacking = [place for place in every if case not in place.measured]
        lacking = lacking or [place for place in controls if case not in place.measured]
        planned = all(case in place.planned for place in every)
        if lacking and (planned or not alone or ours[0].imported is not None):
            who = _who(a.name, b.name, first, second, lacking)
            text = "; ".join((who, *dict.fromkeys(place.why(case) for place in lacking)))
            yield _match(case, factors, first, second, text)


def _who(a: str, b: str, first: Sequence[_Place], second: Sequence[_Place], lacking: Sequence[_Place]) -> str:
    """`only in old`, where all campaigns of one side have it and none of the other."""
    without = [[place for place in side if place in lacking] for side in (first, second)]
    if len(without[0]) == len(first) and len(without[1]) == len(second):
        return "on neither side"
    if not without[0] and len(without[1]) == len(second) == len(lacking):
        return f"only in {a}"
    if not without[1] and len(without[0]) == len(first) == len(lacking):
        return f"only in {b}"
    return f"not in {', '.join(place.name for place in lacking)}"


def _match(
    case: Key, factors: Mapping[str, Any], first: Sequence[_Place], second: Sequence[_Place], text: str
) -> MatchedCase:
    """With the numbers of the side that has it: of its launches, of several campaigns one each."""

    def side(places: Sequence[_Place]) -> tuple[dict[int, float | None], CaseSample | None]:
        there = [place.measured[case] for place in places if case in place.measured]
        if len(places) == 1:
            return (there[0].medians if there else {}), next(iter(there), None)
        known = [[value for value in case_sample.medians.values() if value is not None] for case_sample in there]
        middles: list[float | None] = [float(np.median(one)) if one else None for one in known]
        return dict(enumerate(middles, 1)), next(iter(there), None)

    (a, one), (b, two) = side(first), side(second)
    metrics = [sample.metric for sample in (one, two) if sample is not None]
    return MatchedCase(
        factors,
        tuple(a.values()),
        tuple(b.values()),
        None if one is None else one.clock_bound_s(),
        None if two is None else two.clock_bound_s(),
        (metrics[0], metrics[-1]) if metrics else ("", ""),
        None,
        tuple(a),
        tuple(b),
        one is not None and one.heap_matters,
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
    blocks = grouped(matched, lambda one: group_key(one[2].case, names))
    return [one for block in blocks for one in sorted(block, key=lambda one: int(one[2].case.get("size_bytes", 0)))]
