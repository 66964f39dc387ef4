"""`ictus.history`: campaigns over time, from Python."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.comparison.history_store import add, campaign_table, of_machine, read
from ictus.histories.analysis import History, history_of
from ictus.histories.false_alarms import RATE
from ictus.histories.tables import headline, history_records
from ictus.model.errors import UsageError
from ictus.model.reduction import USUAL, Reduction
from ictus.store.campaign import Campaign, load


@dataclass(frozen=True, repr=False)
class CampaignHistory(History):
    """A history that is printed as its answer."""

    def to_frame(self) -> pl.DataFrame:
        """One row a case: its factors, then where its last campaign stands. Times in seconds."""
        return pl.DataFrame(history_records(self.cases), infer_schema_length=None)

    def __str__(self) -> str:
        return headline(self)

    def __repr__(self) -> str:
        return f"<CampaignHistory of {len(self.cases)} cases: {self}>"


def history(
    campaigns: Iterable[Campaign | Path | str] | Campaign | Path | str = (),
    store: Path | str | None = None,
    *,
    machine: str | None = None,
    false_alarms: float = RATE,
    reduction: Reduction = USUAL,
) -> CampaignHistory:
    """Follow every case over campaigns, as `ictus history` does; printed, the result is its answer.

    Args:
        campaigns: campaigns, loaded or as folders; one, or several.
        store: a folder of Parquet files, one for each campaign: these campaigns are added, and the history is made of
            all that it holds.
        machine: only machines with this text in their name.
        false_alarms: largest number of false alarms in a year, over all cases, campaigns and machines: 0.05 is one in
            20 years.
        reduction: how each launch of a folder becomes one number; loaded campaigns keep their own, which must be alike.

    Raises:
        UsageError: neither campaigns nor a store, a rate outside 0 to 1, no such machine, several reductions.
        MeasurementError: a folder or the store is damaged.
    """
    if not 0 < false_alarms <= 1:
        raise UsageError(f"false_alarms {false_alarms:g}: expected a number above 0, at most 1")
    sources = [campaigns] if isinstance(campaigns, Campaign | Path | str) else list(campaigns)
    loaded = [
        campaign if isinstance(campaign, Campaign) else load(campaign, reduction=reduction) for campaign in sources
    ]
    codes = list(dict.fromkeys(campaign.reduction.code for campaign in loaded))
    if len(codes) > 1:
        raise UsageError(f"campaigns of several reductions have no common level: {', '.join(codes)}; load them alike")
    path = None if store is None else Path(store)
    frame, _ = history_frame(loaded, path, loaded[0].reduction if loaded else reduction, machine)
    result = history_of(frame, rate=false_alarms)
    return CampaignHistory(result.cases, result.false_alarms)


def history_frame(
    campaigns: Sequence[Campaign], store: Path | None, reduction: Reduction, machine: str | None
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The rows of these campaigns, or of the store that they were added to, and the folders that are new there. Raises
    as `history`.
    """
    new: tuple[str, ...] = ()
    if store is not None:
        new = add(store, campaigns).new
        frame = read(store, reduction)
    elif campaigns:
        frame = pl.concat([campaign_table(campaign) for campaign in campaigns], how="diagonal")
    else:
        raise UsageError("a history needs campaigns, or a store")
    return (frame if machine is None else of_machine(frame, machine)), new
