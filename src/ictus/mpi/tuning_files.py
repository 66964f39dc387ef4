"""The files and variables that make a library take other algorithms.

Only confirmed choices are written: an algorithm is chosen between the first and the last of neighbouring sizes at which
it was confirmed, and for the confirmed number of processes. Everything else remains the library's own choice, where its
format allows that. The flavour knows the format (`Flavour.tuning_files`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ictus.model.algorithm import Algorithm, Setting


@dataclass(frozen=True)
class AlgorithmRange:
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


def key(choice: AlgorithmRange) -> tuple[str, int, int]:
    """The order that files are written in."""
    return choice.operation, choice.n, choice.from_bytes


def joined(
    choices: Iterable[AlgorithmRange], sizes: Mapping[tuple[str, int], Sequence[int]]
) -> tuple[AlgorithmRange, ...]:
    """Choices of one size each, with neighbours of the same algorithm joined. `sizes` are those that were measured, by
    operation and number of processes: between two that are no neighbours nothing is known.
    """
    ranges: list[AlgorithmRange] = []
    for choice in sorted(choices, key=key):
        last = ranges[-1] if ranges else None
        if last is not None and _continues(last, choice, sizes.get((choice.operation, choice.n), ())):
            ranges[-1] = AlgorithmRange(
                choice.operation, choice.n, last.from_bytes, choice.to_bytes, last.from_block, choice.to_block,
                choice.algorithm, choice.segment_bytes,
            )  # fmt: skip
        else:
            ranges.append(choice)
    return tuple(ranges)


def _continues(last: AlgorithmRange, following: AlgorithmRange, sizes: Sequence[int]) -> bool:
    same = (last.operation, last.n, last.algorithm, last.segment_bytes) == (
        following.operation, following.n, following.algorithm, following.segment_bytes,
    )  # fmt: skip
    return same and not any(last.to_bytes < size < following.from_bytes for size in sizes)


FOLDER = "{folder}"
"""Replaced by the folder of the files in the variables."""


@dataclass(frozen=True)
class TuningFiles:
    """Files by name, and what makes a launch use them."""

    files: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    """With FOLDER in the place of where the files are."""
    options: tuple[str, ...] = ()
    """Words for the launcher."""
    unsized: tuple[str, ...] = ()
    """Operations whose remedy the library takes for all sizes."""
    read_proofs: Mapping[str, str] = field(default_factory=dict)
    """Control variables by which a launch shows that it read the files."""
    left_out: tuple[AlgorithmRange, ...] = ()
    """What the files do not say: another algorithm is taken for all sizes of the operation."""

    def setting(self, folder: str) -> Setting:
        """As a variant's setting, with the files in that folder."""
        environment, read_proofs = (
            {name: value.replace(FOLDER, folder) for name, value in values.items()}
            for values in (self.environment, self.read_proofs)
        )
        return Setting(environment, self.options, read_proofs)


def contradicting(ranges: Iterable[AlgorithmRange], taken: AlgorithmRange) -> list[AlgorithmRange]:
    """Those that `taken`, which holds for all sizes, contradicts."""
    same = (taken.algorithm, taken.segment_bytes)
    return [choice for choice in ranges if (choice.algorithm, choice.segment_bytes) != same]


def one_each(choices: Sequence[AlgorithmRange]) -> tuple[dict[str, str], tuple[AlgorithmRange, ...]]:
    """The algorithm of each operation, where a library takes one for all sizes, and the choices that contradict it."""
    taken: dict[str, AlgorithmRange] = {}
    for choice in choices:
        taken.setdefault(choice.operation, choice)
    left_out = tuple(
        contradicted
        for kept in taken.values()
        for contradicted in contradicting(of_operation(choices, kept.operation), kept)
    )
    return {name: first.algorithm.name for name, first in taken.items()}, left_out


def of_operation(choices: Iterable[AlgorithmRange], operation: str) -> list[AlgorithmRange]:
    """Those of one operation."""
    return [choice for choice in choices if choice.operation == operation]
