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
from ictus.model.quantity import format_span
from ictus.model.unknown import unknown
from ictus.store.campaign import Campaign

NO_CONTROL = "none"
"""`--control none`: no library stands for the state of the machine."""
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
    """Why a library that could be the control is none."""

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
            if self.spread_counts:
                earlier = f", {self.n_history} earlier" if self.n_history else ""
                return f"{through} {sides} campaigns{earlier}; the spread between them counts."
            return f"{through} What the machine does to one library alone is not seen; more campaigns count it."
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
    if asked == NO_CONTROL or by != LIBRARY or logs or (len(shared) < 2 and not named):
        return None, ""
    unchanged = [label for label in shared if label not in named and not _changes(campaigns, label)]
    known = [label for label in unchanged if _recorded(campaigns, label)]
    if known or not unchanged:
        return (known[-1] if known else None), ""
    return None, f"The checksum of {unchanged[-1]} is not recorded: --control {unchanged[-1]} says it is the same."


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
