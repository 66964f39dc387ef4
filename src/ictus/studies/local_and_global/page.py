"""The page of local against global times."""

from collections.abc import Sequence

from ictus.comparison.case_titles import operation_title, processes
from ictus.model.quantity import format_size
from ictus.render.figures.ways import WayPoint, ways_figure
from ictus.render.page import WARNINGS, Fact, Legend, Page, Panel, Section, day, render_page
from ictus.store.campaign import Campaign
from ictus.studies.exit_skew import page as start_prose
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.local_and_global.analysis import TimesRow
from ictus.studies.local_and_global.tables import name_of, sentences, times_table


def times_page(campaign: Campaign, rows: Sequence[TimesRow], warnings: Sequence[str], again: str) -> str:
    """The page as HTML."""
    legend = Legend(tuple(dict.fromkeys(_start(row) for row in rows)))
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=tuple(warnings)),
        Section(
            "times",
            "Local and global times",
            start_prose.TIMES,
            legend=legend.entries(),
            panels=times_panels(rows, legend),
            tables=(times_table(rows),),
        ),
    )
    return render_page(
        Page(
            title="Local against global times",
            where=day(campaign.created),
            reproduce_command=again,
            ictus=campaign.ictus,
            lead=" ".join(sentences(rows)),
            pairs=(),
            facts=(
                Fact("libraries", ", ".join(campaign.labels)),
                Fact("launches", str(len(campaign.launches))),
                Fact("seed", str(campaign.seed)),
            ),
            sections=tuple(one for one in sections if one.items or one.panels),
        )
    )


def _start(row: TimesRow) -> str:
    return start_label(str(row.case["procsync"]))


def times_panels(rows: Sequence[TimesRow], legend: Legend) -> tuple[Panel, ...]:
    """Ratios with intervals, a row for each operation and size: a panel for each library and number of processes."""
    panels = []
    for mpi, n in dict.fromkeys((row.mpi, int(row.case["n"])) for row in rows):
        own = [row for row in rows if (row.mpi, row.case["n"]) == (mpi, n)]
        svg = ways_figure([_point(row, legend) for row in own], "local time", f"Global over local, {mpi}", "makespan")
        panels.append(Panel("Global over local", f"{mpi}, {processes(n)}", svg))
    return tuple(panels)


def _point(row: TimesRow, legend: Legend) -> WayPoint:
    ratio = row.found.ratio
    low, high = (ratio.low, ratio.high) if ratio.low is not None and ratio.high is not None else (ratio.ratio,) * 2
    way = f"{operation_title(row.case).removeprefix('MPI_')} {format_size(int(row.case['size_bytes']))}"
    return WayPoint(way, legend.index(_start(row)), ratio.ratio, low, high, f"{name_of(row)}: {ratio.ratio:.3f}")
