"""Findings as rows: all there are, and what was seen of them."""

import re
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
        column("p_value", "p", lambda one: p_text(one.result.ruling.p_value), "point", 1),
        column("launches", "launches", lambda one: str(0 if one.provenance is None else one.provenance.launches)),
    )
    return Table(columns, [Block("Studies", "", found)])


def gathered_warnings(found: Sequence[StudiedFinding]) -> list[str]:
    """Those of one study as they are; of several each kind once, as the first study has it. The pages have all."""
    if len(found) == 1:
        return list(found[0].warnings)
    kinds: dict[str, list[tuple[str, str]]] = {}
    for one in found:
        for text in one.warnings:
            kinds.setdefault(re.sub(r"\d", "", text.partition(": ")[0]), []).append((one.finding.name, text))
    said = []
    for kind in kinds.values():
        (name, text), alike = kind[0], len({name for name, _ in kind}) - 1
        others = f" (and in {alike} other {'study' if alike == 1 else 'studies'})" if alike else ""
        said.append(f"{name}: {text}{others}")
    return said
