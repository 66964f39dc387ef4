"""Hosts made of namespaces, for the duration of a context.

Each host has its own network (an interface on a switch that is in a namespace too, so that it neither touches the
machine's network nor meets other runs), name, System V memory, CPUs (its share of those of this process, if there is
one for each), and a CLOCK_MONOTONIC ahead of the previous host by a known step. The processor's counter, the time of
day and the clock rate are common to all: the true difference of these clocks is their step, without drift.

Before hosts are made, remains of earlier ones are removed: processes without a host, and a folder. The host processes
end all their own processes even when the run itself is killed; remains exist only where they were killed too.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

from ictus.launch.namespaces import agent, machine
from ictus.model.errors import MeasurementError
from ictus.model.job import Hosts

CLOCK_STEP_S = "250.000000123"
"""A text, because a double of this many seconds cannot hold every nanosecond."""

TIME_NAMESPACE = Path("/proc/self/ns/time_for_children")
"""Where the kernel has time namespaces."""

_PACKAGES = Path(__file__).parents[3]
_NETWORK = "10.77.0"
_MOST = 200
_NS = Decimal(10) ** 9


@contextmanager
def namespace_hosts(n: int = 2, clock_step_s: str | float = CLOCK_STEP_S) -> Iterator[Hosts]:
    """Make `n` hosts h0, h1, ...; the clock of each is `clock_step_s` ahead of the one before. They end with the block.

    Raises:
        MeasurementError: this machine cannot; the message is the reason in a sentence.
    """
    if not 1 <= n <= _MOST:
        message = f"{n} hosts: between 1 and {_MOST} can be made"
        raise MeasurementError(message)
    _check_kernel()
    remove_leftovers()
    step_ns = step_in_ns(clock_step_s)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)))
        switch = stack.enter_context(_machine({"switch": None, "folder": str(folder)}))
        shares = _shares(sorted(os.sched_getaffinity(0)), n)
        hosts = {}
        for i, cpus in enumerate(shares):
            address = f"{_NETWORK}.{i + 1}"
            described = {"switch": switch, "name": f"h{i}", "address": address, "step_ns": i * step_ns}
            hosts[address] = {"pid": stack.enter_context(_machine(described)), "cpus": cpus}
        addresses = tuple(hosts)
        script = _agent_script(folder, hosts)
        record = {
            "made_of": "namespaces",
            "names": [f"h{i}" for i in range(n)],
            "addresses": list(addresses),
            "cpus": shares,
            "clock_step_s": float(Decimal(step_ns) / _NS),
        }
        yield Hosts(addresses, script, (script, agent.ENTRY, addresses[0]), machine.INTERFACE, record, share_cores=True)


def step_in_ns(clock_step_s: str | float) -> int:
    """The step in whole nanoseconds, the finest that a clock is set by."""
    return int(Decimal(str(clock_step_s)) * _NS)


def _shares(cpus: list[int], n: int) -> list[list[int]]:
    """The CPUs of each of n hosts: equal blocks, or all for each where there are more hosts."""
    each = len(cpus) // n
    return [cpus[i * each : (i + 1) * each] or cpus for i in range(n)]


def _check_kernel() -> None:
    if sys.platform != "linux":
        raise MeasurementError("namespaces are a thing of Linux")
    if not TIME_NAMESPACE.exists():
        raise MeasurementError("this kernel has no time namespaces (Linux 5.6 with CONFIG_TIME_NS, or later)")


@contextmanager
def _machine(description: dict[str, Any]) -> Iterator[int]:
    """The process id of a machine that is there and ready; it ends with the block."""
    process = subprocess.Popen(
        (*_interpreter("machine"), json.dumps(description)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C at the terminal ends the launch first and the hosts after it
        text=True,
    )
    with process:  # at the end closes the input, which tells the machine to end, and waits
        assert process.stdout is not None
        assert process.stderr is not None
        answer = process.stdout.readline()
        if not answer:
            last = process.stderr.read().strip().splitlines()[-1:]
            raise MeasurementError(f"a host of namespaces ended before it was ready: {' '.join(last)}")
        if answer.strip() != machine.READY:
            raise MeasurementError(answer.strip())
        yield process.pid


def _agent_script(folder: Path, hosts: dict[str, dict[str, Any]]) -> str:
    """A program that launchers can call as ssh: the interpreter of this process with what it must know of the hosts."""
    description = folder / "hosts.json"
    description.write_text(json.dumps(hosts), "utf-8")
    script = folder / "agent"
    start = shlex.join((*_interpreter("agent"), str(description)))
    script.write_text(f'#!/bin/sh\n{MARK}={shlex.quote(str(folder))} exec {start} "$@"\n', "utf-8")
    script.chmod(0o700)
    return str(script)


def _interpreter(module: str) -> tuple[str, ...]:
    """Words that run `main` of a module beside this one, without what a site adds: in a fifth of the time."""
    start = f"from ictus.launch.namespaces.{module} import main; main()"
    code = f"import sys; sys.path.insert(0, {str(_PACKAGES)!r}); {start}"
    return (sys.executable, "-I", "-S", "-c", code)


PREFIX = "ictus-hosts-"
"""Beginning of the name of the folder that hosts are described in."""

MARK = "ICTUS_HOSTS"
"""Variable that every process on the hosts inherits: that folder."""

_YOUNG_S = 60.0
"""A folder may be there for a moment before its machines are."""


def remove_leftovers(temporary: Path | None = None) -> tuple[int, ...]:
    """End processes of hosts that are gone and remove their folders from `temporary`, where temporary files go.

    Only folders of this user count. Returns the ids of the processes that were ended.
    """
    ended: list[int] = []
    for folder in (temporary or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        if _is_abandoned(folder):
            for pid in _with("environ", f"{MARK}={folder}".encode()):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                    ended.append(pid)
            shutil.rmtree(folder, ignore_errors=True)
    return tuple(ended)


def _is_abandoned(folder: Path) -> bool:
    """Whether the folder is ours, not just being filled, and its switch, which is called with its name, has ended."""
    try:
        facts = folder.lstat()
    except OSError:
        return False
    if facts.st_uid != os.geteuid() or time.time() - facts.st_mtime < _YOUNG_S:
        return False
    return not any(b"machine" in _words("cmdline", pid) for pid in _with("cmdline", str(folder).encode()))


def _with(file: str, text: bytes) -> tuple[int, ...]:
    """Ids of the processes that have `text` in /proc/PID/`file`."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return tuple(pid for pid in pids if pid != os.getpid() and text in _words(file, pid))


def _words(file: str, pid: int) -> bytes:
    try:
        return Path("/proc", str(pid), file).read_bytes()
    except OSError:  # ended meanwhile
        return b""
