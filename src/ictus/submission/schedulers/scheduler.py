"""The interface of family scheduler: what a batch system calls things. It submits nothing itself."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import MeasurementError

QUEUED, RUNNING, ENDED = "queued", "running", "ended"
"""The states of a job; one that the batch system no longer knows has ended."""
_TIMEOUT_S = 60.0
_WARNING_S = 60


@dataclass(frozen=True)
class JobRequest:
    """What is asked of a batch system."""

    name: str
    nodes: int
    ppn: int
    time_s: int
    output: Path
    """The file for what the job says."""
    account: str = ""
    partition: str = ""
    """A partition or queue."""
    extra_options: tuple[str, ...] = ()
    """Further options, as they are typed."""


class Scheduler(ABC):
    """One batch system."""

    name: str
    summary: str
    launcher: str
    """The launcher that fits it."""
    sign: str
    """What begins a line of options in a job script."""
    submit_program: str
    ends_alike: bool = False
    """Whether a job script gets at its limit what it gets when it is cancelled, so that only the time tells which."""

    @abstractmethod
    def options(self, request: JobRequest) -> tuple[str, ...]:
        """The options of a job."""

    def submit_words(self, script: str) -> tuple[str, ...]:
        """The command that submits a script."""
        return (self.submit_program, script)

    @abstractmethod
    def begin_words(self) -> tuple[str, ...]:
        """Options, as a shell reads them, of a job that begins in `$begin_s` seconds or later."""

    def resubmit_line(self, script: str, *, later: bool = False) -> str:
        """The line of a job script that submits it again, and prints the new job's id; `later`: in `$begin_s`
        seconds.
        """
        *submitting, file = self.submit_words(script)
        return " ".join((*submitting, *(self.begin_words() if later else ()), file))

    @abstractmethod
    def job_id(self, answer: str) -> str:
        """The job, from what the submitting command says."""

    @abstractmethod
    def state(self, job: str) -> str:
        """QUEUED, RUNNING or ENDED."""

    def submit(self, script: Path) -> str:
        """Submit a script; the job. Raises MeasurementError."""
        answer = command_output(self.submit_words(str(script)), cwd=script.parent)
        return self.job_id(answer)


def warning_s(time_s: int) -> int:
    """So long before its limit a job is warned, in seconds: a warning that is due at its begin would end it at once."""
    return min(_WARNING_S, max(time_s // 4, 1))


def command_output(words: Sequence[str], cwd: Path | None = None, *, check: bool = True) -> str:
    """What a command of a batch system says. MeasurementError where it cannot be run, or says no."""
    try:
        ended = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MeasurementError(f"{words[0]}: {getattr(error, 'strerror', None) or error}") from error
    if ended.returncode != 0 and check:
        raise MeasurementError(f"{' '.join(words)}: {(ended.stderr or ended.stdout).strip()}")
    return ended.stdout if ended.returncode == 0 else ""


def clock_text(time_s: int) -> str:
    """`01:30:00`."""
    return f"{time_s // 3600:02d}:{time_s // 60 % 60:02d}:{time_s % 60:02d}"
