"""`ictus clocks pareto`: the cost of accuracy, over a grid of settings."""

from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.render import option_values as values
from ictus.render.output import Csv, Json, page_command, print_answer
from ictus.render.progress import Display
from ictus.studies.clocks import options
from ictus.studies.core_defaults import ACCURACY
from ictus.studies.options import From, Output, Repeats, study_command


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
            help="Leave out settings that are predicted to synchronise for longer.",
            show_default=False,
        ),
    ] = None,
    wait: Annotated[
        str, typer.Option("--wait", metavar="TIME", help="Time after synchronising at which the error counts.")
    ] = "5s",
    repeats: Repeats = 3,
    truth: options.Truth = ACCURACY.text("truth"),
    rounds: options.Rounds = ACCURACY.count("rounds"),
    sample: options.Sample = ACCURACY.number("sample"),
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Weigh the accuracy of algorithms against their cost.

    The error of every setting of every algorithm against the time that it takes. The settings that none beats in both
    are the frontier. The mean MPI_Barrier is the baseline.
    """
    from ictus.studies.clock_pareto.analysis import grid_of, points, settings  # noqa: PLC0415
    from ictus.studies.clock_pareto.page import pareto_page  # noqa: PLC0415
    from ictus.studies.clock_pareto.study import measure  # noqa: PLC0415
    from ictus.studies.clock_pareto.tables import answer  # noqa: PLC0415
    from ictus.studies.clocks.errors import SINGLE, summarise  # noqa: PLC0415
    from ictus.studies.clocks.reading import kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.keeping import keep  # noqa: PLC0415

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
    print_answer(answer(study, found, wait_s), json, csv)
    if out is not None:
        again = page_command("clocks", "pareto", out, "--wait", f"{wait_s:g}s", "-o", out)
        keep(out, study.document, *pareto_page(study, found, wait_s, again))
