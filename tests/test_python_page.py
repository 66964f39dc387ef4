"""The examples of python.md run as they stand there, one after the other, in one session."""

import re
import subprocess
import venv
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import succeed
from tests.synthetic import Scenario, write_folder

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "python.md"
BLOCK = re.compile(r"^```(python|r|julia)(?: (mpi|pandas))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(language: str = "python", needs: str = "") -> list[str]:
    """The blocks of a language that need nothing else, an MPI library, or pandas."""
    found = [text for own, needed, text in BLOCK.findall(PAGE.read_text("utf-8")) if (own, needed) == (language, needs)]
    assert found
    return found


def test_examples_run_without_mpi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Each block goes on with the names of those before it; what its comments promise is printed."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for text in examples():
        exec(compile(text, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "first': mpich, openmpi; 4 cases, 10 launches>" in said
    assert "nrep: 50 there, 60 asked for" in said
    assert "'CampaignStarted', 'LaunchStarted', 'LaunchAccepted'" in said
    assert "GL10 64 " in said
    assert "bcast 8 " in said
    assert "Imported from OSU Micro-Benchmarks" in said
    made = {"first", "second", "chk", "chk-tune", "predicted", "cache", "as-osu", "old", "bcast.pdf"}
    assert {path.name for path in tmp_path.iterdir()} == made


@pytest.mark.parametrize(
    ("language", "program"),
    [
        pytest.param("r", "Rscript", marks=pytest.mark.engine("r")),
        pytest.param("julia", "julia", marks=pytest.mark.engine("julia")),
    ],
)
def test_examples_of_other_languages_run(
    language: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They read what `ictus export` wrote."""
    monkeypatch.chdir(tmp_path)
    write_folder(tmp_path / "first", Scenario(sizes=(8,), launches=2, nrep=10))
    succeed("export", "first", "-o", "launches.csv")
    for text in examples(language):
        done = subprocess.run((program, "-e", text), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "e-" in done.stdout


@pytest.mark.long
def test_the_extra_brings_what_pandas_needs(tmp_path: Path) -> None:
    """What `ictus[pandas]` names, installed beside Ictus in a new environment: every frame becomes one of pandas."""
    folder, place = write_folder(tmp_path / "first", Scenario(sizes=(8,), launches=2, nrep=10)), tmp_path / "env"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run((python, "-m", "pip", "install", "-q", f"{ROOT}[pandas]"), check=True, timeout=600)
    text = "import ictus\ncampaign = ictus.load('first')\nprint(type(ictus.cases(campaign).to_frame().to_pandas()))\n"
    script = text + "".join(examples(needs="pandas"))
    done = subprocess.run((python, "-c", script), cwd=folder.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pandas" in done.stdout
    assert "mpich" in done.stdout


@pytest.mark.mpi
@pytest.mark.beside
def test_examples_run_with_mpich(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """The study of clocks, and a program of somebody else."""
    from tests.native.trees import NATIVE, installation

    monkeypatch.chdir(tmp_path)
    wrapper = installation("mpich").wrapper.with_name("mpicc")
    source = NATIVE / "tests/programs/classic_benchmark.c"
    subprocess.run((wrapper, "-O2", source, "-o", tmp_path / "application"), check=True)
    names: dict[str, Any] = {}
    exec("import ictus", names)
    for text in examples(needs="mpi"):
        exec(compile(text, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "hca3" in said
    assert "0 64 [0, 1]" in said
