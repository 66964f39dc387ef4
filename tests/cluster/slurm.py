"""A Slurm of the tests' own: a controller and two node daemons on this machine, with ports, keys and folders of their
own.

Both nodes are this machine with one core each, so it shows what is done, not how fast. Nothing of it outlives `stop`.
"""

import contextlib
import ctypes
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_READY_S = 60.0
_PARENT_DEATH_SIGNAL = 1
_LAST_FIRST_JOB = 67_000_000
"""Slurm's job numbers end little above."""
_CONFIGURATION = """
ClusterName=ictus
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
TmpFS={folder}/tmp-%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
PluginDir={folder}/plugins
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=3
MinJobAge=300
FirstJobId={first_job}
SlurmdTimeout=5
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
SlurmctldDebug=debug
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverTimeLimit=0
"""


@dataclass
class Slurm:
    """A running one."""

    folder: Path
    pmix: bool = False
    """Whether it has the plug-in pmix, which needs a library of PMIx on this machine."""
    nodes: tuple[str, ...] = ("n1", "n2")
    processes: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    shell: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    """Of the test that needed it first: later ones, which need other engines, may not see its programs."""

    @property
    def environment(self) -> dict[str, str]:
        """For every command that speaks to it. MPICH publishes 4 KiB from its address on, whatever memory follows, and
        Slurm's pmi2 has no room for them where the C library fills memory (docs/how-to/clusters.md).
        """
        foreign = ("SLURM", "ICTUS_ALLOC", "MALLOC_", "GLIBC_TUNABLES")
        plain = {key: value for key, value in self.shell.items() if not key.startswith(foreign)}
        return {**plain, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def start(self) -> None:
        """Start all of it, and wait until both nodes are idle."""
        ports = _free_ports(1 + len(self.nodes))
        each = zip(self.nodes, ports[1:], strict=True)
        nodes = "\n".join(
            f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=1" for name, port in each
        )
        # MPICH names its shared memory after job and step, and a killed rank leaves it: were all first jobs 1, the next
        # Slurm's ranks would open it and end in "Out of memory"
        first_job = random.randrange(1, _LAST_FIRST_JOB)
        text = _CONFIGURATION.format(controller=ports[0], folder=self.folder, nodes=nodes, first_job=first_job)
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "state").mkdir()
        self._choose_plugins()
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o400)
        own = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munge.pid", "seed-file": "munge.seed"}
        options = [f"--{name}={self.folder / file}" for name, file in own.items()]
        self._run("munge", "munged", "--foreground", "--force", "--num-threads=2", *options)
        self._until((self.folder / "munge.socket").exists, "munged does not answer")
        self._run("controller", "slurmctld", "-D", "-c")
        for name in self.nodes:
            self.start_node(name)
        self._until(lambda: self.states() == dict.fromkeys(self.nodes, "idle"), "its nodes do not become idle")

    def _choose_plugins(self) -> None:
        """Slurm's plug-ins, without pmix where a site has none: the same whether a library of PMIx is here or not."""
        (self.folder / "plugins").mkdir()
        for plugin in Path("/usr/lib").glob("*/slurm-wlm/*.so"):
            if self.pmix or not plugin.name.startswith("mpi_pmix"):
                (self.folder / "plugins" / plugin.name).symlink_to(plugin)

    def start_node(self, name: str) -> None:
        """Start the daemon of a node. Slurm's plug-in pmix makes a folder for each step in that of the node's files."""
        (self.folder / f"tmp-{name}").mkdir(mode=0o1777, exist_ok=True)
        self._run(name, "slurmd", "-D", "-N", name)

    def kill_node(self, name: str) -> None:
        """As if the node lost its power: its daemon is gone; steps that run on it stay, on this one machine."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def states(self) -> dict[str, str]:
        """Of each node."""
        listed = self.call("sinfo", "--noheader", "--Node", "--format=%N %t", check=False).stdout
        return dict(line.split() for line in listed.splitlines() if len(line.split()) == 2)

    def call(
        self, *words: str, check: bool = True, timeout_s: float = 300.0, **more: str
    ) -> "subprocess.CompletedProcess[str]":
        """A command that speaks to it; `more` are variables."""
        environment = {**self.environment, **more}
        ended = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=timeout_s, check=False)
        assert not check or ended.returncode == 0, (
            f"{' '.join(words)}: {ended.returncode}\n{ended.stdout}{ended.stderr}"
        )
        return ended

    def wait_for(self, job: str, *states: str, timeout_s: float = 240.0) -> str:
        """Wait until a job is in one of these states, such as COMPLETED; its state."""
        deadline = time.monotonic() + timeout_s
        state = ""
        while time.monotonic() < deadline:
            shown = self.call("scontrol", "show", "job", job, check=False).stdout
            found = [word.partition("=")[2] for word in shown.split() if word.startswith("JobState=")]
            state = found[0] if found else "unknown"
            if state in states:
                return state
            time.sleep(0.2)
        raise AssertionError(f"job {job} is {state}, and does not become {' or '.join(states)}\n{self.logs()}")

    def logs(self) -> str:
        """The last lines of its daemons, for messages, and the variables that its commands got."""
        return f"variables: {' '.join(sorted(self.environment))}\n" + "\n".join(
            f"{path.name}: {line}"
            for path in sorted(self.folder.glob("*.log"))
            for line in path.read_text().splitlines()[-6:]
        )

    def stop(self) -> None:
        """End all of it, and what its jobs left."""
        self.call("scancel", "--user=root", check=False)
        deadline = time.monotonic() + 10
        while self.call("squeue", "--noheader", check=False).stdout.strip() and time.monotonic() < deadline:
            time.sleep(0.2)
        for process in reversed(self.processes.values()):
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
                continue
            process.kill()
        for step in _with_variable("SLURM_CONF", str(self.folder / "slurm.conf")):
            with contextlib.suppress(OSError):
                os.kill(step, signal.SIGKILL)

    def _run(self, name: str, program: str, *words: str) -> None:
        path = shutil.which(program)
        assert path is not None
        with (self.folder / f"{name}.out").open("ab") as output:
            self.processes[name] = subprocess.Popen(
                (path, *words),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=_ending_with(os.getpid()),  # noqa: PLW1509 (it calls the kernel, takes no lock)
            )

    def _until(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _READY_S
        while not holds():
            assert time.monotonic() < deadline, f"{what}\n{self.logs()}\n" + "\n".join(
                path.read_text()[-800:] for path in self.folder.glob("*.out")
            )
            time.sleep(0.05)


@contextlib.contextmanager
def running_slurm(*, pmix: bool = False) -> Iterator[Slurm]:
    """A Slurm for as long as the block."""
    with tempfile.TemporaryDirectory(prefix="ictus-slurm-", ignore_cleanup_errors=True) as name:
        slurm = Slurm(Path(name), pmix)
        slurm.folder.chmod(0o755)
        try:
            slurm.start()
            yield slurm
        finally:
            slurm.stop()


def _ending_with(parent: int) -> Callable[[], None]:
    """A daemon gets TERM when the tests end, however they do."""
    prctl = ctypes.PyDLL(None).prctl

    def request() -> None:
        prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return request


def _free_ports(n: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _with_variable(name: str, value: str) -> Iterator[int]:
    """Processes that have it in their environment."""
    wanted = f"{name}={value}".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
