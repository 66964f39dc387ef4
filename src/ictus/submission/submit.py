"""A campaign as a job of a batch system: its script, its submission, the record of its jobs.

The plan is copied into the folder, so that all jobs measure the same. One job measures launch after launch; the next
one goes on where it stopped (docs/decisions/0037: one job after the other, no array).
"""

import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ictus.engine.campaign import MeasurementRequest, new_folder, plan_of, plan_values
from ictus.engine.folder import check_folder
from ictus.engine.trust import check_trusted
from ictus.launch.launchers import launcher
from ictus.launch.launchers.simulated import Simulated
from ictus.model.case import expand
from ictus.model.errors import MeasurementError, OptionError, UsageError
from ictus.model.input_file import file_content, text_content
from ictus.model.plan_field import shown
from ictus.model.registries import Registries
from ictus.model.toml import toml_text
from ictus.mpi.own_folder import OwnFolder
from ictus.store.document import now, version
from ictus.store.durable import append_line, is_ours, make_folder, write_atomically
from ictus.store.manifest import CAMPAIGN, read_manifest
from ictus.submission.schedulers import ENDED, JobRequest, Scheduler, scheduler

JOBS = "jobs"
"""In the campaign's folder: the plan, the script, the record of jobs, what they say."""
SCRIPT = "job.sh"
PLAN = "plan.toml"
OUTPUT = "output.txt"
SUBMITTED = "submitted.jsonl"
_LEAST_TIME_S = 60
_AT_LIMIT_S = 30
"""A job that is ended so shortly before its time is over, or later, has reached its limit. Its script does not begin
before the batch system counts, and may begin this much later.
"""


@dataclass(frozen=True)
class SubmissionOptions:
    """What is asked of the batch system."""

    scheduler: str
    launcher: str = ""
    """Empty: the one that fits the scheduler."""
    nodes: int | None = None
    """None: the most that the plan needs."""
    ppn: int | None = None
    time_s: float = 3600.0
    account: str = ""
    partition: str = ""
    extra_options: tuple[str, ...] = ()
    resubmit: bool = True


@dataclass(frozen=True)
class Submission:
    """A job that is ready to be submitted."""

    folder: Path
    scheduler: Scheduler
    script: str
    plan_text: bytes
    """The plan file, of which the folder gets a copy; empty for a campaign that is continued."""
    request: MeasurementRequest
    """What the job measures."""


@dataclass(frozen=True)
class Submitted:
    """A job that was submitted."""

    job: str
    scheduler: str
    time: str = ""


def prepare(
    target: Path | None,
    folder: Path | None,
    options: SubmissionOptions,
    environment: Mapping[str, str],
    option_values: Mapping[str, Any] | None = None,
) -> Submission:
    """The job for a plan file, for a campaign folder to be continued, or for the options of a plan: `option_values`, by
    TOML key, which go before those of the file.

    Raises UsageError for a plan that cannot be, for an unknown scheduler or launcher, for a time too short.
    """
    batch = scheduler(options.scheduler)
    if options.launcher not in ("", Simulated.name):
        launcher(options.launcher)  # an unknown one would be found after the job has waited
    present_values = {key: value for key, value in (option_values or {}).items() if value is not None}
    if target is None and not present_values:
        raise UsageError("ictus submit needs PLAN.toml, FOLDER, or what is measured, such as --op bcast")
    continued = target is not None and target.is_dir()
    if continued and present_values:
        first = next(iter(present_values))
        raise OptionError(
            (first, shown(present_values[first]), f"'{target}' has its plan; leave it out, or name another -o")
        )
    if target is not None and continued and not (target / CAMPAIGN).exists() and (target / JOBS / PLAN).is_file():
        again = shlex.join((str(target / JOBS / PLAN), "-o", str(target), "--scheduler", batch.name))
        raise UsageError(
            f"'{target}': no job has begun its campaign yet (see {target / JOBS / OUTPUT}); where none is queued, "
            f"submit its plan again: `ictus submit {again}`"
        )
    if target is not None and continued:
        plan, where = read_manifest(target).plan, target
        check_trusted(target, plan, options.launcher or batch.launcher)  # the job has no terminal to ask at
    else:
        plan, where = plan_of(target, present_values), folder or new_folder(target, "ictus")
    cases = expand(plan, Registries.load()).cases  # wrong names and sizes wait for no allocation
    check_folder(where)
    if where.exists() and not is_ours(where):
        raise UsageError(
            f"'{where}' belongs to another user, who could exchange the script of the job before it runs; copy the "
            f"folder, and submit the copy"
        )
    if options.time_s < _LEAST_TIME_S:
        raise OptionError(("time", f"{options.time_s:g}s", f"a job needs {_LEAST_TIME_S} s or more"))
    nodes = options.nodes or max(case.nodes for case in cases) or 1
    needed = max(case.ppn or -(-case.n // nodes) for case in cases)
    most = max(case.nodes for case in cases)
    if most > nodes:
        raise OptionError(("nodes", nodes, f"the plan has launches on {most} nodes"))
    if options.ppn is not None and options.ppn < needed:
        raise OptionError(("ppn", options.ppn, f"the plan has launches with {needed} processes on a node"))
    path = where.absolute()
    request = JobRequest(
        name=re.sub(r"[^\w.-]", "_", f"ictus-{path.name}"),  # options of scripts are split at blanks
        nodes=nodes,
        ppn=options.ppn or needed,
        time_s=round(options.time_s),
        output=path / JOBS / OUTPUT,
        account=options.account,
        partition=options.partition,
        extra_options=options.extra_options,
    )
    spread = plan.over_s is not None
    script = _script(path, batch, request, options, environment, continued=continued, spread=spread)
    measurement = MeasurementRequest(where, plan, options.launcher or batch.launcher, None)
    return Submission(path, batch, script, b"" if continued else _plan_text(target, present_values), measurement)


def _plan_text(file: Path | None, present_values: Mapping[str, Any]) -> bytes:
    """The plan file as it is; with further options a file of both."""
    return (
        file_content(file)
        if file is not None and not present_values
        else toml_text(plan_values(file, present_values)).encode()
    )


def _script(
    folder: Path,
    batch: Scheduler,
    request: JobRequest,
    options: SubmissionOptions,
    environment: Mapping[str, str],
    *,
    continued: bool,
    spread: bool,
) -> str:
    """`spread`: its blocks begin at planned times, which a later job does not wait for in the allocation."""
    jobs = folder / JOBS
    program = shlex.join(_program())
    what = (str(folder),) if continued else (str(jobs / PLAN), "-o", str(folder))
    run = ("run", *what, "--launcher", options.launcher or batch.launcher)
    carried = {name: shlex.quote(environment[name]) for name in _CARRIED if environment.get(name)}
    return str(
        _template().render(
            sign=batch.sign,
            options=batch.options(request),
            ends_alike=batch.ends_alike,
            limit_s=min(_AT_LIMIT_S, request.time_s // 4),
            folder=shlex.quote(str(folder)),
            version=version(),
            submit=shlex.join(batch.submit_words(str(jobs / SCRIPT))),
            cwd=shlex.quote(str(Path.cwd())),
            time_s=request.time_s,
            variables=sorted(carried.items()),
            run=f"{program} {shlex.join(run)}",
            resubmit=batch.resubmit_line(shlex.quote(str(jobs / SCRIPT)), later=spread) if options.resubmit else "",
            goes_on=f"{program} status {shlex.quote(str(folder))} --goes-on",
            begin_in=f"{program} status {shlex.quote(str(folder))} --begin-in" if spread else "",
            jobs=shlex.quote(str(jobs / "resubmitted.txt")),
        )
    )


_CARRIED = ("ICTUS_CACHE", "ICTUS_CONFIG", "ICTUS_STATE")
"""Variables of this shell that a job needs too, whatever its batch system hands on."""


def _program() -> tuple[str, ...]:
    """How this program is called: as it was, which need not be in the PATH of a job."""
    called = Path(sys.argv[0])
    return (str(called.absolute()),) if called.name == "ictus" and called.exists() else (sys.executable, "-m", "ictus")


@cache
def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("ictus.submission", "."),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 (a shell script; values are quoted by shlex)
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("job.sh.jinja")


def submit(ready: Submission) -> Submitted:
    """Write the plan and the script into the folder, and submit it. Raises MeasurementError where the batch system says
    no; UsageError where a job of this folder is queued or runs.
    """
    jobs = ready.folder / JOBS
    make_folder(jobs)
    OwnFolder(jobs, "-o").check(jobs)
    for submitted in read_submitted(ready.folder):
        state = scheduler(submitted.scheduler).state(submitted.job)
        if state != ENDED:
            raise UsageError(
                f"'{ready.folder}': job {submitted.job} of {submitted.scheduler} is {state} already; wait for it, "
                "or end it"
            )
    if ready.plan_text:
        write_atomically(jobs / PLAN, ready.plan_text)
    write_atomically(jobs / SCRIPT, ready.script.encode())
    (jobs / SCRIPT).chmod(0o755)
    job = ready.scheduler.submit(jobs / SCRIPT)
    values = {"job": job, "scheduler": ready.scheduler.name, "time": now()}
    append_line(jobs / SUBMITTED, json.dumps(values))
    return Submitted(**values)


def read_submitted(folder: Path) -> tuple[Submitted, ...]:
    """The jobs of a campaign, the first first: those that the user submitted, and those that submitted themselves.
    MeasurementError for a record that cannot be read.
    """
    jobs = folder / JOBS
    submitteds: list[Submitted] = []
    try:
        for line in _lines(jobs / SUBMITTED):
            values = json.loads(line)
            submitteds.append(Submitted(str(values["job"]), str(values["scheduler"]), str(values.get("time", ""))))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MeasurementError(f"{jobs / SUBMITTED}: {error}") from error
    if submitteds:
        batch = scheduler(submitteds[-1].scheduler)
        submitteds += [Submitted(batch.job_id(line), batch.name) for line in _lines(jobs / "resubmitted.txt")]
    for submitted in submitteds:
        if submitted.job.startswith("-"):  # the batch system would take it for an option
            raise MeasurementError(f"{jobs / SUBMITTED}: '{submitted.job}' is not the id of a job")
    return tuple(submitteds)


def _lines(path: Path) -> Sequence[str]:
    return [line for line in text_content(path).splitlines() if line.strip()] if path.exists() else []
