"""Where calls are in a program's source, or at least in which function, by what binutils read of its modules."""

import bisect
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

Site = tuple[str, int]
"""A module, and in it the address that a call returns to."""


def resolve_sites(sites: Iterable[Site]) -> Mapping[Site, str]:
    """`file.c:12` where the module has debug information, else `module+0x1a2b (function)`, and where no symbol covers
    the place `module+0x1a2b`; empty where no module is known.
    """
    all_sites = list(sites)
    names = {(module, offset): f"{Path(module).name}+{offset:#x}" if module else "" for module, offset in all_sites}
    # A stranger's profile may name `--plugin=evil.so`, which nm would load, or `@file` with such words.
    for module in Counter(module for module, _ in all_sites if module.startswith("/")):
        module_sites = [site for site in all_sites if site[0] == module]
        lines = dict(_lines(module, module_sites))
        functions = dict(_functions(module, [site for site in module_sites if site not in lines]))
        names |= lines | {site: f"{names[site]} ({function})" for site, function in functions.items()}
    return names


def _lines(module: str, sites: Sequence[Site]) -> Iterator[tuple[Site, str]]:
    # The call lies before the address that it returns to.
    addresses = "".join(f"{offset - 1:#x}\n" for _, offset in sites)
    # A line for each; fewer where the program ended, or is not there.
    for site, line in zip(sites, _output_lines("addr2line", "-e", module, text_in=addresses), strict=False):
        location = line.split(" (discriminator")[0]
        if not location.startswith("??") and not location.endswith((":?", ":0")):
            file, _, number = location.rpartition(":")
            yield site, f"{Path(file).name}:{number}"


def _functions(module: str, sites: Sequence[Site]) -> Iterator[tuple[Site, str]]:
    """Those that reach over the place: of a module without its own functions the last one before may be any."""
    if not sites:
        return
    symbols = sorted({*_symbols(module), *_symbols(module, "-D")})
    starts = [start for start, _, _ in symbols]
    for site in sites:
        before = bisect.bisect_left(starts, site[1])
        if before and site[1] <= sum(symbols[before - 1][:2]):
            yield site, symbols[before - 1][2]


def _symbols(module: str, *which: str) -> Iterator[tuple[int, int, str]]:
    """Start, length and name of each function."""
    for line in _output_lines("nm", "-C", "-S", "--defined-only", *which, module):
        match line.split(maxsplit=3):
            case [start, length, "T" | "t" | "W" | "w" | "i" | "u", name]:
                yield int(start, 16), int(length, 16), name


def _output_lines(*command: str, text_in: str = "") -> Sequence[str]:
    """The lines that a program prints; none where it is not here."""
    try:
        process = subprocess.run(command, input=text_in, capture_output=True, text=True, errors="replace", check=False)
    except OSError:
        return ()
    return process.stdout.splitlines()
