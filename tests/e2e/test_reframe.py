"""The check of examples/reframe under ReFrame itself, with simulated launches and with real ranks: it fails on a
slow-down of 5 %, and passes without one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.native.trees import mpi_tree
from tests.tools.environment import python_with

CHECK = Path(__file__).parent.parent.parent / "examples/reframe/ictus_baseline.py"
pytestmark = pytest.mark.long


class Site:
    """A machine with ReFrame and this ictus."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "bin/ictus"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ictus "$@"\n')
        program.chmod(0o755)
        self.reframe = python_with("reframe", "reframe-hpc==4.10.4").with_name("reframe")

    def check(self, name: str, run_options: str, **settings: object) -> "subprocess.CompletedProcess[str]":
        """One run of the check."""
        settings = {"run_options": run_options, "library": "mpich", "baselines": self.folder / "base", **settings}
        words = [str(self.reframe), "-c", str(CHECK), "--prefix", str(self.folder / name), "-r", "--performance-report"]
        for key, value in settings.items():
            words += ["-S", f"IctusBaseline.{key}={value}"]
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "HOME": str(self.folder)}
        return subprocess.run(words, env=environment, cwd=self.folder, capture_output=True, text=True, check=False)

    def simulate(self, name: str, factor: float, seed: int, **settings: object) -> "subprocess.CompletedProcess[str]":
        """One run of it with simulated launches, in which MPI_Bcast is slower by a factor."""
        world = self.folder / f"{name}.json"
        slower = {"mpich:bcast": factor}
        world.write_text(
            json.dumps({"operation_factors": slower, "launch_spread": 0.01, "noise": 0.03, "bandwidth": 4e9})
        )
        options = f"--launcher,simulated,--scenario,{world},--seed,{seed},--nrep,20"
        return self.check(name, options, sizes="1Ki", **settings)


def test_reframe_fails_on_a_slow_down_of_5_percent_and_passes_without(tmp_path: Path) -> None:
    """The first run makes the baseline; the ratios of later ones are performance variables; a failed one says why and
    leaves the baseline.
    """
    site = Site(tmp_path)
    first = site.simulate("first", 1.0, seed=1)
    assert first.returncode == 0, first.stdout + first.stderr
    (baseline,) = (tmp_path / "base").glob("*/1")
    kept = (baseline / "campaign.json").read_bytes()
    same = site.simulate("same", 1.0, seed=2)
    assert same.returncode == 0, same.stdout + same.stderr
    assert "bcast_1024" in same.stdout
    assert "now/baseline" in same.stdout
    slow = site.simulate("slow", 1.05, seed=3)
    assert slow.returncode != 0, slow.stdout
    assert "the gate 'slower > 3 %' is hit" in slow.stdout
    assert (baseline / "campaign.json").read_bytes() == kept


def test_reframe_judges_through_a_control_once_four_baselines_are_there(tmp_path: Path) -> None:
    """Fewer are kept and nothing is judged; then a change fails, by the spread between the campaigns."""
    site = Site(tmp_path)
    for number in (1, 2, 3, 4):
        first = site.simulate(f"run{number}", 1.0, seed=number, control="openmpi")
        assert first.returncode == 0, first.stdout + first.stderr
    assert len(list((tmp_path / "base").glob("*/*/campaign.json"))) == 4
    same = site.simulate("same", 1.0, seed=5, control="openmpi")
    assert same.returncode == 0, same.stdout + same.stderr
    slow = site.simulate("slow", 1.2, seed=6, control="openmpi")
    assert slow.returncode != 0, slow.stdout
    assert "the gate 'slower > 3 %' is hit" in slow.stdout
    evidence = [json.loads(path.read_text("utf-8"))["evidence"] for path in (tmp_path / "slow").rglob("compare.json")]
    assert evidence[0]["kind"] == "through a control"


REAL = {"operations": "bcast", "sizes": "1Mi", "launches": 30}
"""Launches of a broadcast of 1 MiB scatter by a few percent; 30 a side bring the interval within 2 %."""
QUICK = "--nrep,50"


@pytest.mark.mpi
@pytest.mark.e2e
def test_reframe_sees_5_percent_of_real_ranks(tmp_path: Path) -> None:
    """Two real ranks of MPICH on an idle machine: the broadcast as it is, again, and behind libictus-delay, which makes
    it slower by 5 % of what the baseline took. The job's environment has the delay, as a bad library would.
    """
    site = Site(tmp_path)
    first = site.check("first", QUICK, **REAL)
    assert first.returncode == 0, first.stdout + first.stderr
    (baseline,) = (tmp_path / "base").glob("*/1")
    shown = subprocess.run(
        (sys.executable, "-m", "ictus", "show", baseline, "--json"), capture_output=True, text=True, check=True
    )
    (row,) = json.loads(shown.stdout)["rows"]
    same = site.check("same", QUICK, **REAL)
    assert same.returncode == 0, same.stdout + same.stderr
    shim = mpi_tree("mpich").folder / "libictus-delay.so"
    delayed = f"--env,LD_PRELOAD={shim},--env,ICTUS_DELAY=MPI_Bcast={round(0.05e9 * row['median_s'])}"
    slow = site.check("slow", f"{QUICK},{delayed}", **REAL)
    assert slow.returncode != 0, slow.stdout
    assert "the gate 'slower > 3 %' is hit" in slow.stdout


def test_reframe_fails_where_nothing_was_measured(tmp_path: Path) -> None:
    """A campaign that failed is no baseline."""
    site = Site(tmp_path)
    (tmp_path / "bin/ictus").write_text("#!/bin/sh\nexit 3\n")
    failed = site.simulate("failed", 1.0, seed=1)
    assert failed.returncode != 0
    assert "`ictus run` failed" in failed.stdout
    assert not (tmp_path / "base").exists()
