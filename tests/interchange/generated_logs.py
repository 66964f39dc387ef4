"""Logs that are made from a drawn truth: what a program measured, how its log was kept, and what went wrong with it.

Written from the documented formats of the suites, and from what launchers put around lines; nothing here knows our
readers. A suite has its own module, which says how its programs print a truth.
"""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Draws:
    """The choices of a log, one after the other, from its seed."""

    random: Random

    def choice(self, values: Sequence[T]) -> T:
        """One of several."""
        return self.random.choice(values)

    def number(self, least: int, most: int) -> int:
        """A whole number."""
        return self.random.randint(least, most)

    def chance(self, one_in: int) -> bool:
        """True once in so many."""
        return self.number(1, one_in) == one_in


@dataclass(frozen=True)
class TrueRow:
    """A row as it was measured. Times in seconds."""

    size: int
    mean_s: float
    least_s: float | None = None
    most_s: float | None = None
    valid: bool = True


@dataclass
class TruePart:
    """One start of a program."""

    facts: tuple[object, ...]
    """All that makes its numbers unlike those of another start: two that differ in it are never one case."""
    n: int
    rows: list[TrueRow]
    lines: list[str] = field(default_factory=list)
    incomplete: bool = False
    refused: bool = False
    """Whether it is so damaged that no reader can know what was measured."""
    contradicted: bool = False
    """Whether its log states another number of processes than the user does."""


@dataclass
class GeneratedLog:
    """A file."""

    parts: list[TruePart]
    content: bytes
    asked_n: int | None


HARMLESS = (
    "[node1:07] mca: base: component_find: unable to open mca_btl_x (ignored)",
    "libfabric:77:1700000000::core:core:fi_getinfo_():1338<warn> no provider",
    "[1700000000.123456] [node1:77:0]          ucp_context.c:1774 UCX  WARN  UCP version is incompatible",
    "Warning: Permanently added 'node2' to the list of known hosts.",
    "Error checking enabled",
    "MPI_ERRORS_RETURN is set",
    "0 errors",
    "error: 0",
    "Job time limit: 01:00:00",
    "",
    "   ",
)
FAILURES = (
    "Assertion failed in file src/mpid/ch4/send.c at line 243: size <= limit",
    "internal ABORT - process 1",
    "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
    "slurmstepd: error: *** STEP 7.0 ON node1 CANCELLED AT 2026-03-04T10:11:12 DUE TO TIME LIMIT ***",
    "mpirun noticed that process rank 1 with PID 77 on node node1 exited on signal 11 (Segmentation fault).",
    "srun: error: node1: task 1: Killed",
    "[node1:77] *** Process received signal ***",
    "Fatal error in PMPI_Send: Other MPI error",
    "forrtl: error (78): process killed (SIGTERM)",
    "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD",
)
LABELS: tuple[Callable[[str], str], ...] = (
    lambda line: f"0: {line}",
    lambda line: f" 0: {line}",
    lambda line: f"[0] {line}",
    lambda line: f"[1,0]<stdout>:{line}",
    lambda line: f"[1,0]<stdout>: {line}",
    lambda line: f"[prterun-node1-77@1,0]<stdout>: {line}",
    lambda line: f"Wed Mar  4 10:11:12 2026[1,0]<stdout>:{line}",
    lambda line: f"Wed Mar  4 10:11:12 2026<stdout>:{line}",
    lambda line: f"\x1b[1;32m{line}\x1b[0m",
)
"""What launchers and terminals put around a line of rank 0."""


def times_us(draws: Draws) -> tuple[int, int, int]:
    """Least, mean and most in hundredths of a microsecond."""
    least, mean, most = sorted(draws.number(1, 500_000) for _ in range(3))
    return least, mean, most


def text_of(hundredths: int) -> str:
    """`12.34`."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def seconds(text: str, power: int = -6) -> float:
    """A printed number times ten to the power, rounded once."""
    return float(Decimal(text).scaleb(power))


def sizes(draws: Draws) -> list[int]:
    """Of a table, ascending."""
    first, count = draws.number(0, 12), draws.number(1, 6)
    return [2 ** (first + step) for step in range(count)]


def damaged_row(draws: Draws, row: str) -> str:
    """A line of which nobody can say what was measured: a size that is none, a row that is cut or glued to a
    warning.
    """
    words = row.split()
    tail = "   ".join(words[1:])
    return draws.choice(
        [
            f"-{words[0]}   {tail}",
            f"{words[0]}.5e2   {tail}",
            f"{words[0]};{';'.join(words[1:])}",
            f"1,{int(words[0]):03d}   {tail}",
            f"{words[0]}K   {tail}",
            f"0x{words[0]}   {tail}",
            "   ".join(words[:-1]) if len(words) > 2 else words[0],
            f"[node1:77] UCX WARN somaxconn unreadable {row.strip()}",
            f"{row} [node1:77] UCX WARN somaxconn unreadable",
            f"{row}  {row.strip()}",
        ]
    )


def with_noise(draws: Draws, lines: Sequence[str]) -> list[str]:
    """Words of libraries between the lines."""
    found: list[str] = []
    for line in lines:
        if draws.chance(8):
            found.append(draws.choice(HARMLESS))
        found.append(line)
    return found


def file_of(draws: Draws, parts: list[TruePart], asked_n: int | None) -> GeneratedLog:
    """The parts one below the other, in a form in which logs are kept."""
    lines = [line for part in parts for line in with_noise(draws, part.lines)]
    if draws.chance(3):
        label = draws.choice(LABELS)
        lines = [label(line) for line in lines]
    end = draws.choice(["\n", "\n", "\r\n"])
    text = end.join(lines) + end
    content = text.encode(draws.choice(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]))
    return GeneratedLog(parts, gzip.compress(content, mtime=0) if draws.chance(6) else content, asked_n)
