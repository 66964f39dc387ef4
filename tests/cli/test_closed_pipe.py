"""Whoever reads the output may go away: what is measured is measured to its end, and the exit code says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ictus.store.campaign import load


@pytest.mark.parametrize(
    "streams", ["both", *(pytest.param(one, marks=pytest.mark.long) for one in ("stderr", "stdout"))]
)
def test_a_campaign_goes_on_when_its_output_is_closed(tmp_path: Path, streams: str) -> None:
    """Exit code 0 and all launches. Before the fix `ictus run 2>&1 | head -1` ended with 0 after two of ten."""
    reader, writer = os.pipe()
    command = (sys.executable, "-m", "ictus", "run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8",
               "--launches", "5", "--nrep", "3", "--seed", "1", "-o", str(tmp_path / "campaign"))  # fmt: skip
    os.close(reader)  # from the first line on nobody listens
    done = subprocess.run(
        command,
        stdout=writer if streams != "stderr" else subprocess.DEVNULL,
        stderr=writer if streams != "stdout" else subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    os.close(writer)
    assert done.returncode == 0
    assert load(tmp_path / "campaign").complete


def test_a_mistake_keeps_its_exit_code_when_nobody_reads_the_message() -> None:
    """2 is usage, also where the message finds no reader."""
    reader, writer = os.pipe()
    os.close(reader)
    command = (sys.executable, "-m", "ictus", "run", "--launcher", "simulated", "--op", "nothing")
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=writer, timeout=60, check=False)
    os.close(writer)
    assert done.returncode == 2
