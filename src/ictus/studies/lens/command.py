"""`ictus lens`: what other suites would have reported of the same call, beside the makespan."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.render import plan_options as options
from ictus.render.campaign_command import check_only, measured, write_page
from ictus.render.console import width, wrapped
from ictus.render.output import CommandAnswer, Csv, Json, print_answer
from ictus.render.plan_options import Launcher, ScenarioFile
from ictus.render.shell_command import command
from ictus.studies.lens.usual import CALLS, OPERATIONS, SIZES

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.studies.lens.analysis import LensRow

CONFIDENCE = 0.95
PAGE = "lenses.html"
_SHOWING = ("folder", "lens", "procsyncs", "details", "json", "csv")
"""Options that a campaign takes which was measured before."""


def lens(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A campaign to look at, in which the page is put; left out: one is measured.",
            show_default=False,
        ),
    ] = None,
    *,
    lens_names: Annotated[
        str | None,
        typer.Option("--lens", metavar="NAME,...", help="Lenses (ictus list lens). [default: all]", show_default=False),
    ] = None,
    procsyncs: Annotated[
        str | None,
        typer.Option(
            "--procsync",
            metavar="NAME,...|all",
            help="The makespan after these process synchronisations too, or after all of them.",
            show_default=False,
        ),
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="Each suite's own line, all of its columns.")] = False,
    mpi: options.Libraries = None,
    op: Annotated[
        str | None,
        typer.Option("--op", metavar="NAME,...", help=f"Operations. [default: {OPERATIONS}]", show_default=False),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option("--sizes", metavar="SIZES", help=f"Sizes. [default: {SIZES}]", show_default=False),
    ] = None,
    size_is: options.SizeIs = None,
    n: options.Processes = None,
    launches: options.Launches = None,
    nrep: Annotated[
        int | None,
        typer.Option(
            "--nrep",
            metavar="COUNT",
            min=1,
            help=f"Calls that each suite makes of a case. [default: {CALLS}]",
            show_default=False,
        ),
    ] = None,
    datatype: options.Datatype = None,
    operator: options.Operator = None,
    comm: options.Comm = None,
    root: options.Root = None,
    in_place: options.InPlace = None,
    layout: options.Layout = None,
    counts: options.BlockCounts = None,
    clock: options.Clock = None,
    clocksync: options.Clocksync = None,
    cache: options.Cache = None,
    warmup: options.Warmup = None,
    seed: options.Seed = None,
    platform: options.Platform = None,
    timeout: options.Timeout = None,
    env: options.Environment = None,
    no_pin: options.NoPin = None,
    launcher: Launcher = "mpiexec",
    scenario: ScenarioFile = None,
    out: Annotated[Path | None, options.output_option("The campaign folder; lens-DATE.")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What other suites would have reported.

    OSU, IMB, SKaMPI and others: each one's way of measuring and of reducing, all in the same launches, beside the
    makespan. One table, each number in relation to the makespan, and a page in the campaign's folder.
    """
    from ictus.store.campaign import load  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.studies.lens.page import lens_page  # noqa: PLC0415
    from ictus.studies.lens.reports import lenses  # noqa: PLC0415
    from ictus.studies.lens.study import methods, parse_looks, parse_procsyncs, usual_of  # noqa: PLC0415

    looks, starts = parse_looks(lens_names), parse_procsyncs(procsyncs)
    if folder is not None:
        check_only(context, (*_SHOWING, "lens_names"))
    else:
        given = {
            "mpi": mpi or None,
            "op": op,
            "sizes": sizes,
            "size-is": size_is,
            "n": n,
            "launches": launches,
            "methods": methods(looks, starts, nrep or CALLS) if lens_names or procsyncs or nrep else None,
            "datatype": datatype,
            "operator": operator,
            "comm": options.names(comm),
            "root": root,
            "in-place": in_place,
            "layout": options.names(layout),
            "counts": options.names(counts),
            "clock": clock,
            "clocksync": clocksync,
            "cache": options.names(cache),
            "warmup": warmup,
            "seed": seed,
            "platform": platform,
            "timeout": timeout,
            "pin": False if no_pin else None,
            "env": options.environment(env),
            "raw": True,
        }
        folder = measured(out, given, launcher, scenario, "lens", usual=usual_of(looks, starts))
    campaign = load(folder)
    found = lenses(campaign, *(str(look.spec) for look in looks or ()), procsyncs=starts, confidence=CONFIDENCE)
    again = command("lens", campaign.folder.resolve().name)
    write_page(campaign, PAGE, lens_page(campaign, found.rows, CONFIDENCE, found.warnings, again))
    shown = [row.as_row() for row in found.rows]
    print_answer(
        CommandAnswer("ictus.lens/1", shown, found.warnings, lambda: _lines(found.rows, details=details)), json, csv
    )


def _lines(rows: Sequence["LensRow"], *, details: bool) -> Iterator["Text"]:
    from rich.text import Text  # noqa: PLC0415

    from ictus.render.terminal import lines, stacked  # noqa: PLC0415
    from ictus.studies.lens.tables import detail_tables, headline_tables, lens_sentences, notes, ratio_table  # noqa: PLC0415

    columns = width()
    if details:
        yield from stacked(detail_tables(rows), columns)
        return
    yield from stacked(headline_tables(rows, columns), columns)
    yield Text()
    yield from lines(ratio_table(rows, CONFIDENCE), columns)
    yield Text()
    for note in notes(rows):
        yield from wrapped(note, "dim", columns)
    for sentence in lens_sentences(rows):
        yield Text()
        yield from wrapped(sentence, "bold", columns)
