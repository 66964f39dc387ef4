"""Confirms the winners of races: in fresh launches, with the files in force that will be written. Then the check runs
again.

A remedy is recommended under three conditions, in launches of which none took part in the race:

- faster: the call with the remedy in force against the unchanged call, one-sided, by ranks; Holm's adjustment over all
  remedies that are confirmed together. Rank-sum between launches; signed-rank where only the program's author can apply
  it, so that both are calls of the same launches;
- kept: each guideline that the call violated is judged again, in launches with the remedy in force, by the test of the
  check and without adjustment, which is stricter. A mock-up is also compared with the guideline's right side without
  the redirect library, so that the cost of its decision counts; where the right side is that mock-up itself, with the
  check's tolerance. Not asked of a removed variable: what is still violated without it is the library's own choice,
  which the user did not make. It is told, and the call is faster all the same;
- no harm: a remedy for a whole operation makes no other size of it slower, one for the program no call of the check
  (Holm again).

So an equal candidate that won a race by chance is recommended in at most a `level` of all tunings.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ictus.guidelines.check.medians import measured_of
from ictus.guidelines.judgement import Options
from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Kind
from ictus.guidelines.verdict import GuidelineVerdict, State
from ictus.model.errors import IctusError, Interruption
from ictus.model.quantity import format_span
from ictus.model.spec import Spec
from ictus.mpi.tuning_files import TuningFiles
from ictus.tuning.budget import affordable
from ictus.tuning.candidates import Candidate, CandidateField, TuningCell, TuningVariant
from ictus.tuning.drafts import RemedySet, TuningLibrary, agreeing, find_refusals, hold_together, known_refusals
from ictus.tuning.outcome import Call, Confirmation, FreshLaunches, Remedy, Result
from ictus.tuning.rechecking import ConfirmationOptions, Recheck, described, judged_again
from ictus.tuning.session import Calls, CampaignRequest, TuningSession, in_full
from ictus.tuning.side_effects import adjusted, harm_of, harmed, holds_for_the_program, leaves_the_library, sides_of


def confirm(remedies: Sequence[Remedy], fresh: FreshLaunches, options: Options) -> tuple[Confirmation, ...]:
    """The verdict of fresh launches on each remedy, all judged together."""
    sides = [sides_of(remedy, fresh) for remedy in remedies]
    p_values = [None if side is None else side.p_faster for side in sides]
    p_known = [p_value for p_value in p_values if p_value is not None]
    p_together = iter(adjusted(p_known))
    harm = harmed(remedies, fresh, options.level)
    confirmations = []
    for remedy, side in zip(remedies, sides, strict=True):
        p_adjusted = None if side is None else next(p_together)
        if side is None or p_adjusted is None or len(p_known) * side.smallest_p > options.level:
            confirmations.append(Confirmation(remedy, Result.NO_DATA))
            continue
        verdicts = judged_again(remedy, fresh, options)
        harms = () if side.paired else harm_of(remedy, harm)
        known_again = bool(verdicts) or remedy in fresh.other_calls
        expected = () if leaves_the_library(remedy) else verdicts
        result = _result(p_adjusted <= options.level, expected, harms) if known_again else Result.NO_DATA
        middle = (float(np.median(side.pair.b)), float(np.median(side.pair.a)))
        confirmations.append(Confirmation(remedy, result, *middle, *side.ratios, p_adjusted, verdicts, harms))
    return tuple(confirmations)


def _result(faster: bool, verdicts: Sequence[GuidelineVerdict], harmed: Sequence[Call]) -> Result:
    if not faster:
        return Result.NOT_FASTER
    if any(verdict.state not in (State.HOLDS, State.REFUTED) for verdict in verdicts):
        return Result.STILL_VIOLATED
    return Result.HARMS if harmed else Result.CONFIRMED


PASSES = 6
"""At most this number of passes measures the rest again without the unconfirmed remedies: what is written is what was
measured.
"""
_REPLACING = 3
"""In the first of these passes the next best replaces an unconfirmed winner ..."""
_SPARE = 2.5
"""... if the budget has time for this number of passes like the last."""
_GOES_ON = (Result.STILL_VIOLATED, Result.HARMS, Result.BREAKS, Result.REFUSED)
"""Where the next best is tried: the one before was faster, or never ran. Where it was not, the search ends, so that it
takes no more than one test of an equal candidate to come to a wrong end.
"""


@dataclass(frozen=True)
class ConfirmedRemedies:
    """The results of a library's remedies."""

    results: tuple[Confirmation, ...]
    """Each remedy once, with what the last pass that had it said."""
    written: TuningFiles = field(default_factory=TuningFiles)
    """What the last pass confirmed, whole; nothing where it did not."""
    ended: str = ""
    """Why it ended early; empty where it did not."""
    checked: tuple[str, ...] = ()
    """What the check said with the files in force, in sentences."""


@dataclass(frozen=True)
class Winners:
    """The winners of a library's races."""

    remedies: tuple[Remedy, ...]
    offers: Mapping[str, TuningVariant]
    """By name of the variant."""
    fields: tuple[CandidateField, ...]
    others: Mapping[TuningCell, tuple[Candidate, ...]] = field(default_factory=dict)
    """Who else seems to be faster, the fastest first."""


def run(
    session: TuningSession, library: TuningLibrary, winners: Winners, means: ConfirmationOptions
) -> ConfirmedRemedies:
    """Confirm the remedies of a library, with all of their files in force at once. Raises Interruption."""
    tried, contradicting = agreeing(library, winners.remedies, winners.offers, winners.fields)
    results = {remedy: Confirmation(remedy, Result.CONTRADICTS) for remedy in contradicting}
    checked: list[str] = []
    waiting = {cell: list(candidates) for cell, candidates in winners.others.items()}
    for number in range(1, PASSES + 1):
        if not tried:
            break
        begun_s = session.spent_s()
        draft = RemedySet(f"{library.label}-{number}-{_digest(tried)}", tuple(tried), winners.offers)
        confirmations = _confirmed(session, library, draft, means)
        if isinstance(confirmations, str):
            return ConfirmedRemedies(_ended(results, tried, None), ended=confirmations, checked=tuple(checked))
        results |= {confirmation.remedy: confirmation for confirmation in confirmations}
        kept = [confirmation.remedy for confirmation in confirmations if confirmation.result is Result.CONFIRMED]
        in_force = [remedy for remedy in tried if library.in_force(remedy)]
        if kept == tried and not in_force:
            return ConfirmedRemedies(tuple(results.values()), checked=tuple(checked))
        if kept == tried:
            again = Recheck(session, library, draft, means).judged()
            if again.ended:
                return ConfirmedRemedies(
                    _ended(results, in_force, again.ended), ended=again.ended, checked=tuple(checked)
                )
            checked += [again.explanation, *described(again.dropped)]
            for remedy, reason in again.remaining.items():
                results[remedy] = replace(results[remedy], reason=reason)
            if not again.dropped:
                return ConfirmedRemedies(tuple(results.values()), draft.written(library), checked=tuple(checked))
            for remedy, (result, reason) in again.dropped.items():
                results[remedy] = replace(results[remedy], result=result, reason=reason)
            kept = [each_remedy for each_remedy in tried if each_remedy not in again.dropped]
        spent_s = session.spent_s()
        time = means.until_s - spent_s >= _SPARE * (spent_s - begun_s)
        gone = [
            each_remedy for each_remedy in tried if each_remedy not in kept and results[each_remedy].result in _GOES_ON
        ]
        tried = (
            [*kept, *next_best(library, kept, gone, winners.offers, waiting)] if number <= _REPLACING and time else kept
        )
    why = f"after {PASSES} passes what was left had not come out clean" if tried else ""
    open_ones = [each_remedy for each_remedy in tried if library.in_force(each_remedy)]
    return ConfirmedRemedies(_ended(results, open_ones, why), ended=why, checked=tuple(checked))


def next_best(
    library: TuningLibrary,
    kept: Sequence[Remedy],
    gone: Sequence[Remedy],
    offers: Mapping[str, TuningVariant],
    waiting: Mapping[TuningCell, list[Candidate]],
) -> list[Remedy]:
    """For each that is gone the next that files can hold beside the others, taken from those that wait: first one that
    is applied otherwise, for what was wrong with a setting is mostly wrong with the next setting.
    """
    remedies: list[Remedy] = []
    for remedy in gone:
        candidates = waiting.get(remedy.cell, [])
        for candidate in sorted(candidates, key=lambda proposal: proposal.way is remedy.candidate.way):
            replacement = Remedy(remedy.cell, candidate, remedy.violated)
            if hold_together(library, [*kept, *remedies, replacement], offers):
                remedies.append(replacement)
                candidates.remove(candidate)
                break
    return remedies


def _digest(remedies: Sequence[Remedy]) -> str:
    """A digest of the candidates to confirm: a race that continued may have other winners, whose launches are not those
    of the first.
    """
    named = [
        (vars(remedy.cell.place), str(remedy.cell.operation), remedy.cell.size_bytes, remedy.candidate.name)
        for remedy in remedies
    ]
    return hashlib.sha256(repr(named).encode()).hexdigest()[:8]


def _ended(
    results: Mapping[Remedy, Confirmation], open_ones: Sequence[Remedy], why: str | None
) -> tuple[Confirmation, ...]:
    """All results, where those that are open were not checked again; None: they were not even confirmed."""
    if why is None:
        return tuple(confirmation for remedy, confirmation in results.items() if remedy not in open_ones)
    unchecked = {
        open_one: replace(results[open_one], result=Result.UNCHECKED, reason=why)
        for open_one in open_ones
        if results[open_one].result is Result.CONFIRMED
    }
    return tuple({**results, **unchecked}.values())


def _confirmed(
    session: TuningSession, library: TuningLibrary, draft: RemedySet, means: ConfirmationOptions
) -> tuple[Confirmation, ...] | str:
    """The verdict of fresh launches on each remedy of a draft; a text where the budget does not allow them."""
    in_force = any(library.in_force(remedy) for remedy in draft.remedies)
    variants = [session.base(library.label), *([draft.variant(session, library)] if in_force else [])]
    calls = _calls(draft.remedies, library)
    processes = sorted({remedy.cell.place.n for remedy in draft.remedies})
    n_launches = means.launches * len(variants) * len(processes)
    launch_s = session.launch_s(sum(map(len, calls.values())))
    name = f"confirm/{draft.name}"
    if not session.is_begun(name) and not affordable(n_launches, launch_s, means.until_s - session.spent_s()):
        return f"the budget ended before {n_launches} launches of about {format_span(launch_s)} would confirm"
    amount = "1 remedy" if len(draft.remedies) == 1 else f"{len(draft.remedies)} remedies"
    session.note(f"{library.label}: confirming {amount}, {n_launches} launches")
    refusal = known_refusals(session, draft)
    if not refusal:
        try:
            request = CampaignRequest(library.label, processes, calls, variants, means.launches)
            measured = measured_of(session.campaign(name, request))
        except Interruption:
            raise
        except IctusError as error:
            refusal = find_refusals(session, library, draft, request, error)
        else:
            others = frozenset(remedy for remedy in draft.remedies if not library.in_force(remedy))
            return confirm(draft.remedies, FreshLaunches(measured, others), means.options)
    return tuple(
        Confirmation(remedy, Result.REFUSED, reason=refusal[number])
        if number in refusal
        else Confirmation(remedy, Result.CONFIRMED)  # as before: the next pass measures it
        for number, remedy in enumerate(draft.remedies)
    )


def _calls(remedies: Iterable[Remedy], library: TuningLibrary) -> Calls:
    """The calls at all of their sizes, their replacements, and the right sides of their guidelines; for a remedy of the
    whole program every call of the check.
    """
    calls: dict[tuple[Spec, Spec], dict[int, None]] = {}

    def add(operation: Spec, layout: Spec, sizes: Iterable[int]) -> None:
        calls.setdefault((in_full(operation), layout), {}).update(dict.fromkeys(sizes))

    for remedy in remedies:
        cell = remedy.cell
        size_list = library.measured.sizes(cell.place, cell.operation, cell.layout)
        add(cell.operation, cell.layout, (series.size_bytes for series in size_list))
        add(remedy.candidate.operation, cell.layout, [remedy.candidate.size_bytes])
        for broken in remedy.violated:
            split = broken.kind is Kind.SPLIT
            right = repeated(cell.operation, broken.times) if split else broken.rule.right
            add(right, broken.rule.right_layout, [broken.right_size_bytes])
        if holds_for_the_program(remedy):
            for key, sizes in library.measured.series.items():
                if key.configuration == cell.place:
                    add(key.operation, key.layout, (series.size_bytes for series in sizes))
    return {key: sorted(sizes) for key, sizes in calls.items()}
