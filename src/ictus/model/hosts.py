"""Hosts that a launch is given by name, where no batch system knows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Hosts:
    """Hosts, and how a command is started on one of them. The ranks are spread in equal blocks, in this order."""

    addresses: tuple[str, ...]
    """What a launcher calls them by."""
    agent: str
    """Program that runs a command on a host, called as ssh is: `AGENT ADDRESS WORD...`."""
    entry: tuple[str, ...]
    """Words before a launcher's command that make it run on the first host."""
    interface: str
    """Network interface that the hosts know each other by."""
    record: Mapping[str, Any]
    """What is to be known of them later, for launch.json."""

    def ranks_per_host(self, n_ranks: int) -> int:
        """Ranks on each host but the last, which may get fewer."""
        return -(-n_ranks // len(self.addresses))
