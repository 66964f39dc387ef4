"""The usual spread between campaigns of each case, from a history: what two campaigns apart are held against."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from ictus.comparison.case_titles import IDENTITY, LIBRARY
from ictus.comparison.history_store import MACHINE, campaign_table, read
from ictus.comparison.machine_name import machine_of
from ictus.comparison.matching import MatchedCase, Side
from ictus.model.errors import UsageError
from ictus.model.instant import utc
from ictus.stats.between_campaigns import UsualSpread, usual_spread
from ictus.store.campaign import Campaign

_CASE = (LIBRARY, *IDENTITY, "metric", "summary")

UsualSpreads = Mapping[tuple[str, ...], UsualSpread]
"""By the values of `_CASE`, as texts."""


def usual_spreads(history: Sequence[Campaign | Path], compared: Sequence[Campaign]) -> UsualSpreads:
    """The spread of every case over the campaigns of a history: other campaigns, and stores of `ictus history`. The
    `compared` ones do not count, nor do those of another machine; nothing is usual between two machines.

    UsageError and MeasurementError as `history_store.read`; UsageError for campaigns that were loaded otherwise.
    """
    reduction = compared[0].reduction
    tables = []
    for past in history:
        if isinstance(past, Campaign) and past.reduction != reduction:
            raise UsageError(f"'{past.folder}' was loaded with {past.reduction}, the compared with {reduction}")
        tables.append(campaign_table(past) if isinstance(past, Campaign) else read(Path(past), reduction, "--history"))
    machines = {machine_of(campaign) for campaign in compared}
    if not tables or len(machines) > 1:
        return {}
    compared_keys = {(_utc(campaign.created), str(campaign.seed)) for campaign in compared}
    frame = pl.concat(tables, how="diagonal").filter(pl.col(MACHINE).is_in(machines))
    medians = (
        frame.group_by("created", "seed", *_CASE)
        .agg(pl.col("value").median())
        .filter(pl.col("value") > 0)
        .sort("created")
    )
    series: dict[tuple[str, ...], list[float]] = {}
    for row in medians.iter_rows(named=True):
        if (row["created"], row["seed"]) not in compared_keys:
            series.setdefault(tuple(str(row[name]) for name in _CASE), []).append(row["value"])
    spreads = {case: usual_spread(of_case) for case, of_case in series.items()}
    return {case: spread for case, spread in spreads.items() if spread is not None}


def _utc(created: str) -> str:
    try:
        return utc(created)
    except ValueError:  # another program wrote it: no campaign of a history has such a text
        return created


def usual_of(spreads: UsualSpreads, row: tuple[Side, Side, MatchedCase], by: str, summary: str) -> float | None:
    """The usual ratio of a compared case of one library that is on both sides; None where it is not known."""
    a, b, case = row
    if by != LIBRARY or a.value != b.value or case.metrics[0] != case.metrics[1]:
        return None
    factors = {**case.case, LIBRARY: a.value, "metric": case.metrics[0], "summary": summary}
    spread = spreads.get(tuple(str(factors.get(name)) for name in _CASE))
    return None if spread is None else spread.ratio
