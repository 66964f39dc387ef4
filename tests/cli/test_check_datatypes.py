"""`ictus check --guidelines datatypes` over the simulated launcher: what is violated is known beforehand."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.command_line import Ictus

from ictus.store.check import read_check

CHECK = (
    *("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-n", "2", "--sizes", "4Ki,32Ki"),
    *("--nrep", "20", "--launches", "12", "--seed", "3"),
)


@pytest.fixture(autouse=True)
def plain_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take longer than all the rest."""
    monkeypatch.setattr("ictus.guidelines.check.command.check_page", lambda *_: "")


def violated(ictus: Ictus, tmp_path: Path, world: Mapping[str, object], words: str = "datatypes") -> set[str]:
    """The names of the violated guidelines; all that was asked for was judged."""
    (tmp_path / "world.json").write_text(json.dumps({"noise": 0.02, "launch_spread": 0.03, **world}))
    answer = ictus("check", *CHECK, "--guidelines", words, "-o", "chk", "--json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)["rows"]
    assert {row["state"] for row in found} <= {"violated", "holds"}
    return {row["guideline"] for row in found if row["state"] == "violated"}


def test_what_a_library_does_badly_with_a_layout_is_found(ictus: Ictus, tmp_path: Path) -> None:
    """A gauge field that is slow as it is built: it loses to packing and to its normal form. A normal form that is
    slow: it loses to what it stands for. Nothing else is blamed.
    """
    world = {"layout_factors": {"milc_zdown": 1.6, "normalised(layout=specfem_cm": 1.4}}
    found = violated(ictus, tmp_path, world)
    # the factor of milc_zdown is of both sides of its pack
    assert found == {"milc_zdown-normalised", "normalised-specfem_cm"}
    answer = ictus("check", "chk", "--guidelines", "milc_zdown-normalised")
    assert "milc_zdown <= normalised" in answer.out
    rules = {rule.name: rule for rule in read_check(Path("chk")).rules}
    assert rules["milc_zdown-normalised"].other_layout == f"normalised(layout={rules['milc_zdown-normalised'].layout})"
    assert rules["milc_zdown-pack"].other_layout is None


def test_a_datatype_that_loses_to_packing_is_found(ictus: Ictus, tmp_path: Path) -> None:
    """Round trips of derived datatypes that take longer than packing them first."""
    world = {"operation_factors": {"pingpong": 1.5}}
    assert violated(ictus, tmp_path, world, "wrf-*,nas_mg_x-pack,contiguous-basic") == {"wrf-pack", "nas_mg_x-pack"}


def test_the_same_command_continues_and_other_sizes_do_not(ictus: Ictus, tmp_path: Path) -> None:
    """Though sizes were rounded up to units, and have other sizes in the plan that was measured."""
    assert violated(ictus, tmp_path, {}, "nas_lu_x-pack") == set()
    again = (*CHECK, "--guidelines", "nas_lu_x-pack", "-o", "chk")
    assert ictus("check", *again).code == 0
    other = ictus("check", *again, "--sizes", "8Ki")
    assert (other.code, "sizes: 4096,32768 there, 8192 asked for" in other.err) == (2, True), other.err


def test_a_healthy_library_is_not_blamed(ictus: Ictus, tmp_path: Path) -> None:
    """All descriptions of the same bytes take as long."""
    assert violated(ictus, tmp_path, {}) == set()
