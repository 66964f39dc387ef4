"""Profiles of PGMPITuneLib (Hunold and Carpen-Amarie), and folders of profiles of either format.

A text has one collective and one number of processes. Its sizes are the bytes that one process sends: one block where
our size is the total volume of p blocks. Lines, without those that begin with `#`: MPI's name, the number of processes,
the number of algorithms, `id name` of each, the number of ranges, `from to id` of each, both ends included; the rest of
a line is a comment. The first range that holds a size counts; the algorithm `default` is the library's own.

libictus-redirect reads the same files (native/src/redirect/pgmpi.cpp, profile.cpp); tests compare the readers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.programs.redirect.profile import PluginLine, RedirectProfile, Reroute, mockups, parse_profile

_LARGEST = 2**31 - 1
"""It reads sizes into ints."""

_NAMES = {
    "allgather_as_allreduce": "allgather_as_allreduce",
    "allgather_as_alltoall": "allgather_as_alltoall",
    "allgather_as_gather_bcast": "allgather_as_gather_and_bcast",
    "allreduce_as_reduce_bcast": "allreduce_as_reduce_and_bcast",
    "allreduce_as_reducescatterblock_allgather": "allreduce_as_reduce_scatter_block_and_allgather",
    "bcast_as_scatter_allgather": "bcast_as_scatter_and_allgather",
    "gather_as_allgather": "gather_as_allgather",
    "gather_as_reduce": "gather_as_reduce",
    "reduce_as_allreduce": "reduce_as_allreduce",
    "reduce_as_reducescatterblock_gather": "reduce_as_reduce_scatter_block_and_gather",
    "reduce_as_reducescatter_gatherv": "reduce_as_reduce_scatter_and_gatherv",
    "reducescatterblock_as_reduce_scatter": "reduce_scatter_block_as_reduce_and_scatter",
    "scan_as_exscan_reducelocal": "scan_as_exscan_and_reduce_local",
    "scatter_as_bcast": "scatter_as_bcast",
}
"""Its names of mock-ups, and ours. It has others, which we have no mock-up for, and none of reduce_scatter."""


OWN_CHOICE = "default"
"""Its name of what the library does by itself."""


@dataclass(frozen=True)
class Range:
    """The replacement for calls of these sizes, total volumes with both ends included."""

    operation: str
    n: int
    from_bytes: int
    to_bytes: int
    mockup: str | None
    """None: the library's own choice."""


@dataclass(frozen=True)
class PgmpiText:
    """The content of a text."""

    ranges: tuple[Range, ...]
    """As they stand; they may overlap."""
    remarks: tuple[str, ...]
    """What it names and we lack, which is the library's own choice."""


@dataclass(frozen=True)
class PgmpiProfiles:
    """Profiles in the other form, and what got lost."""

    texts: dict[tuple[int, str], str]
    """By number of processes and operation."""
    remarks: tuple[str, ...]


def is_pgmpi(text: str) -> bool:
    """Whether this looks like one: its first line that is no comment is a name of MPI."""
    return next(_content(text), (0, ""))[1].startswith("MPI_")


def parse_pgmpi(text: str, name: str) -> PgmpiText:
    """Parse a profile of PGMPITuneLib. `name` is that of its file, for messages.

    Raises: UsageError: with the file, the line, and what is allowed.
    """
    lines = _Lines(text, name)
    collective = lines.words("MPI's name of the collective")[0]
    operation = next((mockup for mockup in mockups().values() if _mpi_name(mockup) == collective), None)
    if operation is None:
        return PgmpiText((), (f"{lines.place}there is no mock-up of '{collective}' here: it is left to the library",))
    n = lines.number("the number of processes", 1)
    remarks: list[str] = []
    names = dict(_algorithm(lines, operation, remarks) for _ in range(lines.number("the number of algorithms", 1)))
    ranges = [_range(lines, names) for _ in range(lines.number("the number of ranges", 1))]
    lines.end()
    per_block = n if _in_blocks(operation) else 1
    return PgmpiText(
        tuple(
            Range(operation, n, first * per_block, last * per_block, names[mockup_id])
            for first, last, mockup_id in ranges
        ),
        tuple(remarks),
    )


def format_pgmpi(profile: RedirectProfile) -> PgmpiProfiles:
    """One text for each operation and number of processes; what it cannot say is remarked."""
    texts: dict[tuple[int, str], str] = {}
    remarks: list[str] = []
    for n, operation in sorted({(reroute.n, reroute.operation) for reroute in profile.reroutes}):
        rows = [reroute for reroute in profile.reroutes if (reroute.n, reroute.operation) == (n, operation)]
        ranges = [row for reroute in rows for row in _their_range(reroute, remarks)]
        if ranges:
            texts[n, operation] = _text(operation, n, ranges)
    return PgmpiProfiles(texts, tuple(remarks))


def _their_range(reroute: Reroute, remarks: list[str]) -> Iterator[tuple[int, int, str]]:
    subject = f"{reroute.operation} of {reroute.n} processes, {reroute.from_bytes} to {reroute.to_bytes} bytes"
    theirs = next((name for name, ours in _NAMES.items() if ours == reroute.mockup), None)
    if theirs is None:
        remarks.append(f"{subject}: PGMPITuneLib has no {reroute.mockup}")
        return
    per_block = reroute.n if _in_blocks(reroute.operation) else 1
    first, last = -(-reroute.from_bytes // per_block), min(reroute.to_bytes // per_block, _LARGEST)
    if first > last:
        remarks.append(f"{subject}: no size of whole blocks that its ints hold is in there")
        return
    yield first, last, theirs


def _text(operation: str, n: int, ranges: list[tuple[int, int, str]]) -> str:
    names = list(dict.fromkeys(name for _, _, name in ranges))
    lines = ["# by Ictus; sizes: bytes that one process sends", _mpi_name(operation), str(n), str(len(names))]
    lines += [f"{number} {name}" for number, name in enumerate(names, 1)]
    lines += [str(len(ranges))]
    lines += [f"{first} {last} {names.index(name) + 1}" for first, last, name in ranges]
    return "\n".join(lines) + "\n"


def _content(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        content = line.split("#", 1)[0].strip()
        if content:
            yield number, content


class _Lines:
    """Those of one text, taken one after another."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = _content(text)
        self._name = name
        self.at = 0
        self.line = ""
        """The last one that was taken."""

    @property
    def place(self) -> str:
        """Where that is."""
        return f"{self._name}, line {self.at}: "

    def words(self, what: str) -> list[str]:
        self.at, self.line = next(self._lines, (self.at + 1, ""))
        if not self.line:
            raise self.error(f"the text ends before {what}")
        return self.line.split()

    def number(self, what: str, least: int) -> int:
        return self.whole(self.words(what)[0], what, least)

    def whole(self, word: str, what: str, least: int) -> int:
        if not re.fullmatch("[0-9]{1,10}", word) or not least <= int(word) <= _LARGEST:
            raise self.error(f"{what} '{word}' is not a whole number from {least} to {_LARGEST}")
        return int(word)

    def end(self) -> None:
        for number, line in self._lines:
            self.at = number
            raise self.error(f"'{line}' comes after the last range that was announced")

    def error(self, what: str) -> UsageError:
        return UsageError(f"{self.place}{what}")


def _algorithm(lines: _Lines, operation: str, remarks: list[str]) -> tuple[int, str | None]:
    """An id and our mock-up, None where we have none."""
    words = lines.words("the algorithms that were announced")
    if len(words) != 2:
        raise lines.error(f"'{lines.line}' is not 'id name'")
    number, known_mockups = lines.whole(words[0], "id", 0), mockups()
    ours = _NAMES.get(words[1])
    if ours is not None and known_mockups.get(ours) == operation:
        return number, ours
    if words[1] != OWN_CHOICE:
        remarks.append(
            f"{lines.place}there is no mock-up '{words[1]}' of {operation} here: its sizes are left to the library"
        )
    return number, None


def _range(lines: _Lines, names: Mapping[int, str | None]) -> tuple[int, int, int]:
    words = lines.words("the ranges that were announced")
    if len(words) != 3:
        raise lines.error(f"'{lines.line}' is not 'from to id'")
    first, last, mockup_id = (
        lines.whole(word, what, 0) for word, what in zip(words, ("from", "to", "id"), strict=True)
    )
    if mockup_id not in names:
        raise lines.error(f"id {mockup_id} was not announced")
    if first > last:
        raise lines.error(f"from {first} is above to {last}")
    return first, last, mockup_id


def _in_blocks(operation: str) -> bool:
    return Registries.load().operation(operation).volume == "blocks"


def _mpi_name(operation: str) -> str:
    return Registries.load().operation(operation).mpi_name


@dataclass(frozen=True)
class MergedProfiles:
    """The content of several files together."""

    profile: RedirectProfile
    """Lines that do not overlap."""
    remarks: tuple[str, ...]
    """Calls that are left to the library because a mock-up is missing."""


def parse_profiles(texts: Iterable[tuple[str, str]]) -> MergedProfiles:
    """Parse names and texts, in their order. For a size the first range that holds it counts, even where it leaves the
    size to the library.

    Raises: UsageError: with the file, the line, and what is allowed.
    """
    library = ""
    reroutes: list[Reroute] = []
    plugins: list[PluginLine] = []
    remarks: list[str] = []
    taken: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for name, text in texts:
        if is_pgmpi(text):
            read = parse_pgmpi(text, name)
            remarks += read.remarks
            ranges = [(entry, "") for entry in read.ranges]
        else:
            profile = parse_profile(text, name)
            library = library or profile.library
            plugins += profile.plugins
            ranges = [
                (
                    Range(reroute.operation, reroute.n, reroute.from_bytes, reroute.to_bytes, reroute.mockup),
                    reroute.evidence,
                )
                for reroute in profile.reroutes
            ]
        for entry, evidence in ranges:
            before = taken.setdefault((entry.operation, entry.n), [])
            for first, last in _free(entry, before):
                if entry.mockup is not None:
                    reroutes.append(Reroute(entry.operation, entry.n, first, last, entry.mockup, evidence))
            before.append((entry.from_bytes, entry.to_bytes))
    return MergedProfiles(RedirectProfile(library, tuple(reroutes), tuple(plugins)), tuple(remarks))


def _free(entry: Range, taken: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of it that no earlier range holds."""
    begin = max(entry.from_bytes, 1)
    for first, last in sorted(taken):
        if last >= begin and first <= entry.to_bytes:
            if begin < first:
                yield begin, first - 1
            begin = max(begin, last + 1)
    if begin <= entry.to_bytes:
        yield begin, entry.to_bytes
