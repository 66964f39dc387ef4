"""All findings. A new one is an entry in a file of members/, and a new file is a line here."""

from ictus.findings.finding import PaperFinding
from ictus.findings.members import (
    apart,
    arrivals,
    clocks,
    dims,
    factors,
    frontier,
    guidelines,
    harmonize,
    launches,
    overlap,
    precision,
    regressions,
    remedies,
    repetitions,
    samples,
    sparse,
    starts,
    suites,
    synchronisation,
    trials,
    windows,
    worlds,
)
from ictus.model.unknown import unknown

FINDINGS: tuple[PaperFinding, ...] = tuple(
    finding
    for kind in (
        launches,
        samples,
        factors,
        windows,
        starts,
        arrivals,
        harmonize,
        clocks,
        regressions,
        synchronisation,
        frontier,
        worlds,
        dims,
        guidelines,
        remedies,
        repetitions,
        precision,
        trials,
        apart,
        suites,
        overlap,
        sparse,
    )
    for finding in kind.FINDINGS
)


def find(name: str) -> PaperFinding:
    """The finding of that name. Raises UsageError that lists the known ones."""
    for finding in FINDINGS:
        if finding.name == name:
            return finding
    raise unknown(f"study '{name}'", name, ["all", *(finding.name for finding in FINDINGS)])
