"""Options that say where and how a study is measured, and how what was typed is understood."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.engine.study_options import CLOCK_DOMAINS, HERE, StudyOptions
from ictus.launch.launchers import LAUNCHERS
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.registries import unknown
from ictus.model.spec import parse_spec
from ictus.render.option_values import check_member, counts, one_of, positive
from ictus.render.plan_options import Environment, Library, NoPin, environment, launcher_option, output_option

From = Annotated[
    Path | None,
    typer.Argument(
        metavar="FOLDER", help="A study that was kept (-o): show it again, measure nothing.", show_default=False
    ),
]
Where = Annotated[
    str,
    typer.Option(
        "--platform",
        metavar="PLACE",
        help="Where ranks run: here, namespaces (two hosts with clocks of their own), or a platform that SimGrid "
        "simulates: flat, fat-tree, 'two-level(ranks_per_host=8)'.",
    ),
]
Processes = Annotated[
    str, typer.Option("-n", metavar="COUNT,...", help="Numbers of processes; each is a launch of its own.")
]


def one_number(at_least: int) -> Any:
    """`-n COUNT`, for a study of one launch."""
    return Annotated[int, typer.Option("-n", metavar="COUNT", min=at_least, help="Number of processes.")]


Clock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="NAME",
        help="Where ranks read their time; 'skewed(drift=20ppm)' has a known truth. [default: tsc; on namespaces "
        "monotonic, simulated 'skewed(scope=host)']",
        show_default=False,
    ),
]
ClockDomain = Annotated[
    str,
    typer.Option(
        "--clock-domain",
        metavar="auto|host|rank",
        help="Which ranks are said to read one counter; verified.",
    ),
]
Repeats = Annotated[int, typer.Option("--repeats", metavar="COUNT", min=1, help="Of every measurement.")]
Seed = Annotated[int, typer.Option("--seed", metavar="NUMBER", min=0, help="Decides the order of everything.")]
Timeout = Annotated[str, typer.Option("--timeout", metavar="TIME", help="A launch that takes longer is ended.")]
Launcher = Annotated[str, launcher_option()]
Output = Annotated[Path | None, output_option("Keep the study: its numbers, figures, report.html.")]


def parse_study_options(
    *,
    platform: Where = HERE,
    mpi: Library = None,
    n: Processes = "2",
    clock: Clock = None,
    clock_domain: ClockDomain = CLOCK_DOMAINS[0],
    seed: Seed = 1,
    launcher: Launcher = Mpiexec.name,
    timeout: Timeout = "3600s",
    env: Environment = None,
    no_pin: NoPin = None,
) -> StudyOptions:
    """What was typed, checked as far as nothing has to be looked for. Raises UsageError.

    Its parameters are the options: a command has them in the place of its parameter `common` (`command.py`).
    """
    one_of("--clock-domain", clock_domain, CLOCK_DOMAINS)
    launchers = [member.name for member in LAUNCHERS]
    if launcher not in launchers:
        raise unknown(f"--launcher '{launcher}'", launcher, launchers)
    if clock is not None:
        check_member("--clock", "clock", clock)
    return StudyOptions(
        platform=platform,
        mpi=mpi,
        launcher=launcher,
        processes=counts("-n", str(n)),
        clock=None if clock is None else str(parse_spec(clock)),
        clock_domain=clock_domain,
        seed=seed,
        timeout_s=positive("--timeout", timeout),
        environment=environment(env) or {},
        pin=not no_pin,
    )
