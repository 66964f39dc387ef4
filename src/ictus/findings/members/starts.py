"""The finding that the start alone decides which library is called faster."""

from typing import Any

from ictus.findings.finding import REVISITED, SPACE_AND_TIME, FindingResult, PaperFinding, quick_or
from ictus.findings.rules import LEVEL, Ruling, Seen
from ictus.render.table import Table
from ictus.store.campaign import Campaign
from ictus.studies.barrier_impact.analysis import SMALLEST, default_reference, impacts, procsyncs
from ictus.studies.barrier_impact.study import FULL, QUICK, every_start
from ictus.studies.barrier_impact.tables import changing, contest_table, matrix_tables, winner_sentences
from ictus.studies.barrier_impact.winners import HOLDS, contests

EQUIVALENCE = 0.05


def _impact(campaign: Campaign) -> FindingResult:
    reference = default_reference(procsyncs(campaign))
    rows = impacts(campaign, reference=reference, adjust="holm", level=LEVEL, equivalence=EQUIVALENCE)
    found = contests(rows, adjust="holm", level=LEVEL, equivalence=EQUIVALENCE)
    changes = changing(found)
    if changes:
        ruling = Ruling(Seen.HOLDS, None)
    elif found and all(one.outcome == HOLDS for one in found):
        ruling = Ruling(Seen.DOES_NOT_HOLD, None, refuted=True)
    else:
        ruling = Ruling(Seen.CANNOT_BE_SEEN, None)
    first, *rest = winner_sentences(found)
    because = " ".join((f"{first[0].lower()}{first[1:]}", *rest)).rstrip(".")
    tables: list[Table[Any]] = [*matrix_tables(rows, SMALLEST, reference)]
    tables += [contest_table(changes)] if changes else []
    return FindingResult(ruling, because, tuple(tables), tuple(one.as_row() for one in rows))


FINDINGS = (
    PaperFinding(
        "barrier-impact",
        "Which library is faster changes with the start alone.",
        f"{SPACE_AND_TIME}, Fig. 1 to 3; {REVISITED}, Fig. 10, 11",
        "rank-sum tests of the libraries under every start, all together (Holm, 5 %): each is faster under one",
        quick_or(QUICK, {**FULL, "procsync": every_start()}, n=2),
        _impact,
        libraries=2,
    ),
)
