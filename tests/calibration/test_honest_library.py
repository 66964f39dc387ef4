"""Calibration of `ictus check` on calls against themselves: its rules and table, and launches that do not replicate."""

from pathlib import Path

import numpy as np
import pytest
from tests.calibration.honest_library import CALLS, Honest, check_different, real, rules, simgrid, simulated
from tests.page_tables import PageTable, campaigns

from ictus.guidelines.catalogue import catalogue
from ictus.guidelines.rule import Kind, Source
from ictus.model.nested import leaves
from ictus.model.registries import Registries
from ictus.model.sample import SAMPLE
from ictus.stats.binomial_rate import rate

TABLE = PageTable("honest-library", "explanation/guidelines.md", "calibration/test_honest_library.py")
BROKEN = Honest("simulated ranks", 12, 12, rate(9, 40, "at most", 0.05), rate(20, 40, "at most", 0.05))


def test_every_mockup_is_the_call_itself() -> None:
    """As many patterns as the paper has of the calls, each side the call under another name, every second one the
    other way round; no name twice on the other side, or it would be one case judged twice.
    """
    registries = Registries.load()
    made = [rule for rule in rules(registries) if rule.kind is Kind.PATTERN and rule.source is Source.PAPER]
    paper = [rule for rule in catalogue(registries) if rule.kind is Kind.PATTERN and rule.source is Source.PAPER]
    assert {rule.name for rule in made} == {rule.name for rule in paper if rule.left.name in CALLS}
    others = [rule.right if rule.left.name in CALLS else rule.left for rule in made]
    assert len(set(others)) == len(others) == 12
    for rule in made:
        call = rule.left if rule.left.name in CALLS else rule.right
        assert {leaf.name for side in (rule.left, rule.right) for leaf in leaves(registries, side)} == {call.name}
    assert sum(rule.left.name not in CALLS for rule in made) == 4


def test_what_confirms_a_split_is_held_against_itself() -> None:
    """As many calls on both sides; monotony and predictions are of the calls as they are."""
    found = rules(Registries.load())
    rows = [rule for rule in found if rule.source is Source.USER]
    assert [str(rule.right) for rule in rows] == [
        f"repeated(operation={name},times=2)" for name in ("bcast", "allreduce")
    ]
    assert [str(rule.left) for rule in rows] == ["sequence(bcast,bcast)", "sequence(allreduce,allreduce)"]
    for kind in (Kind.MONOTONY, Kind.SPLIT):
        assert [str(rule.left) for rule in found if rule.kind is kind] == list(CALLS)


def test_launches_that_measured_the_same_to_the_last_bit_are_refused(tmp_path: Path) -> None:
    """As they would be on a simulated platform whose seed is the same for all; in another order they are the same."""
    for number, times in enumerate(([3e-6, 1e-6], [1e-6, 2e-6])):
        keep(tmp_path / "launches" / f"{number:04}-simgrid", times)
    check_different(tmp_path)
    keep(tmp_path / "launches" / "0002-simgrid", [1e-6, 3e-6])
    with pytest.raises(AssertionError, match="the same latencies as 0000-simgrid"):
        check_different(tmp_path)


def keep(folder: Path, times: list[float]) -> None:
    """The samples of a launch."""
    folder.mkdir(parents=True)
    samples = np.zeros(len(times), SAMPLE)
    samples["local_max"] = times
    np.save(folder / "samples.npy", samples)


def test_the_page_has_a_row_for_each_world() -> None:
    """The long tests below put theirs in place of it."""
    assert BROKEN.line.startswith("| simulated ranks, 12 launches, 12 tests | 9 of 40 = 22.5 %")
    assert "**broken**" in BROKEN.line
    rows = [line for line in TABLE.text.splitlines() if line.startswith(tuple(f"| {where}, " for where in WORLDS))]
    assert len(rows) == len(WORLDS)
    assert "broken" not in TABLE.text


WORLDS = {
    "real, 2 ranks": (real, 40),
    "simulated launches": (simulated, 100),
    "simulated ranks of SimGrid": (simgrid, 20),
}


@pytest.mark.long
@pytest.mark.parametrize(
    "where",
    [
        pytest.param("real, 2 ranks", marks=pytest.mark.mpi),
        "simulated launches",
        pytest.param("simulated ranks of SimGrid", marks=pytest.mark.engine("simgrid")),
    ],
)
def test_an_honest_library_is_blamed_in_few_campaigns(where: str) -> None:
    """Every mock-up is the call itself; a thousand simulated campaigns are in test_simulated_guidelines.py."""
    calibrated, full = WORLDS[where]
    found = calibrated(campaigns(full))
    TABLE.show_row(found.line, f"| {where}, ")
    assert found.alarms.holds
