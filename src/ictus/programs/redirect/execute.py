"""`ictus exec --redirect`: somebody else's MPI program, with its collectives rerouted."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

import typer

from ictus.programs.foreign import check_end, exit_code
from ictus.programs.redirect.launch import launch_redirected, make_ready, remarks_on, say_lines
from ictus.render.console import output, warn


def exec_redirected(
    words: Sequence[str],
    profile: Path,
    mpi: str | None,
    n: int,
    variables: dict[str, str],
    *,
    pin: bool,
    launcher: str,
    timeout: str | None,
    timeout_s: float,
    json: bool,
) -> NoReturn:
    """Start it, pass on what it says and how it ends, and tell what became of its calls."""
    from ictus.launch.process import Passed  # noqa: PLC0415

    ready = make_ready(words, profile, mpi, n, variables, pin=pin, launcher=launcher, timeout_s=timeout_s)
    outcome, report, warnings = launch_redirected(ready, Passed(2 if json else None))
    check_end(outcome, timeout)
    remarks = [*warnings, *remarks_on(report, outcome)]
    if json:
        from ictus.render.export import as_json  # noqa: PLC0415

        rows = [] if report is None else [asdict(one) for one in report.reroutes]
        more = {} if report is None else {key: value for key, value in asdict(report).items() if key != "reroutes"}
        more.pop("warnings", None)
        more |= {"exit_code": exit_code(outcome), "command": list(outcome.command)}
        output().out(as_json("ictus.exec-redirect/1", remarks, rows, **more), end="")
    else:
        if report is not None and report.finalised:
            say_lines(report)
        warn(remarks)
    raise typer.Exit(exit_code(outcome))
