"""The core for SimGrid, built once a session."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.launch_document import launch_document

from ictus.model.job import Job, Outcome
from ictus.model.platform import parse_platform
from ictus.mpi.build import Build, build_core
from ictus.mpi.command import launch
from ictus.mpi.discover import find

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ended:
    """What a simulated launch left behind."""

    outcome: Outcome
    folder: Path

    @property
    def output(self) -> str:
        """What was said on both streams."""
        return "".join((self.folder / name).read_text() for name in ("stdout.txt", "stderr.txt"))

    def document(self, name: str) -> dict[str, Any]:
        """A JSON document of the launch; the launch must have ended well."""
        assert self.outcome.exit_code == 0, self.output
        if name == "launch.json":
            return launch_document(self.folder)
        content: dict[str, Any] = json.loads((self.folder / name).read_text())
        return content


Simulate = Callable[..., Ended]


@pytest.fixture(scope="session")
def simgrid() -> Build:
    """ictus-bench for SimGrid."""
    return build_core(find("simgrid"))


@pytest.fixture
def simulate(simgrid: Build, tmp_path: Path) -> Simulate:
    """Launch ictus-bench on a simulated platform: `simulate(n_ranks, platform, word...)`."""

    def start(n_ranks: int, platform: str, *words: str, timeout_s: float = 300.0) -> Ended:
        folder = tmp_path / f"launch{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        program = (str(simgrid.program), *words)
        job = Job(n_ranks, program, folder, timeout_s, platform=parse_platform(platform))
        return Ended(launch(simgrid.installation, job), folder)

    return start
