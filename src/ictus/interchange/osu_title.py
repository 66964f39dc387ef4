"""What the title and the comments of an OSU table say of it: each becomes a factor of its cases.

    # Number of Sender threads: 8                                     senders
    # OSU MPI-ROCM Bandwidth Test v7.0                                accelerator
    # Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)        send, receive
    # Datatype: MPI_CHAR.

A comment that is none of these is kept as a factor `header`: a form that is not known here is never pooled with
another one.
"""

import re
from dataclasses import dataclass, field

from ictus.interchange.operations import collective, datatype, header_fact, own_name, with_facts, word
from ictus.interchange.output_line import OutputLine

_TITLE = re.compile(r"#\s*(OSU\s.+?)\s+v?(\d+\.\d[\w.-]*)(.*)$")
_UNNUMBERED = re.compile(r"#\s*(OSU\s.*\bTest\b)(.*)$")
_ANYWHERE = re.compile(r"#\s*OSU\s.*(?:\bTest\b|\sv\d)")
_DATATYPE = re.compile(r"#\s*Datatype:\s*(\w+)")
_ON = r"\s+on\s+(HOST|DEVICE|MANAGED)(?:\s*\((\w+)\))?"
_FACTS = (
    (re.compile(r"#\s*Window creation:\s*(\w+)", re.IGNORECASE), "window"),
    (re.compile(r"#\s*Synchronization:\s*(\w+)", re.IGNORECASE), "synchronization"),
    (re.compile(r"\[\s*pairs:\s*(\d+)\s*\]", re.IGNORECASE), "pairs"),
    (re.compile(r"\[\s*window size:\s*(\d+)\s*\]", re.IGNORECASE), "messages"),
    (re.compile(r"#\s*Number of Sender threads:\s*(\d+)", re.IGNORECASE), "senders"),
    (re.compile(r"#\s*Number of Receiver threads:\s*(\d+)", re.IGNORECASE), "receivers"),
    (re.compile(r"#\s*Number of forked processes in sender:\s*(\d+)", re.IGNORECASE), "forked_senders"),
    (re.compile(r"#\s*Number of forked processes in receiver:\s*(\d+)", re.IGNORECASE), "forked_receivers"),
    (re.compile(r"\bSend Buffer" + _ON, re.IGNORECASE), "send"),
    (re.compile(r"\bRe(?:cv|ceive) Buffer" + _ON, re.IGNORECASE), "receive"),
    (re.compile(r"\bRank 0 Memory" + _ON, re.IGNORECASE), "rank0"),
    (re.compile(r"\bRank 1 Memory" + _ON, re.IGNORECASE), "rank1"),
    (re.compile(r"#\s*(?:MPI_?)?Op(?:eration|erator)?:\s*MPI_(\w+)", re.IGNORECASE), "operator"),
)
"""Comments that say what is measured, and the parameter that each becomes."""
_EXPLAINS = re.compile(r"#\s*Overall\s*=|#\s*ictus:|#[-=\s]*$", re.IGNORECASE)
"""Comments that say the same in every launch."""
_ABOVE = re.compile(r"#\s*Number of\b", re.IGNORECASE)
"""Comments that a program prints before its title."""

_WORDS = {"broadcast": "bcast", "all-to-all": "alltoall", "all-to-allv": "alltoallv", "all-to-allw": "alltoallw"}
_OF_TITLES = re.compile(r"non-?blocking|persistent|personalized exchange|latency|test|collective")
_PROGRAMS = {
    "latency": "latency",
    "bandwidth": "bw",
    "bi-directional bandwidth": "bibw",
    "multiple bandwidth / message rate": "mbw_mr",
    "multi latency": "multi_lat",
    "multi-threaded latency": "latency_mt",
    "multi-process latency": "latency_mp",
}
"""Programs by what their titles say, where it is not a collective."""
_OF_TWO = (
    "osu_latency", "osu_bw", "osu_bibw", "osu_latency_mt", "osu_latency_mp", "osu_persistent_latency",
    "osu_persistent_bandwidth", "osu_persistent_bi_directional_bandwidth", "osu_partitioned_latency",
)  # fmt: skip
"""Programs that run on two processes only, as one-sided ones do."""
_ONE_SIDED = re.compile(r"(?:^|[\s_])(?:put|get|accumulate|get_accumulate|fetch_and_op|compare_and_swap)\b")
HALF_ROUND_TRIPS = ("osu_latency", "osu_latency_mt", "osu_latency_mp", "osu_persistent_latency")
"""Operations whose time is half of one there and back between two processes."""
_ORDER = ("accelerator", *(name for _, name in _FACTS))


@dataclass
class OsuTitle:
    """A program of a log: its title, and what comments say of the rows below."""

    line: OutputLine
    program: str
    version: str = "unknown"
    datatype: str = "char"
    operator: str = "sum"
    facts: dict[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    """Comments that are not understood."""

    @property
    def is_startup(self) -> bool:
        """Whether its output is one line with the times of MPI_Init."""
        return re.search(r"\binit\b", self.program, re.IGNORECASE) is not None and "latency" not in self.program.lower()

    @property
    def is_hello(self) -> bool:
        """Whether it prints no times."""
        return re.search(r"\bhello\b", self.program, re.IGNORECASE) is not None

    @property
    def operation(self) -> str:
        """Our operation, or the program's own name; with the facts as arguments."""
        title = re.sub(r"^OSU\s+(MPI(-\w+)?\s+)?", "", self.program, flags=re.IGNORECASE).lower()
        form = "nonblocking" if re.search(r"non-?blocking", title) else "blocking"
        form = "persistent" if "persistent" in title else form
        about = _OF_TITLES.sub(" ", title).split()
        operation = collective(_WORDS.get(about[0], about[0]), form) if len(about) == 1 else None
        if operation is not None:
            return with_facts(operation, self._ordered)
        plain = " ".join(title.removesuffix("test").split())
        return with_facts(own_name("osu", _PROGRAMS.get(plain, plain)), self._ordered)

    @property
    def _ordered(self) -> dict[str, str]:
        """The facts in one order, so that the order of comments does not matter."""
        fact_names = [name for name in _ORDER if name in self.facts]
        return {name: self.facts[name] for name in (*fact_names, *sorted(self.facts.keys() - set(fact_names)))}

    @property
    def needs_two(self) -> bool:
        """Whether the program runs on two processes only."""
        title = self.program.lower()
        if _ONE_SIDED.search(title) and not re.search(r"\bmulti|message rate", title):
            return True
        return self.operation.partition("(")[0] in _OF_TWO

    def take(self, line: OutputLine) -> None:
        """What a comment says of the rows below it."""
        kind = _DATATYPE.match(line.text.strip())
        facts = facts_in(line)
        if kind:
            self.datatype = "char" if kind[1] == "MPI_CHAR" else datatype(kind[1])
        elif facts:
            self.operator = facts.pop("operator", self.operator)
            self.facts.update(facts)
        elif not _EXPLAINS.match(line.text.strip()):
            self.add_unknown(line.text)

    def add_unknown(self, text: str) -> None:
        """Keep words that are not understood."""
        self.unknown = tuple(dict.fromkeys((*self.unknown, word(text))))
        self.facts["header"] = header_fact(self.unknown)


def facts_in(line: OutputLine) -> dict[str, str]:
    """What a comment says, by parameter; empty where it is not understood."""
    facts = {}
    for pattern, name in _FACTS:
        match = pattern.search(line.text)
        if match:
            kind = match[2] if pattern.groups > 1 and match[1].upper() == "MANAGED" and match[2] else ""
            facts[name] = word(f"{match[1]} {kind}")
    return facts


def stands_above(line: OutputLine) -> bool:
    """Whether a program prints such a comment before its title."""
    return _ABOVE.match(line.text.strip()) is not None


def changes_facts(line: OutputLine) -> bool:
    """Whether a comment says something of a table, so that rows below it are not of the table above."""
    return bool(facts_in(line)) or _DATATYPE.match(line.text.strip()) is not None


def title_in(line: OutputLine) -> OsuTitle | None:
    """The title of a line, also behind a warning without a line end; None for another line."""
    match_anywhere = _ANYWHERE.search(line.text)
    if match_anywhere is None:
        return None
    text = line.text[match_anywhere.start() :].strip()
    numbered, plain = _TITLE.match(text), _UNNUMBERED.match(text)
    if numbered is None and plain is None:
        return None
    if numbered is not None:
        title, facts_text = OsuTitle(line, " ".join(numbered[1].split()), numbered[2]), numbered[3]
    else:
        assert plain is not None, "one of both matches"
        title, facts_text = OsuTitle(line, " ".join(plain[1].split())), plain[2]
    kind = re.match(r"OSU\s+(?:MPI|[NRX]CCL|OpenSHMEM|UPC)-(\w+)\s", title.program, re.IGNORECASE)
    if kind:
        title.facts["accelerator"] = word(kind[1])
    if re.search(r"\bmanaged\b", title.program, re.IGNORECASE):
        title.facts["managed"] = "yes"
    if facts_text.strip():
        title.add_unknown(facts_text)
    return title
