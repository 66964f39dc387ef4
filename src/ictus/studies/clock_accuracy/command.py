"""`ictus clocks accuracy`: how far global clocks are apart after synchronising, algorithm by algorithm."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import GateHit, MeasurementError
from ictus.model.quantity import format_duration
from ictus.render import option_values as values
from ictus.render.output import Csv, Json, command, print_answer, print_note
from ictus.render.progress import Display
from ictus.studies.clocks import options
from ictus.studies.options import From, Output, Repeats, study_command

if TYPE_CHECKING:
    from ictus.studies.clocks.errors import AlgorithmSummary


@study_command(shown=("per_rank", "fail_above"))
def accuracy(
    folder: From = None,
    *,
    common: StudyOptions,
    algorithms: options.Algorithms = None,
    waits: Annotated[
        str,
        typer.Option("--waits", metavar="TIME,...", help="Times after synchronising at which clocks are compared."),
    ] = "0..20",
    repeats: Repeats = 1,
    truth: options.Truth = "auto",
    rounds: options.Rounds = options.ROUNDS,
    sample: options.Sample = 1.0,
    per_rank: Annotated[bool, typer.Option("--per-rank", help="The signed error of every rank too.")] = False,
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
    """Judge algorithms: the error of every rank's global clock, at times after synchronising.

    Largest, mean and 95th percentile over ranks, what an algorithm proves of its own error, and the time and messages
    that it takes.
    """
    from ictus.studies.clock_accuracy.page import accuracy_page  # noqa: PLC0415
    from ictus.studies.clock_accuracy.study import measure  # noqa: PLC0415
    from ictus.studies.clock_accuracy.tables import answer  # noqa: PLC0415
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
        keep(out, study.document, *accuracy_page(study, summaries, command("clocks", "accuracy", out, "-o", out)))
    if limit is not None:
        _gate(summaries, limit, fail_above or "")


def _gate(summaries: Sequence["AlgorithmSummary"], limit_s: float, text: str) -> None:
    """GateHit where an algorithm errs by more than the limit at its last wait."""
    from ictus.studies.clocks.label import label, seconds  # noqa: PLC0415

    last = [(one, one.errors[-1]) for one in summaries if one.errors]
    if not last:
        raise MeasurementError(f"gate '--fail-above {text}' has nothing to judge: no error was measured")
    above = [(one, error) for one, error in last if error.max_s > limit_s]
    if above:
        worst, error = max(above, key=lambda pair: pair[1].max_s)
        many = f"{len(above)} of {len(last)} algorithms err by more"
        raise GateHit(
            f"gate '--fail-above {text}' is hit: {many}; the worst is {label(worst.algorithm)} with "
            f"{format_duration(error.max_s)} {seconds(error.wait_s)} after synchronising"
        )
    print_note(f"gate '--fail-above {text}' is not hit")
