"""Flux. Sources: flux-batch(1), flux-jobs(1). Not run by us."""

from ictus.submission.schedulers.scheduler import ENDED, QUEUED, RUNNING, JobRequest, Scheduler, said


class Flux(Scheduler):
    """flux batch, flux jobs."""

    name = "flux"
    summary = "Flux: flux batch"
    launcher = "flux"
    sign = "#flux:"
    submit_program = "flux"

    def options(self, request: JobRequest) -> tuple[str, ...]:
        """Lines behind #flux:."""
        return (
            f"--job-name={request.name}",
            f"--nodes={request.nodes}",
            f"--nslots={request.nodes * request.ppn}",
            "--exclusive",
            f"--time-limit={request.time_s}s",
            "--signal=SIGUSR1@60s",
            f"--output={request.output}",
            *((f"--bank={request.account}",) if request.account else ()),
            *((f"--queue={request.partition}",) if request.partition else ()),
            *request.more,
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
        shown = said(("flux", "jobs", "--no-header", "--format={state}", job), check=False).strip()
        if shown in ("DEPEND", "PRIORITY", "SCHED"):
            return QUEUED
        return RUNNING if shown in ("RUN", "CLEANUP") else ENDED
