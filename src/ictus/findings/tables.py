"""Findings as rows: all there are, and what was seen of them."""

from collections.abc import Sequence

from ictus.comparison.verdict_texts import p_text
from ictus.findings.finding import PaperFinding
from ictus.findings.measuring import StudiedFinding
from ictus.render.table import Block, Column, Table


def list_table(findings: Sequence[PaperFinding]) -> Table[PaperFinding]:
    """One row a finding."""
    column = Column[PaperFinding]
    columns = (
        column("name", "study", lambda one: one.name, "left"),
        column("claim", "finding", lambda one: one.claim, "left"),
    )
    note = "ictus study NAME --quick measures one of them, ictus study all --quick all."
    return Table(columns, [Block("Findings of the papers", "", findings)], note=note)


def answers_table(found: Sequence[StudiedFinding]) -> Table[StudiedFinding]:
    """One row a study."""
    column = Column[StudiedFinding]
    columns = (
        column("name", "study", lambda one: one.finding.name, "left"),
        column("seen", "the finding", lambda one: one.seen, "left"),
        column("p", "p", lambda one: p_text(one.result.ruling.p_value), "point", 1),
        column("launches", "launches", lambda one: str(0 if one.provenance is None else one.provenance.launches)),
    )
    return Table(columns, [Block("Studies", "", found)])
