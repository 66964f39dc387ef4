"""The head of an IMB launch: program, version and options, and what they say of all tables below."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ictus.interchange.operations import word
from ictus.interchange.output_line import OutputLine

_VERSION = re.compile(r".*#\s+Intel\s*\(R\) MPI Benchmarks\s+(.+?),?\s+(\S+) part(?:n#-*|\s*\((?P<device>\w+)\))?\s*$")
"""`MPI-IO partn#---` is what IMB-IO prints since 2018, whose source has `partn` for a line end; `(GPU)` ends that of a
build for devices.
"""
_PROGRAMS = {"MPI-1": "MPI1", "MPI-2": "EXT", **{f"MPI-{part}": part for part in ("IO", "NBC", "RMA", "EXT")}}
"""By what heads call them: EXT was all of MPI-2."""
_NAMES_OF_OTHERS = ("EXT", "RMA", "P2P")
"""Programs with benchmarks that have the names of those of another program, and do something else."""
_SAME_ANYWHERE = (
    "npmin", "multi", "msglen", "msglog", "mem", "time", "iter", "iter_policy", "input", "include", "exclude",
    "dumpfile", "data_type", "red_data_type", "datatype", "output", "list", "warm_up", "count", "repeat", "warmup",
    "msgsize",
)  # fmt: skip
"""Options that do not change what a row is, or that a line or column tells."""


@dataclass(frozen=True)
class ImbHead:
    """A line with the version."""

    version: str
    program: str
    facts: Mapping[str, str] = field(default_factory=dict)
    """Of all tables: where buffers are, and the program where the name of a benchmark does not tell it."""


def head_in(line: OutputLine) -> ImbHead | None:
    """The head of a line, also behind a warning without a line end; None for another line."""
    match = _VERSION.match(line.text)
    if match is None:
        return None
    program = _PROGRAMS.get(match[2], match[2])
    facts = {"part": word(program)} if program in _NAMES_OF_OTHERS else {}
    if match["device"] is not None:
        facts["accelerator"] = word(match["device"])
    return ImbHead(match[1], f"IMB-{program}", facts)


def options(words: Sequence[str]) -> dict[str, str]:
    """Options of the calling sequence that change what is measured, by their names."""
    facts: dict[str, str] = {}
    name = ""
    for argument in words:
        if argument.startswith("-") and not argument[1:2].isdigit():
            name = word(argument.lstrip("-"))
            if name in _SAME_ANYWHERE:
                name = ""
            else:
                facts[name] = "yes"
        elif name:
            facts[name] = argument if argument.isdecimal() else f"is_{word(argument)}"
            name = ""
    return facts


def instant(text: str) -> str:
    """`Mon Nov 23 07:44:26 2026` in ISO 8601, without a zone: none is printed; "unknown" for another form."""
    try:
        return datetime.strptime(text, "%a %b %d %H:%M:%S %Y").isoformat()  # noqa: DTZ007 (no zone is known)
    except ValueError:
        return "unknown"
