"""What is measured of every start, and the claim that the start alone changes the winner."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.render.page import Legend
from ictus.render.table import Table, records
from ictus.stats.adjust import holm
from ictus.stats.claim_rules import LEVEL, Ruling, Seen, no_longer_rule
from ictus.store.campaign import Campaign
from ictus.studies.barrier_impact.analysis import SMALLEST, Impact, default_reference, impacts, procsyncs
from ictus.studies.barrier_impact.figures import median_panels
from ictus.studies.barrier_impact.tables import COLUMNS, contest_table, matrix_tables, winner_sentences
from ictus.studies.barrier_impact.winners import Contest, contests
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
LEAST_PERCENT = 5.0
"""By so much a library is faster where it is worth telling."""
NO_START = "none"
_LIBRARIES = 2


def every_start() -> list[str]:
    """Every process synchronisation that there is: each barrier, and each other start but imposed arrivals."""
    registries = Registries.load()
    barriers = [f"barrier({member.name})" for member in registries.family("barrier").members]
    others = [
        member.name for member in registries.family("procsync").members if member.name not in ("barrier", "arrival")
    ]
    return [*barriers, *others]


def synchronising(rows: Sequence[Impact]) -> tuple[Impact, ...]:
    """Those whose start brings ranks together: without one they begin as they come, which is no barrier."""
    return tuple(row for row in rows if parse_spec(row.procsync).name != NO_START)


def judge_contests(all_contests: Sequence[Contest]) -> Ruling:
    """It holds where in one case either library is proven faster under some start (all tests together by Holm); it does
    not where in every case one of both is shown to be faster by less than what matters under every start.
    """
    p_values = change_p(all_contests)
    if not p_values:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    p_value, against = min(p_values), max(map(_against, all_contests))
    if p_value <= LEVEL:
        return Ruling(Seen.HOLDS, p_value, against=against)
    refuted = against <= LEVEL
    return Ruling(Seen.DOES_NOT_HOLD if refuted else Seen.CANNOT_BE_SEEN, p_value, refuted, against)


def change_p(all_contests: Sequence[Contest]) -> list[float]:
    """Of each case the adjusted p-value of that each library is faster under some start; nothing without a launch."""
    tested = [(index, *side_ruling) for index, contest in enumerate(all_contests) for side_ruling in _sides(contest)]
    with_p = [(index, side, ruling.p_value) for index, side, ruling in tested if ruling.p_value is not None]
    least: list[dict[str, float]] = [{} for _ in all_contests]
    for (index, side, _), p_value in zip(with_p, holm(np.array([raw_p for *_, raw_p in with_p])), strict=True):
        least[index][side] = min(least[index].get(side, 1.0), float(p_value))
    return [max(p_by_side.values()) if len(p_by_side) == _LIBRARIES else 1.0 for p_by_side in least] if with_p else []


def _sides(contest: Contest) -> list[tuple[str, Ruling]]:
    """Under each start, that each of both libraries is faster by what matters."""
    most = 1 / (1 + LEAST_PERCENT / 100)
    rulings = []
    for duel in contest.duels:
        a, b = (np.array(side, dtype=np.float64) for side in duel.launches_s)
        rulings += [(contest.a.mpi, no_longer_rule(a, b, most, paired=True))]
        rulings += [(contest.b.mpi, no_longer_rule(b, a, most, paired=True))]
    return rulings


def _against(contest: Contest) -> float:
    """p-value that either is faster under some start: of the library that is so less, for both were looked at."""
    largest = dict.fromkeys((contest.a.mpi, contest.b.mpi), 0.0)
    for mpi, ruling in _sides(contest):
        largest[mpi] = max(largest[mpi], 1.0 if ruling.against is None else ruling.against)
    return min(1.0, _LIBRARIES * min(largest.values()))


def _impact(campaign: Campaign) -> ClaimResult:
    reference = default_reference(procsyncs(campaign))
    rules: dict[str, Any] = {"adjust": "holm", "level": LEVEL, "equivalence": EQUIVALENCE, "forecast": False}
    rows = impacts(campaign, reference=reference, **rules)
    all_contests = contests(synchronising(rows), **rules)
    changes = [
        contest for contest, p_value in zip(all_contests, change_p(all_contests), strict=False) if p_value <= LEVEL
    ]
    _, *where = winner_sentences(changes) if changes else ("",)
    because = (
        f"of starts that bring ranks together the winner changes by {LEAST_PERCENT:g} % or more in {len(changes)} of "
        f"{len(all_contests)} cases. {' '.join(where)}"
    ).rstrip(". ")
    tables: list[Table[Any]] = [*matrix_tables(rows, SMALLEST, reference)]
    tables += [contest_table(changes)] if changes else []
    panels = median_panels(rows, Legend(campaign.labels))
    return ClaimResult(judge_contests(all_contests), because, tuple(tables), records(rows, COLUMNS), panels)


CLAIMS = (
    Claim(
        "barrier-impact",
        "Which library is faster changes with the start alone.",
        f"{SPACE_AND_TIME}, Fig. 1 to 3; {REVISITED}, Fig. 10, 11",
        "signed-rank tests of the libraries, block by block, under every start that brings ranks together (not none), "
        f"all together (Holm, 5 %): each is faster under one by {LEAST_PERCENT:g} % or more; refuted where in every "
        "case one of both is shown to be so under none",
        quick_or(QUICK, {**FULL, "procsync": every_start()}, n=2),
        _impact,
        libraries=_LIBRARIES,
        least_percent=LEAST_PERCENT,
    ),
)
