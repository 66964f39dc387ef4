"""`ictus run`: measures a campaign, or continues one."""

from collections.abc import Iterable, Sequence
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
from ictus.engine.backend import look_up
from ictus.engine.block_times import planned_times
from ictus.engine.campaign import MeasurementRequest, PreparedCampaign, parse_request, requested_libraries
from ictus.engine.measurement import between_libraries, measure_campaign
from ictus.engine.runner import Ending
from ictus.engine.several_campaigns import SeveralRequest, measure_several, parse_several
from ictus.engine.variables import check_variables
from ictus.launch.launchers import with_hosts
from ictus.launch.launchers.simulated import Simulated
from ictus.model.case import expand, shared_in_launch
from ictus.model.design import check_control
from ictus.model.errors import MeasurementError, SeveralStopped, UsageError
from ictus.model.launch_factor import settings_of
from ictus.model.plan import Plan
from ictus.model.quantity import format_span, size_text
from ictus.model.registries import Registries
from ictus.model.sample import SAMPLE
from ictus.render import plan_options as options
from ictus.render.output import command, next_line, output, warn
from ictus.render.progress import Display, resumable
from ictus.store.campaign import Campaign, load
from ictus.store.manifest import CAMPAIGN

Output = Annotated[
    Path | None,
    options.output_option("The campaign folder. [default: PLAN for PLAN.toml; without a plan ictus-DATE]"),
]


@options.plan_command(
    "mpi",
    "control",
    "plugin",
    "op",
    "sizes",
    "size-is",
    "n",
    "nodes",
    "ppn",
    "launches",
    "until",
    "time-budget",
    "over",
    "nrep",
    "datatype",
    "operator",
    "comm",
    "root",
    "in-place",
    "layout",
    "counts",
    "clock",
    "clock-domain",
    "clocksync",
    "clock-bound",
    "clock-error",
    "procsync",
    "methods",
    "algorithm",
    "scheme",
    "cache",
    "repetition",
    "warmup",
    "seed",
    "platform",
    "timeout",
    "retries",
    "contention-retries",
    "block-time",
    "resync-time",
    "level",
    "adjust",
    "raw",
    "pin",
    "map-by",
    "modules",
    "launcher-options",
    "core-flags",
    "governor",
    "validate",
    "env",
    "heap",
    "page-faults",
)
def run(
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLAN.toml|FOLDER", help="A plan, or a campaign folder to continue.", show_default=False
        ),
    ] = None,
    *,
    out: Output = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show what would be measured; build, launch and write nothing."),
    ] = False,
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
    given: options.Given,
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
        several = parse_several(target, out, given, campaigns=campaigns, launcher=started, scenario=scenario)
        _run_several(several, dry_run=dry_run)
        return
    request = parse_request(target, out, given, launcher=started, scenario=scenario, prefix="ictus")
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
        begins = _times(map(several.begin_s, range(several.n_campaigns)))
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
    other = several.name.with_name("OTHER-1")
    against = command("compare", *folders, "--against", other)
    console.print(f"`{against}` compares them with as many of another library, in OTHER-1, OTHER-2, ...")
    console.print(next_line(command("history", *folders)))


def _times(seconds: Iterable[float]) -> str:
    return ", ".join(map(format_span, seconds))


def _describe(request: MeasurementRequest) -> None:
    """The cases, libraries and launches of a request, by its plan and the libraries that are here."""
    plan, console = request.plan, output()
    for plugin in plan.plugins:
        if not plugin.is_described:
            raise UsageError(f"--plugin '{plugin}': --dry-run loads nothing, which has its operations; omit one")
    cases = expand(plan, Registries.load()).cases
    found = look_up(requested_libraries(plan), request.launcher, request.scenario)
    if request.launcher != Simulated.name:
        check_variables(plan.environment, plan.algorithms, found)
    check_control(plan, [one.label for one in found])
    labels = ", ".join(
        f"{one.label} {one.version}{' (the control)' if one.label == plan.control else ''}" for one in found
    )
    console.print(f"{request.folder}: {_cases(cases)} on these libraries: {labels}")
    for operation in dict.fromkeys(case.operation for case in cases):
        own = [case for case in cases if case.operation == operation]
        sizes = ", ".join(map(size_text, sorted({case.size_bytes for case in own})))
        processes = ", ".join(map(str, sorted({case.n for case in own})))
        nodes = ", ".join(map(str, sorted({case.nodes for case in own if case.nodes})))
        where = f" on {nodes} nodes" if nodes else ""
        console.print(f"  {operation}: {_cases(own)}; sizes {sizes}; {processes} processes{where}")
    each = len(set(map(shared_in_launch, cases))) * len(settings_of(plan))
    crossed = " of each algorithm" if plan.algorithms else ""
    more = "at least " if plan.goal is not None else ""
    launches = plan.launches * each
    console.print(f"Launches: {more}{launches} of each library{crossed}, {launches * len(found)} in all")
    nrep = plan.checked(Registries.load()).nrep
    if isinstance(nrep, int):
        size = nrep * len(cases) * plan.launches * len(found) * len(settings_of(plan)) * SAMPLE.itemsize
        console.print(
            f"Disk: {more or 'about '}{size / 1e6:.2g} MB of samples. The time is known after the first launch."
        )
    if plan.over_s is not None:
        console.print(_blocks(plan))


def _cases(cases: Sequence[object]) -> str:
    return "1 case" if len(cases) == 1 else f"{len(cases)} cases"


def _blocks(plan: Plan) -> str:
    """When blocks begin, as far as that is known without a seed."""
    assert plan.over_s is not None
    each = (
        f"{plan.launches} blocks of launches, one at a random time of each {format_span(plan.over_s / plan.launches)}"
    )
    times = None if plan.seed is None else planned_times(plan)
    if times is None:
        return f"{each}; --seed decides the times"
    return f"{each}; with seed {plan.seed} they begin after {_times(map(times.begin_s, range(plan.launches)))}"


def _close(prepared: PreparedCampaign, ending: Ending) -> None:
    """Say where it is, what was found, and what to do next."""
    console = output()
    console.print(f"{ending.total} launches are in {prepared.folder}")
    campaign = load(prepared.folder)
    warn(host_warnings(campaign))  # said before it began, many lines above; a result without it would be quoted
    goal = goal_of(campaign)
    for sentence in _found(campaign) if goal is None else goal_sentences(goal):
        console.print(sentence)
    console.print(next_line(command(*next_words(campaign), prepared.folder)))


def _found(campaign: Campaign) -> tuple[str, ...]:
    """The result of what is compared where nobody asks for more, and the command that measures more where a case is
    open; nothing where one thing was measured.
    """
    if only_factor(campaign) is None:
        return ()
    found = compare(campaign)
    onward = more_command(campaign, found)
    spread = campaign.plan.over_s is not None
    held = span_sentence(found.span, found.evidence, len(found.compared)) if spread else ()
    return (*result_sentences(found), *held, *(() if onward is None else more_sentences(found, onward)))
