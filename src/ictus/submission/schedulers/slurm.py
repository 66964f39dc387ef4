"""Slurm. Sources: sbatch(1), squeue(1). Tested on a Slurm of the tests' own (tests/cluster)."""

import shlex

from ictus.submission.schedulers.scheduler import (
    ENDED,
    QUEUED,
    RUNNING,
    JobRequest,
    Scheduler,
    clock_text,
    command_output,
    warning_s,
)


class Slurm(Scheduler):
    """sbatch, squeue."""

    name = "slurm"
    summary = "Slurm: sbatch"
    launcher = "srun"
    sign = "#SBATCH"
    submit_program = "sbatch"

    def options(self, request: JobRequest) -> tuple[str, ...]:
        """Lines behind #SBATCH. A job whose node fails is not started anew by Slurm: that would be beside the one which
        the script itself submits.
        """
        return (
            f"--job-name={request.name}",
            f"--nodes={request.nodes}",
            f"--ntasks-per-node={request.ppn}",
            f"--time={clock_text(request.time_s)}",
            f"--signal=B:USR1@{warning_s(request.time_s)}",
            "--exclusive",
            f"--output={shlex.quote(str(request.output))}",
            "--open-mode=append",
            "--no-requeue",
            *((f"--account={request.account}",) if request.account else ()),
            *((f"--partition={request.partition}",) if request.partition else ()),
            *request.extra_options,
        )

    def submit_words(self, script: str) -> tuple[str, ...]:
        """`--parsable` prints the id alone."""
        return ("sbatch", "--parsable", script)

    def begin_words(self) -> tuple[str, ...]:
        """`now+COUNT` is in seconds."""
        return ('--begin="now+$begin_s"',)

    def job_id(self, answer: str) -> str:
        """`12` or `12;cluster`."""
        return answer.strip().partition(";")[0]

    def state(self, job: str) -> str:
        """By squeue, which forgets jobs that have ended."""
        state_text = command_output(("squeue", "--noheader", f"--job={job}", "--format=%T"), check=False).strip()
        if state_text in (
            "PENDING",
            "CONFIGURING",
            "REQUEUED",
            "REQUEUE_HOLD",
            "SUSPENDED",
            "RESV_DEL_HOLD",
            "SPECIAL_EXIT",
        ):
            return QUEUED
        return RUNNING if state_text in ("RUNNING", "COMPLETING", "STOPPED", "STAGE_OUT", "SIGNALING") else ENDED
