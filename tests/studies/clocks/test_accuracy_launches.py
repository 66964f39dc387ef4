"""How many launches judge algorithms: one for all where errors are computed, one for each where a check has to wait."""

from pathlib import Path

import pytest

from ictus.engine.study import StudyBackend, StudyOptions
from ictus.model.library import Installation
from ictus.studies.clock_accuracy.study import launches
from ictus.studies.core_launches import StudySetup

MPICH = Installation("a", "mpich", "5.0.2", Path("/m/bin/mpicxx"), Path("/m/bin/mpiexec"), origin="wheel")


@pytest.mark.parametrize(
    ("platform", "truth", "planned"),
    [("here", "auto", 1), ("here", "ping-pong", 6), ("namespaces", "auto", 6), ("namespaces", "known", 1)],
)
def test_algorithms_share_a_launch_where_their_errors_are_computed(platform: str, truth: str, planned: int) -> None:
    """Two launches of two algorithms, three repeats. Hosts made of namespaces read one counter: `known` says so, and
    the core looks.
    """
    options = StudyOptions(platform=platform)
    setup = StudySetup(options, (StudyBackend(MPICH, Path("bench"), "mpiexec", "skewed", options),), lambda _: None)
    made = launches(
        setup, clocksync=("ictus", "jk"), waits_s=(0.0, 5.0), repeats=3, truth=truth, rounds=10, sample=1.0, launches=2
    )
    assert len(made.launches) == 2 * planned
    seeds = [launch.options["seed"] for launch in made.launches]
    assert seeds == ["1"] * planned + ["2"] * planned
