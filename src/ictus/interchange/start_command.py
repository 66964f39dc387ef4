"""The command that started a program, where a log echoes it: how many processes, which program, with which options.

$ mpirun -n 16 --map-by node ./osu_iallgather -m 1:1
+ srun --ntasks=16 ./osu_allreduce
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ictus.interchange.launcher_words import COUNTS, EXACT_COUNT, placing
from ictus.interchange.output_line import OutputLine
from ictus.model.errors import UsageError

_LAUNCHER = re.compile(
    r"(?:^|[\s/;&|$>%+#])(mpirun|mpiexec|mpiexec\.hydra|mpiexec\.openmpi|mpirun_rsh|orterun|prterun|prun|srun|aprun|jsrun|"
    r"ibrun|flux (?:run|submit))\s+(?=\S)"
)
_PROGRAM = re.compile(r"(?:\S*/)?(osu_\w+|IMB-[\w-]+|mpibenchmark|\w+_perf(?:_mpi)?)$")
_NODES = ("-N", "--nodes")
_EACH = ("--ntasks-per-node", "--tasks-per-node")
_VARIABLE = re.compile(r"[A-Za-z_]\w*=\S*")
_BY_RESOURCE_SET = "jsrun"
_BY_NODE = ("srun", "flux run", "flux submit")
"""Launchers whose -N is a number of nodes; of others it is one of processes on each node."""


class RequestError(UsageError):
    """What the user asks for is not what a file has: unlike a damaged part, no other part makes up for it."""


@dataclass(frozen=True)
class StartCommand:
    """A command that was echoed."""

    line: OutputLine
    n: int | None
    """Processes; None where it does not say."""
    program: str | None
    """The benchmark without its folder; None where it is a script."""
    options: tuple[str, ...] = ()
    """Words behind the program."""
    started_with: str = ""
    """What says how processes are placed and connected: the launcher's options, and variables."""


def start_command(line: OutputLine) -> StartCommand | None:
    """The command of a line; None for a line that is none. Words such as `mpirun noticed that ...` are none."""
    match = _LAUNCHER.search(line.text)
    if match is None:
        return None
    parts = [part for part in _split(_words(line.text[match.end() :])) if part]
    counts = [_processes(match[1], part) for part in parts]
    programs = [_program(part) for part in parts]
    if all(count is None for count in counts) and all(program is None for program in programs):
        return None
    stated = [count for count in counts if count is not None]
    n = sum(stated) if len(stated) == len(counts) else None
    name, options = next((program for program in programs if program is not None), (None, ()))
    before = [word for word in _words(line.text[: match.start(1)]) if _VARIABLE.fullmatch(word)]
    return StartCommand(line, n, name, options, placing([before, *map(_before_program, parts)]))


def _before_program(words: Sequence[str]) -> Sequence[str]:
    return words[: next((index for index, text in enumerate(words) if _PROGRAM.match(text)), len(words))]


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=False)
    except ValueError:  # an odd quotation mark
        return text.split()


def _split(words: Sequence[str]) -> list[list[str]]:
    """The parts of a command of several programs, `-n 1 a : -n 1 b`; what follows a pipe is another command."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in ("|", "&&", ";", "2>&1", ">", ">>", "|&", "&"):
            break
        if word == ":":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _program(words: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    for index, word in enumerate(words):
        match = _PROGRAM.match(word)
        if match:
            return match[1], tuple(words[index + 1 :])
    return None


def _processes(launcher: str, words: Sequence[str]) -> int | None:
    """What the options before the program say."""
    end = next((index for index, word in enumerate(words) if _PROGRAM.match(word)), len(words))
    options = _option_values(words[:end])
    if launcher == _BY_RESOURCE_SET:  # its -n is one of resource sets, each with -a processes
        numbers = {word: int(value) for word, value in options if value.isdecimal()}
        sets, each_set = numbers.get("-n", numbers.get("--nrs")), numbers.get("-a", numbers.get("--tasks_per_rs", 1))
        return numbers.get("-p", numbers.get("--np", None if sets is None else sets * each_set))
    for word, value in options:
        if word in COUNTS and value.isdecimal():
            return int(value)
    if launcher not in _BY_NODE:
        return None
    nodes, each = (next((v for w, v in options if w in names and v.isdecimal()), None) for names in (_NODES, _EACH))
    return int(nodes) * int(each) if nodes is not None and each is not None else None


def _option_values(words: Sequence[str]) -> list[tuple[str, str]]:
    """Options with their values: `-n 16`, `-n16`, `--ntasks=16`."""
    counts = []
    for index, word in enumerate(words):
        exact = EXACT_COUNT.fullmatch(word)
        name, equals, value = word.partition("=")
        if exact:
            counts.append(("-n", exact[1]))
        elif equals:
            counts.append((name, value))
        elif word.startswith("-N") and word[2:].isdecimal():
            counts.append(("-N", word[2:]))
        elif word.startswith("-") and index + 1 < len(words):
            counts.append((word, words[index + 1]))
    return counts


@dataclass(frozen=True)
class StatedCount:
    """A number of processes that a file states."""

    n: int
    line: OutputLine


def agreed_count(stated: Sequence[StatedCount], requested: int | None, who: str) -> int | None:
    """The number of processes of a launch: what its lines state, else what -n says. RequestError for two that
    differ.
    """
    for count in stated[1:]:
        if count.n != stated[0].n:
            raise RequestError(
                f"{count.line.place}: {count.n} processes ({count.line.text.strip()}), line {stated[0].line.number} "
                "says "
                f"{stated[0].n} ({stated[0].line.text.strip()})"
            )
    if stated and requested not in (None, stated[0].n):
        line = stated[0].line
        raise RequestError(
            f"{line.place}: {who} has {stated[0].n} processes ({line.text.strip()}), -n says {requested}; leave -n out"
        )
    return stated[0].n if stated else requested
