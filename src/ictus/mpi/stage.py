"""Stages of a build, run with their output into a log and a failure told whole."""

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ictus.model.errors import MeasurementError
from ictus.mpi.toolchain import Command, Stages

Progress = Callable[[str], None]
"""Receives short texts such as `compiling 12 of 40`."""

_DONE_OF_ALL = re.compile(r"^\[(\d+)/(\d+)\]")
_SHOWN_LINES = 40


def run_stages(stages: Stages, environment: Mapping[str, str], log: Path, what: str, on_progress: Progress) -> None:
    """Run the stages one after the other, all output into `log`.

    Raises:
        MeasurementError: a command failed; the message has the command, its exit code and the end of what it said.
    """
    with log.open("w") as file:

        def run(command: Command) -> tuple[Command, int, str]:
            code, output = _run(command, environment, on_progress)
            file.write(f"$ {shlex.join(command)}\n{output}")
            return command, code, output

        for stage in stages:
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                for done, (command, code, output) in enumerate(pool.map(run, stage), start=1):
                    if len(stage) > 1:
                        on_progress(f"compiling {done} of {len(stage)}")
                    if code != 0:
                        pool.shutdown(cancel_futures=True)
                        raise MeasurementError(_failure(what, command, code, output, log))


def _failure(what: str, command: Command, code: int, output: str, log: Path) -> str:
    said = "\n".join(f"    {line}" for line in output.splitlines()[-_SHOWN_LINES:]) or "    (it said nothing)"
    short = shlex.join(command if len(command) <= 6 else (*command[:6], "..."))
    return f"{what} failed: {short} ended with exit code {code}\n{said}\n    whole log: {log}"


def _run(command: Command, environment: Mapping[str, str], on_progress: Progress) -> tuple[int, str]:
    lines: list[str] = []
    try:
        process = subprocess.Popen(
            command,
            env={**environment, "NINJA_STATUS": "[%f/%t] "},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as failure:
        return 127, failure.strerror or str(failure)
    with process:
        try:
            for line in process.stdout or ():
                lines.append(line)
                step = _DONE_OF_ALL.match(line)
                if step and step[1] != "0":
                    on_progress(f"compiling {step[1]} of {step[2]}")
        except BaseException:
            process.kill()
            raise
    return process.returncode, "".join(lines)
