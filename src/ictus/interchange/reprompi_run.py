"""A launch of ReproMPI while its lines are read: what its head says, and its rows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ictus.interchange.failure_words import quoted, says_all_is_well, says_failure
from ictus.interchange.imb_head import instant
from ictus.interchange.operations import header_fact, word
from ictus.interchange.output_line import OutputLine
from ictus.interchange.row_form import check_form, is_damaged_row
from ictus.interchange.start_command import StartCommand
from ictus.model.errors import UsageError

BEGIN = "#Command-Line Arguments"
"""The line that begins a launch."""
_FACT = re.compile(r"#@(\w+)=(.*)")
_DATE = re.compile(r"#\s*Benchmark started at (.+?)\s*$")
_OF_HEAD = re.compile(
    r"(?:operation|datatype\w*|root_proc|reproMPI\w*|nprocs|clock\w*|procsync|runtime_type|nrep|window_s|wait_time_s"
    r"|hca\w*|jk\w*|skampi\w*|sync\w*|fitpoints|exchanges|offset\w*)$",
    re.IGNORECASE,
)
"""Properties of the head that are known, or that are of the clocks."""
START, END, GLOBAL_START, GLOBAL_END = "loc_tstart_sec", "loc_tend_sec", "gl_tstart_sec", "gl_tend_sec"
"""Columns of the verbose form."""
_KNOWN = {
    "process", "test", "nrep", "count", "total_nrep", "valid_nrep", "errorcode", "runtime_sec", START, END,
    GLOBAL_START, GLOBAL_END, "mean_sec", "median_sec", "min_sec", "max_sec", "var_sec2", "var_sec", "stddev_sec",
}  # fmt: skip


Row = tuple[OutputLine, Mapping[str, str]]


@dataclass
class ReproMpiRun:
    """What lines say of a launch."""

    first: OutputLine
    command: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    started: str = "unknown"
    header: OutputLine | None = None
    rows: list[Row] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    started_by: StartCommand | None = None
    incomplete: str = ""
    error: UsageError | None = None

    @property
    def begin(self) -> int:
        """Its first line: the command stands above its output."""
        return self.first.number if self.started_by is None else self.started_by.line.number

    def read(self, line: OutputLine) -> None:
        """Take a line; the first error stays."""
        if self.error is None:
            try:
                _take(self, line)
            except UsageError as error:
                self.error = error

    def fail(self, line: OutputLine) -> None:
        """Note the first words of failure of a line that is no row."""
        if says_failure(line.text) and not self.incomplete:
            self.incomplete = f"line {line.number}: {quoted(line.text)}"

    @property
    def case_facts(self) -> dict[str, str]:
        """What the head says of all cases beside factors that are ours."""
        root_fact = {} if self.facts.get("root_proc", "0") == "0" else {"root": self.facts["root_proc"]}
        unknown = [word(f"{key}_{self.facts[key]}") for key in sorted(self.facts) if not _OF_HEAD.match(key)]
        return {**root_fact, **({"header": header_fact(unknown)} if unknown else {})}

    @property
    def is_global(self) -> bool:
        """Whether its clocks were synchronised."""
        return self.facts.get("clocksync", "None").lower() != "none"

    @property
    def columns(self) -> list[str]:
        """Those of its table."""
        return [] if self.header is None else self.header.words


def _take(run: ReproMpiRun, line: OutputLine) -> None:
    fact, date = _FACT.match(line.text), _DATE.match(line.text)
    if line.foreign:
        run.fail(line)
    elif fact:
        if run.rows and run.facts.get(fact[1]) != fact[2].strip():
            raise line.error("a property that changes below the rows of a table")
        if fact[1] == "nprocs" and run.facts.get("nprocs", fact[2].strip()) != fact[2].strip():
            raise line.error(f"nprocs is {fact[2].strip()}, a line above it says {run.facts['nprocs']}")
        run.facts[fact[1]] = fact[2].strip()
    elif date:
        run.started = instant(date[1])
    elif line.words and line.words[0] in ("test", "process"):
        strange = next((name for name in line.words if name not in _KNOWN), None)
        if strange is not None:
            raise line.error(f"unknown column '{strange}'")
        if run.rows and line.words != run.columns:
            raise line.error("columns that change inside a table")
        run.header = line
    elif line.words and not line.text.startswith("#"):
        _row(run, line)


def _row(run: ReproMpiRun, line: OutputLine) -> None:
    """A line that is no comment: a row, or words of the program or its launcher."""
    if says_all_is_well(line.text):
        return
    if run.header is None or (len(line.words) != len(run.columns) and not _looks_like_row(run, line)):
        run.fail(line)
        return
    cells = line.cells(run.columns, run.header)
    check_form(line, run.rows[-1][0] if run.rows else None)
    run.rows.append((line, cells))


def _looks_like_row(run: ReproMpiRun, line: OutputLine) -> bool:
    names = {cells.get("test", "") for _, cells in run.rows[-1:]}
    named = any(text.startswith("MPI_") for text in line.words[:2]) or any(text in names for text in line.words)
    return (named and not says_failure(line.text)) or is_damaged_row(len(run.columns), line)
