"""The page of a sweep of windows: share of invalid samples and latency against the window's size."""

from collections.abc import Sequence

from ictus.comparison.case_titles import operation_title, processes
from ictus.model.quantity import format_size
from ictus.render.page import WARNINGS, Fact, Legend, Page, Panel, Section, day, render_page
from ictus.store.campaign import Campaign
from ictus.studies.exit_skew import page as start_prose
from ictus.studies.window_size.analysis import WindowPoint, WindowSweep
from ictus.studies.window_size.figures import SweepLine, SweepPoint, invalid_share_figure, window_latency_figure
from ictus.studies.window_size.tables import advice_sentences, percent, window_table


def window_page(
    campaign: Campaign, sweeps: Sequence[WindowSweep], limit: float, warnings: Sequence[str], again: str
) -> str:
    """The page as HTML."""
    legend = Legend(tuple(dict.fromkeys(map(_label, sweeps))))
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=tuple(warnings)),
        Section(
            "windows",
            "Windows",
            start_prose.WINDOW,
            legend=legend.entries(),
            items=advice_sentences(sweeps, limit),
            panels=window_panels(sweeps, legend),
            tables=(window_table(sweeps),),
        ),
    )
    return render_page(
        Page(
            title="How long a window has to be",
            where=day(campaign.created),
            reproduce_command=again,
            ictus=campaign.ictus,
            lead="",
            pairs=(),
            facts=(
                Fact("libraries", ", ".join(campaign.labels)),
                Fact("launches", str(len(campaign.launches))),
                Fact("invalid samples put up with", percent(limit)),
                Fact("seed", str(campaign.seed)),
            ),
            sections=tuple(one for one in sections if one.items or one.panels),
        )
    )


def _label(sweep: WindowSweep) -> str:
    name = operation_title(sweep.case).removeprefix("MPI_")
    return f"{name} {format_size(int(sweep.case['size_bytes']))}"


def window_panels(sweeps: Sequence[WindowSweep], legend: Legend) -> tuple[Panel, ...]:
    """Two panels for each library and number of processes."""
    panels = []
    for mpi, n in dict.fromkeys((one.mpi, int(one.case["n"])) for one in sweeps):
        own = [one for one in sweeps if (one.mpi, one.case["n"]) == (mpi, n)]
        where = f"{mpi}, {processes(n)}"
        shares = [_line(one, legend, [_share(p) for p in one.points]) for one in own]
        panels.append(Panel("Invalid samples", where, invalid_share_figure(shares, f"Invalid samples, {where}")))
        latencies = [_line(one, legend, [found for p in one.points if (found := _latency(p))]) for one in own]
        if any(line.points for line in latencies):
            svg = window_latency_figure(latencies, f"Latency against the window, {where}")
            panels.append(Panel("Latency", where, svg))
    return tuple(panels)


def _line(sweep: WindowSweep, legend: Legend, points: Sequence[SweepPoint]) -> SweepLine:
    return SweepLine(_label(sweep), legend.index(_label(sweep)), tuple(points), sweep.advice.window_s)


def _share(one: WindowPoint) -> SweepPoint:
    return SweepPoint(one.window_s, one.share, one.least_share, one.most_share)


def _latency(one: WindowPoint) -> SweepPoint | None:
    found = one.latency
    if found is None:
        return None
    low, high = (found.median, found.median) if found.low is None or found.high is None else (found.low, found.high)
    return SweepPoint(one.window_s, found.median, low, high)
