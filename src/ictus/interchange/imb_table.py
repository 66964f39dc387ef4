"""One table of IMB: what its comments say, and the case of each row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ictus.interchange.operations import WHOLE_IS_PRINTED, collective, header_fact, own_name, reduces, with_facts, word
from ictus.interchange.output_line import OutputLine
from ictus.interchange.suite import MICRO, PrintedCase, one_sample

COLUMNS = {
    "Group", "#bytes", "#repetitions", "t[usec]", "t_min[usec]", "t_max[usec]", "t_avg[usec]", "t_ovrl[usec]",
    "t_pure[usec]", "t_CPU[usec]", "overlap[%]", "Mbytes/sec", "Msg/sec", "defects",
}  # fmt: skip
_PROCESSES = re.compile(r"#\s*#processes = (\d+)(?:\s*\(threads:\s*(\d+)\))?")
_GROUPS = re.compile(r"#\s*\(\s*(\d+) groups of (\d+) processes")
_WAITING = re.compile(r"#\s*\(\s*(\d+) additional process")
_MODE = re.compile(r"#\s*MODE:\s*(\S+)")
_WINDOW = re.compile(r"#\s*window_size\s*=\s*(\d+)")
_SAYS_NOTHING = re.compile(r"#[-#\s]*$|#\s*Group\s+\d+:|#\s+\d[\d\s]*$|#\s*ictus:")
_SAME = {"sendrecv": "sendrecv_ring", "exchange": "exchange"}
"""Benchmarks that are no collectives, and are the same call as an operation of ours."""
_MOST_BYTES, _MOST_MESSAGES = 1e15, 1e13
"""More a second no machine moves."""


@dataclass(frozen=True)
class ImbDatatypes:
    """What the head of a launch says of all its tables."""

    moved: str = "byte"
    reduced: str = "float"
    operator: str = "sum"
    ignored: tuple[str, ...] = ()
    """Benchmarks that ignore the datatype that was asked for, in lower case."""

    def of(self, benchmark: str) -> str:
        """That of a benchmark; one that ignores what was asked for has IMB's usual one."""
        datatypes = ImbDatatypes()
        chosen = datatypes if benchmark in self.ignored else self
        return chosen.reduced if reduces(benchmark) else chosen.moved


@dataclass
class ImbTable:
    """A table, while its comments are read."""

    name: str
    multi: bool
    line: OutputLine
    processes: int | None = None
    counted: OutputLine | None = None
    """The line that says how many processes."""
    groups: int = 1
    waiting: int = 0
    header: OutputLine | None = None
    facts: dict[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    last: OutputLine | None = None
    """The last row."""
    wrong: set[int] = field(default_factory=set)
    """Sizes of which a line says that the result was wrong."""
    next_is_wrong: bool = False

    @property
    def columns(self) -> list[str]:
        """Those of the header."""
        return [] if self.header is None else self.header.words

    @property
    def total(self) -> int | None:
        """Processes of the launch."""
        return None if self.processes is None else self.processes * self.groups + self.waiting

    def take(self, line: OutputLine) -> None:
        """What a comment between the name and the columns says."""
        text = line.text.strip()
        processes, groups, waiting = _PROCESSES.match(text), _GROUPS.match(text), _WAITING.match(text)
        mode, window = _MODE.match(text), _WINDOW.match(text)
        if processes:
            self.processes, self.counted = int(processes[1]), line
            if processes[2] is not None:
                self.facts["threads"] = processes[2]
        elif groups:
            self.groups, self.processes, self.counted = int(groups[1]), int(groups[2]), line
        elif waiting:
            self.waiting = int(waiting[1])
        elif mode:
            self.facts["mode"] = word(mode[1])
        elif window:
            self.facts["messages"] = window[1]
        elif not _SAYS_NOTHING.match(text):
            self.unknown = tuple(dict.fromkeys((*self.unknown, word(text))))
            self.facts["header"] = header_fact(self.unknown)

    def begin_rows(self, line: OutputLine) -> None:
        """The line of columns. Raises UsageError."""
        strange = next((heading for heading in line.words if heading not in COLUMNS), None)
        if strange is not None:
            raise line.error(f"unknown column '{strange}'")
        if self.processes is None:
            raise line.error("a line of columns without '# Benchmarking' and '# #processes' above it")
        if self.last is not None:
            raise line.error(
                f"a second line of columns below line {self.line.number}, and no '# Benchmarking' above it"
            )
        self.header = line

    def case(self, line: OutputLine, options: Mapping[str, str], kinds: ImbDatatypes) -> tuple[PrintedCase, str]:
        """The case of a row, and why it has no valid sample, if so."""
        assert self.header is not None, "rows are read below a header"
        cells = line.cells(self.columns, self.header)
        size_bytes = line.count_of(cells["#bytes"], "#bytes") if "#bytes" in cells else 0
        times_s, headline, number = self._times(cells, size_bytes, line)
        defects = line.number_of(cells.get("defects", "0"), "defects")
        wrong = defects > 0 or self.next_is_wrong or size_bytes in self.wrong
        self.next_is_wrong = False
        why = "its rate is 0" if not times_s else ""
        reason = f"defects {cells.get('defects')}" if defects else "a line above it says so"
        why = f"the result was wrong ({reason})" if wrong else why
        operation = self._operation(cells.get("Group"), options)
        plain = operation.partition("(")[0].removeprefix("i")
        return PrintedCase(
            operation=operation,
            size_bytes=size_bytes,
            datatype=kinds.of(self.name.lower()),
            operator=kinds.operator if reduces(self.name) else "sum",
            line=line.number,
            headline=headline,
            samples=one_sample(valid=not why, **(times_s or {headline: 0.0})),
            number=number,
            calls=line.count_of(cells["#repetitions"], "#repetitions"),
            whole_is_printed=plain in WHOLE_IS_PRINTED,
            together=self.processes if self.waiting and self.groups == 1 else None,
            validated="defects" in cells and not wrong,
        ), why

    def _times(self, cells: Mapping[str, str], size_bytes: int, line: OutputLine) -> tuple[dict[str, float], str, str]:
        """The fields of a sample, empty for a rate of 0; which is the number of the launch; and what that is."""

        def seconds(column: str) -> float:
            return line.time_of(cells[column], column, MICRO)

        if "t_avg[usec]" in cells:
            fields = {"local_mean": "t_avg[usec]", "local_min": "t_min[usec]", "local_max": "t_max[usec]"}
            times_s = {name: seconds(column) for name, column in fields.items() if column in cells}
            line.check_order(times_s.get("local_min"), times_s["local_mean"], times_s.get("local_max"), "t_avg[usec]")
            mean = "the mean over processes of each one's mean of {calls} calls"
            return times_s, "local_mean", f"t_avg[usec] as printed, {mean}"
        if "t_pure[usec]" in cells:
            pure = "the mean of {calls} calls of the process that overlaps longest"
            return {"local_mean": seconds("t_pure[usec]")}, "local_mean", f"t_pure[usec] as printed, {pure}"
        if "t[usec]" in cells:
            half = "half of " if self.name.lower().startswith("pingpong") else ""
            longest = f"{half}the largest over processes of each one's mean of {{calls}} calls"
            return {"local_max": seconds("t[usec]")}, "local_max", f"t[usec] as printed, {longest}"
        column, amount = ("Msg/sec", 1) if "Msg/sec" in cells else ("Mbytes/sec", size_bytes)
        if column not in cells:
            raise line.error("no column of times or rates is in the table")
        rate = line.number_of(cells[column], column, 0 if column == "Msg/sec" else 6)
        if rate > (_MOST_MESSAGES if column == "Msg/sec" else _MOST_BYTES):
            raise line.error(f"{column} is '{cells[column]}': no machine moves as much")
        number = f"{'1' if amount == 1 else 'size'} over {column} as printed, the time of a message"
        return ({"local_max": amount / rate} if rate and amount else {}), "local_max", number

    def _operation(self, group: str | None, options: Mapping[str, str]) -> str:
        """Our operation for a benchmark, or the benchmark's own name; with what it is about."""
        name = self.name.lower()
        overlaps = "t_pure[usec]" in self.columns
        plain = name.removesuffix("_pure")
        form = "nonblocking" if plain.startswith("i") and collective(plain[1:]) else "blocking"
        ours = collective(plain[1:] if form == "nonblocking" else plain, form) or _SAME.get(name)
        facts = {**self.facts, **options}
        if ours is not None and not self.multi and not overlaps and "mode" not in facts:
            return with_facts(ours, facts)
        about: dict[str, object] = {"mode": facts.pop("mode")} if "mode" in facts else {}
        if self.multi:
            about |= {"groups": self.groups} | ({"group": group} if group is not None else {})
        return with_facts(own_name("imb", f"multi_{name}" if self.multi else name, **about), facts)
