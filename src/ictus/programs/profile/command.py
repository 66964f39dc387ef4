"""`ictus profile`: which MPI calls a program makes, and what they cost."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.model.errors import UsageError
from ictus.programs.option_sets import RankOptions, StartOptions
from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.profile.groups import GROUPINGS, grouped_rows
from ictus.programs.profile.imports import imports_sentence
from ictus.programs.profile.launch import run_profile
from ictus.programs.profile.page import profile_page
from ictus.programs.profile.tables import group_table, profile_rows, profile_sentence, profile_table
from ictus.render.option_set import with_option_sets
from ictus.render.option_values import positive
from ictus.render.output import (
    AnswerForm,
    CommandAnswer,
    command,
    errors,
    next_line,
    page_command,
    warn,
    width,
    wrapped,
)
from ictus.render.page_file import check_page_file, write_page_file
from ictus.render.plan_options import (
    Program,
    plan_option,
)
from ictus.render.progress import Display
from ictus.render.table import records
from ictus.render.terminal import lines
from ictus.render.typed_options import typed_options
from ictus.store.document import version

_ROWS = 10

Shown = Annotated[int, typer.Option("--rows", metavar="COUNT", min=0, help="Rows of each table; 0: all.")]
_EACH_KIND = "kind"
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="|".join((*GROUPINGS, _EACH_KIND)),
        help="What a row stands for, in JSON and CSV too. [default: tables by function, place and size; "
        "in JSON and CSV kind]",
        show_default=False,
    ),
]
_FIRST = ("function", "place", "size")
"""What people ask first."""


@with_option_sets
def run(
    context: typer.Context,
    words: Program = None,
    *,
    ranks: RankOptions,
    out: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder of the counters, new or empty.")
    ] = Path("ictus-profile"),
    rows: Shown = _ROWS,
    start: StartOptions,
    timeout: Annotated[str | None, plan_option("timeout", "", help="End all ranks after this time.")] = None,
) -> None:
    """Run any MPI program and count its calls.

    The program's output and exit code are passed on; the table follows on standard error. `ictus profile show FOLDER`
    shows it again, as JSON or CSV too.
    """
    if not words:
        raise UsageError("profile: no program; for example: ictus profile -m openmpi -n 2 -- ./application")
    with Display() as display:
        request = start.request(words, ranks, math.inf if timeout is None else positive("--timeout", timeout))
        profiled = run_profile(request, out, None, display)
    if profiled.profile is not None:
        typed = typed_options(context, ("mpi", "n", "nodes", "ppn", "env", "no_pin", "map_by", "launcher", "hosts"))
        advise = command("advise", *typed, "--", *words)
        onward = advise if profiled.profile.counts_calls else command("profile", "show", out, "--json")
        for line in _lines(profiled.profile, rows, onward):
            errors().print(line)
    warn(profiled.warnings)
    raise typer.Exit(profiled.exit_code)


@with_option_sets
def show(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder that `ictus profile` wrote.")],
    *,
    by: By = None,
    rows: Shown = _ROWS,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Also write a page: the table, which process waits for which, and when processes came to some calls.",
            show_default=False,
        ),
    ] = None,
    form: AnswerForm,
) -> None:
    """Show the calls of a profiled program, the most expensive first.

    JSON and CSV have all rows. It also works while the program still runs.
    """
    if by is not None and by not in (*GROUPINGS, _EACH_KIND):
        raise UsageError(f"--by '{by}': it is one of {', '.join((*GROUPINGS, _EACH_KIND))}")
    if out is not None:
        check_page_file(out, "profile.html")
    profile = load_profile(folder)
    extra_keys = {
        "library_version": profile.library,
        "n_ranks": profile.n_ranks,
        "elapsed_s": profile.elapsed_s,
        "mpi_share": profile.mpi_share,
        "waiting_share": profile.waiting_share,
        "clock": profile.clock,
        "ranks": profile.ranks.to_dicts(),
        "not_counted": records(profile.not_counted),
    }
    lines = lambda: _lines(profile, rows, by=by)  # noqa: E731
    schema, row_list = _rows(profile, _EACH_KIND if by is None else by)
    if form.csv:  # a line has no room for the rows of each process
        row_list = [{name: value for name, value in row.items() if name != "by_rank"} for row in row_list]
    form.print(CommandAnswer(schema, row_list, profile.warnings, lines, extra_keys))
    if out is not None:
        again = page_command("profile", "show", folder, "-o", out.name)
        write_page_file(out, profile_page(profile, again, version()))


def _rows(profile: ProgramProfile, by: str) -> tuple[str, list[dict[str, Any]]]:
    """The rows for scripts, behind their schema."""
    if by == _EACH_KIND:
        return "ictus.profile/1", profile_rows(profile)
    return "ictus.profile-groups/1", grouped_rows(profile, by)


def _lines(profile: ProgramProfile, at_most: int, onward: str | None = None, by: str | None = None) -> Iterator[Text]:
    yield from wrapped(profile_sentence(profile), "bold", width())
    if onward is not None:
        yield next_line(onward)
    if not profile.counts_calls:
        return
    for group in _FIRST if by is None else (by,):
        _, rows = _rows(profile, group)
        shown_rows = rows if at_most == 0 else rows[:at_most]
        if by is None:
            yield Text()
        yield from lines(profile_table(shown_rows) if group == _EACH_KIND else group_table(shown_rows, group), width())
        if len(shown_rows) < len(rows):
            yield from wrapped(f"{len(rows) - len(shown_rows)} more: --by {group} --rows 0 shows all.", "dim", width())
    if beside := imports_sentence(profile.not_counted):
        yield from wrapped(beside, "dim", width())
