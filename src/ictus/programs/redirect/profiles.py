"""Files that say what calls become: ours and PGMPITuneLib's, one or a folder of them, as libictus-redirect reads them
(native/src/redirect/profile.cpp).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ictus.programs.redirect.pgmpi import Range, is_pgmpi, parse_pgmpi
from ictus.programs.redirect.profile import RedirectProfile, Reroute, parse_profile


@dataclass(frozen=True)
class Together:
    """What files say together."""

    profile: RedirectProfile
    """Lines that do not overlap."""
    remarks: tuple[str, ...]
    """What is left to the library, for want of a mock-up."""


def parse_profiles(texts: Iterable[tuple[str, str]]) -> Together:
    """Of names and texts, in their order. Of a size the first range that holds it counts, also where it leaves the size
    to the library.

    Raises:
        UsageError: with the file, the line, and what is allowed.
    """
    library = ""
    reroutes: list[Reroute] = []
    remarks: list[str] = []
    taken: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for name, text in texts:
        if is_pgmpi(text):
            read = parse_pgmpi(text, name)
            remarks += read.remarks
            found = [(one, "") for one in read.ranges]
        else:
            profile = parse_profile(text, name)
            library = library or profile.library
            found = [
                (Range(one.operation, one.n, one.from_bytes, one.to_bytes, one.mockup), one.evidence)
                for one in profile.reroutes
            ]
        for one, evidence in found:
            before = taken.setdefault((one.operation, one.n), [])
            for first, last in _free(one, before):
                if one.mockup is not None:
                    reroutes.append(Reroute(one.operation, one.n, first, last, one.mockup, evidence))
            before.append((one.from_bytes, one.to_bytes))
    return Together(RedirectProfile(library, tuple(reroutes)), tuple(remarks))


def _free(one: Range, taken: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What no earlier range holds of it."""
    begin = max(one.from_bytes, 1)
    for first, last in sorted(taken):
        if last >= begin and first <= one.to_bytes:
            if begin < first:
                yield begin, first - 1
            begin = max(begin, last + 1)
    if begin <= one.to_bytes:
        yield begin, one.to_bytes
