"""Claims about clocks and scale, by the core on SimGrid: hosts whose clocks drift as in the papers, and worlds in
which a claim is missing. A seed gives the same clocks and messages each time.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.studies.claims.known import find, study_of

from ictus.engine.event import log
from ictus.studies.judging import judge_claim, measure_claim

DRIFTING: Mapping[str, str] = {}
"""As the study itself has it: clocks drift by some 20 ppm."""
STILL, WILD = {"clock": "skewed(drift=0ppm)"}, {"clock": "skewed(drift=2000ppm)"}
WORLDS = [
    ("sync-drift", DRIFTING, "4", "holds"),
    ("sync-drift", STILL, "4", "does not hold"),
    ("sync-accuracy", DRIFTING, "4", "holds"),
    ("sync-accuracy", WILD, "4", "does not hold"),
    ("sync-pareto", DRIFTING, "4", "holds"),
    ("sync-pareto", STILL, "4", "does not hold"),
    ("sync-cost", DRIFTING, "4", "holds"),
    ("sync-cost", DRIFTING, "2", "cannot be seen here"),
    ("sync-scaling", DRIFTING, "4,8", "holds"),
    ("sync-scaling", DRIFTING, "2,3", "cannot be seen here"),
]
"""Of clocks that do not drift nothing is lost later. Of clocks that drift by 2 ms a second offsets are wrong as soon as
the last rank has been asked. Two ranks are one pair. From two ranks to three a line and a tree both take twice as long:
the third rank has no partner in the first round.
"""


@pytest.mark.engine("simgrid")
@pytest.mark.parametrize(("name", "world", "n", "seen"), WORLDS)
def test_a_planted_claim_is_seen_and_a_missing_one_is_not(
    name: str, world: Mapping[str, str], n: str, seen: str, tmp_path: Path
) -> None:
    """With the study's own plan, but for waits of 0.1 s; and the same again from the folder."""
    claim = find(name)
    quick = replace(claim, plan=lambda quick: {**claim.plan(quick), "waits_s": (0.0, 0.1)})
    if n == "2,3":  # measured though it is known that nothing can be seen
        quick = replace(quick, hidden=lambda _: None)
    given = {"platform": "flat", "n": n, "seed": 3, **world}
    found = measure_claim(study_of(name), quick, given, tmp_path / "study", log, quick=True)
    assert found.seen == seen, found.sentence
    if found.provenance is not None:
        assert judge_claim(study_of(name), quick, tmp_path / "study").as_row() == found.as_row()


def test_a_simulated_plan_follows_the_number_of_processes() -> None:
    """Arrivals 2 us apart for each step of the tree; rank 0 and two partners in it; the paper's fifteen clocks."""
    here = find("skew-bcast").plan_of({"n": 64}, quick=True)
    assert here["procsync"][1:] == ["arrival(ascending,size=2us)", "arrival(descending,size=2us)"]
    assert find("skew-bcast").plan_of({"n": 64, "platform": "here"}, quick=True) == here
    plans = {
        name: find(name).plan_of({"n": "64", "platform": "flat"}, quick=True)
        for name in ("skew-bcast", "rtt", "model-error", "runtime-drift")
    }
    assert plans["skew-bcast"] == {**here, "nrep": 1000, "procsync": [here["procsync"][0], *(
        f"arrival({pattern},size=12us)" for pattern in ("ascending", "descending")
    )]}  # fmt: skip
    assert plans["rtt"] == {"n": 2, "launches": 8, "exchanges": 1000, "of": "0,1,32"}
    assert plans["model-error"]["sample"] * 63 == pytest.approx(15)
    assert find("model-error").plan_of({"n": "4", "platform": "flat"}, quick=True)["sample"] == 1
    assert plans["runtime-drift"]["procsync"] == ["window(size=5ms)", "barrier(library)"]
