"""The finding that the start alone decides which library is called faster."""

from typing import Any

from ictus.findings.finding import REVISITED, SPACE_AND_TIME, Finding, Judged, quick_or
from ictus.findings.rules import LEVEL, Ruling, Seen
from ictus.render.table import Table
from ictus.store.campaign import Campaign
from ictus.studies.barrier_impact.analysis import default_reference, impacts, procsyncs
from ictus.studies.barrier_impact.study import FULL, QUICK, every_start
from ictus.studies.barrier_impact.tables import contest_table, matrix_tables, winner_sentences
from ictus.studies.barrier_impact.winners import CHANGES, contests

EQUIVALENCE = 0.05


def _impact(campaign: Campaign) -> Judged:
    reference = default_reference(procsyncs(campaign))
    rules = {"adjust": "holm", "level": LEVEL, "equivalence": EQUIVALENCE}
    rows = impacts(campaign, reference=reference, **rules)  # type: ignore[arg-type]
    found = contests(rows, **rules)  # type: ignore[arg-type]
    changing = [one for one in found if one.outcome == CHANGES]
    steady = [one for one in found if len(one.winners) == 1 and all(duel.winner for duel in one.duels)]
    if changing:
        ruling = Ruling(Seen.HOLDS, None)
    elif found and len(steady) == len(found):
        ruling = Ruling(Seen.DOES_NOT_HOLD, None, refuted=True)
    else:
        ruling = Ruling(Seen.CANNOT_BE_SEEN, None)
    tables: list[Table[Any]] = [*matrix_tables(rows, "smallest", reference)]
    tables += [contest_table(changing)] if changing else []
    return Judged(
        ruling, " ".join(winner_sentences(found)).rstrip("."), tuple(tables), tuple(one.as_row() for one in rows)
    )


FINDINGS = (
    Finding(
        "barrier-impact",
        "Which library is faster changes with the start alone.",
        f"{SPACE_AND_TIME}, Fig. 1 to 3; {REVISITED}, Fig. 10, 11",
        "rank-sum tests of the libraries under every start, all together (Holm, 5 %): each is faster under one",
        quick_or(QUICK, {**FULL, "procsync": every_start()}, n=2),
        _impact,
        libraries=2,
    ),
)
