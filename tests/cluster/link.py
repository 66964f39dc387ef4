"""The cable between two hosts made of namespaces as a long one: a delay of its own each way, jitter and loss. What `tc
netem` does where the kernel has it is done here by a process that carries each frame, so that every kernel has it.
"""

import ctypes
import fcntl
import heapq
import json
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.cluster.test_hosts import holder_of
from tests.engines import ROOT

from ictus.launch.namespaces import kernel, machine
from ictus.model.job import Hosts

_READY = "carrying"
_LONGEST_FRAME = 1 << 16
_SET_FLAGS, _ETHTOOL = 0x8914, 0x8946  # SIOCSIFFLAGS, SIOCETHTOOL
_OFFLOADS = (0x17, 0x1F)  # ETHTOOL_STXCSUM, ETHTOOL_STSO
_EVERY_PROTOCOL = 0x0003  # ETH_P_ALL


@dataclass(frozen=True)
class Cable:
    """Delays in seconds."""

    there_s: float
    """From host 0 to host 1."""
    back_s: float
    jitter_s: float = 0.0
    """Mean of the exponentially distributed part of each delay; frames do not overtake each other."""
    loss: float = 0.0
    """Share of the frames that are lost, each way."""
    seed: int = 1


@contextmanager
def long_cable(hosts: Hosts, cable: Cable) -> Iterator[None]:
    """While the block runs, hosts 0 and 1 are joined by this cable, and no other host is joined to them."""
    holders = [holder_of(hosts, number) for number in (0, 1)]
    words = Path(f"/proc/{holders[0]}/cmdline").read_text().split("\0")
    switch = next(json.loads(word)["switch"] for word in words if word.startswith('{"switch"'))
    carrying = (sys.executable, "-m", "tests.cluster.link", json.dumps([switch, holders, asdict(cable)]))
    with subprocess.Popen(carrying, cwd=ROOT, stdout=subprocess.PIPE, text=True) as carrier:
        assert carrier.stdout is not None
        assert carrier.stdout.readline().strip() == _READY
        yield
        carrier.send_signal(signal.SIGTERM)


def _send_whole_frames() -> None:
    """The host of this network fills in checksums and cuts its frames itself: behind its cable is no such hardware."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in _OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("=II", command, 0), 8)
            fcntl.ioctl(control, _ETHTOOL, struct.pack("@16sP16x", machine.INTERFACE.encode(), ctypes.addressof(value)))


def _port(name: str) -> socket.socket:
    """Every frame that comes in at this end of the switch, and a way out."""
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_EVERY_PROTOCOL))
    port.bind((name, 0))
    port.setblocking(False)
    return port


def main() -> None:
    """Carry frames until the end."""
    switch, holders, described = json.loads(sys.argv[1])
    for holder in holders:
        kernel.enter(holder, "net")
        _send_whole_frames()
    kernel.enter(switch, "net")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:  # the switch itself carries nothing any more
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("=16sh14x", b"br0", 0))
    ports = (_port("h0"), _port("h1"))
    print(_READY, flush=True)
    _carry(ports, Cable(**described))


def _carry(ports: tuple[socket.socket, socket.socket], cable: Cable) -> None:
    draw = random.Random(cable.seed)
    delays, last = (cable.there_s, cable.back_s), [0.0, 0.0]
    waiting: list[tuple[float, int, int, bytes]] = []
    count = 0
    while True:
        wait = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for port in select.select(ports, (), (), wait)[0]:
            side = ports.index(port)
            frame, (_, _, kind, *_) = port.recvfrom(_LONGEST_FRAME)
            if kind == socket.PACKET_OUTGOING or draw.random() < cable.loss:
                continue
            jitter = draw.expovariate(1 / cable.jitter_s) if cable.jitter_s else 0.0
            last[side] = max(last[side], time.monotonic() + delays[side] + jitter)
            count += 1
            heapq.heappush(waiting, (last[side], count, 1 - side, frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, side, frame = heapq.heappop(waiting)
            ports[side].send(frame)


if __name__ == "__main__":
    main()
