"""What a comparison rests on: launches in turn, a control, several campaigns a side, or nothing but two campaigns.

A campaign is one state of the machine. Only sides that share it, or differences to a control that does, say something
about the library (docs/explanation/statistics.md, decision 65).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from ictus.comparison.case_titles import LIBRARY
from ictus.comparison.conditions import conditions
from ictus.comparison.differences import differences, library_facts, steady_settings
from ictus.comparison.matching import values
from ictus.model.errors import OptionError
from ictus.model.library import NO_CONTROL
from ictus.model.quantity import format_span
from ictus.model.unknown import unknown
from ictus.store.campaign import Campaign

APART = "apart"
"""Among the names of `--allow`: that campaigns were measured apart is meant."""
_SAME_MACHINE = ("cpu_model", "architecture")
_UNKNOWN = "unknown"


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
    remark: str = ""
    """Why a library that could be the control is none, or why it is not the one that a plan marks."""

    @property
    def judged(self) -> bool:
        """Whether a gate can judge it."""
        return self.kind is not EvidenceKind.APART or self.accepted

    @property
    def spread_counts(self) -> bool:
        """Whether the spread between campaigns is known: several repeat one another."""
        return len(self.campaigns_a) + len(self.campaigns_b) > 2 or self.n_history > 1

    @property
    def sentence(self) -> str:
        """The second line of an answer."""
        sides = f"{len(self.campaigns_a)} against {len(self.campaigns_b)}"
        if self.kind is EvidenceKind.SIDE_BY_SIDE:
            return f"Evidence: side by side, {'in the same launches' if self.paired else 'launches in turn'}."
        if self.kind is EvidenceKind.CAMPAIGNS:
            return f"Evidence: several campaigns a side, {sides}; a campaign counts once."
        if self.kind is EvidenceKind.CONTROL:
            through = f"Evidence: through a control, {self.control}, the same library in every campaign."
            earlier = f", {self.n_history} earlier" if self.n_history else ""
            seen = (
                f"{sides} campaigns{earlier}; the spread between them counts."
                if self.spread_counts
                else "What the machine does to one library alone is not seen; more campaigns count it."
            )
            return " ".join(filter(None, (through, seen, self.remark)))
        allowed = " It is accepted by --allow apart." if self.accepted else ""
        between = f"in {', '.join(self.differs)}"
        said = f"Evidence: apart. Two measurements are two states of the machine; they differ {between}."
        return " ".join(filter(None, (f"{said}{allowed}", self.remark)))

    def as_row(self) -> dict[str, Any]:
        """The object `evidence` for scripts."""
        return {
            "kind": self.kind.value,
            "campaigns_a": list(self.campaigns_a),
            "campaigns_b": list(self.campaigns_b),
            "control": self.control,
            "n_history": self.n_history,
            "differs": list(self.differs),
            "accepted": self.accepted,
            "sentence": self.sentence,
        }


SIDE_BY_SIDE = ComparisonEvidence()


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
        if first[0].imported is not None and not paired:
            return ComparisonEvidence(EvidenceKind.APART, differs=("time",), accepted=accepted)
        return ComparisonEvidence(paired=paired)
    every = (*first, *second)
    found, remark = _control(every, by, named, control)
    if found is not None:
        return ComparisonEvidence(
            EvidenceKind.CONTROL,
            _names(first),
            _names(second),
            control=found,
            n_history=len(with_control(history, every, found)),
            remark=remark,
        )
    if len(every) > 2:
        return ComparisonEvidence(EvidenceKind.CAMPAIGNS, _names(first), _names(second))
    differs = dict.fromkeys(name for one in differences(first[0], second[0]) for name in one.names)
    return ComparisonEvidence(
        EvidenceKind.APART,
        _names(first),
        _names(second),
        differs=(_time(first[0], second[0]), *differs),
        accepted=accepted,
        remark=remark,
    )


def with_control(history: Sequence[Campaign], campaigns: Sequence[Campaign], control: str) -> list[Campaign]:
    """The campaigns of a history that are none of the compared ones and have the same control in turn."""
    known = {one.folder.resolve() for one in campaigns}
    return [
        one
        for one in history
        if one.folder.resolve() not in known
        and one.imported is None
        and control in values(one, LIBRARY)
        and not _changes((*campaigns, one), control)
    ]


def _names(campaigns: Sequence[Campaign]) -> tuple[str, ...]:
    return tuple(one.folder.resolve().name for one in campaigns)


def _control(
    campaigns: Sequence[Campaign], by: str, named: Sequence[object], asked: str | None
) -> tuple[str | None, str]:
    """The library that stands for the state of the machine, and why one that could is none."""
    shared = [
        str(label) for label in values(campaigns[0], LIBRARY)
        if all(label in values(other, LIBRARY) for other in campaigns[1:])
    ]  # fmt: skip
    if asked is not None and asked != NO_CONTROL:
        _check_control(campaigns, by, named, asked, shared)
        return asked, ""
    logs = any(one.imported is not None for one in campaigns)  # the libraries of one folder were not in turn either
    if asked == NO_CONTROL or by != LIBRARY or logs:
        return None, ""
    alone = len(shared) < 2 and not named
    free = [] if alone else [label for label in shared if label not in named]
    unchanged = [label for label in free if not _changes(campaigns, label)]
    known = [label for label in unchanged if _recorded(campaigns, label)]
    plans = [one.plan.control for one in campaigns]
    marked = dict.fromkeys(label for label in plans if label is not None and label not in named)
    chosen = next((label for label in marked if label in known), None)
    lost = "" if chosen or not marked else _lost(campaigns, next(iter(marked)))
    if known or not unchanged:
        return chosen or (known[-1] if known else None), lost
    return None, f"The checksum of {unchanged[-1]} is not recorded: --control {unchanged[-1]} says it is the same."


def _lost(campaigns: Sequence[Campaign], marked: str) -> str:
    """Why the control of a plan is none between these campaigns."""
    if any(marked not in values(one, LIBRARY) for one in campaigns):
        return f"{marked}, the control of a plan, is not in all campaigns."
    changed = _changes(campaigns, marked)
    if changed:
        why = f"is not the same in all campaigns: {', '.join(changed)}"
    elif _recorded(campaigns, marked):
        why = "is the only library in all campaigns: name one of each to compare"
    else:
        why = "has no checksum in all campaigns"
    return f"{marked}, the control of a plan, {why}."


def _check_control(
    campaigns: Sequence[Campaign], by: str, named: Sequence[object], asked: str, shared: Sequence[str]
) -> None:
    """UsageError where the library that was asked for cannot be the control."""
    if by != LIBRARY:
        raise OptionError(("control", asked, f"a control is for libraries, and {by} is compared"))
    if asked not in shared:
        raise unknown(f"--control '{asked}'", asked, shared)
    logs = next((one.folder for one in campaigns if one.imported is not None), None)
    if logs is not None:
        raise OptionError(("control", asked, f"the logs in '{logs}' were not measured in turn; leave it out"))
    if len(shared) < 2 and not named:
        raise OptionError(("control", asked, "no other library is in all campaigns: there is nothing to compare"))
    if asked in named:
        raise OptionError(("control", asked, "it is compared itself; name another library"))
    changed = _changes(campaigns, asked)
    if changed:
        raise OptionError(("control", asked, f"it is not the same in all campaigns: {', '.join(changed)}"))


def _changes(campaigns: Sequence[Campaign], label: str) -> list[str]:
    """What of a library, its settings or its machine is not the same in all campaigns; what is unknown never
    differs.
    """

    def facts(campaign: Campaign) -> dict[str, str]:
        library = next(one for one in campaign.libraries if one.label == label)
        machine = {name: str(campaign.machine.get(name) or _UNKNOWN) for name in _SAME_MACHINE}
        return {**library_facts(library), **machine, **conditions(campaign), **steady_settings(campaign, label)}

    every = [facts(campaign) for campaign in campaigns]
    names = dict.fromkeys(name for one in every for name in one)
    found = {name: {one.get(name, "unset") for one in every} - {_UNKNOWN} for name in names}
    return [name.replace("_", " ") for name, texts in found.items() if len(texts) > 1]


def _recorded(campaigns: Sequence[Campaign], label: str) -> bool:
    return all(one.checksum != _UNKNOWN for each in campaigns for one in each.libraries if one.label == label)


def _time(now: Campaign, baseline: Campaign) -> str:
    """`time (3 h 20 min)`, the span between the beginnings of both."""
    try:
        begun = [datetime.fromisoformat(one.created) for one in (now, baseline)]
        return f"time ({format_span(abs((begun[0] - begun[1]).total_seconds()))})"
    except (TypeError, ValueError):  # another program wrote it: no time, or one without a zone
        return "time"
