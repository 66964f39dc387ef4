"""The examples of python.md run as they stand there, one after the other, in one session."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "python.md"
BLOCK = re.compile(r"^```python( mpi)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(*, mpi: bool) -> list[str]:
    """The blocks that need an MPI library, or those that need none."""
    return [text for marked, text in BLOCK.findall(PAGE.read_text("utf-8")) if bool(marked) == mpi]


def test_examples_run_without_mpi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Each block goes on with the names of those before it; what its comments promise is printed."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for text in examples(mpi=False):
        exec(compile(text, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "first': mpich, openmpi; 4 cases, 10 launches>" in said
    assert "nrep: 50 there, 60 asked for" in said
    assert "'CampaignStarted', 'LaunchStarted', 'LaunchAccepted'" in said
    assert "GL10 64 " in said
    assert "bcast 8 " in said
    assert {path.name for path in tmp_path.iterdir()} == {"first", "second", "chk", "chk-tune", "predicted"}


@pytest.mark.mpi
def test_examples_run_with_mpich(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """The study of clocks, and a program of somebody else."""
    from tests.native.trees import NATIVE, installation

    monkeypatch.chdir(tmp_path)
    wrapper = installation("mpich").wrapper.with_name("mpicc")
    source = NATIVE / "tests/programs/classic_benchmark.c"
    subprocess.run((wrapper, "-O2", source, "-o", tmp_path / "application"), check=True)
    names: dict[str, Any] = {}
    exec("import ictus", names)
    for text in examples(mpi=True):
        exec(compile(text, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "hca3" in said
    assert "0 64 [0, 1]" in said
