"""What a comparison rests on: launches in turn, a control, several campaigns a side, or nothing but two campaigns.

A campaign is one state of the machine. Only sides that share it, or campaigns that show how far campaigns spread, say
something about the library (docs/explanation/statistics.md, decision 65).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from ictus.comparison.control import find_control, with_control
from ictus.comparison.differences import differences
from ictus.comparison.span import MeasuredSpan
from ictus.comparison.times import Stretch, over_times, stretches
from ictus.model.errors import OptionError
from ictus.model.library import NO_CONTROL
from ictus.model.quantity import format_span
from ictus.store.campaign import Campaign

APART = "apart"
"""Among the names of `--allow`: that campaigns were measured apart is meant."""


class EvidenceKind(str, Enum):
    """The evidence of a comparison, the best first."""

    SIDE_BY_SIDE = "side by side"
    CONTROL = "through a control"
    CAMPAIGNS = "several campaigns a side"
    APART = "apart"


@dataclass(frozen=True)
class ComparisonEvidence:
    """The kind, and what it is made of. Folders are named as in tables."""

    kind: EvidenceKind = EvidenceKind.SIDE_BY_SIDE
    campaigns_a: tuple[str, ...] = ()
    """Names of the folders of each side; none in one campaign."""
    campaigns_b: tuple[str, ...] = ()
    control: str | None = None
    differs: tuple[str, ...] = ()
    """What differs between the campaigns, in a word or two each."""
    n_history: int = 0
    """Earlier campaigns with the control, which show how far campaigns spread."""
    accepted: bool = False
    """Whether `--allow apart` accepts that campaigns were measured apart."""
    paired: bool = False
    """Whether both sides share their launches."""
    stated_by_user: bool = False
    """Whether launches were in turn by the word of the user alone, who imported them."""
    times: tuple[Stretch, ...] = ()
    """When the launches that are side by side were measured."""
    remark: str = ""
    """Why a library that could be the control is none, or why it is not the one that a plan marks."""

    @property
    def proves(self) -> bool:
        """Whether a difference can be that of the libraries. Two campaigns are two states of the machine; a control
        takes out what these do to all libraries, and not what they do to one alone.
        """
        return self.kind is not EvidenceKind.APART and (self.kind is not EvidenceKind.CONTROL or self.spread_counts)

    @property
    def judged(self) -> bool:
        """Whether a gate can judge it."""
        return self.proves or self.accepted

    @property
    def spread_counts(self) -> bool:
        """Whether the spread between campaigns is known: several repeat one another."""
        return len(self.campaigns_a) + len(self.campaigns_b) > 2 or self.n_history > 1

    @property
    def sentence(self) -> str:
        """The second line of an answer."""
        sides = f"{len(self.campaigns_a)} against {len(self.campaigns_b)}"
        allowed = " It is accepted by --allow apart." if self.accepted else ""
        if self.kind is EvidenceKind.SIDE_BY_SIDE:
            source = ", as `ictus import --interleaved` says" if self.stated_by_user else ""
            how = "in the same launches" if self.paired else "launches in turn"
            return f"Evidence: side by side, {', '.join(filter(None, (how + source, over_times(self.times))))}."
        if self.kind is EvidenceKind.CAMPAIGNS:
            return f"Evidence: several campaigns a side, {sides}; a campaign counts once."
        if self.kind is EvidenceKind.CONTROL:
            through = f"Evidence: through a control, {self.control}, the same library in every campaign."
            earlier = f", {self.n_history} earlier" if self.n_history else ""
            unknown = "what the machine did to one library alone is not known"
            spread_text = (
                f"{sides} campaigns{earlier}; the spread between them counts."
                if self.spread_counts
                else f"One campaign a side proves nothing: {unknown}.{allowed}"
            )
            return " ".join(filter(None, (through, spread_text, self.remark)))
        between = f"in {', '.join(self.differs)}"
        sentence = f"Evidence: apart. Two measurements are two states of the machine; they differ {between}."
        return " ".join(filter(None, (f"{sentence}{allowed}", self.remark)))

    @property
    def fact(self) -> str:
        """The sentence as a fact of a page, whose name is `evidence`."""
        return self.sentence.removeprefix("Evidence: ").rstrip(".")

    def as_object(self) -> dict[str, Any]:
        """The object `evidence` for scripts."""
        return {
            "kind": self.kind.value,
            "campaigns_a": list(self.campaigns_a),
            "campaigns_b": list(self.campaigns_b),
            "control": self.control,
            "n_history": self.n_history,
            "differs": list(self.differs),
            "times": [[time.begin.isoformat(), time.end.isoformat()] for time in self.times],
            "accepted": self.accepted,
            "sentence": self.sentence,
        }


SIDE_BY_SIDE = ComparisonEvidence()


def side_by_side(campaign: Campaign, *, paired: bool) -> ComparisonEvidence:
    """Of what is compared within a campaign: in the same launches where it is `paired`."""
    stated_by_user = campaign.imported is not None and not paired
    spread = campaign.plan.over_s is not None  # its pauses were asked for: its span says when it was
    return ComparisonEvidence(
        paired=paired, stated_by_user=stated_by_user, times=() if spread else stretches(campaign.launches)
    )


def evidence_of(
    sides: tuple[Sequence[Campaign], Sequence[Campaign]],
    by: str,
    named: Sequence[object],
    *,
    control: str | None,
    paired: bool,
    accepted: bool,
    history: Sequence[Campaign] = (),
) -> ComparisonEvidence:
    """The evidence of campaigns against others, or of one campaign alone where there are no others. `named` are the
    values that the user compares; without them all that are shared, but for the control. Of the `history` those count
    in which the control is the same.

    UsageError for a control that is none.
    """
    first, second = sides
    if not second or first[0].folder.resolve() == second[0].folder.resolve():
        if control not in (None, NO_CONTROL):
            raise OptionError(("control", control, "launches in turn need no control; leave it out"))
        if not first[0].in_turn and not paired:
            return ComparisonEvidence(EvidenceKind.APART, differs=(time_of_labels(first[0]),), accepted=accepted)
        return side_by_side(first[0], paired=paired)
    every = (*first, *second)
    control_library, remark = find_control(every, by, named, control)
    if control_library is not None:
        return ComparisonEvidence(
            EvidenceKind.CONTROL,
            _names(first),
            _names(second),
            control=control_library,
            n_history=len(with_control(history, every, control_library)),
            accepted=accepted,
            remark=remark,
        )
    if len(every) > 2:
        return ComparisonEvidence(EvidenceKind.CAMPAIGNS, _names(first), _names(second))
    differs = dict.fromkeys(name for difference in differences(first[0], second[0]) for name in difference.names)
    return ComparisonEvidence(
        EvidenceKind.APART,
        _names(first),
        _names(second),
        differs=(_time(first[0], second[0]), *differs),
        accepted=accepted,
        remark=remark,
    )


def _names(campaigns: Sequence[Campaign]) -> tuple[str, ...]:
    return tuple(campaign.folder.resolve().name for campaign in campaigns)


def _time(current: Campaign, baseline: Campaign) -> str:
    """`time (3 h 20 min)`, the span between the beginnings of both."""
    return _time_between([[current.created], [baseline.created]])


def time_of_labels(campaign: Campaign) -> str:
    """The same between the first launches of the libraries in one folder of logs, where these have times."""
    begun: dict[str, list[str]] = {}
    for launch in campaign.launches:
        begun.setdefault(launch.mpi, []).append(launch.started)
    return _time_between(list(begun.values()))


def _time_between(sides: Sequence[Sequence[str]]) -> str:
    """Between the first times of the sides: instants, as texts of several zones do not sort."""
    try:
        begun = sorted(min(map(datetime.fromisoformat, texts)) for texts in sides)
        return f"time ({format_span((begun[-1] - begun[0]).total_seconds())})"
    except (TypeError, ValueError):  # another program wrote it: no time, or one without a zone
        return "time"


def span_sentence(span: MeasuredSpan | None, evidence: ComparisonEvidence, n_verdicts: int) -> tuple[str, ...]:
    """`These verdicts hold for the 2.05 h from ...`; nothing where there is no verdict, or nobody knows."""
    if span is None or n_verdicts == 0 or not evidence.proves:
        return ()
    which = "This verdict holds" if n_verdicts == 1 else "These verdicts hold"
    return (f"{which} for the {span.text}.",)
