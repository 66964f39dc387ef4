"""Measures findings and judges them: one campaign for each, in a folder of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.engine.measurement import measure_with_defaults
from ictus.findings.finding import FindingResult, PaperFinding
from ictus.findings.rules import Ruling, Seen
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class StudiedFinding:
    """A finding and what was seen of it."""

    finding: PaperFinding
    result: FindingResult
    campaign: Campaign | None
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
        """Those of the campaign."""
        return () if self.campaign is None else campaign_warnings(self.campaign)

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "name": self.finding.name,
            "claim": self.finding.claim,
            "source": self.finding.source,
            "rule": self.finding.rule,
            "seen": self.seen,
            "p": self.result.ruling.p_value,
            "because": self.result.because,
            "launches": 0 if self.campaign is None else len(self.campaign.launches),
            "folder": None if self.campaign is None else str(self.campaign.folder),
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
    """Measure a finding's campaign, or continue the one in its folder, and judge it. `given` are values of the plan by
    TOML key, which replace the finding's own.
    """
    plan = finding.plan(quick)
    reason = finding.hidden({**plan, **given})
    if reason is not None:
        return StudiedFinding(finding, FindingResult(Ruling(Seen.CANNOT_BE_SEEN, None), reason.rstrip(".")), None)
    return judge(finding, measure_with_defaults(given, folder, plan, world, observer, prefix=finding.name))


def judge(finding: PaperFinding, folder: Path) -> StudiedFinding:
    """Judge a campaign that was measured for a finding. Raises UsageError for one that lacks what it is about."""
    campaign = finding.read(folder)
    if len(campaign.labels) < finding.libraries:
        few = f"it compares two libraries, and {campaign.labels[0]} is the only one; -m mpich -m openmpi names two"
        return StudiedFinding(finding, FindingResult(Ruling(Seen.CANNOT_BE_SEEN, None), few), campaign)
    return StudiedFinding(finding, finding.judge(campaign), campaign)
