"""`ictus tune` whole: a bad algorithm is planted, found, replaced, and the check with the remedy is clean."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import succeed
from tests.native.trees import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.long]

RULES = """1
7
2
2
3
0 0 0 0
65536 3 0 16
65537 0 0 0
3
1
0 0 0 0
"""
"""Open MPI's broadcast of 64 KiB between two processes as a pipeline of segments of 16 bytes."""


def answered(*words: object) -> dict[str, Any]:
    """What a command answers."""
    return dict(json.loads(succeed(*words, "--json").out))


def openmpi(folder: Path) -> dict[str, str]:
    """Variables that plant a pipeline of segments of 16 bytes, at 64 KiB alone."""
    rules = folder / "planted.rules"
    rules.write_text(RULES)
    values = {"use_dynamic_rules": "true", "priority": "90", "dynamic_rules_filename": str(rules)}
    return {f"OMPI_MCA_coll_tuned_{name}": value for name, value in values.items()}


def mpich(folder: Path) -> dict[str, str]:
    """Variables that plant a tree that moves chunks of 64 bytes."""
    return {
        "MPIR_CVAR_DEVICE_COLLECTIVES": "percoll",
        "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE": "0",
        "MPIR_CVAR_BCAST_INTRA_ALGORITHM": "pipelined_tree",
        "MPIR_CVAR_BCAST_TREE_PIPELINE_CHUNK_SIZE": "64",
    }


@pytest.mark.mpi
@pytest.mark.parametrize(("library", "plant"), [("openmpi", openmpi), ("mpich", mpich)], ids=["openmpi", "mpich"])
def test_libraries_read_what_is_written(library: str, plant: Callable[[Path], dict[str, str]], tmp_path: Path) -> None:
    """The planted broadcast breaks the guideline at 64 KiB; an algorithm or a mock-up mends it, in files that the
    library reads in the launches that confirm, and with which the tuning checks again; the command that does so once
    more finds no violation. With two candidates it is the mock-up, through the redirect library.
    """
    planted = [word for name, value in plant(tmp_path).items() for word in ("--env", f"{name}={value}")]
    cases = ("-m", library, "-n", "2", "--sizes", "64Ki", "--guidelines", "GL10", "--launches", "8", "--nrep", "30")
    local = ("--clocksync", "none", "--procsync", "barrier", "--contention-retries", "0", "--seed", "1")
    check = answered("check", *cases, *local, *planted, "-o", tmp_path / "chk")
    assert [row["state"] for row in check["rows"]] == ["violated"]
    own = ("--seed", "2", "--nrep", "30", "--launches", "8", "--time-budget", "5min")
    for limit in (6, 2):
        found = answered("tune", tmp_path / "chk", *own, "--limit", limit, "-o", tmp_path / f"tun-{limit}")
        (row,) = found["rows"]
        assert row["result"] == "confirmed", row
        assert row["ratio"] < 0.5
        assert any(Path(file["path"]).is_file() for file in found["files"])
        assert "nothing is newly violated" in found["checked_again"][-1]
    assert row["way"] == "mock-up"
    profile = tmp_path / "tun-2" / "remedy" / library / "redirect.profile"
    assert "bcast 2 65536 65536 bcast_as_scatter_and_allgather GL10" in profile.read_text()
    (again,) = found["recheck"]
    assert f"ICTUS_REDIRECT_PROFILE={profile}" in again
    clean = answered(*shlex.split(again)[1:], "--contention-retries", "0")
    assert [one["state"] for one in clean["rows"]] == ["holds"]


@pytest.mark.mpi
def test_a_plugin_mends_a_planted_broadcast(tmp_path: Path) -> None:
    """Named in the tuning alone. It is confirmed with its file in force, through the redirect library, and the check
    with what was written is clean.
    """
    rules = tmp_path / "mine.toml"
    rules.write_text('[[guideline]]\nname = "sent"\nleft = "bcast"\nright = "bcast_as_scatter_and_allgather"\n')
    planted = [word for name, value in mpich(tmp_path).items() for word in ("--env", f"{name}={value}")]
    cases = ("-m", "mpich", "-n", "2", "--sizes", "64Ki", "--guidelines", "user", "--user", rules)
    how = ("--launches", "6", "--nrep", "20", "--clocksync", "none", "--procsync", "barrier", "--seed", "1")
    check = answered("check", *cases, *how, *planted, "--contention-retries", "0", "-o", tmp_path / "chk")
    assert [row["state"] for row in check["rows"]] == ["violated"]
    own = ("--seed", "2", "--nrep", "20", "--launches", "6", "--time-budget", "5min", "--limit", "3")
    plugin = ROOT / "examples" / "plugins" / "pipelined_bcast.c"
    found = answered("tune", tmp_path / "chk", "--plugin", plugin, *own, "-o", tmp_path / "tun")
    (row,) = found["rows"]
    assert (row["result"], row["winner"]) == ("confirmed", "my_bcast(segment=64Ki)"), row
    profile = (tmp_path / "tun" / "remedy" / "mpich" / "redirect.profile").read_text()
    assert "\nplugin my_bcast bcast " in profile
    assert "\nbcast 2 65536 65536 my_bcast(segment=64Ki) sent" in profile
    (again,) = found["recheck"]
    assert "ICTUS_REDIRECT_PLUGINS=" in again
    clean = answered(*shlex.split(again)[1:], "--contention-retries", "0")
    assert [one["state"] for one in clean["rows"]] == ["holds"]


@pytest.mark.engine("simgrid")
def test_a_planted_ring_is_replaced_on_a_simulated_platform(tmp_path: Path) -> None:
    """A ring of small blocks takes p-1 rounds: gather and bcast take a third of that. Something of its own is better,
    and the check with it holds.
    """
    cases = ("-m", "simgrid", "--platform", "flat", "-n", "16", "--sizes", "64", "--guidelines", "GL11")
    how = ("--launches", "8", "--nrep", "10", "--clocksync", "none", "--procsync", "barrier", "--seed", "1")
    check = answered("check", *cases, *how, "--algorithm", "allgather=ring", "-o", tmp_path / "chk")
    assert [row["state"] for row in check["rows"]] == ["violated"]
    own = ("--seed", "2", "--nrep", "10", "--launches", "8", "--limit", "10", "--time-budget", "10min")
    found = answered("tune", tmp_path / "chk", *own, "-o", tmp_path / "tun")
    (row,) = found["rows"]
    assert row["result"] == "confirmed", row
    assert row["winner"] not in ("allgather", "allgather=ring")
    assert row["ratio"] < 0.8
