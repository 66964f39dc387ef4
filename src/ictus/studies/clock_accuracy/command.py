"""`ictus clocks accuracy`: how far apart global clocks are after synchronising, algorithm by algorithm."""

from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.render import option_values as values
from ictus.render.output import Csv, Json, page_command, print_answer, print_note
from ictus.render.progress import Display
from ictus.studies.clocks import options
from ictus.studies.core_defaults import ACCURACY
from ictus.studies.options import From, Output, Repeats, study_command


@study_command(shown=("per_rank", "fail_above"))
def accuracy(
    folder: From = None,
    *,
    common: StudyOptions,
    algorithms: options.Algorithms = None,
    waits: Annotated[
        str,
        typer.Option("--waits", metavar="TIME,...", help="Times after synchronising at which clocks are compared."),
    ] = ACCURACY.times_text("waits"),
    repeats: Repeats = ACCURACY.count("repeats"),
    truth: options.Truth = ACCURACY.text("truth"),
    rounds: options.Rounds = ACCURACY.count("rounds"),
    sample: options.Sample = ACCURACY.number("sample"),
    per_rank: Annotated[bool, typer.Option("--per-rank", help="Also show the signed error of every rank.")] = False,
    fail_above: Annotated[
        str | None,
        typer.Option(
            "--fail-above",
            metavar="TIME",
            help="Exit code 1 if an error at the last wait is above this.",
            show_default=False,
        ),
    ] = None,
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Judge algorithms by the errors of the ranks' global clocks.

    At several times after synchronising: largest, mean and 95th percentile over ranks. Also what an algorithm proves of
    its own error, and the time and messages that it takes.
    """
    from ictus.studies.clock_accuracy.page import accuracy_page  # noqa: PLC0415
    from ictus.studies.clock_accuracy.study import measure  # noqa: PLC0415
    from ictus.studies.clock_accuracy.tables import answer, check_gate  # noqa: PLC0415
    from ictus.studies.clocks.errors import summarise  # noqa: PLC0415
    from ictus.studies.clocks.reading import kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.keeping import keep  # noqa: PLC0415

    limit = None if fail_above is None else values.duration("--fail-above", fail_above)
    names, times = options.algorithms(algorithms), values.times("--waits", waits)
    options.check(truth, repeats, rounds, sample)
    if folder is None:
        options.check_several(common.processes)
        with Display() as display:
            study = measure(
                common,
                display,
                algorithms=names,
                waits_s=times,
                repeats=repeats,
                truth=truth,
                rounds=rounds,
                sample=sample,
            )
    else:
        study = kept(folder, "accuracy")
    summaries = summarise(study.runs)
    print_answer(answer(study, summaries, per_rank=per_rank), json, csv)
    if out is not None:
        keep(out, study.document, *accuracy_page(study, summaries, page_command("clocks", "accuracy", out, "-o", out)))
    if limit is not None:
        check_gate(summaries, limit, fail_above or "")
        print_note(f"gate '--fail-above {fail_above}' is not hit")
