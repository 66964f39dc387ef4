"""The launcher `ssh` with a real sshd, on two hosts that have a network and a clock of their own."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cluster.conftest import ICTUS
from tests.cluster.sshd import SshHosts, ssh_hosts
from tests.cluster.test_hosts import QUICK, check_steps, holder_of, launches, network_of, programs_on
from tests.e2e.running import waited_for
from tests.engines import ROOT
from tests.native.trees import installation

from ictus.mpi.build import build_core, build_profile

pytestmark = [pytest.mark.engine("ssh"), pytest.mark.mpi, pytest.mark.usefixtures("hosts_can_be_made")]
EACH = ("--nodes", "2", "--ppn", "1", "--launches", "1")


@pytest.fixture(scope="module", autouse=True)
def _cores() -> None:
    """No test waits for a compiler."""
    for label in ("mpich", "openmpi"):
        build_core(installation(label))


@pytest.fixture
def two(tmp_path: Path) -> Iterator[SshHosts]:
    """Two hosts with an sshd each."""
    folder = tmp_path / "ssh"
    folder.mkdir()
    with ssh_hosts(folder) as made:
        yield made


def command(at: SshHosts, *words: str) -> tuple[str, ...]:
    """A command of ictus, typed on the first host."""
    first, *more = words
    return (*at.entry, ICTUS, *first.split(), "--launcher", at.launcher, "--hosts", str(at.file), *more)


def ran(at: SshHosts, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run to its end."""
    return subprocess.run(command(at, *words), capture_output=True, text=True, check=False, timeout=900)


def test_two_libraries_are_compared_on_two_hosts(tmp_path: Path, two: SshHosts) -> None:
    """A rank of each launch on each host, whose clocks are the known step apart; the second host was entered by sshd.

    The campaign's folder has a blank and a quote in its name, which two shells on the way must leave as they are.
    """
    folder = tmp_path / "my 'camp"
    ended = ran(two, "run", "-m", "mpich", "-m", "openmpi", *EACH, *QUICK, "-o", str(folder))
    assert ended.returncode == 0, ended.stderr[-3000:]
    folder.rename(tmp_path / "camp")
    found = launches(tmp_path)
    assert sorted(label for label, _, _ in found) == ["mpich", "openmpi"]
    assert [names for _, names, _ in found] == [["h0", "h1"]] * 2
    check_steps(tmp_path)
    assert (two.folder / f"sshd-{two.hosts.addresses[1]}.log").read_text().count("Accepted publickey") >= 2
    for path in (tmp_path / "camp").glob("launches/*/launch.json"):
        assert json.loads(path.read_text())["launcher"]["hosts"]["names"] == list(two.hosts.addresses)


def test_the_doctor_tries_all_hosts_and_shows_their_state(two: SshHosts) -> None:
    """Each library with a rank on each host, and what each host is like."""
    ended = ran(two, "doctor", "--json")
    assert ended.returncode == 0, ended.stderr[-3000:]
    document = json.loads(ended.stdout)
    rows = {row["label"]: row for row in document["rows"]}
    for label in ("mpich", "openmpi"):
        assert (rows[label]["works"], rows[label]["n_ranks"], rows[label]["failure"]) == (True, 2, None)
    assert [host["name"] for host in document["hosts"]] == ["h0", "h1"]
    assert [host["n_ranks"] for host in document["hosts"]] == [1, 1]


@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_words_and_variables_reach_programs_on_other_hosts_as_they_are(
    tmp_path: Path, two: SshHosts, label: str
) -> None:
    """Blanks, quotes, dollars, stars and semicolons, past ssh's shell on the way."""
    value = "a b'c\"d $HOME *;&"
    script = tmp_path / "say it.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s|" "$(hostname)" "$TRICKY" "$@" > "{tmp_path}/said-$(hostname)"\n')
    script.chmod(0o700)
    words = ("exec", "-m", label, "-n", "2", "--env", f"TRICKY={value}", "--", str(script), value, "", "plain")
    ended = ran(two, *words)
    assert ended.returncode == 0, ended.stderr[-3000:]
    for host in ("h0", "h1"):
        assert (tmp_path / f"said-{host}").read_text() == f"{host}|{value}|{value}||plain|"


@pytest.mark.parametrize("label", ["mpich", "openmpi"])
@pytest.mark.parametrize("how", ["no sshd", "unknown key"])
def test_a_host_that_refuses_is_told_with_sshs_own_words(tmp_path: Path, label: str, how: str) -> None:
    """Soon, and nobody is asked for a password or a key where nobody types."""
    folder = tmp_path / "ssh"
    folder.mkdir()
    with ssh_hosts(folder, silent=(1,) if how == "no sshd" else ()) as at:
        address = at.hosts.addresses[1]
        if how == "unknown key":
            at.forget(address)
        ended = ran(at, "run", "-m", label, *EACH, *QUICK, "--timeout", "60s", "-o", str(tmp_path / "camp"))
        reason = {"no sshd": "Connection refused", "unknown key": "Host key verification failed"}[how]
    assert ended.returncode == 3
    assert reason in " ".join(ended.stderr.split()), ended.stderr
    assert "0 of 1 launch" in ended.stderr
    if how == "no sshd":
        assert address in ended.stderr


@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_a_host_that_vanishes_ends_the_campaign_and_the_next_run_goes_on(
    tmp_path: Path, two: SshHosts, label: str
) -> None:
    """The daemon and the rank that sshd began on the second host are killed in a launch. What is complete is kept."""
    words = ("run", "-m", label, "--nodes", "2", "--ppn", "1", "--launches", "4", "--seed", "7", *QUICK)
    words += ("--timeout", "60s", "-o", str(tmp_path / "camp"))
    journal = tmp_path / "camp/journal.jsonl"
    network = network_of(holder_of(replace(two.hosts, agent=two.entry[0]), 1))
    with subprocess.Popen(command(two, *words), stderr=subprocess.PIPE, text=True) as campaign:
        assert waited_for(lambda: journal.exists() and "accepted" in journal.read_text())
        assert waited_for(lambda: "ictus-bench" in programs_on(network).values())
        for process, name in programs_on(network).items():
            if name in ("ictus-bench", "hydra_pmi_proxy", "prted"):
                os.kill(process, signal.SIGKILL)
        _, said = campaign.communicate(timeout=900)
    assert campaign.returncode == 3, said
    assert "of 4 launches are complete; the same command continues with the rest" in said
    ended = ran(two, *words)
    assert ended.returncode == 0, ended.stderr[-3000:]
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    assert sorted(one["slot"] for one in entries if one["event"] == "accepted") == list(range(4))


def test_a_program_is_profiled_on_two_hosts(tmp_path: Path, two: SshHosts) -> None:
    """Calls of the rank behind sshd are counted too, on clocks that are 250 s apart."""
    build_profile(installation("mpich"))
    program = tmp_path / "halo"
    source = ROOT / "examples/halo_allreduce.c"
    wrapper = installation("mpich").wrapper.with_name("mpicc")
    subprocess.run((wrapper, "-O2", str(source), "-o", str(program)), check=True)
    folder = tmp_path / "prof"
    ended = ran(two, "profile run", "-m", "mpich", "-n", "2", "-o", str(folder), "--", str(program), "50")
    assert ended.returncode == 0, ended.stderr[-3000:]
    shown = subprocess.run(
        (ICTUS, "profile", "show", str(folder), "--json"), capture_output=True, text=True, check=True
    )
    rows = [row for row in json.loads(shown.stdout)["rows"] if row["operation"] == "Allreduce"]
    assert sum(row["calls"] for row in rows) == 2 * 50
