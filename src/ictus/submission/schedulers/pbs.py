"""PBS Professional and OpenPBS. Sources: qsub(1B), qstat(1B). Not run by us."""

import re
import shlex

from ictus.submission.schedulers.scheduler import (
    ENDED,
    QUEUED,
    RUNNING,
    JobRequest,
    Scheduler,
    clock_text,
    command_output,
)


class Pbs(Scheduler):
    """qsub, qstat. PBS ends a job by TERM and, kill_delay seconds later, by KILL: at its limit and for qdel alike."""

    name = "pbs"
    summary = "PBS Professional, OpenPBS: qsub"
    launcher = "pals"
    sign = "#PBS"
    submit_program = "qsub"
    ends_alike = True

    def options(self, request: JobRequest) -> tuple[str, ...]:
        """Lines behind #PBS."""
        return (
            f"-N {request.name}",
            f"-l select={request.nodes}:ncpus={request.ppn}:mpiprocs={request.ppn}",
            f"-l walltime={clock_text(request.time_s)}",
            "-l place=scatter:excl",
            "-j oe",
            f"-o {shlex.quote(str(request.output))}",
            "-r n",
            *((f"-A {request.account}",) if request.account else ()),
            *((f"-q {request.partition}",) if request.partition else ()),
            *request.extra_options,
        )

    def begin_words(self) -> tuple[str, ...]:
        """A time of day, as CCYYMMDDhhmm.SS."""
        return ("-a", '"$(date -d "+$begin_s seconds" +%Y%m%d%H%M.%S)"')

    def job_id(self, answer: str) -> str:
        """`12.server`."""
        return answer.strip()

    def state(self, job: str) -> str:
        """By `qstat -f`, whose line is `job_state = R`."""
        match = re.search(r"job_state\s*=\s*(\w)", command_output(("qstat", "-f", job), check=False))
        return {"Q": QUEUED, "H": QUEUED, "W": QUEUED, "T": QUEUED, "S": QUEUED, "R": RUNNING, "E": RUNNING}.get(
            match[1] if match else "", ENDED
        )
