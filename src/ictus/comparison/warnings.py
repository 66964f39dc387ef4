"""What a reader must know before believing the numbers of a campaign, each as one sentence with the next step where
there is one.
"""

import re
import shlex
from collections.abc import Iterator, Sequence

import polars as pl

from ictus.comparison.case_titles import IDENTITY, operation_title
from ictus.comparison.cases import case_rows
from ictus.comparison.matching import medians
from ictus.comparison.rows import CaseRow
from ictus.model.quantity import format_size
from ictus.store.campaign import Campaign

FEW_VALID = 0.5
"""A case of which a smaller share of the samples is valid is doubtful (measurement.md); what the start's own rule
rejected does not count, as in the core's own warning."""

_NUMBER = re.compile(r"\d+(\.\d+)?")


def campaign_warnings(campaign: Campaign, rows: Sequence[CaseRow] | None = None) -> tuple[str, ...]:
    """All warnings about a campaign's data, the gravest first; `rows` are those of `case_rows`, where they are
    known.
    """
    known = tuple(case_rows(campaign)) if rows is None else rows
    return (
        *campaign.warnings,
        *_incomplete(campaign),
        *_not_ended(campaign),
        *_disturbed(campaign),
        *_lost(known),
        *_often_late(known),
        *_unsynchronised(known),
        *_clock_bound(known),
        *_shifted(campaign, known),
        *_from_launches(campaign),
    )


def _incomplete(campaign: Campaign) -> Iterator[str]:
    complete = {launch.slot.slot for launch in campaign.launches if launch.accepted}
    missing = sum(slot.slot not in complete for slot in campaign.slots)
    if missing:
        verb = "is" if missing == 1 else "are"
        yield (
            f"the campaign is not complete: {missing} of {len(campaign.slots)} launches {verb} missing; "
            f"`{shlex.join(['ictus', 'run', '-o', str(campaign.folder)])}` goes on with it"
        )


def _not_ended(campaign: Campaign) -> Iterator[str]:
    """A precision goal that was left between two launches, where none is missing."""
    accepted = {launch.slot.slot for launch in campaign.launches if launch.accepted}
    if campaign.pursued is not None and campaign.pursued.ended is None and len(accepted) == len(campaign.slots):
        onward = shlex.join(["ictus", "run", "-o", str(campaign.folder)])
        yield f"the pursuit of the precision goal has not ended; `{onward}` goes on with it"


def _disturbed(campaign: Campaign) -> Iterator[str]:
    marked = [launch for launch in campaign.launches if launch.contended]
    tries = sum(not launch.accepted for launch in marked)
    if marked:
        of_them = "a try that was repeated" if len(marked) == 1 else f"{tries} of them tries that were repeated"
        kept = f", {of_them}" if tries else ", even after being repeated"
        verb = "was" if len(marked) == 1 else "were"
        yield f"{len(marked)} of {len(campaign.launches)} launches {verb} disturbed by others on their cores{kept}"


def _lost(rows: Sequence[CaseRow]) -> Iterator[str]:
    lost = [row for row in rows if row.n_launches == 0]
    if lost:
        yield f"no valid sample at all, shown as NA: {_named(lost)}"


def _often_late(rows: Sequence[CaseRow]) -> Iterator[str]:
    doubtful = [row for row in rows if row.n_launches and row.valid < FEW_VALID * (row.attempted - row.rejected)]
    if doubtful:
        yield f"fewer than half of the samples are valid, so that those left are doubtful: {_named(doubtful)}"


def _unsynchronised(rows: Sequence[CaseRow]) -> Iterator[str]:
    local = sum(row.headline != "makespan" for row in rows)
    if local:
        which = "all cases" if local == len(rows) else f"{local} of {len(rows)} cases"
        yield f"clocks are not synchronised in {which}: the latency is the longest local duration, not the makespan"


def _clock_bound(rows: Sequence[CaseRow]) -> Iterator[str]:
    near = [row for row in rows if row.near_clock_bound]
    if near:
        yield f"the latency is less than ten times the proven error of the clocks: {_named(near)}"


def _shifted(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    share = medians(campaign).group_by("mpi", *IDENTITY).agg(pl.col("shift_matters").mean())
    marked = share.filter(pl.col("shift_matters") > 0.5)
    shifted = {tuple(row) for row in marked.select("mpi", *IDENTITY).iter_rows()}
    named = [row for row in rows if (row.mpi, *(row.case[factor] for factor in IDENTITY)) in shifted]
    if named:
        yield (
            f"in {len(named)} of {len(rows)} cases most launches are faster or slower in their second half "
            f"({_named(named)}): warm-up not over, or the library changed its algorithm; try a larger --warmup"
        )


def _from_launches(campaign: Campaign) -> Iterator[str]:
    """What the launches themselves warned about; texts that differ in nothing but numbers are told once."""
    alike: dict[str, list[str]] = {}
    for launch in campaign.launches:
        for text in map(str, launch.record.get("warnings", ())):
            alike.setdefault(_NUMBER.sub("#", text), []).append(text)
    for texts in alike.values():
        yield texts[0] if len(texts) == 1 else f"{texts[0]} (and {len(texts) - 1} more like this, in launch.json)"


def _named(rows: Sequence[CaseRow], at_most: int = 3) -> str:
    """`mpich MPI_Bcast 512 B n=2, ... and 4 more`."""
    called = (
        f"{row.mpi} {operation_title(row.case)} {format_size(int(row.case['size_bytes']))} n={row.case['n']}"
        for row in rows
    )
    names = list(dict.fromkeys(called))  # several methods of one call are named once
    rest = f" and {len(names) - at_most} more" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + rest
