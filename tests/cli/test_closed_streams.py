"""Standard streams that are closed or full never stop a measurement silently."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import run_ictus

from ictus.store.campaign import load

RUN = "run --launcher simulated --op bcast --sizes 8 --launches 3 --nrep 3 --seed 1 -o campaign"


def shell(line: str, folder: Path) -> int:
    """Exit code of a command of Ictus in a shell, which closes and redirects its streams."""
    command = ("/bin/sh", "-c", f"{sys.executable} -m ictus {line}")
    return subprocess.run(command, cwd=folder, timeout=120, check=False).returncode


@pytest.mark.few(1)
@pytest.mark.parametrize("streams", [">&- 2>&- <&-", ">/dev/null 2>/dev/full"])
def test_a_campaign_goes_on_without_streams_for_its_messages(tmp_path: Path, streams: str) -> None:
    """All launches; exit code 1 said that a gate was hit, after none or one of six. No message is in the journal."""
    assert shell(f"{RUN} {streams}", tmp_path) == 0
    assert load(tmp_path / "campaign").complete


def test_results_that_cannot_be_written_are_no_success(tmp_path: Path) -> None:
    """Exit code 3, also where nobody can be told why; the campaign is complete."""
    assert shell(f"{RUN} >/dev/full 2>/dev/full", tmp_path) == 3
    assert load(tmp_path / "campaign").complete


def test_a_case_of_no_campaign_is_refused(tmp_path: Path) -> None:
    """A number below 0 ended in a traceback of the table's library."""
    assert run_ictus(*RUN.split()[:-1], tmp_path / "campaign").code == 0
    answer = run_ictus("diagnose", tmp_path / "campaign", "--case", "-1")
    assert (answer.code, "--case -1" in answer.err) == (2, True), answer.err
