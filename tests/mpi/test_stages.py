"""What builds something ends with the command that asked for it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.launch.test_orphans import gone

from ictus.model.errors import MeasurementError
from ictus.mpi.stages import run_stages

BUILDS = """
import os, sys
from pathlib import Path
from ictus.cli.ending import end_once
from ictus.mpi.stages import run_stages
end_once()
script = "sh -c 'echo $$ > new; mv new pid; exec sleep 600' & wait"
try:
    run_stages(((("/bin/sh", "-c", script), ("/bin/true",)),), dict(os.environ), Path("log"), "building", print)
except KeyboardInterrupt:
    sys.exit(3)
"""


def test_one_term_ends_a_build_with_all_that_it_started(tmp_path: Path) -> None:
    """It was sent to the command alone, not to its group as a terminal does: the compilers were waited for."""
    builder = subprocess.Popen((sys.executable, "-c", BUILDS), cwd=tmp_path, stdout=subprocess.DEVNULL)
    while not (tmp_path / "pid").exists():
        time.sleep(0.01)
    builder.send_signal(signal.SIGTERM)
    assert builder.wait() == 3
    assert gone(int((tmp_path / "pid").read_text()))


def test_what_runs_beside_a_command_that_fails_is_ended(tmp_path: Path) -> None:
    """The message has what it said; nothing of the next stage begins."""
    until = "until [ -e pid ]; do sleep 0.01; done; echo no such header; exit 7"
    beside = "echo $$ > new; mv new pid; exec sleep 600"
    stages = ((("/bin/sh", "-c", until), ("/bin/sh", "-c", beside)), (("/bin/touch", "next"),))
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        with pytest.raises(MeasurementError, match=r"building failed: .* ended with exit code 7\n    no such header"):
            run_stages(stages, dict(os.environ), tmp_path / "log", "building", lambda _text: None)
    finally:
        os.chdir(here)
    assert gone(int((tmp_path / "pid").read_text()))
    assert not (tmp_path / "next").exists()
