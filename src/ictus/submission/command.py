"""`ictus submit` and `ictus status`: words into calls, answers into lines."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.engine.preview import preview_lines, preview_of
from ictus.model.errors import GateHit, OptionError, UsageError
from ictus.model.quantity import format_span, parse_long_duration
from ictus.render import plan_options as options
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, command, errors, next_line, output
from ictus.submission.status import CampaignStatus, campaign_status
from ictus.submission.submit import Submission, SubmissionOptions, prepare, submit as submit_job

Scheduler = Annotated[
    str,
    typer.Option(
        "--scheduler", metavar="NAME", help="The batch system: slurm, pbs, flux or lsf (ictus list scheduler)."
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        "--nodes",
        metavar="COUNT",
        min=1,
        help="Nodes of the job. [default: the most that the plan has]",
        show_default=False,
    ),
]
Ppn = Annotated[
    int | None,
    typer.Option(
        "--ppn",
        metavar="COUNT",
        min=1,
        help="Processes on each node. [default: the most that the plan has]",
        show_default=False,
    ),
]
Time = Annotated[str, typer.Option("--time", metavar="TIME", help="Time limit of a job, as 30min or 4h.")]
Account = Annotated[
    str, typer.Option("--account", metavar="NAME", help="The account, project or bank that pays.", show_default=False)
]
Partition = Annotated[
    str, typer.Option("--partition", metavar="NAME", help="The partition or queue.", show_default=False)
]
More = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="WORD",
        help="A further option of the batch system, as in '--exclusive'; repeatable.",
        show_default=False,
    ),
]


_PLANNED = tuple(key for key in options.CAMPAIGN if key not in ("nodes", "ppn"))
"""Options of the plan; nodes and processes on each are those of the job."""


@dataclass(frozen=True)
class JobOptions:
    """What the batch system is asked for."""

    nodes: Nodes = None
    ppn: Ppn = None
    time: Time = "1h"
    account: Account = ""
    partition: Partition = ""
    option: More = None


@options.plan_command(*_PLANNED)
@with_option_sets
def submit(
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLAN.toml|FOLDER", help="A plan, or a campaign folder to continue.", show_default=False
        ),
    ] = None,
    *,
    scheduler: Scheduler,
    out: Annotated[
        Path | None,
        options.output_option("The campaign folder. [default: PLAN for PLAN.toml; without a plan ictus-DATE]"),
    ] = None,
    plan_values: options.PlanValues,
    job_options: JobOptions,
    launcher: Annotated[
        str | None,
        typer.Option(
            "--launcher", metavar="NAME", help="How ranks are started. [default: the scheduler's]", show_default=False
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Submit one job only, even if the campaign needs more.")] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print the job script, and on standard error what it measures; submit nothing, write nothing.",
        ),
    ] = False,
) -> None:
    """Measure a campaign as jobs of a batch system.

    A plan says what is measured, or options as those of `ictus run`, which override the plan. A job stops before its
    time limit, and the next job continues. `ictus status FOLDER` shows the progress.
    """
    submission_options = SubmissionOptions(
        scheduler=scheduler,
        launcher=launcher or "",
        nodes=job_options.nodes,
        ppn=job_options.ppn,
        time_s=_seconds(job_options.time),
        account=job_options.account,
        partition=job_options.partition,
        extra_options=tuple(job_options.option or ()),
        resubmit=not once,
    )
    ready = prepare(target, out, submission_options, os.environ, plan_values)
    console = output()
    if dry_run:
        console.print(Text(ready.script), end="")
        for line in _preview(ready):  # the script alone can be written to a file
            errors().print(Text(line))
        return
    job = submit_job(ready)
    console.print(f"job {job.job} of {job.scheduler} measures {ready.folder}")
    console.print(next_line(command("status", ready.folder)))


def _preview(ready: Submission) -> Iterator[str]:
    """What the job measures, as far as this host has its libraries."""
    try:
        yield from preview_lines(preview_of(ready.request))
    except UsageError as error:
        yield f"What the job measures is not known on this host: {error}"


def _seconds(text: str) -> float:

    try:
        return parse_long_duration(text)
    except UsageError as error:
        raise OptionError(("time", text, str(error))) from error


@with_option_sets
def status(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A campaign folder.", show_default=False)],
    goes_on: Annotated[
        bool,
        typer.Option(
            "--goes-on", help="For job scripts: print nothing; exit 0 if another job would make progress, else 1."
        ),
    ] = False,
    begin_in: Annotated[
        bool,
        typer.Option(
            "--begin-in",
            help="For job scripts: print the seconds until the next block of a campaign with --over begins; 0 if it "
            "can begin now.",
        ),
    ] = False,
    *,
    form: AnswerForm,
) -> None:
    """Show the progress of a campaign: launches, jobs, end."""
    campaign = campaign_status(folder)
    if begin_in:
        output().print(str(campaign.begin_in_s(time())))
        return
    if goes_on:
        if not campaign.goes_on:
            raise typer.Exit(GateHit.exit_code)
        return
    row: dict[str, Any] = {
        **vars(campaign),
        "folder": str(campaign.folder),
        "jobs": [vars(job) for job in campaign.jobs],
    }
    form.print(CommandAnswer("ictus.status/1", [row], (), lambda: _lines(campaign)))


def _lines(campaign: "CampaignStatus") -> Iterator[Text]:
    total = "not planned yet" if campaign.total is None else f"{campaign.done} of {campaign.total}"
    each = "" if campaign.launch_s is None else f", {format_span(campaign.launch_s)} each"
    yield Text.assemble(f"{campaign.folder}: ", (campaign.state, _STYLES.get(campaign.state, "bold")))
    yield Text(f"  launches  {total}{each}")
    if campaign.continue_at is not None:
        yield Text(f"  continues {campaign.continue_at.replace('T', ' ')[:19]}, with its next block")
    if campaign.ends is not None:
        yield Text(f"  ends      about {campaign.ends.replace('T', ' ')[:16]}, if it runs on")
    for job in campaign.jobs:
        yield Text(f"  job       {job.job} of {job.scheduler}: {job.state}")


_STYLES = {"done": "green", "failed": "red", "running": "cyan", "queued": "yellow"}
