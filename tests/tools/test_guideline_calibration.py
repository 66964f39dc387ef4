"""Calibration of `ictus check` on calls against themselves: its rules and table, and launches that do not replicate."""

from pathlib import Path

import numpy as np
import pytest
from tools.calibration.guidelines import CALLS, Honest, check_different, lines, rules, shortfalls
from tools.calibration.page import BEGIN, END

from ictus.guidelines.catalogue import catalogue
from ictus.guidelines.rule import Kind, Source
from ictus.model.nested import leaves
from ictus.model.registries import Registries
from ictus.model.sample import SAMPLE
from ictus.stats.binomial_rate import rate

ROOT = Path(__file__).resolve().parents[2]
KEPT = Honest("real", 12, 12, rate(1, 40, "at most", 0.05), rate(12, 40, "at most", 0.05))
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
    with pytest.raises(SystemExit, match="the same latencies as 0000-simgrid"):
        check_different(tmp_path)


def keep(folder: Path, times: list[float]) -> None:
    """The samples of a launch."""
    folder.mkdir(parents=True)
    samples = np.zeros(len(times), SAMPLE)
    samples["local_max"] = times
    np.save(folder / "samples.npy", samples)


def test_the_table_has_a_row_for_each_world_and_what_is_broken_is_named() -> None:
    """9 of 40 campaigns with a false alarm is not at most 5 %."""
    rows = list(lines([KEPT, BROKEN]))
    assert rows[2].startswith("| real, 12 launches, 12 tests | 1 of 40 = 2.5 %")
    assert "**broken**" in rows[3]
    assert shortfalls([KEPT]) == ()
    assert [line.partition(":")[0] for line in shortfalls([KEPT, BROKEN])] == ["simulated ranks"]


def test_the_guide_has_a_place_for_the_figures() -> None:
    """`--write` puts them between two marks."""
    text = (ROOT / "docs" / "explanation" / "guidelines.md").read_text("utf-8")
    assert text.index(BEGIN) < text.index(END)
