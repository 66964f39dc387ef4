"""Schedules of collective operations, played message by message: who has which block of whom when. An independent word
on formulas: nothing here knows one.

A process sends one message at a time and receives one at a time, both at once; a message begins when its sender holds
all that it carries and both are free, and takes alpha + beta bytes. A schedule is played step by step; the messages of
a step know nothing of each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Block = tuple[int, ...]
"""What is moved: whose, or (from, to), or a segment's number."""


@dataclass(frozen=True)
class Message:
    """`blocks` from one process to another, `size_bytes` together."""

    sender: int
    receiver: int
    blocks: frozenset[Block]
    size_bytes: float


Step = Sequence[Message]
"""Messages under way at once."""


@dataclass
class World:
    """Processes with what they hold, and since when."""

    p: int
    alpha_s: float
    beta_s: float
    sending_s: dict[int, float] = field(default_factory=dict)
    receiving_s: dict[int, float] = field(default_factory=dict)
    holding_s: dict[tuple[int, Block], float] = field(default_factory=dict)
    summed: bool = False
    """Whether blocks with one name are parts of a sum: a process may pass its part on only when all have come that the
    schedule sends it before."""

    def has(self, process: int, blocks: Iterable[Block]) -> None:
        """These it has from the start."""
        self.holding_s.update({(process, block): 0.0 for block in blocks})

    def play(self, schedule: Iterable[Step]) -> float:
        """The time at which the last message has arrived."""
        end = 0.0
        for step in schedule:
            before = dict(self.holding_s) if len(step) > 1 else self.holding_s
            for one in step:
                held = max((before[one.sender, block] for block in one.blocks), default=0.0)
                begin = max(held, self.sending_s.get(one.sender, 0.0), self.receiving_s.get(one.receiver, 0.0))
                done = begin + self.alpha_s + self.beta_s * one.size_bytes
                self.sending_s[one.sender] = self.receiving_s[one.receiver] = done
                for block in one.blocks:
                    self._hold(one.receiver, block, done)
                end = max(end, done)
        return end

    def _hold(self, process: int, block: Block, since_s: float) -> None:
        there = self.holding_s.get((process, block))
        if there is None or self.summed:
            self.holding_s[process, block] = max(since_s, there or 0.0)

    def all_have(self, processes: Iterable[int], blocks: Iterable[Block]) -> bool:
        """Whether it did what it is for."""
        wanted = list(blocks)
        return all((process, block) in self.holding_s for process in processes for block in wanted)


def linear_from_root(p: int, size: float, block: Block = (0,)) -> Iterator[Step]:
    """The root sends a whole message to each other process."""
    for receiver in range(1, p):
        yield [Message(0, receiver, frozenset([block]), size)]


def binomial_from_root(p: int, size: float, block: Block = (0,)) -> Iterator[Step]:
    """All who have the message send it on, to the process half of what is left away: `log2 p` rounds."""
    span = 1
    while span < p:
        yield [Message(at, at + span, frozenset([block]), size) for at in range(min(span, p - span))]
        span *= 2


def chain_from_root(p: int, size: float, segments: int) -> Iterator[Step]:
    """Segment after segment down a chain."""
    for segment in range(segments):
        for sender in range(p - 1):
            yield [Message(sender, sender + 1, frozenset([(segment,)]), size / segments)]


def binomial_scatter(p: int, block_bytes: float) -> Iterator[Step]:
    """The root sends each child the blocks of the child's whole subtree, the largest first; children do so in turn."""

    def below(first: int, count: int) -> Iterator[Step]:
        if count < 2:
            return
        half = 1 << ((count - 1).bit_length() - 1)
        moved = frozenset((rank,) for rank in range(first + half, first + count))
        yield [Message(first, first + half, moved, len(moved) * block_bytes)]
        yield from below(first, half)
        yield from below(first + half, count - half)

    yield from below(0, p)


def ring_allgather(p: int, block_bytes: float) -> Iterator[Step]:
    """Each passes on to its neighbour what it received last."""
    for step in range(p - 1):
        yield [Message(at, (at + 1) % p, frozenset([((at - step) % p,)]), block_bytes) for at in range(p)]


def bruck_allgather(p: int, block_bytes: float) -> Iterator[Step]:
    """In round i each sends all that it has, as far as it is missing, to the process 2^i below."""
    span = 1
    while span < p:
        count = min(span, p - span)
        moved = {at: frozenset([((at + i) % p,) for i in range(count)]) for at in range(p)}
        yield [Message(at, (at - span) % p, moved[at], count * block_bytes) for at in range(p)]
        span *= 2


def pairwise_alltoall(p: int, block_bytes: float) -> Iterator[Step]:
    """In step i each sends its block for the process i above."""
    for step in range(1, p):
        target = {at: (at + step) % p for at in range(p)}
        yield [Message(at, target[at], frozenset([(at, target[at])]), block_bytes) for at in range(p)]


def bruck_alltoall(p: int, block_bytes: float) -> Iterator[Step]:
    """In round i each sends on all blocks it holds that still have to go a distance with bit i."""
    holds = {rank: {(rank, target) for target in range(p)} for rank in range(p)}
    bit = 1
    while bit < p:
        moved = {
            rank: frozenset(block for block in holds[rank] if (block[1] - block[0]) % p & bit) for rank in range(p)
        }
        yield [Message(rank, (rank + bit) % p, moved[rank], len(moved[rank]) * block_bytes) for rank in range(p)]
        for rank in range(p):
            holds[rank] = (holds[rank] - moved[rank]) | moved[(rank - bit) % p]
        bit *= 2


def linear_to_root(p: int, size: float) -> Iterator[Step]:
    """Each sends its own to the root."""
    for sender in range(1, p):
        yield [Message(sender, 0, frozenset([(sender,)]), size)]


def binomial_gather(p: int, block_bytes: float) -> Iterator[Step]:
    """The scatter, backwards."""
    yield from backwards(binomial_scatter(p, block_bytes))


def backwards(schedule: Iterable[Step]) -> Iterator[Step]:
    """Each message the other way, the last step first."""
    for step in reversed(list(schedule)):
        yield [Message(one.receiver, one.sender, one.blocks, one.size_bytes) for one in step]


def doubling_sum(p: int, size: float) -> Iterator[Step]:
    """Recursive doubling of one sum: those beyond a power of two hand theirs over first and are told at the end."""
    whole = 1 << (p.bit_length() - 1)
    part = frozenset([(0,)])
    yield [Message(extra, extra - whole, part, size) for extra in range(whole, p)]
    span = 1
    while span < whole:
        yield [Message(rank, rank ^ span, part, size) for rank in range(whole)]
        span *= 2
    yield [Message(extra - whole, extra, part, size) for extra in range(whole, p)]


def chain_of_sums(p: int, size: float, segments: int) -> Iterator[Step]:
    """A reduction, or a scan, down a chain: a process passes a segment on when its neighbour's part has come."""
    for segment in range(segments):
        for sender in range(p - 1):
            yield [Message(sender, sender + 1, frozenset([(segment,)]), size / segments)]


def doubling_scan(p: int, size: float) -> Iterator[Step]:
    """In round i each sends the sum of the 2^i before it to the process 2^i above."""
    span = 1
    while span < p:
        yield [Message(sender, sender + span, frozenset([(0,)]), size) for sender in range(p - span)]
        span *= 2


def ring_of_sums(p: int, block_bytes: float) -> Iterator[Step]:
    """Reduce_scatter round a ring: each block of the sum travels through all processes and grows."""
    for step in range(p - 1):
        yield [Message(at, (at + 1) % p, frozenset([((at - step - 1) % p,)]), block_bytes) for at in range(p)]
