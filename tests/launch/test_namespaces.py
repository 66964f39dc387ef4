"""Hosts made of namespaces are what they claim to be, and nothing of them stays, whoever is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ictus.launch.namespaces import hosts as leftovers, hosts as making
from ictus.launch.namespaces.agent import ENTRY
from ictus.launch.namespaces.hosts import PREFIX, namespace_hosts, remove_leftovers, step_in_ns
from ictus.launch.namespaces.probe import probe
from ictus.model.errors import MeasurementError
from ictus.model.job import Hosts

STEP_NS = 250_000_000_123

CLOCKS = """
import json, time
print(json.dumps({name: time.clock_gettime_ns(getattr(time, name))
                  for name in ("CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW", "CLOCK_BOOTTIME", "CLOCK_REALTIME")}))
"""

OWNER = """
import json, pathlib, subprocess, sys, tempfile, time
from ictus.launch.namespaces.hosts import namespace_hosts
with namespace_hosts(2) as hosts:
    there = pathlib.Path(tempfile.gettempdir(), "there")
    command = f": > {there}; exec sleep 600"
    sleeper = subprocess.Popen([hosts.agent, hosts.addresses[1], command], start_new_session=True)
    folder = pathlib.Path(hosts.agent).parent
    machines = [host["pid"] for host in json.loads((folder / "hosts.json").read_text()).values()]
    while not there.exists():
        time.sleep(0.01)
    print(json.dumps({"sleeper": sleeper.pid, "machines": machines, "folder": str(folder)}), flush=True)
    time.sleep(600)
"""
"""A run with a process on its second host, which says who is who and then waits to be killed."""


def on(hosts: Hosts, i: int, *command: str) -> str:
    """What a command prints on host i."""
    words = (hosts.agent, ENTRY, hosts.addresses[i], *command)
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout.strip()


def clocks_on(hosts: Hosts, i: int) -> dict[str, int]:
    """The clocks of host i, in nanoseconds."""
    read: dict[str, int] = json.loads(on(hosts, i, sys.executable, "-I", "-S", "-c", CLOCKS))
    return read


def gone(pid: int) -> bool:
    """Whether a process has ended, reaped or not."""
    try:
        return Path("/proc", str(pid), "stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"
    except OSError:
        return True


def soon(happened: Callable[[], bool]) -> bool:
    """Whether it happens within a minute, which is long on any machine."""
    deadline = time.monotonic() + 60
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.02)
    return happened()


@pytest.mark.usefixtures("hosts_can_be_made")
class TestHosts:
    """On a machine that can."""

    def test_clocks_that_count_from_the_start_are_a_step_apart_and_the_time_of_day_is_common(self) -> None:
        """Between two readings here lies the reading there, less its step: to the nanosecond, for each such clock."""
        with namespace_hosts(3) as hosts:
            for i in range(3):
                before = {name: time.clock_gettime_ns(getattr(time, name)) for name in clocks_on(hosts, 0)}
                there = clocks_on(hosts, i)
                for name, earliest in before.items():
                    step = 0 if name == "CLOCK_REALTIME" else i * STEP_NS
                    latest = time.clock_gettime_ns(getattr(time, name))
                    assert earliest <= there[name] - step <= latest, name
        assert hosts.record["clock_step_s"] == 250.000000123

    def test_each_host_has_a_name_and_a_network_of_its_own(self) -> None:
        """Names as recorded; a loopback and a cable, neither of them the machine's or the other host's."""
        look = "cat /proc/sys/kernel/hostname /proc/net/dev | tr -d ' ' | cut -d: -f1 | grep -v '|' | xargs"
        with namespace_hosts(2) as hosts:
            seen = [on(hosts, i, "/bin/sh", "-c", look).split() for i in range(2)]
            networks = {on(hosts, i, "readlink", "/proc/self/ns/net") for i in range(2)}
        assert [set(one) - {"sit0", "tunl0", "ip6tnl0"} for one in seen] == [{"h0", "lo", "eth0"}, {"h1", "lo", "eth0"}]
        assert len(networks | {str(Path("/proc/self/ns/net").readlink())}) == 3
        assert hosts.record["names"] == ["h0", "h1"]

    def test_each_host_has_cpus_of_its_own_where_there_is_one_for_each(self) -> None:
        """Ranks of two hosts never wait for each other's core, as those of real hosts do not."""
        mine = os.sched_getaffinity(0)
        with namespace_hosts(2) as hosts:
            allowed = [on(hosts, i, "grep", "Cpus_allowed_list", "/proc/self/status").split()[1] for i in range(2)]
        shares = [set(one) for one in hosts.record["cpus"]]
        assert shares[0] | shares[1] <= mine
        assert len(mine) < 2 or not shares[0] & shares[1]
        assert len(mine) != 2 or [{int(one)} for one in allowed] == shares

    def test_two_runs_at_once_do_not_meet(self) -> None:
        """The same addresses twice, each with its own step."""
        with namespace_hosts(2, 5) as one, namespace_hosts(2, "7.5") as other:
            assert one.addresses == other.addresses
            ahead = [clocks_on(hosts, 1)["CLOCK_MONOTONIC"] - time.monotonic_ns() for hosts in (one, other)]
        assert ahead == [pytest.approx(5e9, abs=1e9), pytest.approx(7.5e9, abs=1e9)]

    def test_the_agent_takes_words_as_ssh_does_and_entry_takes_them_as_they_are(self) -> None:
        """A shell sees the joined words, options of ssh are passed over; the entry keeps blanks and quotes."""
        with namespace_hosts(1) as hosts:
            as_ssh = (hosts.agent, "-x", "-q", hosts.addresses[0], "echo", "'a  b'", "&&", "hostname")
            assert subprocess.run(as_ssh, capture_output=True, text=True, check=True).stdout == "a  b\nh0\n"
            assert on(hosts, 0, "echo", "'a  b'", "&&") == "'a  b' &&"
            lost = subprocess.run((hosts.agent, "10.0.0.9", "true"), capture_output=True, text=True, check=False)
        assert (lost.returncode, lost.stderr) == (1, "no host has the address 10.0.0.9; there are 10.77.0.1\n")

    @pytest.mark.parametrize("failing", [False, True])
    def test_what_runs_on_a_host_ends_with_the_block(self, tmp_path: Path, *, failing: bool) -> None:
        """A process in a session of its own is gone when the block is, and so is the folder, error or not."""
        try:
            with namespace_hosts(2) as hosts:
                words = (hosts.agent, hosts.addresses[1], f"trap '' TERM INT HUP; : > {tmp_path}/deaf; sleep 600")
                stubborn = subprocess.Popen(words, start_new_session=True)
                assert soon((tmp_path / "deaf").exists)
                assert not gone(stubborn.pid)
                if failing:
                    signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            assert failing
        assert stubborn.wait(60) == -signal.SIGKILL
        assert not Path(hosts.agent).parent.exists()


@pytest.fixture
def owner(hosts_can_be_made: None, tmp_path: Path) -> "subprocess.Popen[str]":
    """A run to be killed; its folder is below `tmp_path`."""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(making.__file__).parents[3])}
    return subprocess.Popen((sys.executable, "-c", OWNER), stdout=subprocess.PIPE, text=True, env=environment)


def test_hosts_of_a_killed_run_end_by_themselves(owner: "subprocess.Popen[str]") -> None:
    """KILL leaves the run no time for anything, and still: no process, no host, no folder."""
    assert owner.stdout is not None
    who = json.loads(owner.stdout.readline())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    for pid in (who["sleeper"], *who["machines"]):
        assert soon(lambda pid=pid: gone(pid)), pid
    assert soon(lambda: not Path(who["folder"]).exists())


def test_what_is_left_when_all_were_killed_is_found_and_removed(
    owner: "subprocess.Popen[str]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machines killed first, then the run: the process on the host stays, and the next run ends it. Not before."""
    assert owner.stdout is not None
    who = json.loads(owner.stdout.readline())
    monkeypatch.setattr(leftovers, "_YOUNG_S", -1.0)
    assert remove_leftovers(tmp_path) == (), "hosts in use are none"
    (switch,) = (pid for pid in machines_of(owner.pid) if pid not in who["machines"])
    for pid in (*who["machines"], switch, owner.pid):
        os.kill(pid, signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    assert soon(lambda: all(gone(pid) for pid in (*who["machines"], switch)))
    assert not gone(who["sleeper"])
    monkeypatch.setattr(leftovers, "_YOUNG_S", 60.0)
    assert remove_leftovers(tmp_path) == (), "a young folder may be one whose machines are about to come"
    monkeypatch.setattr(leftovers, "_YOUNG_S", -1.0)
    assert remove_leftovers(tmp_path) == (who["sleeper"],)
    assert soon(lambda: gone(who["sleeper"]))
    assert list(tmp_path.glob(f"{PREFIX}*")) == []


def machines_of(owner: int) -> tuple[int, ...]:
    """Ids of the machines that a process holds."""
    children = Path(f"/proc/{owner}/task/{owner}/children").read_text().split()
    return tuple(int(pid) for pid in children if b"namespaces.machine" in Path(f"/proc/{pid}/cmdline").read_bytes())


def test_cpus_are_shared_out_in_equal_blocks() -> None:
    """What is over is left over, and hosts without one for each use all."""
    assert making._shares([0, 1, 2, 4, 5], 2) == [[0, 1], [2, 4]]
    assert making._shares([0, 1], 3) == [[0, 1], [0, 1], [0, 1]]


def test_a_step_is_kept_to_the_nanosecond() -> None:
    """A text and the number that it is come to the same; a double of 250 s resolves 28 fs."""
    assert step_in_ns("250.000000123") == step_in_ns(250.000000123) == STEP_NS


def test_the_probe_says_who_may() -> None:
    """Without the capability the kernel refuses, and the reason names the way out."""
    without = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl(24, 21, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_SYS_ADMIN: gone for whatever is started from here
os.execv(sys.executable, [sys.executable, "-c", "from {probe.__module__} import probe; print(probe())"])
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(making.__file__).parents[3])}
    said = subprocess.run(
        (sys.executable, "-c", without), capture_output=True, text=True, env=environment, timeout=60, check=True
    )
    assert said.stdout.startswith(("only root may make network and time namespaces", "this kernel has no"))


def test_a_kernel_without_time_namespaces_is_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The probe's reason is the missing part, before anything is started."""
    monkeypatch.setattr(making, "TIME_NAMESPACE", tmp_path / "missing")
    assert probe() == "this kernel has no time namespaces (Linux 5.6 with CONFIG_TIME_NS, or later)"


@pytest.mark.parametrize("n", [0, 201])
def test_the_number_of_hosts_is_checked(n: int) -> None:
    """One network of addresses is all there is."""
    with pytest.raises(MeasurementError, match=rf"^{n} hosts: between 1 and 200 can be made$"), namespace_hosts(n):
        pass
