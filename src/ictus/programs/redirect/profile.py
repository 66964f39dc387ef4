"""The profile that libictus-redirect reads: which call of a program becomes which mock-up (format: redirect.md).

A profile is plain text, so that the library needs no parser library (native/src/redirect/profile.cpp is the same reader
in C++; tests compare the two).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ictus.model.errors import UsageError
from ictus.model.registries import Registries

HEADER = "ictus-redirect 1"

NO_SUBSTITUTE = frozenset({"barrier_as_allreduce", "bcast_as_sends", "pingpong_as_packed", "reduce_as_receives"})
"""Mock-ups of which MPI does not promise what it promises of the call, or that stand for several calls."""

_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class PluginLine:
    """An operation of a plug-in, which lines may name with parameters: `plugin NAME OPERATION SHA256 PATH`."""

    name: str
    operation: str
    """That it stands for."""
    sha256: str
    """Of its shared library: what is loaded has this content."""
    path: str
    """Where it was, for messages: the user says where it is."""


@dataclass(frozen=True)
class Reroute:
    """One line: calls of `operation` by `n` processes, of `from_bytes` to `to_bytes`, become `mockup`."""

    operation: str
    """As `ictus list operation` has it: `allgather`."""
    n: int
    """Processes of the communicator, exactly."""
    from_bytes: int
    """Total volume n (operations.md), both ends included."""
    to_bytes: int
    mockup: str
    """Or an operation of a plug-in, `my_bcast(segment=65536)`."""
    evidence: str = ""
    """Why: the rest of the line, in one's own words."""


@dataclass(frozen=True)
class RedirectProfile:
    """The lines, in the order of the file."""

    library: str
    """First line of MPI_Get_library_version where it was measured; empty: unknown."""
    reroutes: tuple[Reroute, ...]
    plugins: tuple[PluginLine, ...] = ()


def mockups() -> dict[str, str]:
    """The mock-ups that can replace a call: name, and the operation that each replaces."""
    operations = Registries.load().family("operation").members
    return {
        operation.name: operation.mockup_of
        for operation in operations
        if operation.mockup_of and operation.name not in NO_SUBSTITUTE
    }


def substitutes() -> dict[str, str]:
    """The same with the operations of plug-ins that this process knows."""
    known_mockups = mockups()
    operations = Registries.load().family("operation").members
    return known_mockups | {
        operation.name: operation.stands_for
        for operation in operations
        if operation.stands_for in known_mockups.values()
    }


def format_profile(profile: RedirectProfile) -> str:
    """The text, which reads back as the same profile.

    Raises:
        UsageError: it cannot be a profile: unknown names, overlapping ranges, an evidence of several lines.
    """
    lines = [HEADER]
    if profile.library:
        lines.append(f"library {profile.library}")
    lines += [f"plugin {plugin.name} {plugin.operation} {plugin.sha256} {plugin.path}" for plugin in profile.plugins]
    lines.append("# operation processes from_bytes to_bytes mock-up evidence")
    for reroute in profile.reroutes:
        words = (reroute.operation, reroute.n, reroute.from_bytes, reroute.to_bytes, reroute.mockup, reroute.evidence)
        lines.append(" ".join(map(str, words)).rstrip())
    text = "\n".join(lines) + "\n"
    if parse_profile(text, "the profile") != profile:
        raise UsageError("the profile cannot be written: a text in it has line breaks or blanks at an end")
    return text


def parse_profile(text: str, name: str = "profile") -> RedirectProfile:
    """Parse a profile. `name` is that of its file, for messages.

    Raises: UsageError: with the file, the line, and what is allowed.
    """
    library = ""
    reroutes: dict[int, Reroute] = {}
    plugins: list[PluginLine] = []
    lines = _lines(text)
    number, header = next(lines, (1, ""))
    if header != HEADER:
        raise _error(name, number, f"'{header}' is not the first line of a profile, which is '{HEADER}'")
    for number, line in lines:
        if line.startswith("library "):
            library = _library(name, number, line, library, bool(reroutes or plugins))
        elif line.startswith("plugin "):
            plugins.append(_plugin(name, number, line, plugins, bool(reroutes)))
        else:
            made = _reroute(name, number, line, plugins)
            _check_overlap(name, number, made, reroutes)
            reroutes[number] = made
    return RedirectProfile(library, tuple(reroutes.values()), tuple(plugins))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Those that say something, numbered from 1."""
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if content and not content.startswith("#"):
            yield number, content


def _error(name: str, number: int, what: str) -> UsageError:
    return UsageError(f"{name}, line {number}: {what}")


def _library(name: str, number: int, line: str, before: str, late: bool) -> str:
    if before or late:
        raise _error(name, number, "'library' comes once, before all calls")
    return line.removeprefix("library ").strip()


def _plugin(name: str, number: int, line: str, before: Iterable[PluginLine], late: bool) -> PluginLine:
    words = line.split(None, 4)
    if len(words) < 5:
        raise _error(name, number, f"'{line}' is not 'plugin name operation sha256 path'")
    if late:
        raise _error(name, number, "'plugin' comes before all calls")
    made = PluginLine(*words[1:])
    known_mockups = mockups().values()
    if made.operation not in known_mockups:
        raise _error(
            name,
            number,
            f"no calls of '{made.operation}' can be rerouted; possible are calls of {_listed(known_mockups)}",
        )
    if not re.fullmatch("[0-9a-f]{64}", made.sha256):
        raise _error(name, number, f"'{made.sha256}' is not a SHA-256, 64 hexadecimal digits")
    if any(plugin_line.name == made.name for plugin_line in before):
        raise _error(name, number, f"plug-in operation '{made.name}' is named twice")
    return made


def _reroute(name: str, number: int, line: str, plugins: Iterable[PluginLine]) -> Reroute:
    words = line.split(None, 5)
    if len(words) < 5:
        raise _error(
            name, number, f"'{line}' is not 'operation processes from_bytes to_bytes mock-up', with words of evidence"
        )
    operation, n, first, last, mockup = words[:5]
    known_mockups = mockups()
    if operation not in known_mockups.values():
        raise _error(
            name, number, f"unknown operation '{operation}'; there are mock-ups of {_listed(known_mockups.values())}"
        )
    fitting = [candidate for candidate, stands_for in known_mockups.items() if stands_for == operation]
    plugged = {plugin.name for plugin in plugins if plugin.operation == operation}
    if mockup not in fitting and mockup.partition("(")[0] not in plugged:
        raise _error(name, number, f"'{mockup}' does not stand for {operation}; {_listed(fitting)} do")
    reroute = Reroute(
        operation,
        _number(name, number, n, "processes", 1),
        _number(name, number, first, "from_bytes", 1),
        _number(name, number, last, "to_bytes", 1),
        mockup,
        words[5] if len(words) > 5 else "",
    )
    if reroute.from_bytes > reroute.to_bytes:
        raise _error(name, number, f"from_bytes {first} is above to_bytes {last}")
    return reroute


def _number(name: str, number: int, word: str, what: str, least: int) -> int:
    if not re.fullmatch("[0-9]{1,19}", word) or not least <= int(word) <= _LARGEST:
        raise _error(name, number, f"{what} '{word}' is not a whole number from {least}")
    return int(word)


def _check_overlap(name: str, number: int, made: Reroute, before: Mapping[int, Reroute]) -> None:
    """With those of the lines `before`."""
    for line, earlier in before.items():
        if (earlier.operation, earlier.n) == (made.operation, made.n) and (
            made.from_bytes <= earlier.to_bytes and earlier.from_bytes <= made.to_bytes
        ):
            raise _error(
                name,
                number,
                f"{made.operation} of {made.n} processes from {made.from_bytes} to {made.to_bytes} bytes overlaps "
                f"{earlier.from_bytes} to {earlier.to_bytes} bytes of line {line}",
            )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))
