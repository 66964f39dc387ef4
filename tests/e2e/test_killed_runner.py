"""The runner is killed (SIGKILL) at random instants, whatever it does, until it has been killed often enough: what was
complete stays byte for byte, the schedule stays, and in the end the campaign is the one that nobody disturbed.
"""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import run_ictus
from tests.native.trees import installation

from ictus.mpi.build import build_core
from ictus.store.campaign import load

from .running import QUICK, all_gone

pytestmark = pytest.mark.long

SIMULATED = ("--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "60", "--nrep", "4")
REAL = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "--launches", "12", "--nrep", "300", *QUICK)


def start(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    command = (sys.executable, "-m", "ictus", "run", *words, "-o", str(folder))
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def accepted(folder: Path) -> dict[str, dict[str, bytes]]:
    """The measured files of each launch that the journal has accepted, by launch; its whole lines are read alone."""
    found = {}
    journal = folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True) if journal.exists() else []
    for entry in (json.loads(line) for line in lines if line.endswith(b"\n")):
        if entry["event"] == "accepted":
            launch = folder / entry["folder"]
            found[entry["folder"]] = {name: (launch / name).read_bytes() for name in entry["checksums"]}
    return found


def stage(folder: Path) -> str:
    """What the runner did last before it was killed."""
    if not (folder / "schedule.json").exists():
        return "before the schedule"
    lines = (folder / "journal.jsonl").read_bytes().splitlines()
    try:
        return f"after {json.loads(lines[-1])['event']}" if lines else "before the first line"
    except ValueError:
        return "in a line"


def kill_often(folder: Path, words: tuple[str, ...], kills: int, seed: int) -> Counter[str]:
    """Begin campaign after campaign in `folder`, and kill each run at an instant of its own; what each did then."""
    draw, stages, number = random.Random(seed), Counter[str](), 0
    while stages.total() < kills:
        campaign = folder / f"{seed}-{number}"
        known: dict[str, dict[str, bytes]] = {}
        schedule = None
        number += 1
        while stages.total() < kills and not (campaign.exists() and load_is_complete(campaign)):
            running = start(campaign, *words, "--seed", str(seed + number))
            _wait_for(running, campaign, draw)
            killed = running.poll() is None
            running.kill()
            running.wait()
            assert all_gone(campaign)
            if killed:
                stages[stage(campaign)] += 1
            now = accepted(campaign)
            assert {name: now.get(name) for name in known} == known
            known = now
            path = campaign / "schedule.json"
            found = path.read_bytes() if path.exists() else None  # none where a slow start was killed
            assert schedule in (None, found)
            schedule = found
        done = run_ictus("run", *words, "--seed", str(seed + number), "-o", campaign)
        assert done.code == 0, done.err
        now = accepted(campaign)
        assert {name: now[name] for name in known} == known
        assert load(campaign).complete
        assert load(campaign).warnings == ()
    return stages


def _wait_for(running: "subprocess.Popen[bytes]", campaign: Path, draw: random.Random) -> None:
    """Until it has begun to write, then for up to half a second; one time in five for the start of the process."""
    if draw.random() < 0.2:
        time.sleep(draw.random())
        return
    before = _written(campaign)
    deadline = time.monotonic() + 120
    while running.poll() is None and _written(campaign) == before and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(draw.random() * 0.5)


def _written(campaign: Path) -> int:
    journal = campaign / "journal.jsonl"
    return journal.stat().st_size if journal.exists() else -1


def load_is_complete(folder: Path) -> bool:
    """Whether its last event says so."""
    journal = folder / "journal.jsonl"
    return journal.exists() and b'"event": "done"' in journal.read_bytes()[-300:]


@pytest.mark.parametrize("seed", range(10, 200, 10))
def test_a_runner_may_be_killed_at_any_instant(tmp_path: Path, seed: int) -> None:
    """Ten kills each; the numbers are those of an undisturbed campaign of the same seed, which simulated ranks have."""
    stages = kill_often(tmp_path, SIMULATED, 10, seed)
    print(dict(stages))
    undisturbed = tmp_path / "undisturbed"
    assert run_ictus("run", *SIMULATED, "--seed", str(seed + 1), "-o", undisturbed).code == 0
    for launch in load(undisturbed).launches:
        here = tmp_path / f"{seed}-0" / "launches" / launch.folder.name / "samples.npy"
        assert np.array_equal(np.load(here), np.load(launch.folder / "samples.npy"))


@pytest.mark.mpi
@pytest.mark.e2e
def test_a_runner_of_real_ranks_may_be_killed_at_any_instant(tmp_path: Path) -> None:
    """Its ranks end with it."""
    build_core(installation("mpich"))
    print(dict(kill_often(tmp_path, REAL, 20, 7)))
