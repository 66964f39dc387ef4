"""Options that say where and how a study is measured: those of the plan, with other texts and defaults where they
differ; and their parsed values.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.engine.study_options import CLOCK_DOMAINS, HERE, StudyOptions
from ictus.launch.launchers import LAUNCHERS
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import MeasurementError
from ictus.model.job_size import ANYWHERE
from ictus.model.narrower_options import NO_PIN, ONE_CLOCK, ONE_SETTING
from ictus.model.plan_options import BY_KEY
from ictus.model.spec import parse_spec
from ictus.model.unknown import unknown
from ictus.render.option_values import check_member, counts, one_of, positive
from ictus.render.plan_options import LAUNCHER, output_option, plan_command, plan_option
from ictus.render.typed_options import check_only

From = Annotated[
    Path | None,
    typer.Argument(
        metavar="FOLDER", help="A study that was kept (-o): show it again, measure nothing.", show_default=False
    ),
]
CampaignFolder = Annotated[
    Path | None,
    typer.Argument(
        metavar="FOLDER",
        help="A campaign to show; the page is written into it. Without it, a campaign is measured.",
        show_default=False,
    ),
]
Repeats = Annotated[int, typer.Option("--repeats", metavar="COUNT", min=1, help="Repetitions of every measurement.")]
Libraries = Annotated[list[str] | None, plan_option("mpi", "the first found")]
Output = Annotated[Path | None, output_option("Keep the study: its numbers, figures, report.html.")]

_OPTIONS = (
    replace(
        BY_KEY["platform"],
        metavar="PLACE",
        help="Where ranks run: here, namespaces (two hosts with clocks of their own), or a platform that SimGrid "
        "simulates: flat, fat-tree, 'two-level(ranks_per_host=8)'.",
        default=HERE,
    ),
    replace(BY_KEY["mpi"], kind="text", help="The library by label, flavour or wrapper.", default="the first found"),
    replace(BY_KEY["n"], help="Numbers of processes; each is a launch of its own.", default="2"),
    replace(
        BY_KEY["nodes"],
        kind="count",
        metavar="COUNT",
        help="Nodes that the processes are spread over evenly.",
        least=1,
    ),
    replace(
        ONE_CLOCK,
        help="Where ranks read their time; 'skewed(drift=20ppm)' has a known truth.",
        default="tsc; on namespaces monotonic, simulated 'skewed(scope=host)'",
    ),
    BY_KEY["clock-domain"],
    replace(BY_KEY["seed"], default="1"),
    LAUNCHER,
    replace(BY_KEY["timeout"], default="3600s"),
    ONE_SETTING,
    NO_PIN,
)
_SHOWING = ("folder", "out", "json", "csv")
"""Parameters that a study takes which was kept before, in every command."""

Command = Callable[..., None]


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """MeasurementError where what is read in the block contradicts itself in a way that no document checks, such as
    numbers that cannot be together. Lengths and places of lists are checked as a document is read, by their fields.
    """
    try:
        with warnings.catch_warnings():  # NumPy's, about numbers that are too large and lists that are empty
            warnings.simplefilter("ignore", RuntimeWarning)
            yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise MeasurementError(
            f"'{folder}' holds a study that contradicts itself ({type(error).__name__}: {error}): restore the file "
            f"that was changed, or measure again"
        ) from error


def study_command(
    *, shown: Collection[str] = (), without: Collection[str] = (), one_launch: int = 0
) -> Callable[[Command], Command]:
    """Give a command the options of a study in the place of its parameter `common`.

    `shown` are parameters of its own that a kept study takes too: any other one beside a FOLDER is a UsageError.
    `without` are keys of options that it does not have. `one_launch` is the least number of processes of a study of
    one launch.
    """
    options = [one for one in _OPTIONS if one.key not in without]
    if one_launch:
        number = replace(
            BY_KEY["n"], kind="count", metavar="COUNT", help="Number of processes.", default="2", least=one_launch
        )
        options = [number if one.key == "n" else one for one in options]

    def made(command: Command) -> Command:
        @functools.wraps(command)
        def run(context: typer.Context, given: Mapping[str, Any], **own: Any) -> None:
            if own["folder"] is not None:
                check_only(context, {*_SHOWING, *shown})
            with nullcontext() if own["folder"] is None else _reading(own["folder"]):
                command(**own, common=replace(parse_study_options(given), output=own["out"]))

        signature = inspect.signature(command)
        parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        parameters += [
            one.replace(name="given") if one.name == "common" else one for one in signature.parameters.values()
        ]
        parameters.sort(key=lambda one: one.kind)  # stable: what is positional comes first
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined] # what typer reads
        return plan_command(*options)(run)

    return made


def parse_study_options(given: Mapping[str, Any]) -> StudyOptions:
    """The typed options, by key, checked as far as possible without a search. Raises UsageError."""
    typed = {key: value for key, value in given.items() if value is not None}
    launcher, clock, domain = typed.get("launcher", Mpiexec.name), typed.get("clock"), typed.get("clock-domain")
    launchers = [member.name for member in LAUNCHERS]
    if launcher not in launchers:
        raise unknown(f"--launcher '{launcher}'", launcher, launchers)
    if clock is not None:
        check_member("--clock", "clock", clock)
    return StudyOptions(
        platform=typed.get("platform", HERE),
        mpi=typed.get("mpi"),
        launcher=launcher,
        processes=counts("-n", str(typed.get("n", 2))),
        nodes=typed.get("nodes", ANYWHERE),
        clock=None if clock is None else str(parse_spec(clock)),
        clock_domain=CLOCK_DOMAINS[0] if domain is None else one_of("--clock-domain", domain, CLOCK_DOMAINS),
        seed=typed.get("seed", 1),
        timeout_s=positive("--timeout", typed.get("timeout", "3600s")),
        environment=typed.get("env", {}),
        pin=typed.get("pin", True),
    )


def libraries(mpi: Sequence[str] | None) -> tuple[str | None, ...]:
    """Each library once; None is the first that is found."""
    return tuple(dict.fromkeys(mpi)) if mpi else (None,)
