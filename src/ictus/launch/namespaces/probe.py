"""Whether this machine can make hosts of namespaces: makes two and uses them."""

import subprocess
import sys
import time

from ictus.launch.namespaces.agent import ENTRY
from ictus.launch.namespaces.hosts import CLOCK_STEP_S, namespace_hosts, step_in_ns
from ictus.model.errors import MeasurementError
from ictus.model.job import Hosts

_TIMEOUT_S = 10.0

_READ_CLOCK = "import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))"
_LISTEN = f"""
import socket, sys
server = socket.create_server((sys.argv[1], 0))
server.settimeout({_TIMEOUT_S})
print(server.getsockname()[1], flush=True)
server.accept()[0].sendall(b"heard")
"""
_CALL = f"""
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), {_TIMEOUT_S}) as line:
    sys.exit(line.recv(5) != b"heard")
"""


def probe() -> str | None:
    """None where two hosts could be made, their clocks are a step apart and they hear each other; else the reason."""
    try:
        with namespace_hosts(2) as hosts:
            return _wrong_clock(hosts) or _deaf(hosts)
    except (MeasurementError, OSError, subprocess.SubprocessError) as error:
        return str(error)


def _wrong_clock(hosts: Hosts) -> str | None:
    """The reading of each host lies, less its steps, between two of ours: that is what a step means."""
    for i, address in enumerate(hosts.addresses):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        completed = _python_on(hosts, address, _READ_CLOCK)
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        if not completed.stdout:
            return _unusable(completed)
        if not before <= int(completed.stdout) - i * step_in_ns(CLOCK_STEP_S) <= after:
            return "the kernel makes time namespaces, but a process started in one does not get its clock"
    return None


def _deaf(hosts: Hosts) -> str | None:
    first, second = hosts.addresses
    command = _command_on(hosts, first, _LISTEN, first)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as listener:
        assert listener.stdout is not None
        port = listener.stdout.readline().strip()
        called = _python_on(hosts, second, _CALL, first, port)
        listener.kill()
    return None if called.returncode == 0 else "two hosts made of namespaces do not hear each other"


def _unusable(completed: "subprocess.CompletedProcess[str]") -> str:
    last = completed.stderr.strip().splitlines()[-1:]
    return f"nothing can be started on a host made of namespaces: {' '.join(last) or completed.returncode}"


def _python_on(hosts: Hosts, address: str, code: str, *words: str) -> "subprocess.CompletedProcess[str]":
    command = _command_on(hosts, address, code, *words)
    return subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)


def _command_on(hosts: Hosts, address: str, code: str, *words: str) -> tuple[str, ...]:
    return (hosts.agent, ENTRY, address, sys.executable, "-I", "-S", "-c", code, *words)
