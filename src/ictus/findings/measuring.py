"""Measures findings and judges them: one campaign for each, in a folder of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.backend import World
from ictus.engine.event import Note, Observer
from ictus.engine.measurement import measure_with_defaults
from ictus.findings.finding import Finding, Judged
from ictus.findings.rules import Ruling, Seen
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class Answer:
    """A finding and what was seen of it."""

    finding: Finding
    judged: Judged
    campaign: Campaign | None
    """None where nothing was measured, as nothing could be seen."""

    @property
    def seen(self) -> str:
        """`holds`, `does not hold` or `cannot be seen here`."""
        return self.judged.ruling.seen.value

    @property
    def sentence(self) -> str:
        """The finding, whether it holds, and why that is said."""
        return f"{self.finding.claim.rstrip('.')}: {self.outcome}"

    @property
    def outcome(self) -> str:
        """Whether it holds, and why that is said: `holds: 44 of 60 pairs of launches differ.`"""
        link = ", because " if self.judged.ruling.seen is Seen.CANNOT_BE_SEEN else ": "
        return f"{self.seen}{link}{self.judged.because}."

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
            "p": self.judged.ruling.p_value,
            "because": self.judged.because,
            "launches": 0 if self.campaign is None else len(self.campaign.launches),
            "folder": None if self.campaign is None else str(self.campaign.folder),
        }


def answers(
    findings: Sequence[Finding],
    given: Mapping[str, Any],
    folder: Path | None,
    world: World,
    observer: Observer,
    *,
    quick: bool,
) -> Iterator[Answer]:
    """Measure each finding's campaign, or continue it, and judge it. `given` are values of the plan by TOML key, which
    replace the finding's own; `folder` holds one folder for each finding where there are several, else it is the
    finding's.
    """
    for finding in findings:
        values = {**finding.plan(quick), **{key: value for key, value in given.items() if value is not None}}
        reason = finding.hidden(values)
        if reason is not None:
            yield Answer(finding, Judged(Ruling(Seen.CANNOT_BE_SEEN, None), reason.rstrip(".")), None)
            continue
        if len(findings) > 1:
            observer(Note(f"{finding.name}: {finding.claim}"))
        place = None if folder is None else folder / finding.name if len(findings) > 1 else folder
        measured = measure_with_defaults(values, place, {}, world, observer, prefix=finding.name)
        yield judge(finding, measured)


def judge(finding: Finding, folder: Path) -> Answer:
    """Judge a campaign that was measured for a finding. Raises UsageError for one that lacks what it is about."""
    campaign = finding.read(folder)
    if len(campaign.labels) < finding.libraries:
        few = f"it compares two libraries, and {campaign.labels[0]} is the only one; -m mpich -m openmpi names two"
        return Answer(finding, Judged(Ruling(Seen.CANNOT_BE_SEEN, None), few), campaign)
    return Answer(finding, finding.judge(campaign), campaign)
