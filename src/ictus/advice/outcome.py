"""What came of it: each costly call with its check and its remedy, each remedy with its proof in the program, and the
advice as sentences. Values in, values out.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ictus.advice.calls import CallAside, CallPlace, CostlyCalls, ProgramCall
from ictus.advice.screening import TriedSetting
from ictus.advice.tried import tried_in_vain, tried_sentences
from ictus.programs.profile.tables import waiting_words
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import VerdictKind


class CallState(str, Enum):
    """How far the circle came with a call."""

    HOLDS = "holds"
    """No guideline is found violated."""
    UNDECIDED = "undecided"
    """None is found violated, but the launches were too few to decide all."""
    NO_REMEDY = "no-remedy"
    """A guideline is violated, and nothing that mends it was confirmed."""
    BY_HAND = "by-hand"
    """What mends it only the program's author can apply."""
    REMEDIED = "remedied"
    """A remedy is confirmed for it, by itself."""
    NOT_IN_FORCE = "not-in-force"
    """A remedy is confirmed for it by itself, but the program's own launches show that it is not in force in them."""
    NOT_REACHED = "not-reached"
    """The time budget ended before."""


STATES = {
    CallState.HOLDS: "no guideline violated",
    CallState.UNDECIDED: "too few launches to decide",
    CallState.NO_REMEDY: "violated, no remedy confirmed",
    CallState.BY_HAND: "remedy for the program's author",
    CallState.REMEDIED: "remedy confirmed",
    CallState.NOT_IN_FORCE: "remedy not in force in the program",
    CallState.NOT_REACHED: "the time budget ended",
}


@dataclass(frozen=True)
class AdvisedCall:
    """A call that matters, and what is known of it now."""

    call: ProgramCall
    state: CallState
    guidelines: tuple[str, ...] = ()
    """Those that it breaks."""
    remedy: str = ""
    ratio: float | None = None
    """Of the call by itself, with the remedy to as it is."""


@dataclass(frozen=True)
class ProvenRemedy:
    """A remedy in the program: the ratios are with it to as it is, below 1 it is faster."""

    place: CallPlace
    use: tuple[str, ...]
    """What to do, one line each; the last one launches the program with it."""
    run: CaseComparison
    calls: CaseComparison | None
    """Of the time inside the mended calls; None where it is not known."""

    @property
    def gains(self) -> bool:
        """Whether the program is proven to run faster with it."""
        return self.run.verdict.kind is VerdictKind.FASTER

    @property
    def launch(self) -> str:
        """The command that launches the program with it."""
        return self.use[-1].removeprefix(f"{self.place.text}: ")


@dataclass(frozen=True)
class Advice:
    """All of it."""

    program: str
    library: str
    n: int
    created: str
    ictus: str
    elapsed_s: float
    """Of the profiled run."""
    costly: CostlyCalls
    calls: tuple[AdvisedCall, ...]
    remedies: tuple[ProvenRemedy, ...]
    unproven: tuple[str, ...]
    """Remedies that were not tried in the program, or only its author can apply, one sentence each."""
    spent_s: float
    budget_s: float
    warnings: tuple[str, ...]
    missing_s: float = 0.0
    """What the checks would still take that the budget had no room for."""
    tried: tuple[TriedSetting, ...] = ()
    """Settings of the library that were tried in the program."""
    proof_budget_s: float | None = None
    """The budget that has time for launches of the program with each remedy; None where this one has."""
    settings_budget_s: float | None = None
    """The budget that has time to try settings of the library in the program; None where this one has."""

    @property
    def larger_budget_s(self) -> float | None:
        """A budget with room for what is missing: checks may take half of it. None where nothing is missing."""
        if self.proof_budget_s is not None:
            return self.proof_budget_s
        if not any(call.state is CallState.NOT_REACHED for call in self.calls):
            return self.settings_budget_s
        return 2 * (self.spent_s + self.missing_s if self.missing_s else self.budget_s)

    @property
    def useful(self) -> tuple[ProvenRemedy, ...]:
        """Remedies that make the program faster, the most useful first."""
        return tuple(
            sorted(
                (remedy for remedy in self.remedies if remedy.gains),
                key=lambda remedy: remedy.run.ratio or 1.0,
            )
        )


def evidence_sentence(advice: Advice) -> str:
    """What the advice rests on. The profile may be of another day: it proves nothing about the program's time now."""
    pairs = "launches of the program in pairs, with a remedy and as it is" if advice.remedies else ""
    checks = "checks of its calls, both sides in the same launches" if advice.calls else ""
    tried = "launches of the program in turns, with settings of the library and as it is" if advice.tried else ""
    proof = pairs or checks or tried or "no call was checked"
    how = f"side by side, {proof}" if pairs or checks or tried else proof
    kept = f"The profile of {advice.created[:10]} says which calls matter, and not how fast they are now."
    return f"Evidence: {how}. {kept}"


def headline(advice: Advice) -> str:
    """The advice in one sentence."""
    share = advice.costly.mpi_share
    if share is None:
        why = (
            "it called MPI_Init and none of the functions that are counted"
            if advice.elapsed_s > 0
            else "no time passed between its MPI_Init and MPI_Finalize"
        )
        return f"Nothing is known of the program's calls: {why}."
    mpi = f"{share:.1%} of the time is in MPI calls"
    if (waiting := advice.costly.waiting_share) is not None:
        mpi = f"{mpi}, {waiting_words(waiting, advice.costly.most_awaited)}"
    if advice.useful:
        best = advice.useful[0]
        more_text = f"; {len(advice.useful)} remedies make it faster, each alone" if len(advice.useful) > 1 else ""
        faster = (
            f"The program runs faster: {_ratio('run time', best.run)} with the remedy for {best.place.text}{more_text}"
        )
        return f"{faster}. {mpi}."
    if advice.remedies:
        calls = sum(_is_faster(remedy.calls) for remedy in advice.remedies)
        faster = f"; the time inside the calls is shorter with {calls} of them" if calls else ""
        return f"No gain is proven: confirmed remedies tried in the program: {len(advice.remedies)}{faster}. {mpi}."
    late = advice.settings_budget_s is not None or advice.proof_budget_s is not None
    if late or any(setting.is_worth_a_proof for setting in advice.tried):
        why = (
            "the time budget ended before the answer" if late else "a setting that was faster is not in force in pairs"
        )
        return f"No gain is proven{' yet' if late else ''}: {mpi}, and {why}."
    if not advice.calls:
        beside = " besides waiting" if waiting else ""
        nothing = f"no call that can be improved takes {advice.costly.least:.0%} or more of it{beside}"
        return f"Nothing to gain: {mpi}, and {tried_in_vain(advice.tried) or nothing}."
    return _unmended({call.state for call in advice.calls}, mpi, tried_in_vain(advice.tried))


def _unmended(states: Collection[CallState], mpi: str, tried: str) -> str:
    """Where calls matter and no remedy was tried in the program."""
    if states == {CallState.HOLDS}:
        held = "the calls that matter keep every guideline that was checked"
        return f"Nothing to gain: {mpi}, {held}, and {tried}." if tried else f"Nothing to gain: {mpi}, and {held}."
    if CallState.NOT_REACHED in states or CallState.REMEDIED in states:
        return f"No gain is proven yet: {mpi}, and the time budget ended before the answer."
    if CallState.NOT_IN_FORCE in states:
        return f"No gain is proven: {mpi}, and a confirmed remedy is not in force in the program."
    if CallState.BY_HAND in states:
        return f"Only the program's author can improve it: {mpi}, and other calls are faster than some that matter."
    if CallState.NO_REMEDY in states:
        return f"No remedy was found: {mpi}, and calls that matter are slower than they need be."
    return f"No gain is found: {mpi}, and some guidelines could not be decided by so few launches."


def sentences(advice: Advice) -> Iterator[str]:
    """What follows the headline: each remedy with its proof, what else is to be known."""
    for remedy in advice.remedies:
        run = f"{_ratio('run time', remedy.run)}: {remedy.run.verdict.text}"
        if remedy.calls is None:
            inside = "the time inside the calls is not known, for they are taken before they could be counted"
        else:
            inside = f"{_ratio('time inside the calls', remedy.calls)}: {remedy.calls.verdict.text}"
        yield f"{remedy.place.text}, in the program: {run}; {inside}."
    yield from advice.unproven
    yield from tried_sentences(advice.tried)
    if advice.calls:
        yield (
            "No remedy shortens the part of the time inside calls that is waiting for other processes; that part is "
            "known of blocking collectives alone."
        )


def to_do(advice: Advice) -> tuple[str, ...]:
    """What makes the program faster: variables, files, the line that launches it."""
    return tuple(line for remedy in advice.useful for line in remedy.use)


def _is_faster(comparison: CaseComparison | None) -> bool:
    return comparison is not None and comparison.verdict.kind is VerdictKind.FASTER


def _ratio(what: str, comparison: CaseComparison) -> str:
    if comparison.ratio is None:
        return f"{what} is not known"
    interval = (
        "no interval of so few launches"
        if comparison.ratio_low is None or comparison.ratio_high is None
        else f"95 %: {comparison.ratio_low:.3f} … {comparison.ratio_high:.3f}"
    )
    return f"{what} {comparison.ratio:.3f} of what it was ({interval})"


def call_row(call: AdvisedCall) -> dict[str, Any]:
    """A call for scripts."""
    return {
        "operation": call.call.place.operation,
        "size_bytes": call.call.size_bytes,
        "n": call.call.place.n,
        "datatype": call.call.place.datatype,
        "operator": call.call.place.operator,
        "sites": list(call.call.sites),
        "calls": call.call.calls,
        "share": call.call.share,
        "waiting_share": call.call.waiting,
        "state": call.state.value,
        "guidelines": list(call.guidelines),
        "remedy": call.remedy,
        "ratio": call.ratio,
    }


def remedy_row(remedy: ProvenRemedy) -> dict[str, Any]:
    """A remedy in the program, for scripts; times in seconds."""
    return {
        "remedy_for": remedy.place.text,
        **{f"run_{key}": value for key, value in _comparison(remedy.run).items()},
        **({} if remedy.calls is None else {f"calls_{key}": value for key, value in _comparison(remedy.calls).items()}),
        "gains": remedy.gains,
        "use": list(remedy.use),
    }


def _comparison(comparison: CaseComparison) -> dict[str, Any]:
    return {
        "before_s": comparison.median_b,
        "after_s": comparison.median_a,
        "ratio": comparison.ratio,
        "ratio_low": comparison.ratio_low,
        "ratio_high": comparison.ratio_high,
        "p_adjusted": comparison.p_adjusted,
        "verdict": comparison.verdict.kind.value,
        "launches": min(comparison.n_a, comparison.n_b),
    }


def aside_sentence(aside: CallAside) -> str:
    """A call that is left aside, with the reason."""
    waiting = f", {aside.waiting:.1%} waiting" if aside.waiting > 0 else ""
    return f"{aside.operation}, {aside.share:.1%} of the time{waiting}: {aside.reason}"


def aside_rows(costly: CostlyCalls) -> list[dict[str, Any]]:
    """What is left aside, for scripts."""
    return [vars(aside) for aside in costly.aside]
