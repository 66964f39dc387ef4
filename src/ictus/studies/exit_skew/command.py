"""`ictus barriers skew`: how far apart ranks leave what they entered together."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.render.option_values import brief
from ictus.render.output import CommandAnswer, Csv, Json, command, print_answer
from ictus.render.progress import Display
from ictus.studies.exit_skew import options
from ictus.studies.options import From, Output, study_command

if TYPE_CHECKING:
    from ictus.studies.exit_skew.analysis import StartSummary
    from ictus.studies.exit_skew.record import SkewStudy


@study_command(shown=("per_rank",), without=("mpi",))
def skew(
    folder: From = None,
    *,
    common: StudyOptions,
    mpi: options.Libraries = None,
    starts: options.Starts = None,
    launches: options.Launches = 3,
    nrep: options.Nrep = 100,
    entry: options.Entry = "window(batch=1)",
    entry_tolerance: options.EntryTolerance = "5us",
    clocksync: options.Clocksync = "ictus",
    per_rank: Annotated[bool, typer.Option("--per-rank", help="The mean exit of every rank too.")] = False,
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure exit skew: how far apart ranks leave a barrier, or any start, that they entered together.

    Ranks enter at a common instant of the global clock, so that exits do not merely show arrivals. Where they read one
    counter, true skews stand beside the measured ones.
    """
    from ictus.studies.exit_skew.analysis import summarise  # noqa: PLC0415
    from ictus.studies.exit_skew.study import kept_skew, measure  # noqa: PLC0415
    from ictus.studies.exit_skew.tables import answer_lines, study_rows, warnings_of  # noqa: PLC0415

    options.check_processes(common.processes)
    names, tolerance_s = options.starts(starts), brief("--entry-tolerance", entry_tolerance)
    if folder is None:
        with Display() as display:
            study = measure(
                common,
                display,
                libraries=options.libraries(mpi),
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
        _keep(out, study, summaries)


def _keep(folder: Path, study: "SkewStudy", summaries: "Sequence[StartSummary]") -> None:
    from ictus.studies.exit_skew.page import skew_page  # noqa: PLC0415
    from ictus.studies.keeping import keep  # noqa: PLC0415

    page, panels = skew_page(study, summaries, command("barriers", "skew", folder, "-o", folder))
    keep(folder, study.document, panels, page)
