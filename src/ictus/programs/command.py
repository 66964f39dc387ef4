"""`ictus exec`: a user's MPI program, with its barriers replaced or its collectives rerouted."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ictus.launch.process import PassedStreams
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.programs.exec import CallReplacement, ProgramResult, run_replaced
from ictus.programs.exit_skew import exit_skew_lines
from ictus.programs.option_sets import RankOptions, StartOptions
from ictus.programs.preload import PreloadReport
from ictus.render.option_set import with_option_sets
from ictus.render.option_values import positive
from ictus.render.output import Json, as_json, errors, output, warn, width, wrapped
from ictus.render.plan_options import (
    Program,
    RedirectPlugin,
    plan_option,
)
from ictus.render.progress import Display


@with_option_sets
def exec_command(
    words: Program = None,
    *,
    ranks: RankOptions,
    procsync: Annotated[
        str | None,
        plan_option("procsync", "harmonize", metavar="NAME", help="What a barrier becomes (ictus list procsync)."),
    ] = None,
    redirect: Annotated[
        Path | None,
        typer.Option(
            "--redirect",
            metavar="PROFILE",
            help="Leave barriers as they are; replace calls by the mock-ups that this file (or folder of *.prf) names.",
            show_default=False,
        ),
    ] = None,
    plugin: RedirectPlugin = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FOLDER",
            help="Store when each process left each barrier (exits.npy), and show it.",
            show_default=False,
        ),
    ] = None,
    start: StartOptions,
    timeout: Annotated[
        str | None,
        plan_option("timeout", "", help="End all ranks after this time."),
    ] = None,
    json: Json = False,
) -> None:
    """Run any MPI program with its barriers or collectives replaced.

    The program's output and exit code are passed on. A report on its barriers, or with --redirect on its collectives,
    follows on standard error. With --json, standard output has only the JSON object, and the program's output goes to
    standard error.
    """
    if not words:
        raise UsageError("exec: no program; for example: ictus exec -m openmpi -n 2 -- ./osu_reduce -m 8:1024")
    with Display() as display:
        request = start.request(words, ranks, math.inf if timeout is None else positive("--timeout", timeout))
        calls = CallReplacement(procsync, redirect, tuple(plugin or ()), log)
        result = run_replaced(request, calls, PassedStreams(2 if json else None), display)
    if json:
        _print_json(result)
    else:
        for line in _lines(result):
            errors().print(line, soft_wrap=True)
        warn(result.warnings)
    raise typer.Exit(result.exit_code)


def _print_json(result: "ProgramResult") -> None:
    """One object: of a program whose barriers were replaced its communicators, of one that was rerouted its calls."""
    report = result.report
    rows, extra_keys = [], {}
    if report is not None:
        columns_key = "communicators" if isinstance(report, PreloadReport) else "reroutes"
        values = report.declared()
        rows = values.pop(columns_key)
        extra_keys = {name: value for name, value in values.items() if name not in ("state", "log", "warnings")}
        extra_keys = {"finalised": report.finalised, **extra_keys}
    if isinstance(report, PreloadReport):
        extra_keys["exit_skew"] = [asdict(skew) for skew in result.exit_skew]
    schema = "ictus.exec-redirect/1" if result.redirected else "ictus.exec/1"
    head = {"exit_code": result.exit_code, "command": list(result.command)}
    output().out(as_json(schema, result.warnings, rows, **head, **extra_keys), end="")


def _lines(result: "ProgramResult") -> "Iterator[Text]":
    """The report on the barriers, or on the calls, after the program's own output."""
    report = result.report
    if report is None or not report.finalised:
        return
    yield Text()
    if not isinstance(report, PreloadReport):
        yield from map(Text, report.lines())
        return
    yield from wrapped(_sentence(report, Registries.load().short("procsync", report.procsync)), "bold", width())
    if result.exit_skew:
        yield Text()
        yield from exit_skew_lines(result.exit_skew, report, width())


def _sentence(report: "PreloadReport", name: str) -> str:
    if not report.calls:
        return "The program called no MPI_Barrier: nothing was replaced."
    n_communicators = sum(communicator.communicators for communicator in report.communicators)
    sentence = (
        f"{_counted(report.barriers, 'barrier')} of {_counted(n_communicators, 'communicator')} replaced by {name}"
    )
    if report.missed_share is not None:
        sentence += f"; {report.missed} of {report.calls} calls missed the deadline ({report.missed_share:.2%})"
    if report.left_to_library:
        sentence += f"; {_counted(report.left_to_library, 'call')} left to the library"
    return f"{sentence}."


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
