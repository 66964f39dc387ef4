"""What a persistent collective costs: its making once, then each start and wait, against calls of its blocking form.

k calls of the blocking form take k b, those of the persistent one s + k p with its making s. It is ahead in sum where
k (b - p) > s: from the first whole number above s / (b - p) on, and never where its calls are no faster. s, b and p are
medians over launches; the ratio p/b is paired within launches. One row for each library and case.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ictus.comparison.case_titles import IDENTITY
from ictus.comparison.matching import medians
from ictus.model.errors import UsageError
from ictus.model.spec import parse_spec
from ictus.stats.interval import RatioInterval, hodges_lehmann
from ictus.stats.median import MedianInterval, median_interval
from ictus.store.campaign import Campaign
from ictus.studies.persistent.forms import collective_of, is_persistent


@dataclass(frozen=True)
class PersistentLaunch:
    """One launch, seconds."""

    set_up_s: float
    """Making the request, on the slowest rank."""
    blocking_s: float
    """A call of the blocking form."""
    persistent_s: float
    """Start and wait of the persistent one."""


@dataclass(frozen=True)
class PersistentRow:
    """One case of one library in both forms, over launches; seconds."""

    mpi: str
    case: Mapping[str, Any]
    """That of the blocking form."""
    launches: int
    """Those with a valid sample of both."""
    set_up: MedianInterval
    blocking: MedianInterval
    persistent: MedianInterval
    ratio: RatioInterval
    """Persistent over blocking, paired."""

    @property
    def ahead_from(self) -> int | None:
        """Calls from which on the persistent form is ahead in sum, by the medians; None where its calls are not shown
        to be faster.
        """
        return ahead_from(self.set_up.median, self.blocking.median, self.persistent.median) if self.is_faster else None

    @property
    def is_faster(self) -> bool:
        """Whether it is shown that calls of the persistent form are faster."""
        return self.ratio.high is not None and self.ratio.high < 1

    @property
    def is_slower(self) -> bool:
        """Whether it is shown that they are slower."""
        return self.ratio.low is not None and self.ratio.low > 1


def ahead_from(set_up_s: float, blocking_s: float, persistent_s: float) -> int | None:
    """The smallest number of calls for which the persistent form takes less time in sum, its making counted; None where
    its calls are no faster. Seconds, in any case finite and not negative.
    """
    gain_s = blocking_s - persistent_s
    if not gain_s > 0:
        return None
    equal = set_up_s / gain_s
    return math.floor(equal) + 1 if math.isfinite(equal) else None


def request_s(persistent: str, blocking: str) -> float | None:
    """What making the request took, from what was made before the first call of both forms, such as
    `topology=0.002,request=1e-05`: what the blocking form does not make as well. None where nothing is named.
    """
    made, as_well = _parts(persistent), _parts(blocking)
    own = [time_s for name, time_s in made.items() if name not in as_well]
    return sum(own) if own else None


def _parts(text: str) -> dict[str, float]:
    pairs = (part.partition("=") for part in text.split(",") if part)
    return {name: float(time_s) for name, _, time_s in pairs}


def summarise(mpi: str, case: Mapping[str, Any], launches: Sequence[PersistentLaunch]) -> PersistentRow:
    """Over launches; `ValueError` for none."""
    blocking, persistent = ([getattr(launch, name) for launch in launches] for name in ("blocking_s", "persistent_s"))
    return PersistentRow(
        mpi=mpi,
        case=case,
        launches=len(launches),
        set_up=median_interval([launch.set_up_s for launch in launches]),
        blocking=median_interval(blocking),
        persistent=median_interval(persistent),
        ratio=hodges_lehmann(persistent, blocking, paired=True),
    )


def persistent_rows(campaign: Campaign) -> tuple[PersistentRow, ...]:
    """A row for each library and case that was measured in both forms. UsageError where there is none."""
    made = {
        (launch.slot.slot, case.case_id): case.set_up_s for launch in campaign.launches for case in launch.record.cases
    }
    forms: dict[tuple[Any, ...], dict[bool, dict[int, tuple[str, float]]]] = {}
    cases: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for row in medians(campaign).sort("case_id", maintain_order=True).iter_rows(named=True):
        operation = parse_spec(row["operation"])
        case = {**{name: row[name] for name in IDENTITY}, "operation": str(collective_of(operation))}
        key = (row["mpi"], *case.values())
        cases.setdefault(key, case)
        if row["value"] is not None and row["value"] > 0:
            by_slot = forms.setdefault(key, {}).setdefault(is_persistent(operation), {})
            by_slot[row["slot"]] = (made[row["slot"], row["case_id"]], row["value"])
    rows = []
    for key, of_case in forms.items():
        launches = _launches(of_case.get(True, {}), of_case.get(False, {}))
        if launches:
            rows.append(summarise(key[0], cases[key], launches))
    if not rows:
        raise UsageError(
            f"'{campaign.folder}' has no collective in its blocking and its persistent form with the time of its "
            "making: `--op bcast,bcast_init` measures both"
        )
    labels = {label: place for place, label in enumerate(campaign.labels)}
    return tuple(sorted(rows, key=lambda row: labels[row.mpi]))


def _launches(
    persistent: Mapping[int, tuple[str, float]], blocking: Mapping[int, tuple[str, float]]
) -> list[PersistentLaunch]:
    """Of each launch that has both, by slot, what was made and a call."""
    launches = []
    for slot in sorted(persistent.keys() & blocking.keys()):
        (made, persistent_s), (made_as_well, blocking_s) = persistent[slot], blocking[slot]
        set_up_s = request_s(made, made_as_well)
        if set_up_s is not None:
            launches.append(PersistentLaunch(set_up_s, blocking_s, persistent_s))
    return launches
