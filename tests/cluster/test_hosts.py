"""Campaigns on hosts made of namespaces, each with a clock of its own, over TCP, by the launchers ssh and template."""

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cluster.conftest import ICTUS

from ictus.launch.namespaces.agent import ENTRY
from ictus.launch.namespaces.hosts import CLOCK_STEP_S, namespace_hosts, step_in_ns
from ictus.model.job import Hosts

pytestmark = [pytest.mark.mpi, pytest.mark.usefixtures("hosts_can_be_made")]
QUICK = ("--op", "bcast", "--sizes", "8", "--nrep", "20", "--clock", "monotonic", "--clocksync", "hca3")
QUICK += ("--no-page-faults", "--contention-retries", "0", "--retries", "0", "--pin", "none")


def command(hosts: Hosts, tmp_path: Path, *words: str, launcher: str = "") -> tuple[str, ...]:
    """`ictus run` on the first of the hosts, as a user there would type it; the agent is what ssh is elsewhere."""
    (tmp_path / "hosts.txt").write_text("".join(f"{address}\n" for address in hosts.addresses))
    chosen = launcher or f"ssh(agent={hosts.agent},interface=eth0)"
    asked = ("--launcher", chosen, "--hosts", str(tmp_path / "hosts.txt"), "-o", str(tmp_path / "camp"))
    return (hosts.agent, ENTRY, hosts.addresses[0], ICTUS, "run", *asked, *QUICK, *words)


def run(hosts: Hosts, tmp_path: Path, *words: str, launcher: str = "") -> None:
    """Run it to its end."""
    ended = subprocess.run(
        command(hosts, tmp_path, *words, launcher=launcher), capture_output=True, text=True, check=False, timeout=240
    )
    assert ended.returncode == 0, ended.stderr[-3000:]


def launches(tmp_path: Path) -> list[tuple[str, list[str], Any]]:
    """Of each launch: its library, the host of each rank, its ranks."""
    found = []
    for folder in sorted((tmp_path / "camp" / "launches").iterdir()):
        ranks = np.load(folder / "ranks.npy")
        names = [name.decode() for name in np.load(folder / "hosts.npy")["name"].tolist()]
        found.append((folder.name.partition("-")[2], [names[host] for host in ranks["host"].tolist()], ranks))
    return found


@pytest.mark.long
def test_a_campaign_on_two_hosts_by_ssh(tmp_path: Path) -> None:
    """Both libraries: a rank on each host, whose clocks are the known step apart within a millisecond."""
    with namespace_hosts(2) as hosts:
        run(hosts, tmp_path, "-m", "mpich", "-m", "openmpi", "--nodes", "2", "--ppn", "1", "--launches", "1")
    found = launches(tmp_path)
    assert sorted(label for label, _, _ in found) == ["mpich", "openmpi"]
    for folder, (_, names, ranks) in zip(sorted((tmp_path / "camp" / "launches").iterdir()), found, strict=True):
        assert names == ["h0", "h1"]
        model, (case,) = np.load(folder / "clocks.npy")[0], np.load(folder / "cases.npy")
        model_ns = 1e9 * (model["slope"][1] * case["started_s"] + model["intercept_s"][1])
        found_ns = int(ranks["epoch_ticks"][1] - ranks["epoch_ticks"][0]) + model_ns
        assert abs(found_ns - step_in_ns(CLOCK_STEP_S)) < 1e6


@pytest.mark.long
@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_a_campaign_on_four_hosts_in_both_orders(tmp_path: Path, label: str) -> None:
    """Two ranks on each of four hosts, filling a host first and taking host after host."""
    with namespace_hosts(4) as hosts:
        run(hosts, tmp_path, "-m", label, "--nodes", "4", "--ppn", "2", "--map-by", "core,node", "--launches", "1")
    orders = sorted(names for _, names, _ in launches(tmp_path))
    assert orders == [["h0", "h0", "h1", "h1", "h2", "h2", "h3", "h3"], ["h0", "h1", "h2", "h3"] * 2]


@pytest.mark.long
def test_a_campaign_by_a_template(tmp_path: Path) -> None:
    """The user's own command line for Hydra."""
    with namespace_hosts(2) as hosts:
        mpiexec = Path(ICTUS).parents[1] / "mpi" / "mpich" / "bin" / "mpiexec"
        text = (
            f"{mpiexec} -launcher rsh -launcher-exec {hosts.agent} -iface eth0 -hosts {{hosts}} -ppn {{ppn}} -n {{n}}"
        )
        words = ("-m", "mpich", "--nodes", "2", "--ppn", "1", "--launches", "1")
        run(hosts, tmp_path, *words, launcher=f"{text} {{program}}")
    assert [names for _, names, _ in launches(tmp_path)] == [["h0", "h1"]]


@pytest.mark.long
def test_a_host_that_vanishes_ends_the_campaign_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """Everything on the second host is killed in a launch: what is complete is kept, and the same command continues."""
    words = ("-m", "mpich", "--nodes", "2", "--ppn", "1", "--launches", "6", "--seed", "7", "--timeout", "20s")
    with namespace_hosts(2) as hosts:
        with subprocess.Popen(command(hosts, tmp_path, *words), stderr=subprocess.PIPE, text=True) as campaign:
            journal = tmp_path / "camp" / "journal.jsonl"
            deadline = time.monotonic() + 120
            while (not journal.exists() or "accepted" not in journal.read_text()) and time.monotonic() < deadline:
                time.sleep(0.05)
            lose(hosts, 1)
            _, said = campaign.communicate(timeout=120)
        assert campaign.returncode == 3
        assert "of 6 launches are complete; the same command continues with the rest" in said
    kept = {json.loads(line)["slot"] for line in journal.read_text().splitlines() if '"accepted", "slot"' in line}
    assert 1 <= len(kept) < 6
    with namespace_hosts(2) as hosts:
        run(hosts, tmp_path, *words)
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    accepted = [one["slot"] for one in entries if one["event"] == "accepted"]
    assert sorted(accepted) == list(range(6))
    assert entries[-1]["event"] == "done"


def lose(hosts: Hosts, number: int) -> None:
    """Kill the process that holds a host, and all that run on it."""
    described = json.loads((Path(hosts.agent).parent / "hosts.json").read_text())
    holder = described[hosts.addresses[number]]["pid"]
    network = Path(f"/proc/{holder}/ns/net").readlink()
    for _ in range(5):
        for entry in Path("/proc").iterdir():
            with suppress(OSError):
                if entry.name.isdigit() and (entry / "ns" / "net").readlink() == network:
                    os.kill(int(entry.name), signal.SIGKILL)
        time.sleep(0.1)
