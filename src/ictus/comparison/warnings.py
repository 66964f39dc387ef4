"""Warnings about a campaign that a reader must know before believing its numbers, each one sentence with the next step.

Launches without checksums are named too: nobody can compare their files with what was measured.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import IDENTITY, LIBRARY, NamingText, case_title, naming
from ictus.comparison.clock_bounds import stated_error
from ictus.comparison.first_launches import first_launches
from ictus.comparison.hung_launches import hung_warnings
from ictus.comparison.matching import LOCAL, medians
from ictus.comparison.missing import unmeasured
from ictus.model.heap import ORDINARY
from ictus.model.host_checks import HostFinding, check_hosts
from ictus.model.launch_factor import PIN, UNPINNED
from ictus.model.reduction import Reduction
from ictus.store.campaign import Campaign
from ictus.store.host_states import host_states
from ictus.store.manifest import continue_command


def unchecked_text(unchecked: int, launches: int) -> str:
    """`3 of 6 launches are unchecked: ...`."""
    verb = "launch is" if launches == 1 else "launches are"
    return (
        f"{unchecked} of {launches} {verb} unchecked: the journal has no checksums of their files, "
        "so a file that changed would not be noticed"
    )


def unchecked_sentences(campaign: Campaign) -> tuple[str, ...]:
    """How many launches are unchecked; empty if none is."""
    return (f"{unchecked_text(campaign.unchecked, len(campaign.launches))}.",) if campaign.unchecked else ()


FEW_VALID = 0.5
"""A case of which a smaller share of the samples is valid is doubtful; what the start's own rule
rejected does not count, as in the core's own warning."""

_UNKNOWN = "unknown"
_OF_SAMPLES = re.compile(r"case \d+ \(.*\): (only \d+ of \d+ samples are valid|no valid sample among)")
"""The core's own warning about a case of a launch."""
_NUMBER = re.compile(r"\d+(\.\d+)?")


def campaign_warnings(
    campaign: Campaign, rows: Sequence[CaseRow] | None = None, *, contention: bool = True
) -> tuple[str, ...]:
    """All warnings about a campaign's data, the gravest first; `rows` are those of `case_rows`, where they are known.
    Without `contention` those about disturbed launches are left out.
    """
    all_rows = tuple(case_rows(campaign)) if rows is None else rows
    host, advice = _host_state(campaign)
    return (
        *campaign.warnings,
        *_imported(campaign),
        *_unvalidated(campaign),
        *_incomplete(campaign),
        *unmeasured(campaign),
        *_not_ended(campaign),
        *(_disturbed(campaign) if contention else ()),
        *hung_warnings(campaign),
        *host,
        *_other_heap(campaign),
        *_too_few(campaign, all_rows),
        *_lost(campaign, all_rows),
        *_often_late(campaign, all_rows),
        *_unsynchronised(campaign, all_rows),
        *_clock_bound(campaign, all_rows),
        *_shifted(campaign, all_rows),
        *first_launches(campaign),
        *_from_launches(campaign),
        *advice,
    )


def _imported(campaign: Campaign) -> Iterator[str]:
    """What the numbers of another suite are, and what is not known of them."""
    if campaign.imported is not None:
        yield campaign.imported.warning
        if campaign.imported.incomplete:
            yield campaign.imported.incomplete


def _unvalidated(campaign: Campaign) -> Iterator[str]:
    if campaign.imported is None and not campaign.plan.validation:
        yield "no result was checked (--no-validate): an operation that computes wrong results has times, too"


def _incomplete(campaign: Campaign) -> Iterator[str]:
    complete = {launch.slot.slot for launch in campaign.launches if launch.accepted}
    missing = sum(slot.slot not in complete for slot in campaign.slots)
    if missing:
        verb = "is" if missing == 1 else "are"
        yield (
            f"the campaign is not complete: {missing} of {len(campaign.slots)} launches {verb} missing; "
            f"`{continue_command(campaign.folder, campaign)}` continues it"
        )


def _not_ended(campaign: Campaign) -> Iterator[str]:
    """A precision goal that was abandoned between two launches, with no launch missing."""
    accepted = {launch.slot.slot for launch in campaign.launches if launch.accepted}
    if (
        campaign.goal_progress is not None
        and campaign.goal_progress.ended is None
        and len(accepted) == len(campaign.slots)
    ):
        onward = continue_command(campaign.folder, campaign)
        yield f"the launches for the precision goal are not complete; `{onward}` continues them"


def _disturbed(campaign: Campaign) -> Iterator[str]:
    marked = [launch for launch in campaign.launches if launch.contended]
    tries = sum(not launch.accepted for launch in marked)
    if marked:
        of_them = "a try that was repeated" if len(marked) == 1 else f"{tries} of them tries that were repeated"
        kept = f", {of_them}" if tries else ", even after being repeated"
        verb = "was" if len(marked) == 1 else "were"
        yield (
            f"{len(marked)} of {len(campaign.launches)} launches {verb} disturbed by others on their cores{kept}: "
            "measure while nothing else runs there"
        )


def host_warnings(campaign: Campaign) -> tuple[str, ...]:
    """What was wrong with the hosts of its launches, such as more ranks than CPUs."""
    return _host_state(campaign)[0]


def _host_state(campaign: Campaign) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is wrong with hosts, and what could be better; texts that differ only in numbers are said once, of the first
    launch. What could be better is so on nearly every machine, and one line for all of it.
    """
    by_advice: dict[str, tuple[HostFinding, set[str]]] = {}
    several = len({host.name for launch in campaign.launches for host in launch.record.hosts}) > 1
    for launch in campaign.launches:
        pinned = launch.factors.get(PIN, campaign.plan.pin[0]) != UNPINNED
        for check_host in check_hosts(host_states(launch.record, pinned=pinned)):
            _, hosts = by_advice.setdefault(_NUMBER.sub("#", check_host.advice), (check_host, set()))
            hosts.update(check_host.hosts)
    named = [replace(finding, hosts=tuple(sorted(hosts))) for finding, hosts in by_advice.values()]
    wrong = tuple(finding.sentence if several else finding.advice for finding in named if finding.level != "advice")
    better = [
        f"{host_finding.state} ({host_finding.where})" if several else host_finding.state
        for host_finding in named
        if host_finding.level == "advice"
    ]
    if not better:
        return wrong, ()
    return wrong, (f"launches of other days may differ: {', '.join(better)}; `ictus doctor` says how to correct it",)


def _other_heap(campaign: Campaign) -> Iterator[str]:
    """Launches in which freed memory did not become what was asked for."""
    heaps = [(launch.slot.heap, launch.record.head.heap) for launch in campaign.launches]
    differing = [pair for pair in heaps if pair[0] != ORDINARY and pair[1] not in (pair[0], _UNKNOWN)]
    for heap, had in dict.fromkeys(differing):
        yield (
            f"{differing.count((heap, had))} of {len(heaps)} launches had heap {had}, not {heap}: the library, or a "
            "variable of the C library (MALLOC_..., GLIBC_TUNABLES; unset it) decides what becomes of freed memory"
        )


def too_few_repetitions(reduction: Reduction, fewest: int) -> str:
    """`too few repetitions for p99: 500, at least 1,000`."""
    return f"too few repetitions for {reduction.summary}: {fewest:,}, at least {reduction.least_samples:,}"


def _too_few(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    reduction = campaign.reduction
    too_few = [row for row in rows if row.too_few is not None]
    if too_few:
        sentence = too_few_repetitions(reduction, min(row.too_few or 0 for row in too_few))
        advice = _advice(campaign, f"measure with --nrep {reduction.least_samples}", "choose another --summary")
        lacking = f"{len(too_few)} of {len(rows)} cases have no {reduction.summary}"
        yield _naming(f"{sentence} in each launch; {lacking}: {{}}; {advice}", too_few)
    if reduction.quantile is not None and any(str(row.case["scheme"]).startswith("loop") for row in rows):
        yield f"a sample of scheme loop is a mean over calls: {reduction.summary} is one of such means, not of calls"


_LONGER = "longer windows may help: `ictus procsync window` finds how long"
_OF_LOG = "the lines in output.txt of its launches say why"


def _advice(campaign: Campaign, text: str, of_import: str) -> str:
    """What to do: nobody can measure again in the name of another suite, so that an import has its own advice."""
    return text if campaign.imported is None else of_import


def _lost(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    lost = [row for row in rows if row.n_launches == 0 and row.too_few is None]
    if lost:
        yield _naming(f"no valid sample at all, shown as NA: {{}}; {_advice(campaign, _LONGER, _OF_LOG)}", lost)


def _often_late(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    doubtful = [row for row in rows if row.valid and row.valid < FEW_VALID * (row.attempted - row.rejected)]
    if doubtful:
        reason = "fewer than half of the samples are valid, so that those left are doubtful"
        worst = min(doubtful, key=lambda row: row.valid / (row.attempted - row.rejected))
        counts = (
            f"of the worst {worst.valid:,} of {worst.attempted - worst.rejected:,} ({worst.late:,} began late, "
            f"{worst.long:,} outlasted their window; a sample can do both)"
        )
        yield _naming(f"{reason}: {{}}; {counts}; {_advice(campaign, _LONGER, _OF_LOG)}", doubtful)
        return
    single = sum(
        case.valid < FEW_VALID * (case.attempted - case.rejected)
        for launch in campaign.launches
        if launch.accepted
        for case in launch.record.cases
    )
    if single and not any(row.n_launches == 0 for row in rows):
        total = sum(row.n_launches for row in rows)
        advice = _advice(campaign, _LONGER, _OF_LOG)
        yield f"fewer than half of the samples are valid in {single} of {total} medians of a launch; {advice}"


def _unsynchronised(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    local = sum(row.metric == LOCAL for row in rows)
    if local and campaign.reduction.metric == "auto":
        which = "all cases" if local == len(rows) else f"{local} of {len(rows)} cases"
        yield (
            f"clocks are not synchronised in {which}: the latency is the longest local duration, not the makespan"
            f"{_advice(campaign, '; --clocksync ictus synchronises them', '')}"
        )


def _clock_bound(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    near = [row for row in rows if row.near_clock_bound]
    if near:
        stated = stated_error(campaign)
        likely = f" Their standard error is {stated}." if stated else ""
        yield _naming(
            f"the latency is less than ten times the proven error of the clocks: {{}}.{likely} Use a smaller "
            "--clock-bound: Ictus then synchronises longer.",
            near,
        )


def _shifted(campaign: Campaign, rows: Sequence[CaseRow]) -> Iterator[str]:
    share = medians(campaign).group_by("mpi", *IDENTITY).agg(pl.col("shift_matters").mean())
    marked = share.filter(pl.col("shift_matters") > 0.5)
    shifted = {tuple(row) for row in marked.select("mpi", *IDENTITY).iter_rows()}
    named = [row for row in rows if (row.mpi, *(row.case[factor] for factor in IDENTITY)) in shifted]
    if named:
        yield _naming(
            f"in {len(named)} of {len(rows)} cases most launches are faster or slower in their second half "
            "({}): warm-up not over, or the library changed its algorithm"
            f"{_advice(campaign, '; try a larger --warmup', '')}",
            named,
        )


def _from_launches(campaign: Campaign) -> Iterator[str]:
    """Warnings of the launches themselves; texts that differ only in numbers are listed once. What they say of invalid
    samples is said of the whole campaign above.
    """
    alike: dict[str, list[str]] = {}
    for launch in campaign.launches:
        for text in launch.record.head.warnings:
            if _OF_SAMPLES.match(text):
                continue
            alike.setdefault(_NUMBER.sub("#", text), []).append(text)
    for texts in alike.values():
        yield texts[0] if len(texts) == 1 else f"{texts[0]} (and {len(texts) - 1} more like this, in launch.json)"


def _naming(text: str, rows: Sequence[CaseRow]) -> NamingText:
    """The text with `mpich MPI_Bcast 512 B n=2, ... and 4 more` in the place of its `{}`."""
    return naming(text, (case_title({LIBRARY: row.mpi, **row.case}) for row in rows))
