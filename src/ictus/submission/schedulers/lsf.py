"""LSF, after bsub(1) and bjobs(1). No LSF has seen these words: only the tests of tests/submission have."""

import re
import shlex

from ictus.model.errors import MeasurementError
from ictus.submission.schedulers.scheduler import ENDED, QUEUED, RUNNING, JobRequest, Scheduler, command_output


class Lsf(Scheduler):
    """bsub, bjobs."""

    name = "lsf"
    summary = "LSF: bsub"
    launcher = "jsrun"
    sign = "#BSUB"
    submit_program = "bsub"

    def options(self, request: JobRequest) -> tuple[str, ...]:
        """Lines behind #BSUB; times are in minutes, and so is the warning."""
        minutes = -(-request.time_s // 60)
        return (
            f"-J {request.name}",
            f"-nnodes {request.nodes}",
            f"-W {minutes // 60:02d}:{minutes % 60:02d}",
            *(("-wa USR1 -wt 1",) if minutes > 1 else ()),
            f"-o {shlex.quote(str(request.output))}",
            *((f"-P {request.account}",) if request.account else ()),
            *((f"-q {request.partition}",) if request.partition else ()),
            *request.extra_options,
        )

    def submit_words(self, script: str) -> tuple[str, ...]:
        """By its standard input: of a script that is an argument, bsub reads options only where the site has set
        LSB_BSUB_PARSE_SCRIPT.
        """
        return ("sh", "-c", 'exec bsub < "$0"', script)

    def resubmit_line(self, script: str, *, later: bool = False) -> str:
        """The same in a shell."""
        return " ".join(("bsub", *(self.begin_words() if later else ()), "<", script))

    def begin_words(self) -> tuple[str, ...]:
        """A time of day, as year:month:day:hour:minute: the minute that is full by then."""
        return ("-b", '"$(date -d "+$((begin_s + 59)) seconds" +%Y:%m:%d:%H:%M)"')

    def job_id(self, answer: str) -> str:
        """From `Job <12> is submitted to queue <batch>.`. Raises MeasurementError."""
        match = re.search(r"Job <(\d+)>", answer)
        if match is None:
            raise MeasurementError(f"bsub named no job: '{answer.strip()}'")
        return match[1]

    def state(self, job: str) -> str:
        """By bjobs: PEND, PSUSP, RUN, USUSP, SSUSP, DONE, EXIT."""
        state_text = command_output(("bjobs", "-noheader", "-o", "stat", job), check=False).strip()
        return {"PEND": QUEUED, "PSUSP": QUEUED, "RUN": RUNNING, "USUSP": RUNNING, "SSUSP": RUNNING}.get(
            state_text, ENDED
        )
