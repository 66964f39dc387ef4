"""`ictus barriers skew`: how far apart ranks leave what they entered together."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.engine.study_options import StudyOptions
from ictus.render.option_values import brief
from ictus.render.output import CommandAnswer, Csv, Json, command, print_answer, width
from ictus.render.progress import Display
from ictus.studies.exit_skew import options
from ictus.studies.options import From, Output, study_command

if TYPE_CHECKING:
    from rich.text import Text

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
    from ictus.studies.exit_skew.tables import warnings_of  # noqa: PLC0415 (numpy and matplotlib take most of a second)

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
            list(_rows(summaries, per_rank=per_rank)),
            warnings_of(study, summaries),
            lambda: _lines(study, summaries, per_rank=per_rank),
        ),
        json,
        csv,
    )
    if out is not None:
        _keep(out, study, summaries)


def _lines(study: "SkewStudy", summaries: "Sequence[StartSummary]", *, per_rank: bool) -> Iterator["Text"]:
    from rich.text import Text  # noqa: PLC0415

    from ictus.render.terminal import lines  # noqa: PLC0415
    from ictus.studies.clocks.setting import setting_text, study_lines  # noqa: PLC0415
    from ictus.studies.exit_skew.tables import exit_tables, remark, skew_sentences, skew_table  # noqa: PLC0415

    columns = width()
    by_rank = [line for one in exit_tables(summaries) for line in (*lines(one, columns), Text())] if per_rank else []
    tables = [*by_rank, *lines(skew_table(summaries), columns)]
    yield from study_lines(
        setting_text(study.settings), tables, [remark(summaries)], skew_sentences(summaries), columns
    )


def _rows(summaries: "Sequence[StartSummary]", *, per_rank: bool) -> Iterator[dict[str, Any]]:
    """One row for each library, number of processes and start; with `per_rank` one for each rank."""
    from ictus.studies.exit_skew.tables import start_label  # noqa: PLC0415

    for one in summaries:
        about = {"mpi": one.library, "n": one.n_ranks, "start": start_label(one.start), "spec": one.start}
        if per_rank:
            for rank, exit_s in enumerate(one.exits):
                true_s = one.true_exits[rank].mean if one.true_exits else None
                yield {**about, "rank": rank, **_mean("exit", exit_s), "true_exit_s": true_s}
            continue
        counts = ("launches", "attempted", "late_entry", "missed", "valid", "clock_bound_s", "duration_s")
        row = {**about, **{key: getattr(one, key) for key in counts}}
        for key in ("entry", "skew", "true_skew"):
            found = getattr(one, key)
            row |= _mean(key, None if found is None else found.mean)
            row |= {f"{key}_{what}_s": getattr(found, f"{what}_s", None) for what in ("median", "p95", "max")}
        yield row


def _mean(key: str, mean: Any) -> dict[str, float | None]:
    found = {"mean": None, "low": None, "high": None} if mean is None else asdict(mean)
    return {f"{key}_{what}_s": value for what, value in found.items()}


def _keep(folder: Path, study: "SkewStudy", summaries: "Sequence[StartSummary]") -> None:
    from ictus.studies.exit_skew.page import skew_page  # noqa: PLC0415
    from ictus.studies.keeping import keep  # noqa: PLC0415

    page, panels = skew_page(study, summaries, command("barriers", "skew", folder, "-o", folder))
    keep(folder, study.document, panels, page)
