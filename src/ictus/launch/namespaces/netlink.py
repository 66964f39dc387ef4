"""The cables: a bridge, pairs of interfaces and addresses, made by asking the kernel itself, so that no `ip` is needed.

Source: rtnetlink(7), and the kernel's if_link.h, if_addr.h and veth.h for the numbers.
"""

import os
import socket
import struct

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
