"""`ictus barriers impact`: what the start of the ranks does to latencies, and to who wins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.comparison.options import Adjust, Equivalence, IncludeContended, Level, parse_share
from ictus.model.plan_options import BY_KEY, NREP
from ictus.render import plan_options as options
from ictus.render.output import CommandAnswer, Csv, Json, check_only, command, print_answer, width, wrapped, write_page

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.store.campaign import Campaign
    from ictus.studies.barrier_impact.analysis import Impact
    from ictus.studies.barrier_impact.page import JudgedImpact
    from ictus.studies.barrier_impact.winners import Contest

PAGE = "impact.html"


_SHOWING = ("folder", "reference", "norm", "adjust", "level", "equivalence", "include_contended", "json", "csv")
"""Parameters that a campaign takes which was measured before."""


_PROCSYNC = replace(BY_KEY["procsync"], help="Process synchronisations.")
_USUAL = {
    "op": "bcast,allreduce",
    "sizes": "8..64Ki*8; --quick: 8,8Ki",
    "procsync": "every barrier and every other start; --quick: six of them",
    "launches": "20; --quick: 12",
    "nrep": "300; --quick: 100",
}


@options.plan_command(
    "mpi",
    "op",
    "sizes",
    "n",
    _PROCSYNC,
    "algorithm",
    "launches",
    NREP,
    "clock",
    "clocksync",
    "seed",
    "platform",
    "timeout",
    "contention-retries",
    "pin",
    "env",
    usual=_USUAL,
)
def impact(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A campaign with several process synchronisations: show it, measure nothing.",
            show_default=False,
        ),
    ] = None,
    *,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer starts, sizes and launches: a minute or two.")] = False,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="NAME",
            help="What ratios refer to. [default: harmonize, else window, else a barrier]",
            show_default=False,
        ),
    ] = None,
    norm: Annotated[
        str, typer.Option("--norm", metavar="NAME", help="What a matrix column is divided by: smallest, or a start.")
    ] = "smallest",
    adjust: Adjust = None,
    level: Level = None,
    equivalence: Equivalence = "5 %",
    include_contended: IncludeContended = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="The campaign folder, gone on with where it was interrupted; impact-DATE.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure the same collective under every process synchronisation, in the same launches.

    A matrix of operation and size against the start, ratios to a reference, and between libraries: does the winner
    change with the start alone, where, and how far apart do the ranks start there?
    """
    from ictus.engine.backend import World  # noqa: PLC0415 (polars takes most of a second)
    from ictus.render.progress import resumable  # noqa: PLC0415
    from ictus.studies.barrier_impact.study import measure_impact  # noqa: PLC0415

    margin = parse_share("--equivalence", equivalence)
    if folder is None:
        with resumable("barriers", "impact") as display:
            folder = measure_impact(given, out, World(launcher, scenario), display, quick=quick)
    else:
        check_only(context, _SHOWING)
    found = _judged(
        folder,
        reference,
        norm,
        adjust=adjust,
        level=level,
        equivalence=margin,
        contended=include_contended,
    )
    print_answer(
        CommandAnswer("ictus.barriers.impact/1", found.as_rows(), found.warnings, found.lines, found.more()), json, csv
    )
    _write_page(folder, found)


@dataclass(frozen=True)
class _Found:
    """All that is shown."""

    campaign: "Campaign"
    rows: Sequence["Impact"]
    contests: Sequence["Contest"]
    judged: "JudgedImpact"
    warnings: tuple[str, ...]

    def as_rows(self) -> list[dict[str, Any]]:
        return [row.as_row() for row in self.rows]

    def more(self) -> dict[str, Any]:
        return {**vars(self.judged), "winners": [contest.as_row() for contest in self.contests]}

    def lines(self) -> Iterator["Text"]:
        from rich.text import Text  # noqa: PLC0415

        from ictus.render.terminal import lines as table_lines  # noqa: PLC0415
        from ictus.render.terminal import stacked  # noqa: PLC0415
        from ictus.studies.barrier_impact.tables import (  # noqa: PLC0415
            changing,
            contest_table,
            matrix_tables,
            method,
            spread_sentence,
            winner_sentences,
        )

        columns, judged = width(), self.judged
        yield from wrapped(
            method(self.rows, judged.norm, judged.reference, judged.adjust, judged.level), "dim", columns
        )
        yield Text()
        yield from stacked(matrix_tables(self.rows, judged.norm, judged.reference), columns)
        if changes := changing(self.contests):
            yield Text()
            yield from table_lines(contest_table(changes), columns)
        yield Text()
        yield from wrapped(spread_sentence(self.rows, judged.reference), "bold", columns)
        for sentence in winner_sentences(self.contests):
            yield from wrapped(sentence, "bold", columns)


def _judged(
    folder: Path,
    reference: str | None,
    norm: str,
    *,
    adjust: str | None,
    level: float | None,
    equivalence: float,
    contended: bool,
) -> _Found:
    from ictus.comparison.warnings import campaign_warnings  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415
    from ictus.studies.barrier_impact import analysis as impact_rows  # noqa: PLC0415
    from ictus.studies.barrier_impact.page import JudgedImpact  # noqa: PLC0415
    from ictus.studies.barrier_impact.winners import contests  # noqa: PLC0415

    campaign = load(folder, contended=contended)
    measured = impact_rows.procsyncs(campaign)
    full = (
        impact_rows.default_reference(measured)
        if reference is None
        else impact_rows.named(reference, measured, "--reference")
    )
    base = norm if norm == impact_rows.SMALLEST else impact_rows.named(norm, measured, "--norm")
    rules: dict[str, Any] = {
        "adjust": adjust or campaign.plan.adjust,
        "level": campaign.plan.level if level is None else level,
    }
    rows = impact_rows.impacts(campaign, reference=full, norm=base, equivalence=equivalence, **rules)
    shown = norm if norm == impact_rows.SMALLEST else impact_rows.label(base)
    judged = JudgedImpact(shown, impact_rows.label(full), **rules)
    found = contests(rows, equivalence=equivalence, **rules)
    return _Found(campaign, rows, found, judged, campaign_warnings(campaign))


def _write_page(folder: Path, found: _Found) -> None:
    from ictus.studies.barrier_impact.page import impact_page  # noqa: PLC0415

    again = command("barriers", "impact", folder)
    page = impact_page(found.campaign, found.rows, found.contests, found.judged, warnings=found.warnings, again=again)
    write_page(folder / PAGE, page)
