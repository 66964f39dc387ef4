"""What a column of a table for scripts means, and its unit: what columns.md is made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_UNITS = (
    (re.compile(r"(?:^|_)bytes_per_s(?:_low|_high)?$"), "B/s"),
    (re.compile(r"_per_byte_s(?:_low|_high)?$"), "s/B"),
    (re.compile(r"_per_s$"), "1/s"),
    (re.compile(r"_s(?:_low|_high)?$"), "s"),
    (re.compile(r"(?:^|_)bytes$"), "B"),
    (re.compile(r"_hz$"), "Hz"),
    (re.compile(r"(?:^|_)(?:ratio|share|p)(?:_|$)|_p$"), "1"),
)
"""By the end of a name, the first that fits; counts, flags and texts have none."""


def unit_of(name: str) -> str:
    """The unit that the name of a column says; empty for counts, flags and texts."""
    return next((unit for pattern, unit in _UNITS if pattern.search(name)), "")


@dataclass(frozen=True)
class ColumnTable:
    """One table: the file or the schema that it is, where it comes from, and its columns."""

    name: str
    """`ictus.compare/1`, `samples.parquet`."""
    source: str
    """What writes it, and what one row is."""
    columns: Mapping[str, str]
    """The meaning of each column. `by_mode.ratio` is a key of the objects that `by_mode` lists."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Of columns whose names do not end in their unit."""

    def unit(self, column: str) -> str:
        """The unit of a column; empty for counts, flags and texts."""
        return self.units.get(column) or unit_of(column.rpartition(".")[2])
