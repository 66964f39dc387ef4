"""Which algorithm a library is to take, for what: the content of its files, whatever their form."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ictus.model.algorithm import Algorithm


@dataclass(frozen=True)
class Choice:
    """An algorithm for an operation in a range of sizes, both ends included."""

    operation: str
    n: int
    from_bytes: int
    """Total volume, as everywhere in Ictus ..."""
    to_bytes: int
    from_block: int
    """... and of one block, where the volume is blocks; else the same."""
    to_block: int
    algorithm: Algorithm
    segment_bytes: int = 0
    """0: the library's own."""


def key(one: Choice) -> tuple[str, int, int]:
    """The order that files are written in."""
    return one.operation, one.n, one.from_bytes


def joined(choices: Iterable[Choice], sizes: Mapping[tuple[str, int], Sequence[int]]) -> tuple[Choice, ...]:
    """Choices of one size each, with neighbours of the same algorithm joined. `sizes` are those that were measured, by
    operation and number of processes: between two that are no neighbours nothing is known.
    """
    found: list[Choice] = []
    for one in sorted(choices, key=key):
        last = found[-1] if found else None
        if last is not None and _continues(last, one, sizes.get((one.operation, one.n), ())):
            found[-1] = Choice(
                one.operation, one.n, last.from_bytes, one.to_bytes, last.from_block, one.to_block, one.algorithm,
                one.segment_bytes,
            )  # fmt: skip
        else:
            found.append(one)
    return tuple(found)


def _continues(last: Choice, one: Choice, sizes: Sequence[int]) -> bool:
    same = (last.operation, last.n, last.algorithm, last.segment_bytes) == (
        one.operation, one.n, one.algorithm, one.segment_bytes,
    )  # fmt: skip
    return same and not any(last.to_bytes < size < one.from_bytes for size in sizes)
