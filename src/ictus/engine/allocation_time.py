"""Whether the next launch fits what is left of the allocation.

A block holds every library once. It is begun only if all of it fits, where an allocation has room for a block at all:
so libraries are interleaved inside one allocation. What a block takes is known from launches that were made.

The batch system says the end by the time of day, which may be stepped meanwhile. It is read once, when the campaign
begins; from then on what is left is counted by the monotonic clock.
"""

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ictus.launch.allocation import read_allocation
from ictus.model.design import Slot
from ictus.store.journal import JournalEntry

RESERVE_S = 5.0
"""For what happens between launches, and for the end of the job."""
_FACTOR = 1.25
"""A launch may take so much longer than the longest of its kind."""


@dataclass
class AllocationTime:
    """The time that is left; without an end there is always enough."""

    slots: Sequence[Slot]
    left_s: float | None
    """What was left when the campaign began."""
    began_s: float = field(default_factory=time.monotonic)
    """By the monotonic clock."""
    is_over: bool = field(default=False, init=False)
    """Whether a launch was refused."""

    @staticmethod
    def now(slots: Sequence[Slot]) -> "AllocationTime":
        """The time of the allocation that this process runs in."""
        allocation = read_allocation()
        end_s = None if allocation is None else allocation.end_s
        return AllocationTime(slots, None if end_s is None else end_s - time.time())

    def allows(
        self, slot: Slot, accepted: Collection[int], entries: Sequence[JournalEntry], wait_s: float = 0.0
    ) -> bool:
        """Whether the launch may begin now, or in `wait_s`."""
        if self.left_s is None:
            return True
        whole_s = self.left_s - RESERVE_S
        left_s = whole_s - (time.monotonic() - self.began_s)
        block = [candidate for candidate in self.slots if candidate.block == slot.block]
        needed_s = self._expected_s([slot], entries)
        if not any(member.slot in accepted for member in block):
            block_s = self._expected_s(block, entries)
            needed_s = block_s if block_s <= whole_s else needed_s
        self.is_over = wait_s + needed_s > left_s
        return not self.is_over

    def _expected_s(self, slots: Sequence[Slot], entries: Sequence[JournalEntry]) -> float:
        """The time of these launches: each as long as the longest with as many processes, else as any; 0 before the
        first.
        """
        n_of = {slot.slot: slot.n for slot in self.slots}
        longest: dict[int, float] = {}
        for entry in entries:
            if entry.event == "accepted" and entry.elapsed_s is not None and entry.slot in n_of:
                n = n_of[entry.slot]
                longest[n] = max(longest.get(n, 0.0), entry.elapsed_s)
        longest_of_all = max(longest.values(), default=0.0)
        return _FACTOR * math.fsum(longest.get(slot.n, longest_of_all) for slot in slots)
