"""Latency over the number of processes that call together."""

import re
from pathlib import Path

import pytest

from ictus.comparison.cases import cases
from ictus.comparison.over_processes import scaling_groups, scaling_panels, scaling_section, scaling_table
from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import make_design
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.render.page import Legend
from ictus.store.campaign import Campaign, load


def measured(folder: Path, **values: object) -> Campaign:
    """A simulated campaign of two libraries, the second half as fast."""
    plan = {"op": "bcast,alltoall", "sizes": "64,1Ki", "launches": 2, "nrep": 5, "seed": 7, **values}
    design = make_design(
        Plan.from_values(plan), Registries.load(), [Simulated.installation(label) for label in ("a", "b")]
    )
    run_campaign(folder, design, Simulated(Scenario(factors={"a": 1.0, "b": 2.0})))
    return load(folder)


def test_launches_and_their_first_ranks_are_kept_apart(tmp_path: Path) -> None:
    """`world` is the end of a launch's own first ranks, and beside the other launches; every number is a case's."""
    campaign = measured(tmp_path / "camp", n="4,8", comm="first(2),world")
    rows = cases(campaign).rows
    groups = scaling_groups(rows)
    places = {(group.title, group.size_bytes, group.rows[0].where) for group in groups}
    where = ("", "the first of 4 processes", "the first of 8 processes")
    assert places == {
        (title, size, one) for title in ("MPI_Bcast", "MPI_Alltoall") for size in (64, 1024) for one in where
    }
    together = {
        "": [4, 4, 8, 8],
        "the first of 4 processes": [2, 2, 4, 4],
        "the first of 8 processes": [2, 2, 8, 8],
    }
    for group in groups:
        assert [one.n_together for one in group.rows] == together[group.rows[0].where]
        assert group.series == ("a", "b")
        assert all(one.row in rows and one.row.case["size_bytes"] == group.size_bytes for one in group.rows)


def test_all_ranks_are_no_second_place_beside_the_first_of_them(tmp_path: Path) -> None:
    """`first(4)` of 4 ranks and `world` would be two values at one number."""
    campaign = measured(tmp_path / "camp", op="bcast", n="4", comm="first(2),first(4),world")
    (one, other) = scaling_groups(cases(campaign).rows)
    assert [row.row.case["comm"] for row in one.rows] == ["first(count=2)"] * 2 + ["first(count=4)"] * 2
    assert (one.size_bytes, other.size_bytes) == (64, 1024)


def test_blocks_grow_with_processes_only_where_they_were_asked_for(tmp_path: Path) -> None:
    """With `size-is block` 64 B to each of 2 and of 4 processes are one line; the buffers are 128 and 256 B."""
    values = {"op": "alltoall", "sizes": "64", "n": "2,4", "size-is": "block"}
    rows = cases(measured(tmp_path / "camp", **values)).rows
    (group,) = scaling_groups(rows, blocks=True)
    assert [(one.n_together, one.row.case["size_bytes"]) for one in group.rows if one.series == "a"] == [
        (2, 128),
        (4, 256),
    ]
    assert scaling_groups(rows) == ()


@pytest.mark.figures
def test_table_and_figure_have_every_number(tmp_path: Path) -> None:
    """A row for each number of processes; a dot with its value for each library, both axes logarithmic."""
    campaign = measured(tmp_path / "camp", op="bcast", sizes="64", n="2,4,8")
    groups = scaling_groups(cases(campaign).rows)
    (block,) = scaling_table(groups).blocks
    assert [line.n_together for line in block.rows] == [2, 4, 8]
    legend = Legend(("a", "b"))
    (panel,) = scaling_panels(groups, legend)
    tips = re.findall(r"([ab]), (\d) processes: ([\d.]+) µs", panel.svg)
    assert sorted(tips) == sorted(
        (series, str(n), number) for series, number in (("a", "1.06"), ("b", "2.13")) for n in (2, 4, 8)
    )
    section = scaling_section(groups, legend)
    assert section is not None
    assert section.panels == (panel,)


@pytest.mark.parametrize("by", ["n", "comm"])
def test_one_number_is_no_line(tmp_path: Path, by: str) -> None:
    """And neither is one where the processes themselves are compared."""
    rows = cases(measured(tmp_path / "camp", n="2")).rows
    assert scaling_groups(rows) == ()
    assert scaling_section((), Legend(("a", "b"))) is None
    assert scaling_groups(rows, by) == ()
