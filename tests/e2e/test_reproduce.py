"""A small study of reproducibility with real launches, killed in the middle and continued."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.e2e.running import waited_for

from ictus.mpi.build import build_core
from ictus.mpi.discover import find

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

ICTUS = Path(sys.executable).with_name("ictus")
PLAN = ("--trials", "2", "--launches", "2", "--sizes", "8,64", "--nrep", "20", "--lens", "osu", "--seed", "5")
QUICK = ("--clocksync", "hca3(span=20ms,fitpoints=50,exchanges=20)", "--contention-retries", "0", "-m", "mpich")


def complete(folder: Path) -> int:
    """Parts whose journal ends with `done`. The folder may go while we look: it is made for a try before it is kept."""
    walked = os.walk(folder)  # which passes over what is gone; glob raises
    journals = [Path(place, "journal.jsonl") for place, _, files in walked if "journal.jsonl" in files]
    return sum('"event": "done"' in path.read_text("utf-8") for path in journals)


def test_a_killed_study_goes_on_and_says_how_far_apart_results_are(tmp_path: Path) -> None:
    """Killed without warning after the first trial's parts began; the same command then measures what is missing."""
    build_core(find("mpich"))  # so that no time limit below is spent on it
    folder = tmp_path / "again"
    words = (ICTUS, "reproduce", *PLAN, *QUICK, "-o", folder, "--json")
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as first:
        try:
            assert waited_for(lambda: complete(folder) > 0 or first.poll() is not None)
        finally:
            first.kill()
    before = {path: path.stat().st_mtime_ns for path in folder.glob("trials/*/*/launches/*/samples.npy")}
    done = run_ictus(*words[1:])
    assert done.code == 0, done.err
    rows = json.loads(done.out)["rows"]
    assert [(row["way"], row["case"]["size_bytes"], row["n_trials"]) for row in rows] == [
        (way, size, 2) for size in (8, 64) for way in ("ictus", "osu")
    ]
    assert all(0 <= row["diff"] < 1 and row["min_s"] > 0 for row in rows)
    kept = {path: path.stat().st_mtime_ns for path in before if path.exists()}
    assert kept == {path: before[path] for path in kept}, "what was complete is not measured again"
    assert (folder / "reproduce.html").stat().st_size > 10_000
