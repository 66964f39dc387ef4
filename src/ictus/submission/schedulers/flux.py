"""Flux. Sources: flux-batch(1), flux-jobs(1). Not run by us.

A job is a Flux instance of its own, whose brokers get its signals. Releases of before 2025 hand USR1 to the ranks alone
(flux-core, issue 6729), later ones to the script too; a job that is ended, at its limit or by `flux cancel`, has its
script ended by HUP.
"""

import shlex

from ictus.submission.schedulers.scheduler import (
    ENDED,
    QUEUED,
    RUNNING,
    JobRequest,
    Scheduler,
    command_output,
    warning_s,
)


class Flux(Scheduler):
    """flux batch, flux jobs."""

    name = "flux"
    summary = "Flux: flux batch"
    launcher = "flux"
    sign = "#flux:"
    submit_program = "flux"
    ends_alike = True

    def options(self, request: JobRequest) -> tuple[str, ...]:
        """Lines behind #flux:."""
        return (
            f"--job-name={request.name}",
            f"--nodes={request.nodes}",
            f"--nslots={request.nodes * request.ppn}",
            "--exclusive",
            f"--time-limit={request.time_s}s",
            f"--signal=SIGUSR1@{warning_s(request.time_s)}s",
            f"--output={shlex.quote(str(request.output))}",
            *((f"--bank={request.account}",) if request.account else ()),
            *((f"--queue={request.partition}",) if request.partition else ()),
            *request.extra_options,
        )

    def submit_words(self, script: str) -> tuple[str, ...]:
        """It prints the id alone."""
        return ("flux", "batch", script)

    def begin_words(self) -> tuple[str, ...]:
        """A span of time behind a plus."""
        return ('--begin-time="+${begin_s}s"',)

    def resubmit_line(self, script: str, *, later: bool = False) -> str:
        """In the instance that this one runs in: a job inside the allocation would end with it."""
        return f'flux proxy "$(flux getattr parent-uri)" {super().resubmit_line(script, later=later)}'

    def job_id(self, answer: str) -> str:
        """`f2bcXyz`, which begins with another letter in most terminals."""
        return answer.strip()

    def state(self, job: str) -> str:
        """By `flux jobs`, whose states are DEPEND, PRIORITY, SCHED, RUN, CLEANUP and INACTIVE."""
        state_text = command_output(("flux", "jobs", "--no-header", "--format={state}", job), check=False).strip()
        if state_text in ("DEPEND", "PRIORITY", "SCHED"):
            return QUEUED
        return RUNNING if state_text in ("RUN", "CLEANUP") else ENDED
