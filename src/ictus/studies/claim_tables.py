"""Claims as rows: all there are, by study, and what was seen of them."""

import re
from collections.abc import Sequence

from ictus.comparison.verdict_texts import p_text
from ictus.render.table import Block, Column, Table
from ictus.studies.claim import Claim
from ictus.studies.judging import ClaimVerdict
from ictus.studies.registry import STUDIES


def list_table() -> Table[Claim]:
    """One row a claim, under the question of its study."""
    column = Column[Claim]
    columns = (
        column("name", "claim", lambda claim: claim.name, "left"),
        column("claim", "what it says", lambda row: row.sentence, "left"),
    )
    blocks = [Block(study.name, study.question, study.study.claims) for study in STUDIES]
    note = "ictus study NAME --quick measures a claim, or all claims of a study, ictus study all --quick all there are."
    return Table(columns, blocks, note=note)


def verdict_table(verdicts: Sequence[ClaimVerdict]) -> Table[ClaimVerdict]:
    """One row a claim."""
    column = Column[ClaimVerdict]
    columns = (
        column("name", "claim", lambda verdict: verdict.claim.name, "left"),
        column("seen", "here it", lambda claim_verdict: claim_verdict.seen, "left"),
        column("p_value", "p", lambda row: p_text(row.result.ruling.p_value), "point", 1),
        column("launches", "launches", lambda row: str(0 if row.provenance is None else row.provenance.launches)),
    )
    return Table(columns, [Block("Claims", "", verdicts)])


def gathered_warnings(verdicts: Sequence[ClaimVerdict]) -> list[str]:
    """Those of one study as they are; of several each kind once, as the first study has it. The pages have all."""
    if len(verdicts) == 1:
        return list(verdicts[0].warnings)
    kinds: dict[str, list[tuple[str, str]]] = {}
    for verdict in verdicts:
        for text in verdict.warnings:
            kinds.setdefault(re.sub(r"\d", "", text.partition(": ")[0]), []).append((verdict.claim.name, text))
    sentences = []
    for kind in kinds.values():
        (name, text), alike = kind[0], len({name for name, _ in kind}) - 1
        others = f" (and in {alike} other {'study' if alike == 1 else 'studies'})" if alike else ""
        sentences.append(f"{name}: {text}{others}")
    return sentences
