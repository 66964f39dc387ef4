"""`ictus clocks drift`: local clocks against rank 0's, as they run on their own."""

from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.render import option_values as values
from ictus.render.output import Csv, Json, page_command, print_answer
from ictus.render.progress import Display
from ictus.studies.core_defaults import DRIFT
from ictus.studies.options import From, Output, study_command


@study_command(without=("clock-domain", "seed"), one_launch=2)
def drift(
    folder: From = None,
    *,
    common: StudyOptions,
    watch: Annotated[str, typer.Option("--duration", metavar="TIME", help="How long clocks are watched.")] = DRIFT.text(
        "duration"
    ),
    interval: Annotated[
        str, typer.Option("--interval", metavar="TIME", help="Time between two offsets of a rank.")
    ] = DRIFT.text("interval"),
    offset: Annotated[
        str, typer.Option("--offset", metavar="NAME", help="How each offset is measured (ictus list offset).")
    ] = DRIFT.text("offset"),
    sample: Annotated[
        float,
        typer.Option(
            "--sample",
            metavar="SHARE",
            min=0,
            max=1,
            help="Share of the ranks that is watched, at least one; rank 0 takes them in turn.",
        ),
    ] = DRIFT.number("sample"),
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure how local clocks drift from that of rank 0.

    It also shows how long a straight line predicts them.
    """
    from ictus.studies.clock_drift.analysis import summarise  # noqa: PLC0415
    from ictus.studies.clock_drift.page import drift_page  # noqa: PLC0415
    from ictus.studies.clock_drift.study import measure  # noqa: PLC0415
    from ictus.studies.clock_drift.tables import answer  # noqa: PLC0415
    from ictus.studies.clocks.reading import kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.keeping import keep  # noqa: PLC0415

    values.check_member("--offset", "offset", offset)
    duration_s, interval_s = values.positive("--duration", watch), values.positive("--interval", interval)
    if duration_s < 3 * interval_s:
        raise UsageError(f"--interval '{interval}' leaves fewer than 4 offsets in --duration '{watch}'")
    if folder is None:
        with Display() as display:
            study = measure(common, display, duration_s=duration_s, interval_s=interval_s, offset=offset, sample=sample)
    else:
        study = kept(folder, "drift")
    ranks = [summarise(one) for launch in study.drift for one in launch.series]
    print_answer(answer(study, ranks), json, csv)
    if out is not None:
        keep(out, study.document, *drift_page(study, ranks, page_command("clocks", "drift", out, "-o", out)))
