"""Ours against the papers' algorithms at equal time where the claim `sync-equal-time` does not go: in 400 ms, and on
two hosts with clocks of their own. Some minutes for each library and place, on two idle cores:

    ICTUS_UPDATE_GOLDEN=1 pytest -m long tests/studies/clocks/test_equal_time_again.py -s

Its rows are kept with those of the claim, in docs/data/clocks-equal-time-again.csv.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pytest
from scipy.stats import binomtest
from tests.engines import ROOT
from tests.page_tables import WRITE, campaigns

import ictus
from ictus.studies.clock_accuracy.claims import elapsed, error_at
from ictus.studies.clock_accuracy.equal_time import JUDGED_S, Match, SettingTrials, match, real_algorithms

pytestmark = [pytest.mark.long, pytest.mark.mpi]

DATA = ROOT / "docs" / "data" / "clocks-equal-time-again.csv"
LAUNCHES = 40
"""Half of them choose the settings, the other half judge. Repeats inside a launch have its state of the machine."""


@dataclass(frozen=True)
class EqualTimePlace:
    """Where two ranks are, and what is tried there."""

    name: str
    budgets_s: tuple[float, ...]
    algorithms: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)


_HOST_S = (0.02, 0.04, 0.1)
HOSTS = EqualTimePlace(
    "2 hosts",
    _HOST_S,
    real_algorithms(_HOST_S, (10, 30), (12e-6, 24e-6)),  # round trips over TCP
    {"platform": "namespaces", "clock": "skewed(drift=20ppm)", "truth": "known"},
)
LONGER = EqualTimePlace(
    "2 ranks", (0.4,), real_algorithms((0.4,), (10, 100), (1.2e-6, 2.4e-6)), {"clock": "skewed(drift=20ppm)"}
)


def matches(place: EqualTimePlace, library: str) -> list[Match]:
    """The best setting of ours against the best other one at each time, measured now."""
    study = ictus.study(
        "clock_accuracy",
        mpi=library,
        processes=(2,),
        clocksync=place.algorithms,
        waits_s=(0.0, JUDGED_S),
        launches=campaigns(LAUNCHES),
        repeats=1,
        timeout_s=3600.0,
        **place.options,
    )
    settings = {
        name: SettingTrials(
            *([value(run) for run in study.runs if run.name == name] for value in (elapsed, error_at(-1)))
        )
        for name in place.algorithms
    }
    return [pair for s in place.budgets_s if (pair := match(place.name, settings, s)) is not None]


def keep(library: str, found: Sequence[Match]) -> None:
    """In the data file, in place of earlier rows of the same library, place and time."""
    old, new = pl.read_csv(DATA), pl.DataFrame([{"library": library, **pair.as_row()} for pair in found])
    key = ["library", "place", "budget_s"]
    pl.concat([old.join(new, on=key, how="anti"), new.select(old.columns)]).sort(key).write_csv(DATA)


@pytest.mark.parametrize("library", ["mpich", "openmpi"])
@pytest.mark.parametrize("place", [HOSTS, LONGER], ids=["hosts", "longer"])
def test_ours_errs_no_more_at_equal_time(place: EqualTimePlace, library: str) -> None:
    """No time in which the sign test over launches says that the best other algorithm is nearer."""
    found = matches(place, library)
    print(*(pair.as_row() for pair in found), sep="\n")
    if os.environ.get(WRITE) == "1":
        keep(library, found)
    assert len(found) == len(place.budgets_s)
    assert not [pair for pair in found if binomtest(pair.nearer, len(pair.ours_s), alternative="less").pvalue < 0.01]
