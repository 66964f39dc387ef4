"""Campaigns over the simulated launcher, and golden texts."""

import json
import os
import re
from pathlib import Path
from zlib import crc32

import pytest
from tests.command_line import Ictus
from tests.made_once import made_once

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


@pytest.fixture
def measured(ictus: Ictus, tmp_path: Path) -> Path:
    """A campaign of two simulated libraries in the folder `camp`; the second is 12 % slower."""
    return simulate(ictus, tmp_path, "camp", WORLD)


def simulate(ictus: Ictus, folder: Path, name: str, world: dict[str, object], *more: str) -> Path:
    """Run a campaign in that world and return its folder, relative to where the command line is."""
    text = json.dumps(world)
    scenario = (
        folder.parent / f"{name}-{crc32(text.encode()):08x}.json"
    )  # a campaign that another test had names it too
    scenario.write_text(text)

    def run() -> None:
        libraries = ("--launcher", "simulated", "--scenario", scenario, "-m", "mpich", "-m", "openmpi")
        answer = ictus("run", *libraries, *PLAN, *more, "-o", name)
        assert answer.code == 0, answer.err

    return made_once(Path(name), ("run", name, text, more), run)


def without_world(text: str) -> str:
    """What was printed, without the whole path of a scenario, which is another one in each run of the tests."""
    return re.sub(r" --scenario /\S*\.json", "", text)


def check_golden(name: str, printed: str) -> None:
    """The text is that of tests/golden/NAME, whole; ICTUS_UPDATE_GOLDEN=1 writes it anew, to be read."""
    path, text = GOLDEN / name, without_world(printed)
    if os.environ.get("ICTUS_UPDATE_GOLDEN") == "1":
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text
