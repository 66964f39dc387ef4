"""What is measured of every start, and the claim that the start alone changes the winner."""

from collections.abc import Sequence
from typing import Any

from ictus.model.registries import Registries
from ictus.render.page import Legend
from ictus.render.table import Table, records
from ictus.stats.claim_rules import LEVEL, Ruling, Seen
from ictus.store.campaign import Campaign
from ictus.studies.barrier_impact.analysis import SMALLEST, default_reference, impacts, procsyncs
from ictus.studies.barrier_impact.figures import median_panels
from ictus.studies.barrier_impact.tables import COLUMNS, changing, contest_table, matrix_tables, winner_sentences
from ictus.studies.barrier_impact.winners import HOLDS, Contest, contests
from ictus.studies.claim import REVISITED, SPACE_AND_TIME, Claim, ClaimResult, quick_or

QUICK = {
    "op": "bcast,allreduce",
    "sizes": "8,8Ki",
    "procsync": ["none", "barrier(library)", "barrier(linear)", "barrier(dissemination)", "window", "harmonize"],
    "launches": 12,
    "nrep": 100,
    "contention-retries": 0,
}
FULL = {"op": "bcast,allreduce", "sizes": "8..64Ki*8", "launches": 20, "nrep": 300}
EQUIVALENCE = 0.05


def every_start() -> list[str]:
    """Every process synchronisation that there is: each barrier, and each other start but imposed arrivals."""
    registries = Registries.load()
    barriers = [f"barrier({member.name})" for member in registries.family("barrier").members]
    others = [
        member.name for member in registries.family("procsync").members if member.name not in ("barrier", "arrival")
    ]
    return [*barriers, *others]


def judge_contests(found: Sequence[Contest]) -> Ruling:
    """One cell in which either library is proven faster under some start is enough."""
    if changing(found):
        return Ruling(Seen.HOLDS, None)
    if found and all(one.outcome == HOLDS for one in found):
        return Ruling(Seen.DOES_NOT_HOLD, None, refuted=True)
    return Ruling(Seen.CANNOT_BE_SEEN, None)


def _impact(campaign: Campaign) -> ClaimResult:
    reference = default_reference(procsyncs(campaign))
    rows = impacts(campaign, reference=reference, adjust="holm", level=LEVEL, equivalence=EQUIVALENCE)
    found = contests(rows, adjust="holm", level=LEVEL, equivalence=EQUIVALENCE)
    changes = changing(found)
    first, *rest = winner_sentences(found)
    because = " ".join((f"{first[0].lower()}{first[1:]}", *rest)).rstrip(".")
    tables: list[Table[Any]] = [*matrix_tables(rows, SMALLEST, reference)]
    tables += [contest_table(changes)] if changes else []
    panels = median_panels(rows, Legend(campaign.labels))
    return ClaimResult(judge_contests(found), because, tuple(tables), records(rows, COLUMNS), panels)


CLAIMS = (
    Claim(
        "barrier-impact",
        "Which library is faster changes with the start alone.",
        f"{SPACE_AND_TIME}, Fig. 1 to 3; {REVISITED}, Fig. 10, 11",
        "rank-sum tests of the libraries under every start, all together (Holm, 5 %): each is faster under one",
        quick_or(QUICK, {**FULL, "procsync": every_start()}, n=2),
        _impact,
        libraries=2,
    ),
)
