"""The shape of a suite: what its output holds, and the two functions that a member of the family has.

A launch of another suite has one number of each case, seldom its samples. That number is stored as a sample which is a
mean of many calls, in the field that says what it is over processes. No sample is made up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.interchange.output_line import OutputLine, OutputText
from ictus.model.errors import UsageError
from ictus.model.sample import REJECTED, SAMPLE, TIMES

MICRO = -6
"""The power of ten of a microsecond."""
ORDER = "the order of launches"
NEVER_PRINTED = ("the library", "proven errors of clocks", ORDER, "the state of the machine")
"""What no suite says."""
UNKNOWN_CALLS = 0
"""How many calls a number is of, where the file does not say."""


@dataclass(frozen=True)
class PrintedCase:
    """One case of one launch, as a file has it."""

    operation: str
    """One of ours where it is the same call, else the suite's own with the suite's name in front."""
    size_bytes: int
    """As printed: of a block where the operation has blocks."""
    datatype: str
    line: int
    headline: str
    """The field of `samples` that the suite's own number is in."""
    samples: NDArray[np.void]
    """Records of model/sample.py in the order of the file; NaN in what the file does not have."""
    number: str
    """What the number is, in the words of the suite; `{calls}` stands for how many calls it is of."""
    calls: int = 1
    """Calls in one sample; `UNKNOWN_CALLS`."""
    statistic: str | None = "mean"
    """What the number is over calls; None where `samples` are single calls."""
    whole_is_printed: bool = False
    """Whether the printed size is the total volume though the operation has blocks."""
    together: int | None = None
    """Processes that call; None: all of the launch."""
    validated: bool = False
    operator: str = "sum"
    """Of a reduction."""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells the cases of a launch apart."""
        return (self.operation, self.size_bytes, self.datatype, self.operator, self.together)


@dataclass(frozen=True)
class PrintedLaunch:
    """The output of one `mpirun`. Specs are texts."""

    program: str
    version: str
    line: int
    n: int
    """Processes of the launch."""
    cases: tuple[PrintedCase, ...]
    text: str
    """Its own lines, word for word."""
    started: str = "unknown"
    """ISO 8601."""
    procsync: str = "barrier(library)"
    clock: str = "wtime"
    clocksync: str = "none"
    window_s: float | None = None
    warnings: tuple[str, ...] = ()
    label: str | None = None
    """The library, where the file names it."""
    incomplete: str = ""
    """Why the launch did not end well, with the line; nothing where it did."""
    started_with: str = ""
    """Of the echoed command, what says how processes were placed and connected; nothing where none is echoed."""


@dataclass(frozen=True)
class ReadRequest:
    """What the user says of files that do not say it themselves."""

    n: int | None = None
    """Processes of each launch."""
    statistic: str | None = None
    """Which of several printed statistics is each launch's number; None: the suite's own."""


@dataclass(frozen=True)
class ExportedCase:
    """One case of one launch for the table of another suite: the suites' own statistics. Times in seconds."""

    operation: str
    """With its parameters, briefly; the blocking call of a collective has none."""
    size_bytes: int
    """As suites count: of a block where the operation has blocks."""
    datatype: str
    calls: int
    mean_s: float | None
    """Over processes of each one's mean; None where it is not known, as for the others."""
    min_s: float | None
    max_s: float | None


@dataclass(frozen=True)
class ExportedLaunch:
    """One launch, for the table of another suite."""

    label: str
    n: int
    started: str
    cases: tuple[ExportedCase, ...]


@dataclass(frozen=True)
class Suite:
    """A member of the family."""

    name: str
    title: str
    read: Callable[[OutputText, ReadRequest], Sequence[PrintedLaunch]]
    """The launches of a file, in its order. Raises UsageError that names file and line."""
    unknown: tuple[str, ...]
    """What its files never say beside `NEVER_PRINTED`."""
    statistics: tuple[str, ...] = ("mean",)
    """Those that a file may have beside each other, its own first."""
    write: Callable[[ExportedLaunch], "WrittenOutput"] | None = None
    """A launch in its format; None: it cannot be written."""
    prints_library_version: bool = False
    """Whether the version in its output is that of the library, which comparisons are about."""
    adapts_calls: bool = False
    """Whether the suite itself chooses how many calls it times, so that launches of one case differ in it."""


@dataclass(frozen=True)
class WrittenOutput:
    """A launch in the words of a suite, and the operations that the suite has no table for."""

    text: str
    left_out: tuple[str, ...] = ()


def launches_in(parts: Sequence["PrintedLaunch | UsageError"], notes: Sequence[str] = ()) -> list[PrintedLaunch]:
    """The launches of the parts of a file that could be read. What is wrong with the others, and `notes`, become
    warnings of the first launch; UsageError of the first bad part where there is no launch.
    """
    launches = [part for part in parts if isinstance(part, PrintedLaunch)]
    bad = [part for part in parts if isinstance(part, UsageError)]
    if not launches:
        raise bad[0]
    told = (*notes, *(f"a part is left out: {str(usage_error).partition(', ')[2]}" for usage_error in bad))
    return [replace(launches[0], warnings=(*launches[0].warnings, *told)), *launches[1:]]


def one_sample(*, valid: bool = True, **times_s: float) -> NDArray[np.void]:
    """One record with these fields in seconds, NaN in the others. One that is not valid has the flag of a sample that
    was not accepted.
    """
    return sample_rows(1, np.zeros(1, np.uint16) if valid else np.full(1, REJECTED, np.uint16), **times_s)


def sample_rows(n: int, flags: NDArray[np.uint16], **times_s: Any) -> NDArray[np.void]:
    """The same for `n` records, numbered from 0."""
    records = np.zeros(n, SAMPLE)
    records["repetition"] = np.arange(n)
    records["flags"] = flags
    for name in TIMES:
        records[name] = times_s.get(name, nan)
    return records


@dataclass
class CaseList:
    """The cases of one launch, each once."""

    printed_cases: dict[tuple[object, ...], PrintedCase] = field(default_factory=dict)

    def add(self, case: PrintedCase, line: OutputLine) -> None:
        """One more; UsageError where it is there already."""
        first_case = self.printed_cases.setdefault(case.key, case)
        if first_case is not case:
            raise line.error(
                f"{case.operation} of {case.size_bytes} B is there a second time, after line {first_case.line}, in the "
                "output of one launch"
            )
