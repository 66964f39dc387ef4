"""`ictus exec`: somebody else's MPI program, with its barriers replaced or its collectives rerouted."""

import math
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.model.errors import UsageError
from ictus.model.spec import Spec
from ictus.programs.foreign import Program, Variables, check_end, exit_code, prepared
from ictus.render.console import errors, output, warn, width, wrapped
from ictus.render.option_values import check_member, positive
from ictus.render.output import Json
from ictus.render.plan_options import Library, NoPin, environment, launcher_option

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.model.job import Outcome
    from ictus.programs.exit_skew import ExitSkew
    from ictus.programs.preload import PreloadReport


def exec_program(
    words: Program = None,
    *,
    mpi: Library = None,
    n: Annotated[int, typer.Option("-n", metavar="COUNT", min=1, help="Number of processes.")] = 2,
    procsync: Annotated[
        str | None,
        typer.Option(
            "--procsync",
            metavar="NAME",
            help="What a barrier becomes (ictus list procsync). [default: harmonize]",
            show_default=False,
        ),
    ] = None,
    redirect: Annotated[
        Path | None,
        typer.Option(
            "--redirect",
            metavar="PROFILE",
            help="Leave barriers alone; calls become the mock-ups that this file says, or a folder of *.prf.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FOLDER",
            help="Keep when each process left each barrier (exits.npy), and show it.",
            show_default=False,
        ),
    ] = None,
    env: Variables = None,
    no_pin: NoPin = None,
    launcher: Annotated[str, launcher_option()] = "mpiexec",
    timeout: Annotated[
        str | None,
        typer.Option("--timeout", metavar="TIME", help="End all ranks after this time.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Run any MPI program, barriers or collectives replaced.

    Its output is passed on, and so is its exit code; what became of its barriers, or with --redirect of its
    collectives, follows on standard error. With --json the object alone is on standard output, and the program's output
    on standard error.
    """
    from ictus.launch.process import Passed  # noqa: PLC0415
    from ictus.model.job import Job  # noqa: PLC0415
    from ictus.mpi.build import build_preload  # noqa: PLC0415
    from ictus.mpi.cores import usable_cores  # noqa: PLC0415
    from ictus.programs.program import check_program, find_program, launch_passed, with_library, with_preload  # noqa: PLC0415
    from ictus.programs.redirect.execute import exec_redirected  # noqa: PLC0415

    if not words:
        raise UsageError("exec: no program; for example: ictus exec -m openmpi -n 2 -- ./osu_reduce -m 8:1024")
    if redirect is not None:
        if procsync is not None or log is not None:
            raise UsageError("--redirect leaves barriers alone: without --procsync and --log")
        exec_redirected(
            words,
            redirect,
            mpi,
            n,
            environment(env) or {},
            pin=not no_pin,
            launcher=launcher,
            timeout=timeout,
            timeout_s=math.inf if timeout is None else positive("--timeout", timeout),
            json=json,
        )
    procsync = procsync or "harmonize"
    program = find_program(words[0])
    check_start(check_member("--procsync", "procsync", procsync))
    if log is not None:
        _check_log(log)
    timeout_s = math.inf if timeout is None else positive("--timeout", timeout)
    variables = environment(env) or {}
    installation, preload = prepared(mpi, build_preload, "preload library")
    check_program(program, preload, installation)
    with tempfile.TemporaryDirectory(prefix="ictus-exec-") as name:
        report_file = Path(name) / "preload.json"
        job = Job(
            n_ranks=n,
            program=(str(program), *words[1:]),
            folder=Path.cwd(),
            timeout_s=timeout_s,
            environment={
                **with_preload(with_library(variables, program, preload, installation), preload),
                "ICTUS_PROCSYNC": procsync,
                "ICTUS_PRELOAD_RANKS": str(n),
                "ICTUS_PRELOAD_REPORT": str(report_file),
                **({} if log is None else {"ICTUS_PRELOAD_LOG": str(log.absolute())}),
            },
            pin=not no_pin,
            n_cores=usable_cores().n,
        )
        outcome, warnings = launch_passed(installation, job, launcher, Passed(2 if json else None))
        check_end(outcome, timeout)
        _tell(report_file, log, outcome, warnings, json=json)
    raise typer.Exit(exit_code(outcome))


_CASE_ENDING = ("window-adaptive", "round-time")
"""Starts that decide when a case is over, in native/src/preload/meaning.cpp: another program has no cases."""


def check_start(start: Spec) -> None:
    """UsageError, before anything is built, for a start that the preload library would refuse."""
    if start.name in _CASE_ENDING:
        raise UsageError(
            f"--procsync '{start.name}' cannot take the place of a barrier: it decides when a case is over, and a "
            f"program of somebody else has none"
        )
    for argument in start.arguments:
        if argument.key == "size" and str(argument.value) == "auto":
            raise UsageError(
                f"--procsync '{start.name}': size=auto goes by the latency of what is measured, which is not known of "
                f"a program of somebody else; give a size, such as {start.name}(size=100us)"
            )
        if isinstance(argument.value, Spec):
            check_start(argument.value)


def _check_log(folder: Path) -> None:
    """UsageError for a folder that cannot be made or written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--log '{folder}' cannot be created: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"--log '{folder}' cannot be written to")


def _tell(file: Path, log: Path | None, outcome: "Outcome", warnings: Sequence[str], *, json: bool) -> None:
    """What became of the barriers, after the program's own words."""
    from ictus.programs.exit_skew import summarise_exits  # noqa: PLC0415
    from ictus.programs.preload import read_exits, read_report  # noqa: PLC0415

    report = read_report(file) if file.is_file() else None
    counted = report is not None and report.finalised
    skews = summarise_exits(read_exits(log), report) if counted and report is not None and log is not None else ()
    remarks = [*warnings, *_remarks(report, outcome)]
    if json:
        from ictus.render.export import as_json  # noqa: PLC0415

        rows = [] if report is None else [asdict(one) for one in report.communicators]
        text = as_json("ictus.exec/1", remarks, rows, **_more(report, skews, outcome))
        output().out(text, end="")
        return
    console = errors()
    for line in _lines(report, skews) if counted and report is not None else ():
        console.print(line)
    warn(remarks)


def _remarks(report: "PreloadReport | None", outcome: "Outcome") -> Iterator[str]:
    failed = outcome.exit_code != 0
    if report is None and not failed:
        yield (
            "no MPI_Init was seen, no barrier was replaced: the program uses no MPI, brings its own, or runs where its "
            "report cannot be read (--log FOLDER on a file system that all hosts share)"
        )
    if report is not None and not report.finalised and not failed:
        yield "the program ended without MPI_Finalize: its barriers were replaced, but nothing is known of them"
    if report is not None:
        yield from report.warnings


def _more(report: "PreloadReport | None", skews: "Sequence[ExitSkew]", outcome: "Outcome") -> dict[str, Any]:
    if report is None:
        return {"exit_code": exit_code(outcome), "command": list(outcome.command)}
    total = {name: value for name, value in vars(report).items() if name not in ("communicators", "warnings", "logged")}
    return {
        "exit_code": exit_code(outcome),
        "command": list(outcome.command),
        **total,
        "exit_skew": [asdict(one) for one in skews],
    }


def _lines(report: "PreloadReport", skews: "Sequence[ExitSkew]") -> "Iterator[Text]":
    from rich.text import Text  # noqa: PLC0415

    from ictus.model.registries import Registries  # noqa: PLC0415
    from ictus.programs.exit_skew import exit_skew_tables  # noqa: PLC0415

    yield Text()
    yield from wrapped(_sentence(report, Registries.load().short("procsync", report.procsync)), "bold", width())
    if skews:
        yield Text()
        yield from exit_skew_tables(skews, report, width())


def _sentence(report: "PreloadReport", name: str) -> str:
    many = sum(one.communicators for one in report.communicators)
    sentence = f"{_counted(report.barriers, 'barrier')} of {_counted(many, 'communicator')} replaced by {name}"
    if report.missed_share is not None:
        sentence += f"; {report.missed} of {report.calls} calls missed the deadline ({report.missed_share:.2%})"
    if report.left_to_library:
        sentence += f"; {_counted(report.left_to_library, 'call')} left to the library"
    return f"{sentence}."


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
