"""The page of a study of overlap: one self-contained HTML file, with figures after Fig. 11 of "Accurately measuring
collective operations at massive scale": what a nonblocking operation costs its program, against the size.
"""

import math
from collections.abc import Sequence

from markupsafe import Markup

from ictus.overlap.record import OverlapStudy
from ictus.overlap.summary import RunSummary
from ictus.plot.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.report import clock_prose
from ictus.report.clock_labels import processes, setting_text
from ictus.report.clock_page import setting_section
from ictus.report.content import Page, Panel, Section, Sheet
from ictus.report.factors import Factor
from ictus.report.html import day, render_page
from ictus.report.legend import Legend
from ictus.report.overlap_rows import helper_text, warnings_of
from ictus.report.overlap_tables import HEAD, blocks
from ictus.report.overlap_words import progress_sentences
from ictus.report.prose import paragraphs
from ictus.stats.median_interval import MedianInterval

_BLOCKING = "blocking"

_OVERHEAD = paragraphs("""
    What the operation adds to the run-time of a program that has something to compute meanwhile. The blocking line is
    the operation begun and at once completed. Points are medians over launches, bars their 95 % intervals; what is not
    above 0 has no place on a logarithmic axis.

    Computing by time ends when the clock says so: if somebody took the core meanwhile, nothing is missed. Computing by
    work is a fixed amount: what was taken comes on top. Where nobody takes anything both agree.
""")
_PHASES = paragraphs("""
    Times are medians over launches: the call that begins, all progress calls together, the call that completes.
    Overlap is 1 less overhead over the blocking time, and is not clipped: below 0 the nonblocking operation costs more
    than the blocking one. OSU and IMB are what these suites make of the same repetitions; both never show less than 0.
""")
_PROGRESS = paragraphs("""
    A library makes progress by itself where half and more of the blocking time is hidden without a single progress
    call; only with tests where that takes MPI_Test at some interval.
""")


def overlap_page(study: OverlapStudy, summaries: Sequence[RunSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and its figures."""
    legend = Legend((_BLOCKING, *dict.fromkeys(helper_text(one) for one in summaries)))
    panels = figures(summaries, legend)
    settings = [one.setting for one in study.launches]
    sheets = tuple(Sheet(title, detail, HEAD, tuple(rows)) for title, detail, rows in blocks(summaries))
    sections = (
        Section("warnings", "Warnings", clock_prose.WARNINGS, items=warnings_of(study)),
        Section("progress", "Progress", _PROGRESS, items=tuple(progress_sentences(summaries))),
        Section("overhead", "Overhead", _OVERHEAD, legend=legend.entries(), panels=panels),
        Section("phases", "Phases and overlap", _PHASES, sheets=sheets),
        setting_section(settings),
    )
    page = Page(
        title="How much of a nonblocking operation is hidden",
        where=f"{day(str(study.document.get('created', 'unknown')))} · {settings[0].hosts[0]}",
        again=again,
        ictus=str(study.document.get("ictus", "unknown")),
        lead=setting_text(settings) + ".",
        pairs=(),
        facts=(
            Factor("ran on", setting_text(settings)),
            Factor("launches", f"{len(study.launches)} of {len(study.document['slots'])}"),
            *(Factor(key, str(value)) for key, value in study.document["plan"].items()),
        ),
        sections=tuple(one for one in sections if one.items or one.sheets or one.panels or one.groups),
    )
    return render_page(page), panels


def figures(summaries: Sequence[RunSummary], legend: Legend) -> tuple[Panel, ...]:
    """Overhead against size, a panel for each library, number of processes, operation and compute kind."""
    panels = []
    for place in dict.fromkeys((one.key.library, one.key.n, one.key.operation, one.key.compute) for one in summaries):
        own = [one for one in summaries if (one.key.library, one.key.n, one.key.operation, one.key.compute) == place]
        undisturbed = [one for one in own if one.key.thread == "none"] or own
        series = [_line(_BLOCKING, {one.key.size_bytes: one.blocking for one in undisturbed}, legend)]
        series += [
            _line(name, {one.key.size_bytes: one.overhead for one in own if helper_text(one) == name}, legend)
            for name in dict.fromkeys(helper_text(one) for one in own)
        ]
        library, n, operation, compute = place
        detail = f"{operation}, {library}, {processes(n)}, compute {compute}"
        svg = latency_figure([line for line in series if _shown(line)], f"Overhead against message size, {detail}")
        panels.append(Panel("Overhead", detail, Markup(svg)))  # noqa: S704 (our own drawing, its texts escaped)
    return tuple(panels)


def _line(name: str, times: dict[int, MedianInterval], legend: Legend) -> LatencySeries:
    points = []
    for size, one in sorted(times.items()):
        median = one.median if one.median > 0 else math.nan
        low = median if one.low is None else max(one.low, median / 100)
        points.append(LatencyPoint(size, median, low, median if one.high is None else one.high))
    return LatencySeries(name, legend.index(name), tuple(points))


def _shown(line: LatencySeries) -> bool:
    return any(not math.isnan(point.median_s) for point in line.points)
