"""The heap as a factor, on real MPI: in force in the launches that are said to have it."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import run_ictus
from tests.launch_document import launch_document
from tests.native.trees import mpi_tree

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

WORDS = ("--sizes", "1Mi", "--nrep", "20", "--launches", "1", "--contention-retries", "0", "--clocksync", "none")
PAGES_OF_A_CALL = 256
"""Of 1 MiB, in pages of 4 KiB: the least of a temporary buffer."""


def test_launches_have_their_heap(tmp_path: Path) -> None:
    """A scan takes a temporary buffer: its pages are paid for in each call, or once."""
    words = ("-m", "mpich", "--op", "scan", *WORDS, "--procsync", "barrier", "--heap", "kept,returned,ordinary")
    done = run_ictus("run", *words, "-o", tmp_path)
    assert done.code == 0, done.err
    heaps, faults = {}, {}
    for folder in (tmp_path / "launches").iterdir():
        launch, ranks = launch_document(folder), np.load(folder / "ranks.npy")
        name = launch["launcher"]["algorithm"]["name"]
        heaps[name] = (launch["options"]["heap"], launch["heap"], set(ranks["keeps_freed_memory"].tolist()))
        faults[name] = int(ranks["page_faults"].max())
    assert heaps == {
        "heap=kept": ("kept", "kept", {1}),
        "heap=returned": ("returned", "returned", {0}),
        "heap=ordinary": ("ordinary", "ordinary", {-1}),
    }
    assert faults["heap=returned"] - faults["heap=kept"] > 20 * PAGES_OF_A_CALL
    compared = run_ictus("compare", tmp_path, "--by", "heap", "--json")
    rows = json.loads(compared.out)["rows"]
    assert {(row["a"], row["b"]) for row in rows} == {
        ("kept", "returned"),
        ("kept", "ordinary"),
        ("returned", "ordinary"),
    }


def test_calls_that_take_a_buffer_are_marked(tmp_path: Path) -> None:
    """Before the first launch; MPICH's scan takes one of its own, its broadcast the one of libictus-buffer."""
    shim = mpi_tree("mpich").folder / "libictus-buffer.so"
    environment = ("--env", f"LD_PRELOAD={shim}", "--env", "ICTUS_BUFFER=1048576")
    words = ("-m", "mpich", "--op", "bcast,scan,gather", *WORDS, "--procsync", "barrier", *environment)
    done = run_ictus("run", *words, "-o", tmp_path)
    assert done.code == 0, done.err
    shown = run_ictus("show", tmp_path, "--json")
    rows = json.loads(shown.out)["rows"]
    marked = {row["case"]["operation"]: row["heap_matters"] for row in rows}
    assert marked == {"bcast": True, "scan": True, "gather": False}
    counted = json.loads((tmp_path / "heap.json").read_text())["launches"]
    bcast = {row["case"]["operation"]: case for row, case in zip(rows, range(len(rows)), strict=True)}["bcast"]
    faults = {one["heap"]: one["cases"][bcast]["page_faults"] for one in counted}
    assert faults["kept"] == 0
    assert PAGES_OF_A_CALL <= faults["returned"] <= PAGES_OF_A_CALL + 2
    assert len(list((tmp_path / "launches").iterdir())) == 1


def test_a_limit_that_the_user_sets_stays_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is recorded, and a warning says that the launch had another heap than was asked for."""
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", "33554432")
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "1073741824")
    words = ("-m", "mpich", "--op", "scan", *WORDS, "--procsync", "barrier", "--heap", "returned")
    done = run_ictus("run", *words, "-o", tmp_path)
    assert done.code == 0, done.err
    (folder,) = (tmp_path / "launches").iterdir()
    launch = launch_document(folder)
    assert launch["heap"] == "kept"
    assert launch["environment"]["MALLOC_TRIM_THRESHOLD_"] == "1073741824"
    said = json.loads(run_ictus("show", tmp_path, "--json").out)["warnings"]
    assert any(text.startswith("1 of 1 launches had heap kept, not returned") for text in said), said
