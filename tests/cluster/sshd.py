"""Hosts that are reached by ssh: Debian's sshd on hosts made of namespaces, with keys and configuration of the tests'
own.
"""

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.e2e.running import waited_for

from ictus.launch.namespaces.agent import ENTRY
from ictus.launch.namespaces.hosts import namespace_hosts
from ictus.model.job import Hosts

_SERVER = """
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
"""
_CLIENT = """
Host *
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  GlobalKnownHostsFile none
  StrictHostKeyChecking yes
"""
_RUNTIME = Path("/run/sshd")
"""The folder in which sshd keeps its unprivileged part; the package's service makes it."""


@dataclass(frozen=True)
class SshHosts:
    """Hosts with an sshd each."""

    hosts: Hosts
    """Their agent is ssh."""
    entry: tuple[str, ...]
    """Words that run a command on the first of them, as if one had logged in there."""
    folder: Path

    @property
    def file(self) -> Path:
        """Their addresses, one a line."""
        return self.folder / "hosts.txt"

    @property
    def launcher(self) -> str:
        """What `--launcher` takes."""
        return f"ssh(agent={self.hosts.agent},interface={self.hosts.interface})"

    def forget(self, address: str) -> None:
        """The host's key is known no more, as that of a host to which nobody has logged in yet."""
        lines = (self.folder / "known").read_text().splitlines(keepends=True)
        (self.folder / "known").write_text("".join(line for line in lines if line.split()[0] != address))


@contextmanager
def ssh_hosts(folder: Path, n: int = 2, silent: tuple[int, ...] = ()) -> Iterator[SshHosts]:
    """`n` hosts, reached by ssh; those whose numbers are `silent` have no sshd."""
    assert os.geteuid() == 0, "an sshd of one's own needs root"
    _RUNTIME.mkdir(exist_ok=True)
    for name in ("host", "user"):
        subprocess.run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)), check=True)
    (folder / "sshd_config").write_text(_SERVER.format(folder=folder))
    (folder / "config").write_text(_CLIENT.format(folder=folder))
    agent = folder / "ssh"
    agent.write_text(f'#!/bin/sh\nexec ssh -F {shlex.quote(str(folder / "config"))} "$@"\n')
    agent.chmod(0o700)
    key = " ".join((folder / "host.pub").read_text().split()[:2])
    with namespace_hosts(n) as made, ExitStack() as stack:
        (folder / "hosts.txt").write_text("".join(f"{address}\n" for address in made.addresses))
        (folder / "known").write_text("".join(f"{address} {key}\n" for address in made.addresses))
        logs = [
            stack.enter_context(_server(made, address, folder))
            for number, address in enumerate(made.addresses)
            if number not in silent
        ]
        assert waited_for(lambda: all("Server listening" in log.read_text() for log in logs))
        entry = (made.agent, ENTRY, made.addresses[0])
        yield SshHosts(replace(made, agent=str(agent)), entry, folder)


@contextmanager
def _server(made: Hosts, address: str, folder: Path) -> Iterator[Path]:
    log = folder / f"sshd-{address}.log"
    words = ("/usr/sbin/sshd", "-D", "-e", "-f", str(folder / "sshd_config"))
    with log.open("w") as output, subprocess.Popen((made.agent, ENTRY, address, *words), stderr=output) as server:
        yield log
        server.kill()
