"""`ictus clocks frequency`: from ticks to seconds, stated against calibrated, and the drift between them."""

from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.render import option_values as values
from ictus.render.output import Csv, Json, page_command, print_answer
from ictus.render.progress import Display
from ictus.studies.core_defaults import FREQUENCY
from ictus.studies.options import From, Output, Repeats, study_command


@study_command(without=("clock", "clock-domain", "seed"), one_launch=1)
def frequency(
    folder: From = None,
    *,
    common: StudyOptions,
    repeats: Repeats = FREQUENCY.count("repeats"),
    per_rank_repeats: Annotated[
        int,
        typer.Option(
            "--per-rank-repeats", metavar="COUNT", min=0, help="Repetitions of Netgauge's routine; each takes seconds."
        ),
    ] = FREQUENCY.count("per-rank-repeats"),
    durations: Annotated[
        str, typer.Option("--durations", metavar="TIME,...", help="How long each calibration takes.")
    ] = FREQUENCY.text("durations"),
    algorithm: Annotated[
        str,
        typer.Option("--clocksync", metavar="NAME", help="What synchronises the clocks that are then watched."),
    ] = "netgauge",
    waits: Annotated[
        str, typer.Option("--waits", metavar="TIME,...", help="Times after synchronising at which clocks are compared.")
    ] = "0..10",
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Judge the stated frequency of the processor's counter.

    It is compared with repeated calibrations by ranks. Then clocks with one frequency for all ranks, and clocks with
    one for each rank, are synchronised and observed.
    """
    from ictus.studies.clocks.errors import summarise as errors_of  # noqa: PLC0415
    from ictus.studies.clocks.reading import kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.frequency.analysis import summarise  # noqa: PLC0415
    from ictus.studies.frequency.page import frequency_page  # noqa: PLC0415
    from ictus.studies.frequency.study import measure  # noqa: PLC0415
    from ictus.studies.frequency.tables import answer, by_clock  # noqa: PLC0415
    from ictus.studies.keeping import keep  # noqa: PLC0415

    lengths = values.positive_times("--durations", durations)
    times = values.times("--waits", waits)
    if folder is None:
        values.check_member("--clocksync", "clocksync", algorithm)
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
    print_answer(answer(study, sources, watched), json, csv)
    if out is not None:
        again = page_command("clocks", "frequency", out, "-o", out)
        keep(out, study.document, *frequency_page(study, sources, watched, by_clock(study), again))
