"""Claims about when ranks arrive at a call: what a start that leaves them apart does to the times that each rank
reads from its own clock.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil, log2
from typing import Any

from ictus.comparison.rows import ComparisonRow
from ictus.model.reduction import Reduction
from ictus.stats.verdict import VerdictKind
from ictus.store.campaign import load
from ictus.studies.claim import MASSIVE_SCALE, Claim, quick_or
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.factors.claims import DIFFERENT, Shows, judge_factor

BARRIER, WINDOW, LINEAR = "barrier(library)", "window", "barrier(linear)"
ROOT_FIRST, ROOT_LAST = "arrival(ascending", "arrival(descending"
"""How these starts begin: how far apart ranks arrive follows."""
LOCAL = partial(load, reduction=Reduction("max"))
"""Of each sample the longest time that a rank reads from its own clock, also where clocks are synchronised."""


def is_faster_after(start: str, than: Sequence[str]) -> Shows:
    """Whether calls are proven to take less after one start than after another of `than`; starts are named by how
    they begin.
    """

    def shows(row: ComparisonRow) -> bool:
        sides = (row.a, row.b) if row.outcome == VerdictKind.FASTER.value else (row.b, row.a)
        faster, slower = (start_label(side) for side in sides)
        return row.outcome in DIFFERENT[:2] and faster.startswith(start) and slower.startswith(tuple(than))

    return shows


def _with_others(values: Mapping[str, Any]) -> str | None:
    """One rank arrives with itself."""
    return None if int(str(values["n"]).split(",")[0]) > 1 else "one process has no other to arrive with; use -n 2"


def _arrivals(n_processes: int) -> Mapping[str, Any]:
    """As far apart as the steps of a tree of so many processes, 2 µs for each: a broadcast takes as long."""
    spread = f"{2 * ceil(log2(n_processes))}us" if n_processes > 1 else "2us"
    return {"procsync": [WINDOW, f"{ROOT_FIRST},size={spread})", f"{ROOT_LAST},size={spread})"]}


def _among_late_messages(n_processes: int) -> Mapping[str, Any]:
    """With the paper's number of samples: on a platform nearly half of the broadcasts to 64 processes have a message
    that is late by more than a broadcast takes, so that medians of 200 lie now in one hump, now in the other.
    """
    return {**_arrivals(n_processes), "nrep": 1000}


CLAIMS = (
    Claim(
        "skew-bcast",
        "A broadcast looks longer where the root arrives last, and shorter where the others do.",
        f"{MASSIVE_SCALE}, Fig. 2",
        "rank tests of the longest local times of all cases together (Holm, 5 %), against windows: longer where the "
        "root comes last and shorter where it comes first, both; refuted where every case is decided and one of the "
        "two is seen in none",
        quick_or(
            {"sizes": "8,1Ki", "launches": 12, "nrep": 200},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
            op="bcast",
            n=2,
            **_arrivals(2),
        ),
        judge_factor("procsync", is_faster_after(WINDOW, [ROOT_LAST]), is_faster_after(ROOT_FIRST, [WINDOW])),
        _with_others,
        read=LOCAL,
        simulated="64",
        when_simulated=_among_late_messages,
    ),
    Claim(
        "linear-barrier",
        "A linear barrier, which ranks leave in the order in which a linear broadcast serves them, hides part of it.",
        f"{MASSIVE_SCALE}, Fig. 3",
        "rank tests of the longest local times of all cases together (Holm, 5 %): shorter after the linear barrier "
        "than in windows or after a dissemination barrier; refuted where every case is shown to be the same within 5 % "
        "or longer",
        quick_or(
            {"sizes": "8,1Ki", "launches": 12, "nrep": 200},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
            op="bcast_as_sends",
            n=2,
            procsync=[LINEAR, "barrier(dissemination)", WINDOW],
        ),
        judge_factor("procsync", is_faster_after(LINEAR, ["barrier(dissemination)", WINDOW])),
        _with_others,
        read=LOCAL,
        simulated="64",
    ),
)
