"""The process that a host, or the switch between hosts, is: it makes the namespaces, holds them, and ends with them.

It waits for the end of its standard input. That comes when the hosts are taken down, and when whoever made them dies by
whatever cause, so that nothing has to be found and removed later: before it ends, the machine ends every process that
is still in its network, and the namespaces go with the last of them.
"""

import errno
import json
import os
import shutil
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from ictus.launch.namespaces import kernel
from ictus.launch.namespaces.netlink import Network

INTERFACE = "eth0"
PREFIX_LENGTH = 24

_BRIDGE = "br0"
_ROUNDS = 50
"""A process may start others while the list is walked: it is walked again, but not for ever."""


def main() -> None:
    """Be the machine that the first argument describes (JSON): say `ready` or why not, then wait, then end all."""
    description = json.loads(sys.argv[1])
    before = _network()
    try:
        _become(description)
    except OSError as error:
        print(json.dumps(reason(error)), flush=True)
        return
    assert _network() != before, "whoever ends all in a network had better be in one of its own"
    print(json.dumps(None), flush=True)
    sys.stdin.read()
    end_all_inside()
    if description["switch"] is None:  # the last machine to end
        shutil.rmtree(description["folder"], ignore_errors=True)


def _become(description: dict[str, Any]) -> None:
    if description["switch"] is None:
        kernel.leave(kernel.NETWORK)
        Network().add_bridge(_BRIDGE)
        return
    cable_side, bridge = _network_of(description["switch"])
    kernel.leave(kernel.NETWORK | kernel.HOST_NAME | kernel.SYSTEM_V | kernel.TIME)
    kernel.step_clocks(description["step_ns"])
    kernel.name_host(description["name"])
    cable_side.add_cable(description["name"], bridge, INTERFACE, os.getpid())
    cable_side.close()
    inside = Network()
    inside.set_up(socket.if_nametoindex("lo"))
    index = socket.if_nametoindex(INTERFACE)
    inside.add_address(index, description["address"], PREFIX_LENGTH)
    inside.set_up(index)


def _network_of(switch: int) -> tuple[Network, int]:
    """A hand on the switch's network, and the number of its bridge there."""
    kernel.enter(switch, "net")
    return Network(), socket.if_nametoindex(_BRIDGE)


def reason(error: OSError) -> str:
    """What the kernel refused, in a sentence."""
    if error.errno == errno.EPERM:
        return (
            "only root may make network and time namespaces; where the kernel lets users be root of their own, "
            "`unshare --user --map-root-user` before the command does"
        )
    if error.errno == errno.EOPNOTSUPP:
        return "this kernel has no virtual network (modules bridge and veth)"
    if error.errno == errno.ENOSPC:
        return "this kernel allows no more namespaces (/proc/sys/user/max_*_namespaces)"
    return f"the kernel refuses to make a host of namespaces: {error.strerror}"


def end_all_inside() -> None:
    """End every process of this network but this one."""
    for _ in range(_ROUNDS):
        others = _inside()
        if not others:
            return
        for pid in others:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _network() -> Path:
    return Path("/proc/self/ns/net").readlink()


def _inside() -> tuple[int, ...]:
    """The processes whose network is ours, zombies not among them: what has ended is in no namespace."""
    own = _network()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if (entry / "ns" / "net").readlink() == own:
                    found.append(int(entry.name))
    return tuple(found)
