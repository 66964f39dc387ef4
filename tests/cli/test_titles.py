"""What tables, figures and pages call an operation and the ways it was called: no two cases look alike."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Ictus
from tests.launch_document import launch_document, rewrite
from tests.page_text import read_aloud

OPERATIONS = (
    "sparse_alltoall(direct),sparse_alltoall(logarithmic),sendrecv_ring,put(fence),put(passive),neighbor_alltoall,"
    "neighbor_alltoall(cartesian(1)),bcast"
)
WORDS = ("--launcher", "simulated", "-n", "2", "--nrep", "10", "--launches", "2", "--seed", "3")


def measured(ictus: Ictus, *words: str) -> Path:
    """A campaign of two simulated libraries."""
    answer = ictus("run", *WORDS, "-m", "mpich", "-m", "openmpi", *words, "-o", "camp")
    assert answer.code == 0, answer.err
    return Path("camp")


@pytest.mark.long
@pytest.mark.figures
def test_operations_of_one_call_have_titles_that_tell_them_apart(ictus: Ictus) -> None:
    """MPI_Sendrecv, MPI_Put and MPI_Neighbor_alltoall carry several operations here: each block, panel and factor has
    the name that was typed, and MPI's where that says all.
    """
    camp = measured(ictus, "--op", OPERATIONS, "--sizes", "64")
    answer = ictus("compare", camp)
    check_golden("compare_titles.txt", answer.out)
    titles = re.findall(r"^(\S+)  2 processes", answer.out, re.MULTILINE)
    assert len(titles) == len(set(titles)) == 8
    assert {"MPI_Bcast", "put(fence)", "put(passive)", "sendrecv_ring", "sparse_alltoall(direct)"} < set(titles)
    assert re.findall(r"^(\S+)  2 processes", ictus("show", camp).out, re.MULTILINE) == titles
    assert ictus("report", camp).code == 0
    page = read_aloud((camp / "report.html").read_text("utf-8"))
    for title in titles:
        assert f"message size, {title}, 2 processes" in page, title
        assert re.search(rf"operations</\w+>[^\n]*{re.escape(title)}", page), title
    assert "{&#39;" not in page, "no text of a Python dictionary"


def test_a_factor_is_told_of_operations_that_have_it_only(ictus: Ictus) -> None:
    """A broadcast has no counts and a barrier neither root nor layout: blocks of them do not say any."""
    words = ("--op", "bcast,gatherv,barrier", "--sizes", "480", "--counts", "equal,spike", "--root", "0,1")
    camp = measured(ictus, *words, "--layout", "basic,contiguous(2)")
    shown = ictus("show", camp).out
    of = {name: re.findall(rf"^{name}  (.*)$", shown, re.MULTILINE) for name in ("MPI_Bcast", "MPI_Gatherv")}
    assert len(of["MPI_Bcast"]) == 4
    assert all("root " in one and "layout " in one and "counts" not in one for one in of["MPI_Bcast"])
    assert len(of["MPI_Gatherv"]) == 8
    assert all("counts " in one for one in of["MPI_Gatherv"])
    assert re.findall(r"^MPI_Barrier  (.*)$", shown, re.MULTILINE) == ["2 processes, times in µs"]


def test_a_cold_cache_is_told_with_its_size(ictus: Ictus) -> None:
    """The size in force, which launches recorded: in captions, as a side of a comparison and among the factors."""
    camp = measured(ictus, "--op", "bcast", "--sizes", "64", "--cache", "warm,cold-memset")
    for path in camp.glob("launches/*/launch.json"):
        launch = launch_document(path.parent)
        for case in launch["cases"]:
            case["cache_bytes"] = None if case["cache"] == "warm" else 512 * 1024
        rewrite(path.parent, launch, np.load(path.with_name("samples.npy")))
    assert "cache cold-memset(512 KiB)" in ictus("show", camp).out
    assert "cold-memset(512 KiB)" in ictus("compare", camp, "warm", "cold-memset", "--by", "cache").out
    rows = json.loads(ictus("show", camp, "--json").out)["rows"]
    assert {(row["case"]["cache"], row["case"]["cache_bytes"]) for row in rows} == {
        ("warm", None),
        ("cold-memset(size=auto)", 512 * 1024),
    }
    assert ictus("report", camp, "--by", "cache").code == 0
    page = (camp / "report.html").read_text("utf-8")
    assert read_aloud(page).count("cold-memset(512 KiB)") > 3  # captions, sides, factors
    assert "cold-memset(size=auto)" not in page
