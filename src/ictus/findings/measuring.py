"""Measures findings and judges them: each in a folder of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.findings.finding import FindingResult, PaperFinding
from ictus.findings.material import FindingRequest, Provenance
from ictus.findings.rules import Ruling, Seen
from ictus.model.plan import Plan


@dataclass(frozen=True)
class StudiedFinding:
    """A finding and what was seen of it."""

    finding: PaperFinding
    result: FindingResult
    provenance: Provenance | None
    """None where nothing was measured, as nothing could be seen."""

    @property
    def seen(self) -> str:
        """`holds`, `does not hold` or `cannot be seen here`."""
        return self.result.ruling.seen.value

    @property
    def sentence(self) -> str:
        """The finding, whether it holds, and why that is said."""
        return f"{self.finding.claim.rstrip('.')}: {self.outcome}"

    @property
    def outcome(self) -> str:
        """Whether it holds, and why that is said: `holds: 44 of 60 pairs of launches differ.`"""
        link = ", because " if self.result.ruling.seen is Seen.CANNOT_BE_SEEN else ": "
        return f"{self.seen}{link}{self.result.because}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of what was measured."""
        return () if self.provenance is None else self.provenance.warnings

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "name": self.finding.name,
            "claim": self.finding.claim,
            "source": self.finding.source,
            "rule": self.finding.rule,
            "seen": self.seen,
            "p_value": self.result.ruling.p_value,
            "because": self.result.because,
            "launches": 0 if self.provenance is None else self.provenance.launches,
            "folder": None if self.provenance is None else str(self.provenance.folder),
        }


def study_finding(
    finding: PaperFinding,
    given: Mapping[str, Any],
    folder: Path | None,
    world: World,
    observer: Observer,
    *,
    quick: bool,
) -> StudiedFinding:
    """Measure what a finding is about, or continue what its folder holds, and judge it. `given` are values of the plan
    by TOML key, which replace the finding's own. Raises OptionError for a value that no plan takes.
    """
    Plan.from_values(given)
    plan = finding.plan_of(given, quick=quick)
    reason = finding.hidden({**plan, **given})
    if reason is not None:
        return StudiedFinding(finding, FindingResult(Ruling(Seen.CANNOT_BE_SEEN, None), reason.rstrip(".")), None)
    return judge(finding, finding.material.measure(FindingRequest(finding.name, plan, given, folder), world, observer))


def judge(finding: PaperFinding, folder: Path) -> StudiedFinding:
    """Judge what was measured for a finding. Raises UsageError for data that lack what it is about."""
    data = finding.material.read(folder)
    provenance = finding.material.provenance(data, folder)
    if len(provenance.labels) < finding.libraries:
        few = f"it compares two libraries, and {provenance.labels[0]} is the only one; -m mpich -m openmpi names two"
        return StudiedFinding(finding, FindingResult(Ruling(Seen.CANNOT_BE_SEEN, None), few), provenance)
    return StudiedFinding(finding, finding.judge(data), provenance)
