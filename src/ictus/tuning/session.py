"""The session of a tuning: ordinary campaigns of one library, each in its own folder, continued by a later call."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from ictus.engine.backend import Backend
from ictus.engine.campaign import PreparedCampaign, run_prepared
from ictus.engine.event import Note, Observer, ignore
from ictus.engine.launch_times import read_launch_times
from ictus.model.algorithm import Setting, Variant
from ictus.model.design import make_design
from ictus.model.plan import LARGEST_SEED, Plan
from ictus.model.reduction import USUAL, Reduction
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.mpi.flavours import FLAVOURS
from ictus.store.campaign import JOURNAL, Campaign, load
from ictus.store.journal import read_journal, spent_s
from ictus.store.launch import Launch
from ictus.store.manifest import CAMPAIGN, read_manifest

_OWN = ("op", "sizes", "subset", "launches", "nrep", "predicted", "repetition", "algorithm", "env", "until")
"""Fields of the check's plan that races decide for themselves."""

_LONGEST_S = 120.0
"""A launch that takes longer has an algorithm that never ends ..."""
_LONGER = 10.0
"""... unless this number of calls is expected to take a tenth of it."""

Calls = Mapping[tuple[Spec, Spec], Sequence[int]]
"""By operation and layout: the sizes that are measured."""


@dataclass(frozen=True)
class CampaignRequest:
    """The content of a campaign."""

    label: str
    """Label of the library."""
    processes: Sequence[int]
    calls: Calls
    variants: Sequence[Variant]
    launches: int
    retries: int | None = None
    """None: as the check had them."""
    datatype: str | None = None
    """None: that of the check."""


@dataclass(frozen=True)
class TuningSession:
    """All that launches need."""

    folder: Path
    """Folder of the tuning."""
    check: Path
    plan: Plan
    """Plan of the check."""
    backend: Backend
    nrep: int
    seed: int
    machine: Mapping[str, Any]
    bases: Mapping[str, Variant] = field(default_factory=dict)
    """By label: the variant of a library without remedies: the variables of the check, which a remedy may override, and
    the algorithms that all of its launches had.
    """
    observer: Observer = ignore
    reduction: Reduction = USUAL
    """By which a launch becomes one number: that of the check."""
    launches: list[Launch] = field(default_factory=list)
    """Those of the campaigns so far."""

    def base(self, label: str) -> Variant:
        """The unchanged library."""
        return self.bases.get(label, Variant())

    def forces_by_name(self, label: str) -> bool:
        """Whether a remedy is an algorithm for all sizes instead of variables of ranks: in a simulated library."""
        flavours = {installation.label: installation.flavour for installation in self.backend.installations}
        return all(flavour.name != flavours[label] or not flavour.tuned_by_variables for flavour in FLAVOURS)

    def campaign(self, name: str, request: CampaignRequest) -> Campaign:
        """Measure a campaign, or the missing rest of it. Raises Interruption."""
        folder = self.folder / name
        plan = self._plan(request, name)
        design = make_design(
            plan,
            Registries.load(),
            self.backend.installations,
            machine=self.machine,
            reference_cvars=self.backend.reference_cvars,
        )
        design = replace(design, variants={request.label: tuple(request.variants)})
        folder.parent.mkdir(parents=True, exist_ok=True)
        run_prepared(PreparedCampaign(folder, design, self.backend), self.observer)
        measured = load(folder, reduction=self.reduction)
        self.launches.extend(measured.launches)
        return measured

    def note(self, text: str) -> None:
        """Report what is measured next, and why."""
        self.observer(Note(text))

    def is_begun(self, name: str) -> bool:
        """Whether this campaign exists: then it is continued, whatever the budget."""
        return (self.folder / name / CAMPAIGN).is_file()

    def spent_s(self, name: str = "") -> float:
        """Seconds in launches, of all campaigns of the tuning, or of those in a folder of it."""
        return sum(spent_s(read_journal(path).entries) for path in sorted((self.folder / name).rglob(JOURNAL)))

    def launch_s(self, calls: int) -> float:
        """The expected time of a launch with this number of calls, from the launches of the check."""
        overhead_s, call_s = _costs(self.check.absolute(), self.nrep)
        return overhead_s + calls * call_s

    def _plan(self, request: CampaignRequest, name: str) -> Plan:
        base = {key: value for key, value in self.plan.values().items() if key not in _OWN}
        subsets = [
            {"op": [operation], "sizes": list(sizes), "layout": layout}
            for (operation, layout), sizes in request.calls.items()
        ]  # fmt: skip
        changes: dict[str, Any] = {
            "mpi": [str(library) for library in self.plan.libraries if library.label == request.label]
            or [request.label],
            "n": list(request.processes),
            "subset": subsets,
            "size-is": "total",
            "launches": request.launches,
            "nrep": self.nrep,
            "heap": [self.plan.heap[0]],
            "env": {},  # the variables of the check are those of each variant, which a remedy may set otherwise
            "seed": self._seed(name),
        }
        if request.retries is not None:
            changes["retries"] = request.retries
        if request.datatype is not None:
            changes |= {"datatype": request.datatype, "operator": None}
        expected_s = self.launch_s(sum(map(len, request.calls.values())))
        changes["timeout"] = min(self.plan.timeout_s, max(_LONGEST_S, _LONGER * expected_s))
        return Plan.from_values({**base, **changes})

    def _seed(self, name: str) -> int:
        """Each campaign has its own; one that was begun keeps what it has."""
        if self.is_begun(name):
            return read_manifest(self.folder / name).seed
        return campaign_seed(self.seed, name)


def campaign_seed(seed: int, name: str) -> int:
    """The seed of the campaign of this name in a tuning with that seed."""
    return (seed + crc32(name.encode())) % (LARGEST_SEED + 1)


@functools.cache
def _costs(check: Path, nrep: int) -> tuple[float, float]:
    """Seconds of a launch without its calls, and of a call with this number of repetitions."""
    launches = [read_launch_times(launch.folder, launch.slot, launch.checksums) for launch in load(check).launches]
    cases = [case for times in launches for case in times.cases.values()]
    call_s = sum(case.launch_s + nrep * case.repetition_s for case in cases) / max(len(cases), 1)
    return sum(launch_times.overhead_s for launch_times in launches) / len(launches), call_s


def over(base: Variant, name: str, setting: Setting) -> Variant:
    """A variant with this name: the unchanged library with an additional setting."""
    return Variant(name, base.setting.overlaid(setting), base.factors)


def in_full(operation: Spec) -> Spec:
    """An operation as campaigns record it."""
    return Registries.load().check("operation", operation)


def folder_name(*words: object) -> str:
    """`02-gather-mpich-n4`: letters, digits, `_` and `-`."""
    return "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", str(word)).strip("_") for word in words)
