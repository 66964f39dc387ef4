"""`ictus network`: what the machine is, before libraries are compared on it."""

from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.model.quantity import parse_size, parse_sizes
from ictus.render.option_values import brief
from ictus.render.output import Csv, Json, page_command, print_answer
from ictus.render.plan_options import plan_option
from ictus.render.progress import Display
from ictus.studies.core_defaults import NETWORK
from ictus.studies.options import From, Output, Repeats, study_command


def _count(option: str, text: str, least: int) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(option, metavar="COUNT", min=least, help=text)
    return found


@study_command(without=("clock-domain",), one_launch=2)
def network(
    folder: From = None,
    *,
    common: StudyOptions,
    launches: Annotated[int, plan_option("launches", "5", help="Intervals are over launches.")] = 5,
    sizes: Annotated[
        str,
        plan_option(
            "sizes", NETWORK.text("sizes"), help="Messages of trains, 4 or more for LogGP: 8..64Ki, 8,100,4Ki."
        ),
    ] = NETWORK.text("sizes"),
    train: Annotated[int, _count("--train", "Messages of a train.", 2)] = NETWORK.count("train"),
    repeats: Repeats = NETWORK.count("repeats"),
    links: Annotated[
        int, _count("--links", "Pairs of ranks at most, inside hosts and between them.", 1)
    ] = NETWORK.count("links"),
    matchings: Annotated[
        int, _count("--matchings", "Random halves of the ranks that send to the others; 0: none.", 0)
    ] = NETWORK.count("matchings"),
    stream_size: Annotated[
        str, typer.Option("--stream-size", metavar="BYTES", help="A message of a matching's streams.")
    ] = NETWORK.text("stream-size"),
    quantum: Annotated[
        str, typer.Option("--quantum", metavar="TIME", help="Length of the work whose time shows noise; at most 1s.")
    ] = NETWORK.text("quantum"),
    quanta: Annotated[
        int, _count("--quanta", "How often each rank does it; 0: noise is not measured.", 0)
    ] = NETWORK.count("quanta"),
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure the machine: links, bandwidth under load, noise.

    LogGP parameters inside hosts and between them, effective bisection bandwidth by random matchings, and the time that
    the operating system takes from each rank. It is useful to run it before libraries are compared.
    """
    from ictus.studies.keeping import keep  # noqa: PLC0415
    from ictus.studies.network.analysis import summarise  # noqa: PLC0415 (numpy and matplotlib take a while)
    from ictus.studies.network.page import network_page  # noqa: PLC0415
    from ictus.studies.network.study import kept_network, measure  # noqa: PLC0415
    from ictus.studies.network.tables import answer  # noqa: PLC0415

    lengths, stream_bytes = _sizes(sizes), _size(stream_size)
    quantum_s = brief("--quantum", quantum)
    if folder is None:
        with Display() as display:
            study = measure(
                common,
                display,
                launches=launches,
                sizes_bytes=lengths,
                train=train,
                repeats=repeats,
                links=links,
                matchings=matchings,
                stream_bytes=stream_bytes,
                quantum_s=quantum_s,
                quanta=quanta,
            )
    else:
        study = kept_network(folder)
    summary = summarise(study)
    print_answer(answer(study, summary), json, csv)
    if out is not None:
        keep(out, study.document, *network_page(study, summary, page_command("network", out, "-o", out)))


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return parse_sizes(text)
    except UsageError as error:
        raise UsageError(f"--sizes '{text}': {error}") from error


def _size(text: str) -> int:
    try:
        found = parse_size(text)
    except UsageError as error:
        raise UsageError(f"--stream-size: {error}") from error
    if found < 1:
        raise UsageError(f"--stream-size '{text}': a message has 1 byte or more")
    return found
