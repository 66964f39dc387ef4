"""The kernel's calls to make a host: leave and enter namespaces, set their name and clock.

It uses only the standard library and is quick to import: the agent runs once for each host of a launch. Python has
these calls itself from 3.12 on. Sources: unshare(2), setns(2), time_namespaces(7).
"""

import ctypes
import os
from pathlib import Path

NETWORK = 0x40000000
HOST_NAME = 0x04000000
SYSTEM_V = 0x08000000
TIME = 0x00000080

OF_A_HOST = {"net": NETWORK, "uts": HOST_NAME, "ipc": SYSTEM_V, "time_for_children": TIME}
"""The namespaces of a host, by their names in /proc/PID/ns. The offsets of a time namespace can only be written before
its first process starts, so it is identified by the namespace of its maker's children."""

_S = 10**9


def leave(kinds: int) -> None:
    """Put this process into namespaces of its own of these kinds; OSError where the kernel refuses."""
    _check(_libc().unshare(kinds))


def enter(pid: int, name: str) -> None:
    """Join the namespace of that name that process `pid` is in (or, for a clock, made); OSError where refused."""
    descriptor = os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _check(_libc().setns(descriptor, OF_A_HOST[name]))
    finally:
        os.close(descriptor)


def name_host(name: str) -> None:
    """Set the name of the host whose namespace this process is in."""
    text = name.encode()
    _check(_libc().sethostname(text, len(text)))


def step_clocks(step_ns: int) -> None:
    """Move the clocks that count from the start ahead by this number of nanoseconds, for all processes started from now
    on.

    CLOCK_MONOTONIC_RAW follows CLOCK_MONOTONIC. The time of day and the counter of the processor cannot be stepped.
    """
    seconds, nanoseconds = divmod(step_ns, _S)
    lines = "".join(f"{clock} {seconds} {nanoseconds}\n" for clock in ("monotonic", "boottime"))
    Path("/proc/self/timens_offsets").write_text(lines)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
