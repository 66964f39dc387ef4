"""Campaigns on hosts made of namespaces, each with a clock of its own, over TCP, by the launchers ssh and template."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cluster.conftest import ICTUS
from tests.e2e.running import waited_for
from tests.native.trees import installation

from ictus.launch.namespaces.agent import ENTRY
from ictus.launch.namespaces.hosts import CLOCK_STEP_S, namespace_hosts, step_in_ns
from ictus.model.job import Hosts
from ictus.mpi.build import build_core

pytestmark = [pytest.mark.mpi, pytest.mark.usefixtures("hosts_can_be_made")]
QUICK = ("--op", "bcast", "--sizes", "8", "--nrep", "20", "--clock", "monotonic")
QUICK += ("--clocksync", "hca3-offset(exchanges=20)")  # hca3 with its default exchanges takes minutes on busy cores
QUICK += ("--no-page-faults", "--contention-retries", "0", "--retries", "0", "--pin", "none")


def command(hosts: Hosts, tmp_path: Path, *words: str, launcher: str = "") -> tuple[str, ...]:
    """`ictus run` on the first of the hosts, as a user there would type it; the agent is what ssh is elsewhere.

    The core is built before, so that no test waits for a compiler on busy cores.
    """
    for option, label in pairwise(words):
        if option == "-m":
            build_core(installation(label))
    (tmp_path / "hosts.txt").write_text("".join(f"{address}\n" for address in hosts.addresses))
    chosen = launcher or f"ssh(agent={hosts.agent},interface=eth0)"
    asked = ("--launcher", chosen, "--hosts", str(tmp_path / "hosts.txt"), "-o", str(tmp_path / "camp"))
    return (hosts.agent, ENTRY, hosts.addresses[0], ICTUS, "run", *asked, *QUICK, *words)


def run(hosts: Hosts, tmp_path: Path, *words: str, launcher: str = "") -> None:
    """Run it to its end."""
    ended = subprocess.run(
        command(hosts, tmp_path, *words, launcher=launcher), capture_output=True, text=True, check=False, timeout=900
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


def check_steps(tmp_path: Path) -> None:
    """With a rank on each host: every clock is the known steps ahead of rank 0's, within a millisecond."""
    for folder in sorted((tmp_path / "camp" / "launches").iterdir()):
        ranks, (case,) = np.load(folder / "ranks.npy"), np.load(folder / "cases.npy")
        model = np.load(folder / "clocks.npy")[0]
        for rank in range(1, len(ranks)):
            model_ns = 1e9 * (model["slope"][rank] * case["started_s"] + model["intercept_s"][rank])
            found_ns = int(ranks["epoch_ticks"][rank] - ranks["epoch_ticks"][0]) + model_ns
            assert abs(found_ns - rank * step_in_ns(CLOCK_STEP_S)) < 1e6


@pytest.mark.long
def test_a_campaign_on_two_hosts_by_ssh(tmp_path: Path) -> None:
    """Both libraries: a rank on each host, whose clocks are the known step apart within a millisecond."""
    with namespace_hosts(2) as hosts:
        run(hosts, tmp_path, "-m", "mpich", "-m", "openmpi", "--nodes", "2", "--ppn", "1", "--launches", "1")
    found = launches(tmp_path)
    assert sorted(label for label, _, _ in found) == ["mpich", "openmpi"]
    assert [names for _, names, _ in found] == [["h0", "h1"]] * 2
    check_steps(tmp_path)


YIELDS = {
    "mpich": ("--env", "MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE"),
    "openmpi": ("--env", "OMPI_MCA_mpi_yield_when_idle=1"),
    "intelmpi": ("--env", "FI_PROVIDER=tcp", "--env", "I_MPI_THREAD_YIELD=2"),
}
"""The ranks of each host fit on the cores that it sees, but these hosts share two cores: libraries must be told to
yield.
"""


@pytest.mark.long
@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_a_campaign_on_four_hosts(tmp_path: Path, label: str) -> None:
    """A rank on each of four hosts, each with a clock of its own."""
    with namespace_hosts(4) as hosts:
        run(hosts, tmp_path, "-m", label, "--nodes", "4", "--ppn", "1", "--launches", "1", *YIELDS[label])
    ((_, names, _),) = launches(tmp_path)
    assert names == ["h0", "h1", "h2", "h3"]
    check_steps(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_a_campaign_on_four_hosts_in_both_orders(tmp_path: Path, label: str) -> None:
    """Two ranks on each of four hosts, filling a host first and taking host after host."""
    words = ("--nodes", "4", "--ppn", "2", "--map-by", "core,node", "--launches", "1")
    with namespace_hosts(4) as hosts:
        run(hosts, tmp_path, "-m", label, *words, *YIELDS[label])
    orders = sorted(names for _, names, _ in launches(tmp_path))
    assert orders == [["h0", "h0", "h1", "h1", "h2", "h2", "h3", "h3"], ["h0", "h1", "h2", "h3"] * 2]


@pytest.mark.engine("intel-mpi")
@pytest.mark.parametrize("n_hosts", [2, 4])
def test_a_campaign_with_intel_mpi(tmp_path: Path, n_hosts: int) -> None:
    """A rank on each host over TCP, neighbours' clocks the known step apart within a millisecond."""
    words = ("-m", "intelmpi", "--nodes", str(n_hosts), "--ppn", "1", "--launches", "1")
    with namespace_hosts(n_hosts) as hosts:
        run(hosts, tmp_path, *words, *YIELDS["intelmpi"])
    ((label, names, _),) = launches(tmp_path)
    assert (label, names) == ("intelmpi", [f"h{number}" for number in range(n_hosts)])
    check_steps(tmp_path)


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
@pytest.mark.parametrize(
    ("label", "n_hosts", "how"),
    [("mpich", 2, "killed"), ("openmpi", 4, "killed"), ("mpich", 2, "unplugged"), ("openmpi", 2, "unplugged")],
)
def test_a_host_that_vanishes_ends_the_campaign_and_the_next_run_goes_on(
    tmp_path: Path, label: str, n_hosts: int, how: str
) -> None:
    """Everything on the last host is killed in a launch, or its cable is pulled: what is complete is kept, no rank
    stays, and the same command continues.
    """
    words = ("-m", label, "--nodes", str(n_hosts), "--ppn", "1", "--launches", "6", "--seed", "7", "--timeout", "60s")
    words += YIELDS[label]
    with namespace_hosts(n_hosts) as hosts:
        with subprocess.Popen(command(hosts, tmp_path, *words), stderr=subprocess.PIPE, text=True) as campaign:
            journal = tmp_path / "camp" / "journal.jsonl"
            holders = [holder_of(hosts, number) for number in range(n_hosts)]
            networks = [network_of(holder) for holder in holders]
            assert waited_for(lambda: journal.exists() and "accepted" in journal.read_text())
            assert waited_for(lambda: "ictus-bench" in programs_on(networks[-1]).values())
            lose = {"killed": kill_all_on, "unplugged": unplug}[how]
            lose(holders[-1])
            _, said = campaign.communicate(timeout=900)
        assert campaign.returncode == 3, said
        assert "of 6 launches are complete; the same command continues with the rest" in said
        # Ranks that nobody reaches any more end with their time limit.
        assert waited_for(lambda: all("ictus-bench" not in programs_on(network).values() for network in networks))
    kept = {json.loads(line)["slot"] for line in journal.read_text().splitlines() if '"accepted", "slot"' in line}
    assert 1 <= len(kept) < 6
    with namespace_hosts(n_hosts) as hosts:
        run(hosts, tmp_path, *words)
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    accepted = [one["slot"] for one in entries if one["event"] == "accepted"]
    assert sorted(accepted) == list(range(6))
    assert entries[-1]["event"] == "done"


def holder_of(hosts: Hosts, number: int) -> int:
    """The process that holds a host."""
    described = json.loads((Path(hosts.agent).parent / "hosts.json").read_text())
    return int(described[hosts.addresses[number]]["pid"])


def network_of(process: int) -> Path:
    """What the kernel calls its network."""
    return Path(f"/proc/{process}/ns/net").readlink()


def programs_on(network: Path) -> dict[int, str]:
    """Processes on the host of this network, with their programs' names."""
    found = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError):  # it may end while we look
            if entry.name.isdigit() and network_of(int(entry.name)) == network:
                found[int(entry.name)] = (entry / "comm").read_text().strip()
    return found


def kill_all_on(holder: int) -> None:
    """The process that holds a host, and all that run there."""
    network = network_of(holder)
    for _ in range(5):
        for pid in programs_on(network):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)


def unplug(holder: int) -> None:
    """Take the interface of a host down; all that run there go on, and hear of nobody any more."""
    code = (
        "import fcntl, socket, struct, sys; from ictus.launch.namespaces import kernel; "
        "kernel.enter(int(sys.argv[1]), 'net'); wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
        "fcntl.ioctl(wire, 0x8914, struct.pack('16sh14x', b'eth0', 0))"  # SIOCSIFFLAGS, netdevice(7): not IFF_UP
    )
    subprocess.run((sys.executable, "-c", code, str(holder)), check=True)
