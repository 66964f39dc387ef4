"""`ictus clocks pareto`: what accuracy costs, over a grid of settings."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.render import option_values as values
from ictus.render.output import CommandAnswer, Csv, Json, command, print_answer, width
from ictus.render.progress import Display
from ictus.studies.clocks import options
from ictus.studies.options import From, Output, Repeats, study_command

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.studies.clock_pareto.analysis import Point
    from ictus.studies.clocks.record import Study


@study_command(shown=("wait",))
def pareto(
    folder: From = None,
    *,
    common: StudyOptions,
    algorithms: options.Algorithms = None,
    grid: Annotated[
        str, typer.Option("--grid", metavar="NAME", help="Settings: small, or paper (7 fit points by 4 exchanges).")
    ] = "small",
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="TIME",
            help="Leave out settings that are foretold to synchronise for longer.",
            show_default=False,
        ),
    ] = None,
    wait: Annotated[
        str, typer.Option("--wait", metavar="TIME", help="Time after synchronising at which the error counts.")
    ] = "5s",
    repeats: Repeats = 3,
    truth: options.Truth = "auto",
    rounds: options.Rounds = options.ROUNDS,
    sample: options.Sample = 1.0,
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Weigh accuracy against cost: the error of every setting of every algorithm against the time that it takes.

    The settings that none beats in both are the frontier. The mean MPI_Barrier is the baseline.
    """
    from ictus.studies.clock_pareto.analysis import grid_of, points, settings  # noqa: PLC0415
    from ictus.studies.clock_pareto.page import pareto_page  # noqa: PLC0415
    from ictus.studies.clock_pareto.study import measure  # noqa: PLC0415
    from ictus.studies.clock_pareto.tables import rows  # noqa: PLC0415
    from ictus.studies.clocks.errors import summarise  # noqa: PLC0415
    from ictus.studies.clocks.reading import keep, kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.clocks.setting import warnings_of  # noqa: PLC0415
    from ictus.studies.clocks.tables import SINGLE  # noqa: PLC0415

    limit = None if budget is None else values.positive("--budget", budget)
    options.check(truth, repeats, rounds, sample)
    wait_s = values.duration("--wait", wait)
    if folder is None:
        options.check_several(common.processes)
    names = options.algorithms(algorithms)
    settings(Registries.load(), names, grid_of(grid))
    if folder is None:
        with Display() as display:
            study = measure(
                common,
                display,
                algorithms=names,
                grid=grid,
                wait_s=wait_s,
                budget_s=limit,
                repeats=repeats,
                truth=truth,
                rounds=rounds,
                sample=sample,
            )
    else:
        study = kept(folder, "pareto")
    summaries = summarise(study.runs)
    allowed_s: float | None = study.document.budget_s
    found = points(summaries, wait_s, allowed_s)
    if not found and not any(one.errors for one in summaries):
        raise UsageError(f"'{folder}': {SINGLE}")
    if not found:
        known = ", ".join(f"{one:g}s" for one in sorted({error.wait_s for one in summaries for error in one.errors}))
        raise UsageError(f"--wait '{wait}' was not measured there; known are {known}")
    print_answer(
        CommandAnswer(
            "ictus.clocks.pareto/1",
            list(rows(found, wait_s)),
            warnings_of(study),
            lambda: _lines(study, found, wait_s),
            more={
                "barrier_s": _barriers(study),
                "budget_s": study.document.budget_s,
                "left_out": list(study.document.left_out),
            },
        ),
        json,
        csv,
    )
    if out is not None:
        again = command("clocks", "pareto", out, "--wait", f"{wait_s:g}s", "-o", out)
        page, panels = pareto_page(study, found, wait_s, again)
        keep(out, study, panels, page)


def _barriers(study: "Study") -> dict[int, float | None]:
    return {one.setting.n_ranks: one.barrier_s for one in study.accuracy}


def _lines(study: "Study", found: "Sequence[Point]", wait_s: float) -> Iterator["Text"]:
    from ictus.render.terminal import lines  # noqa: PLC0415
    from ictus.studies.clock_pareto.tables import budget_note, pareto_table  # noqa: PLC0415
    from ictus.studies.clocks.setting import remarks, setting_text, study_lines  # noqa: PLC0415

    columns = width()
    notes = [
        *budget_note(found, study.document.budget_s),
        *remarks(study.settings, [launch.truth for launch in study.accuracy]),
    ]
    tables = lines(pareto_table(found, wait_s), columns)
    yield from study_lines(setting_text(study.settings), tables, notes, _sentences(study, found), columns)


def _sentences(study: "Study", found: "Sequence[Point]") -> Iterator[str]:
    """The result for each number of processes."""
    from ictus.comparison.case_titles import processes  # noqa: PLC0415
    from ictus.studies.clock_pareto.tables import pareto_sentence  # noqa: PLC0415

    barriers = _barriers(study)
    for n_ranks in dict.fromkeys(point.n_ranks for point in found):
        own = [point for point in found if point.n_ranks == n_ranks]
        among = f"{processes(n_ranks)}: " if len(barriers) > 1 else ""
        yield f"{among}{pareto_sentence(own, barriers[n_ranks])}"
