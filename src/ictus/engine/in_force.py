"""Whether the algorithm of a launch is in force in it: what its control variables, its library's lines and its recorded
environment say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ictus.model.algorithm import DEFAULT, Variant
from ictus.mpi.failure_cause import CALLS_MARK
from ictus.store.launch_files import CONTROL_VARIABLES, control_variables
from ictus.store.launch_record import read_launch

_SPOKEN = ("stdout.txt", "stderr.txt")


def not_in_force(folder: Path, variant: Variant) -> str | None:
    """Why a complete launch does not count as one of `variant`; None where nothing contradicts it.

    Four witnesses: the control variables in that launch (cvars.json), the library's messages about unknown settings,
    how often it said that an algorithm could not serve a call, and the environment that the ranks recorded.
    """
    if variant.name == DEFAULT:
        return None
    contradictions = (
        *wrong_control_variables(folder, variant.setting.expected),
        *_words(folder, variant),
        *_environment(folder, variant),
    )
    contradiction = next(iter(contradictions), None)
    return None if contradiction is None else f"algorithm '{variant.name}' is not in force: {contradiction}"


def _environment(folder: Path, variant: Variant) -> Iterator[str]:
    """Differences in the recorded variables that are a factor; ranks may have had others."""
    recorded = read_launch(folder).head.environment
    for name, expected_value in variant.environment.items():
        value = recorded.get(name, expected_value)
        if value != expected_value:
            yield f"variable {name} was {value!r} where {expected_value!r} was asked for"


def wrong_control_variables(folder: Path, expected: Mapping[str, str]) -> Iterator[str]:
    """Control variables of a launch (cvars.json) that are not as expected, in a sentence each."""
    if not expected:
        return
    if not (folder / CONTROL_VARIABLES).exists():
        yield "the launch did not say which control variables it had (there is no cvars.json)"
        return
    values = control_variables(folder)
    for name, expected_value in expected.items():
        value = values.get(name)
        if value is None:
            yield f"the library has no control variable {name} in this launch"
        elif value != expected_value:
            yield f"control variable {name} was {value!r} where {expected_value!r} was asked for"


def _words(folder: Path, variant: Variant) -> Iterator[str]:
    setting = variant.setting
    lines = [line for name in _SPOKEN for line in _text(folder / name).splitlines()]
    for pattern in setting.confirmed:
        if not any(re.search(pattern, line) for line in lines):
            yield f"the library does not say that it read the setting (no line '{pattern}')"
    for pattern in setting.refusals:
        line = next((line for line in lines if re.search(pattern, line)), None)
        if line is not None:
            yield f"the library says '{line.strip()}'"
    if setting.fallbacks:
        calls = {case.case_id: case.attempted + max(case.warmup, 0) for case in read_launch(folder).cases}
        for pattern in setting.fallbacks:
            yield from _unserved(lines, pattern, calls)


def _unserved(lines: Sequence[str], pattern: str, calls: Mapping[int, int]) -> Iterator[str]:
    """The first case whose calls got another algorithm, by the lines between the marks around its calls.

    A library says so once a call in each communicator. Our own calls and those of MPI_Init may say so too, outside of
    all marks. Lines of other ranks than the one that marks may come a little later: half of the calls are enough, and
    a few lines are not.
    """
    complaints: dict[int | None, int] = {}
    present_case, complaint, marked = None, "", False
    for line in lines:
        mark = CALLS_MARK.match(line)
        if mark is not None:
            present_case, marked = int(mark[1]) if mark[2] == "begin" else None, True
        elif re.search(pattern, line):
            complaints[present_case], complaint = complaints.get(present_case, 0) + 1, complaint or line.strip()
    if complaints and not marked:
        yield f"the library says {sum(complaints.values()):,} times '{complaint}', not marked with the case"
    for case_id, n in calls.items():
        if 0 < n <= 2 * complaints.get(case_id, 0):
            heard = f"{complaints[case_id]:,} times in {n:,} calls of case {case_id}"
            yield f"the library says '{complaint}' {heard}, and takes another one"


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.exists() else ""
