"""`ictus clocks rtt`: how long a message and its answer take, and how many exchanges an offset needs."""

from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.model.quantity import is_whole
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.progress import Display
from ictus.studies.core_defaults import ROUND_TRIPS
from ictus.studies.options import From, Output, study_command


@study_command(without=("clock-domain", "seed"), one_launch=2)
def rtt(
    folder: From = None,
    *,
    common: StudyOptions,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="RANK,...",
            help="Ranks whose pairs are measured. [default: the lowest rank of each host; on one host all]",
            show_default=False,
        ),
    ] = None,
    exchanges: Annotated[
        int, typer.Option("--exchanges", metavar="COUNT", min=2, help="Round trips of each pair.")
    ] = ROUND_TRIPS.count("exchanges"),
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure round trips of each pair of hosts or ranks.

    How long they are, how skewed, and what offset the first ones give.
    """
    from ictus.studies.keeping import keep  # noqa: PLC0415
    from ictus.studies.rtt.analysis import summarise  # noqa: PLC0415 (numpy takes a while)
    from ictus.studies.rtt.page import rtt_page  # noqa: PLC0415
    from ictus.studies.rtt.study import kept_rtt, measure  # noqa: PLC0415
    from ictus.studies.rtt.tables import answer_lines  # noqa: PLC0415

    if folder is None:
        with Display() as display:
            study = measure(common, display, ranks=_ranks(of), exchanges=exchanges)
    else:
        study = kept_rtt(folder)
    pairs = [summarise(one) for one in study.pairs]
    rows = [{**vars(one), "quality": [vars(each) for each in one.quality]} for one in pairs]
    if csv:
        rows = [{name: value for name, value in row.items() if name != "quality"} for row in rows]
    print_answer(CommandAnswer("ictus.clocks.rtt/1", rows, (), lambda: answer_lines(study, pairs)), json, csv)
    if out is not None:
        keep(out, study.document, *rtt_page(study, pairs, page_command("clocks", "rtt", out, "-o", out)))


def _ranks(text: str | None) -> tuple[int, ...]:
    """Numbers of ranks; UsageError names the option."""
    words = [] if text is None else [word.strip() for word in text.split(",")]
    wrong = [word for word in words if not is_whole(word)]
    if wrong:
        raise UsageError(f"--of '{text}': '{wrong[0]}' is not a rank; expected numbers from 0 on, as in 0,1,4")
    return tuple(map(int, words))
