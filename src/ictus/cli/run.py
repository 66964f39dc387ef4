"""`ictus run`: measures a campaign, or continues one."""

from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison.compared_factor import only_factor
from ictus.comparison.comparison import compare
from ictus.comparison.evidence import span_sentence
from ictus.comparison.goal import goal_of, goal_sentences
from ictus.comparison.judged_pairs import result_sentences
from ictus.comparison.overview import next_words
from ictus.comparison.warnings import host_warnings
from ictus.comparison.words import more_command, more_sentences
from ictus.engine.campaign import MeasurementRequest, PreparedCampaign, parse_request
from ictus.engine.measurement import between_libraries, measure_campaign
from ictus.engine.preview import preview_lines, preview_of, spans
from ictus.engine.runner import Ending
from ictus.engine.several_campaigns import SeveralRequest, measure_several, parse_several
from ictus.launch.launchers import with_hosts
from ictus.model.errors import MeasurementError, SeveralStopped
from ictus.render import plan_options as options
from ictus.render.output import command, next_line, output, print_lines, warn
from ictus.render.progress import Display, resumable
from ictus.store.campaign import Campaign, load
from ictus.store.manifest import CAMPAIGN

Output = Annotated[
    Path | None,
    options.output_option("The campaign folder. [default: PLAN for PLAN.toml; without a plan ictus-DATE]"),
]


@options.plan_command(*options.CAMPAIGN)
def run(
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLAN.toml|FOLDER", help="A plan, or a campaign folder to continue.", show_default=False
        ),
    ] = None,
    *,
    out: Output = None,
    dry_run: options.DryRun = False,
    campaigns: Annotated[
        int | None,
        typer.Option(
            "--campaigns",
            metavar="COUNT",
            help="Measure this many campaigns, NAME-1, NAME-2, ... for -o NAME, at random times over the time of "
            "--over: one side of `ictus compare OLD-* --against NAME-*`.",
            show_default=False,
        ),
    ] = None,
    plan_values: options.PlanValues,
    launcher: options.Launcher = "mpiexec",
    hosts: options.HostsFile = None,
    scenario: options.ScenarioFile = None,
) -> None:
    """Measure a campaign, or continue one.

    Launches of the libraries follow each other in random order. Without options, a short campaign measures the
    libraries that are found. Options override the plan file. After an interruption, the same command continues the
    campaign.
    """
    started = with_hosts(launcher, hosts)
    if campaigns is not None:
        several = parse_several(target, out, plan_values, campaigns=campaigns, launcher=started, scenario=scenario)
        _run_several(several, dry_run=dry_run)
        return
    request = parse_request(target, out, plan_values, launcher=started, scenario=scenario, prefix="ictus")
    if dry_run:
        _describe(request)
        return
    with resumable("run", folder=request.folder) as display:
        prepared, ending = measure_campaign(request, display, between_libraries)
    _close(prepared, ending)


def _run_several(several: SeveralRequest, *, dry_run: bool) -> None:
    """Measure several campaigns, or say when; then how they are looked at, and what they are compared with."""
    console = output()
    if dry_run:
        _describe(several.first)
        begins = spans(map(several.begin_s, range(several.n_campaigns)))
        seeds = f"each with a seed of its own; with seed {several.first.plan.seed} they begin after {begins}"
        console.print(f"Campaigns: {several.n_campaigns} such, {seeds}")
        return
    try:
        with Display() as display:
            measure_several(several, display, between_libraries)
    except SeveralStopped as error:
        if not (several.first.folder / CAMPAIGN).is_file():
            raise
        span = ("--campaigns", several.n_campaigns, "--over", f"{several.over_s:g}s", "-o", several.name)
        raise MeasurementError(f"{error.said}; `{command('run', *span)}` continues with the rest") from error
    folders = several.folders
    console.print(f"{len(folders)} campaigns are in {folders[0]} to {folders[-1]}")
    second_side = several.name.with_name("OTHER-1")
    against = command("compare", *folders, "--against", second_side)
    console.print(f"`{against}` compares them with as many of another library, in OTHER-1, OTHER-2, ...")
    console.print(next_line(command("history", *folders)))


def _describe(request: MeasurementRequest) -> None:
    """The cases, libraries, launches, time and disk of a request."""
    print_lines(preview_lines(preview_of(request)))


def _close(prepared: PreparedCampaign, ending: Ending) -> None:
    """Say where it is, what was found, and what to do next."""
    console = output()
    console.print(f"{ending.total} launches are in {prepared.folder}")
    campaign = load(prepared.folder)
    warn(host_warnings(campaign))  # said before it began, many lines above; a result without it would be quoted
    goal = goal_of(campaign)
    for sentence in _results(campaign) if goal is None else goal_sentences(goal):
        console.print(sentence)
    console.print(next_line(command(*next_words(campaign), prepared.folder)))


def _results(campaign: Campaign) -> tuple[str, ...]:
    """The result of what is compared where nobody asks for more, and the command that measures more where a case is
    open; nothing where one thing was measured.
    """
    if only_factor(campaign) is None:
        return ()
    comparison = compare(campaign)
    onward = more_command(campaign, comparison)
    spread = campaign.plan.over_s is not None
    held = span_sentence(comparison.span, comparison.evidence, len(comparison.compared)) if spread else ()
    return (*result_sentences(comparison), *held, *(() if onward is None else more_sentences(comparison, onward)))
