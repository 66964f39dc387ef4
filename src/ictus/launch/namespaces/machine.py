"""The process of a host, or of the switch between hosts: it makes the namespaces, holds them, and ends with them.

It waits for the end of its standard input, which comes when the hosts are removed or their maker dies for any reason.
Then it ends every process in its network, and the namespaces disappear with the last of them.

The network is a bridge, pairs of interfaces and addresses, made by netlink messages to the kernel, so that no `ip` is
needed. Source: rtnetlink(7); the numbers are from the kernel's if_link.h, if_addr.h and veth.h.
"""

import errno
import json
import os
import shutil
import signal
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from ictus.launch.namespaces import kernel

_NEW_LINK, _NEW_ADDRESS = 16, 20
_REQUEST, _ACKNOWLEDGE, _CREATE, _EXCLUSIVE = 0x001, 0x004, 0x400, 0x200
_ERROR = 2
_UP = 0x1

_ADDRESS, _LOCAL = 1, 2
_NAME, _MASTER, _LINK_INFO, _NAMESPACE_OF = 3, 10, 18, 19
_KIND, _DATA = 1, 2
_PEER = 1

_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_LINK = struct.Struct("=BxHiII")
_IP = struct.Struct("=BBBBI")


class Network:
    """The network of the namespace that this object was made in: it stays with it, wherever the process goes."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, socket.NETLINK_ROUTE)
        self._socket.bind((0, 0))

    def close(self) -> None:
        """Ask no more."""
        self._socket.close()

    def add_bridge(self, name: str) -> None:
        """A switch, switched on."""
        self._new_link(_link(_UP), _text(_NAME, name), _nested(_LINK_INFO, _text(_KIND, "bridge")))

    def add_cable(self, name: str, bridge: int, peer: str, pid: int) -> None:
        """A cable from the bridge with that index to an interface `peer` in the network of process `pid`."""
        other_end = _attribute(_PEER, _link(0) + _text(_NAME, peer) + _number(_NAMESPACE_OF, pid))
        kind = _nested(_LINK_INFO, _text(_KIND, "veth"), _nested(_DATA, other_end))
        self._new_link(_link(_UP), _text(_NAME, name), _number(_MASTER, bridge), kind)

    def set_up(self, index: int) -> None:
        """Switch the interface with that index on."""
        self._ask(_NEW_LINK, 0, _link(_UP, index))

    def add_address(self, index: int, address: str, prefix_length: int) -> None:
        """Give the interface with that index an IPv4 address."""
        packed = socket.inet_aton(address)
        body = _IP.pack(socket.AF_INET, prefix_length, 0, 0, index)
        self._ask(_NEW_ADDRESS, _CREATE | _EXCLUSIVE, body + _attribute(_LOCAL, packed) + _attribute(_ADDRESS, packed))

    def _new_link(self, *parts: bytes) -> None:
        self._ask(_NEW_LINK, _CREATE | _EXCLUSIVE, b"".join(parts))

    def _ask(self, kind: int, flags: int, body: bytes) -> None:
        """Send one request and wait for the answer; OSError with the kernel's reason."""
        self._socket.send(_HEADER.pack(_HEADER.size + len(body), kind, _REQUEST | _ACKNOWLEDGE | flags, 1, 0) + body)
        answer = self._socket.recv(65536)
        _, answered, _, _, _ = _HEADER.unpack_from(answer)
        (error,) = struct.unpack_from("=i", answer, _HEADER.size)
        if answered != _ERROR or error != 0:
            raise OSError(-error, os.strerror(-error))


def _link(flags: int, index: int = 0) -> bytes:
    return _LINK.pack(socket.AF_UNSPEC, 0, index, flags, flags)


def _attribute(kind: int, value: bytes) -> bytes:
    padding = -len(value) % 4
    return _ATTRIBUTE.pack(_ATTRIBUTE.size + len(value), kind) + value + b"\0" * padding


def _nested(kind: int, *attributes: bytes) -> bytes:
    return _attribute(kind, b"".join(attributes))


def _text(kind: int, value: str) -> bytes:
    return _attribute(kind, value.encode() + b"\0")


def _number(kind: int, value: int) -> bytes:
    return _attribute(kind, struct.pack("=I", value))


READY = "ready"
"""The line of a machine that is there; any other one is the reason why it is not."""
INTERFACE = "eth0"
PREFIX_LENGTH = 24

_BRIDGE = "br0"
_ROUNDS = 50
"""A process may start others while the list is walked: it is walked again, but not for ever."""


def main() -> None:
    """Be the machine that the first argument describes (JSON): say READY or why not, then wait, then end all."""
    description = json.loads(sys.argv[1])
    before = _network()
    try:
        _become(description)
    except OSError as error:
        print(reason(error), flush=True)
        return
    assert _network() != before, "a process that ends all others of a network must be in a network of its own"
    print(READY, flush=True)
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
    """The kernel's refusal, in a sentence."""
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
    path = _network()
    process_ids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if (entry / "ns" / "net").readlink() == path:
                    process_ids.append(int(entry.name))
    return tuple(process_ids)
