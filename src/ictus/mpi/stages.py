"""Runs the commands that build or install something: stage after stage, those of one stage side by side.

Whatever ends a stage early ends what runs of it: a compiler takes minutes, and a command of Ictus ends at the first
TERM. So each command has a session of its own, with all that it starts.
"""

import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from ictus.model.errors import MeasurementError

Command = tuple[str, ...]
Stages = tuple[tuple[Command, ...], ...]

Progress = Callable[[str], None]
"""Receives short texts such as `compiling 12 of 40`."""

_DONE_OF_ALL = re.compile(r"^\[(\d+)/(\d+)\]")
_SHOWN_LINES = 40


def run_stages(stages: Stages, environment: Mapping[str, str], log: Path, what: str, on_progress: Progress) -> None:
    """Run the stages one after the other, all output into `log`.

    Raises:
        MeasurementError: a command failed; the message has the command, its exit code and the end of what it said.
    """
    commands = _BuildCommands()
    with log.open("w") as file:

        def run(command: Command) -> tuple[Command, int, str]:
            code, output = _run(commands, command, environment, on_progress)
            file.write(f"$ {shlex.join(command)}\n{output}")
            return command, code, output

        for stage in stages:
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool, commands:
                for n_compiled, (command, code, output) in enumerate(pool.map(run, stage), start=1):
                    if len(stage) > 1:
                        on_progress(f"compiling {n_compiled} of {len(stage)}")
                    if code != 0:
                        raise MeasurementError(_failure(what, command, code, output, log))


def _failure(what: str, command: Command, code: int, output: str, log: Path) -> str:
    error_text = "\n".join(f"    {line}" for line in output.splitlines()[-_SHOWN_LINES:]) or "    (it printed nothing)"
    short = shlex.join(command if len(command) <= 6 else (*command[:6], "..."))
    return f"{what} failed: {short} ended with exit code {code}\n{error_text}\n    whole log: {log}"


class _BuildCommands:
    """The commands that run now, in several threads. An exception in their context ends all, with what they started;
    none begins any more.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._over = False

    def start(self, command: Command, environment: Mapping[str, str]) -> "subprocess.Popen[str] | None":
        """A command that runs now; None where all are to end. Raises OSError."""
        with self._lock:
            if self._over:
                return None
            process = subprocess.Popen(
                command,
                env={**environment, "NINJA_STATUS": "[%f/%t] "},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._running.add(process)
            return process

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            return
        with self._lock:
            self._over = True
            for process in self._running:
                if process.poll() is None:
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(process.pid, signal.SIGKILL)


def _run(
    commands: _BuildCommands, command: Command, environment: Mapping[str, str], on_progress: Progress
) -> tuple[int, str]:
    lines: list[str] = []
    try:
        process = commands.start(command, environment)
    except OSError as failure:
        return 127, failure.strerror or str(failure)
    if process is None:
        return -signal.SIGKILL, ""
    with process:
        for line in process.stdout or ():
            lines.append(line)
            step = _DONE_OF_ALL.match(line)
            if step and step[1] != "0":
                on_progress(f"compiling {step[1]} of {step[2]}")
    return process.returncode, "".join(lines)
