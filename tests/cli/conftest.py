"""The command line in this process, in an empty folder, 100 columns wide; campaigns over the simulated launcher."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ictus.cli.main import main

GOLDEN = Path(__file__).parent.parent / "golden"

WORLD = {
    "factors": {"mpich": 1.0, "openmpi": 1.12},
    "launch_spread": 0.04,
    "noise": 0.05,
    "late_share": 0.02,
    "bandwidth": 4e9,
}
PLAN = [
    "--op",
    "bcast,allreduce",
    "--sizes",
    "8..32Ki*16",
    "-n",
    "2",
    "--launches",
    "10",
    "--nrep",
    "40",
    "--seed",
    "7",
]


@dataclass(frozen=True)
class Answer:
    """What a command wrote, and its exit code."""

    out: str
    err: str
    code: int


Ictus = Callable[..., Answer]


@pytest.fixture
def ictus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ictus:
    """Run a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def run(*words: str | Path) -> Answer:
        capsys.readouterr()
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        captured = capsys.readouterr()
        return Answer(captured.out, captured.err, code)

    return run


@pytest.fixture
def measured(ictus: Ictus, tmp_path: Path) -> Path:
    """A campaign of two simulated libraries in the folder `camp`; the second is 12 % slower."""
    return simulate(ictus, tmp_path, "camp", WORLD)


def simulate(ictus: Ictus, folder: Path, name: str, world: dict[str, object], *more: str) -> Path:
    """Run a campaign in that world and return its folder, relative to where the command line is."""
    scenario = folder / f"{name}.json"
    scenario.write_text(json.dumps(world))
    answer = ictus(
        "run",
        "--launcher",
        "simulated",
        "--scenario",
        scenario,
        "-m",
        "mpich",
        "-m",
        "openmpi",
        *PLAN,
        *more,
        "-o",
        name,
    )
    assert answer.code == 0, answer.err
    return Path(name)


def check_golden(name: str, text: str) -> None:
    """The text is that of tests/golden/NAME, whole; ICTUS_UPDATE_GOLDEN=1 writes it anew, to be read."""
    path = GOLDEN / name
    if os.environ.get("ICTUS_UPDATE_GOLDEN") == "1":
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text
