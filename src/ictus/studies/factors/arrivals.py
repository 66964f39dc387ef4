"""Claims about when ranks arrive at a call: what a start that leaves them apart does to the times that each rank
reads from its own clock.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil, log2
from typing import Any

from ictus.model.reduction import Reduction
from ictus.store.campaign import load
from ictus.studies.claim import MASSIVE_SCALE, Claim, one_process, quick_or
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.factors.claims import judge_factor
from ictus.studies.factors.contrasts import LEAST_PERCENT, Shows

BARRIER, WINDOW, LINEAR = "barrier(library)", "window", "barrier(linear)"
ROOT_FIRST, ROOT_LAST = "arrival(ascending", "arrival(descending"
"""How these starts begin: how far apart ranks arrive follows."""
LOCAL = partial(load, reduction=Reduction("max"))
"""Of each sample the longest time that a rank reads from its own clock, also where clocks are synchronised."""


def is_faster_after(start: str, than: Sequence[str]) -> Shows:
    """That calls take less after one start than after another of `than`; starts are named by how they begin."""

    def shows(faster: str, slower: str) -> bool:
        return start_label(faster).startswith(start) and start_label(slower).startswith(tuple(than))

    return shows


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
        "signed-rank tests of the longest local times of all cases together (Holm, 5 %), against windows: longer where "
        f"the root comes last and shorter where it comes first, both by {LEAST_PERCENT:g} % or more; refuted where one "
        "of the two is shown to be less in every case (Holm, 5 %)",
        quick_or(
            {"sizes": "8,1Ki", "launches": 12, "nrep": 200},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
            op="bcast",
            n=2,
            **_arrivals(2),
        ),
        judge_factor("procsync", is_faster_after(WINDOW, [ROOT_LAST]), is_faster_after(ROOT_FIRST, [WINDOW])),
        one_process,
        read=LOCAL,
        least_percent=LEAST_PERCENT,
        simulated="64",
        when_simulated=_among_late_messages,
    ),
    Claim(
        "linear-barrier",
        "A linear barrier, which ranks leave in the order in which a linear broadcast serves them, hides part of it.",
        f"{MASSIVE_SCALE}, Fig. 3",
        "signed-rank tests of the longest local times of all cases together (Holm, 5 %): shorter after the linear "
        f"barrier than in windows or after a dissemination barrier by {LEAST_PERCENT:g} % or more; refuted where every "
        "case is shown to be less",
        quick_or(
            {"sizes": "8,1Ki", "launches": 12, "nrep": 200},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
            op="bcast_as_sends",
            n=2,
            procsync=[LINEAR, "barrier(dissemination)", WINDOW],
        ),
        judge_factor("procsync", is_faster_after(LINEAR, ["barrier(dissemination)", WINDOW])),
        one_process,
        read=LOCAL,
        least_percent=LEAST_PERCENT,
        simulated="64",
    ),
)
