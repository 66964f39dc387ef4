"""`ictus clocks frequency`: from ticks to seconds, stated against calibrated, and what a clock loses by it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.engine.study_options import StudyOptions
from ictus.render import option_values as values
from ictus.render.output import CommandAnswer, Csv, Json, command, print_answer, width
from ictus.render.progress import Display
from ictus.studies.options import From, Output, Repeats, study_command

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.render.table import Table
    from ictus.studies.clocks.errors import AlgorithmSummary
    from ictus.studies.clocks.record import Study, SynchronisationRun
    from ictus.studies.frequency.analysis import FrequencySummary


@study_command(without=("clock", "clock-domain", "seed"), one_launch=1)
def frequency(
    folder: From = None,
    *,
    common: StudyOptions,
    repeats: Repeats = 10,
    per_rank_repeats: Annotated[
        int,
        typer.Option("--per-rank-repeats", metavar="COUNT", min=0, help="Of Netgauge's routine; seconds each."),
    ] = 3,
    durations: Annotated[
        str, typer.Option("--durations", metavar="TIME,...", help="How long each calibration takes.")
    ] = "10ms,100ms,1s",
    algorithm: Annotated[
        str,
        typer.Option("--algorithm", "-a", metavar="NAME", help="What synchronises the clocks that are then watched."),
    ] = "netgauge",
    waits: Annotated[
        str, typer.Option("--waits", metavar="TIME,...", help="Times after synchronising at which clocks are compared.")
    ] = "0..10",
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Judge frequencies: what is stated of the processor's counter against what ranks calibrate, again and again.

    Then synchronise clocks that take one frequency for all, and clocks that take one for each rank, and watch them.
    """
    from ictus.render.table import records  # noqa: PLC0415
    from ictus.studies.clocks.errors import summarise as errors_of  # noqa: PLC0415
    from ictus.studies.clocks.reading import keep, kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.clocks.setting import warnings_of  # noqa: PLC0415
    from ictus.studies.frequency.analysis import summarise  # noqa: PLC0415
    from ictus.studies.frequency.page import frequency_page  # noqa: PLC0415
    from ictus.studies.frequency.study import measure  # noqa: PLC0415

    lengths = values.positive_times("--durations", durations)
    times = values.times("--waits", waits)
    if folder is None:
        values.check_member("--algorithm", "clocksync", algorithm)
        with Display() as display:
            study = measure(
                common,
                display,
                repeats=repeats,
                per_rank_repeats=per_rank_repeats,
                durations_s=lengths,
                algorithm=algorithm,
                waits_s=times,
            )
    else:
        study = kept(folder, "frequency")
    sources = [one for launch in study.frequency for one in summarise(launch)]
    watched = errors_of(by_clock(study))
    print_answer(
        CommandAnswer(
            "ictus.clocks.frequency/1",
            records(sources),
            warnings_of(study),
            lambda: _lines(study, sources, watched),
            more={"watched": [_watched_row(one) for one in watched]},
        ),
        json,
        csv,
    )
    if out is not None:
        again = command("clocks", "frequency", out, "-o", out)
        page, panels = frequency_page(study, sources, watched, by_clock(study), again)
        keep(out, study, panels, page)


def by_clock(study: "Study") -> "list[SynchronisationRun]":
    """The runs of the watched clocks, named after their frequency: what differs between them, not the algorithm."""
    from dataclasses import replace  # noqa: PLC0415

    from ictus.model.spec import parse_spec  # noqa: PLC0415

    return [
        replace(run, algorithm=str(parse_spec(launch.setting.clock).argument("frequency") or launch.setting.clock))
        for launch in study.accuracy
        for run in launch.runs
    ]


def _lines(
    study: "Study", sources: "Sequence[FrequencySummary]", watched: "Sequence[AlgorithmSummary]"
) -> Iterator["Text"]:

    from ictus.render.terminal import stacked  # noqa: PLC0415
    from ictus.studies.clocks.errors import shown_waits  # noqa: PLC0415
    from ictus.studies.clocks.setting import setting_text, study_lines  # noqa: PLC0415
    from ictus.studies.clocks.tables import overview  # noqa: PLC0415
    from ictus.studies.frequency.analysis import reference  # noqa: PLC0415
    from ictus.studies.frequency.tables import frequency_sentence, frequency_table  # noqa: PLC0415

    columns = width()
    launch = study.frequency[0]
    tables: list[Table[Any]] = [frequency_table(sources, reference(launch))]
    if watched:
        shown = shown_waits([error.wait_s for one in watched for error in one.errors])
        tables.append(overview(watched, shown))
    yield from study_lines(
        setting_text([launch.setting]), stacked(tables, columns), (), [frequency_sentence(sources)], columns
    )


def _watched_row(one: "AlgorithmSummary") -> dict[str, Any]:
    return {"clock": one.algorithm, "errors": [vars(error) for error in one.errors]}
