"""`ictus barriers skew`: how far apart ranks leave a barrier that they enter together."""

from dataclasses import replace
from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.narrower_options import NREP
from ictus.render.option_values import brief
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.plan_options import plan_option, typer_option
from ictus.render.progress import Display
from ictus.studies.core_defaults import SKEW
from ictus.studies.options import From, Libraries, Output, libraries, study_command

Starts = Annotated[
    str | None,
    plan_option(
        "procsync",
        "all barriers and all starts that synchronise",
        help="The starts (ictus list procsync); barrier(all) means every barrier.",
    ),
]
Launches = Annotated[int, plan_option("launches", "3", help="Launches of each library with each -n.")]
Nrep = Annotated[
    int, typer_option(replace(NREP, help="Valid entries of each start in a launch."), str(SKEW.nrep("repetition")))
]
Entry = Annotated[
    str, typer.Option("--entry", metavar="NAME", help="What brings ranks to the common instant of entering.")
]
EntryTolerance = Annotated[
    str,
    typer.Option(
        "--entry-tolerance",
        metavar="TIME",
        help="Ranks that entered further apart did not enter together; at most 1s.",
    ),
]
Clocksync = Annotated[
    str,
    plan_option("clocksync", SKEW.text("clocksync"), help="How the clocks are synchronised (ictus list clocksync)."),
]


@study_command(shown=("per_rank",), without=("mpi",))
def skew(
    folder: From = None,
    *,
    common: StudyOptions,
    mpi: Libraries = None,
    starts: Starts = None,
    launches: Launches = 3,
    nrep: Nrep = SKEW.nrep("repetition"),
    entry: Entry = SKEW.text("entry"),
    entry_tolerance: EntryTolerance = SKEW.text("entry-tolerance"),
    clocksync: Clocksync = SKEW.text("clocksync"),
    per_rank: Annotated[bool, typer.Option("--per-rank", help="Also show the mean exit of every rank.")] = False,
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure exit skew: how far apart ranks leave a barrier.

    It is also measured of other starts. Ranks enter at a common instant of the global clock, so that exits do not
    merely show arrivals. Where they read one counter, true skews stand beside the measured ones.
    """
    from ictus.studies.exit_skew.analysis import summarise  # noqa: PLC0415
    from ictus.studies.exit_skew.page import skew_page  # noqa: PLC0415
    from ictus.studies.exit_skew.study import check_processes, kept_skew, measure, parse_starts  # noqa: PLC0415
    from ictus.studies.exit_skew.tables import answer_lines, study_rows, warnings_of  # noqa: PLC0415
    from ictus.studies.keeping import keep  # noqa: PLC0415

    check_processes(common.processes)
    names, tolerance_s = parse_starts(starts), brief("--entry-tolerance", entry_tolerance)
    if folder is None:
        with Display() as display:
            study = measure(
                common,
                display,
                libraries=libraries(mpi),
                starts=names,
                launches=launches,
                nrep=nrep,
                entry=entry,
                entry_tolerance_s=tolerance_s,
                clocksync=clocksync,
            )
    else:
        study = kept_skew(folder)
    summaries = summarise(study.launches)
    print_answer(
        CommandAnswer(
            "ictus.barriers.skew/1",
            list(study_rows(summaries, per_rank=per_rank)),
            warnings_of(study, summaries),
            lambda: answer_lines(study, summaries, per_rank=per_rank),
        ),
        json,
        csv,
    )
    if out is not None:
        keep(out, study.document, *skew_page(study, summaries, page_command("barriers", "skew", out, "-o", out)))
