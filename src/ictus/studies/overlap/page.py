"""The page of a study of overlap: one self-contained HTML file. The same folder gives the same bytes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ictus.model.spec import split_list
from ictus.render.page import Fact, Legend, Page, Panel, Section, day, paragraphs, render_page
from ictus.studies.clocks import page as clock_prose
from ictus.studies.clocks.page import setting_section
from ictus.studies.clocks.setting import setting_text
from ictus.studies.overlap.analysis import RunSummary
from ictus.studies.overlap.figures import COMPUTE, compute_panels, helpers_of, interval_panels, overhead_panels
from ictus.studies.overlap.record import OverlapStudy
from ictus.studies.overlap.tables import libraries_of, overlap_table, progress_table, side_table
from ictus.studies.overlap.words import progress_sentences, warnings_of

_OVERHEAD = paragraphs("""
    What the operation adds to the run-time of a program that has something to compute meanwhile. The blocking line is
    the operation begun and at once completed. Points are medians over launches, bars their 95 % intervals; what is not
    above 0 has no place on a logarithmic axis.
""")
_COMPUTE = paragraphs("""
    Computing by time ends when the clock says so: if somebody took the core meanwhile, nothing is missed. Computing by
    work is a fixed amount: what was taken comes on top. Where nobody takes anything both agree; where a progress thread
    shares the core they part.
""")
_INTERVAL = paragraphs("""
    How much is left of an operation that is tested at that interval, without any thread; the dashed level is the
    library's own blocking time. Intervals that come to the same tests at a size are the same measurement.
""")
_PHASES = paragraphs("""
    Times are medians over launches: the call that begins, all progress calls together, the call that completes.
    Overlap is 1 less overhead over the blocking time, and is not clipped: below 0 the nonblocking operation costs more
    than the blocking one. OSU and IMB are what these suites make of the same repetitions; both never show less than 0.

    A thread may make the blocking operation itself longer. “plain” holds the same overhead against the blocking time of
    the launches without a thread.
""")
_PROGRESS = paragraphs("""
    A library makes progress by itself where half and more of the blocking time is hidden without a single progress
    call; only with tests where that takes MPI_Test at some interval. Less than half is not nothing: the share is beside
    it.

    Best is what leaves the least overhead, and of several noisy numbers the least is a little too good: what is not
    told apart from it may be as good.
""")
_SIDES = paragraphs("""
    The libraries beside each other, without a thread: the blocking time, the overlap without tests, and the interval
    that leaves the least overhead with its overlap.
""")


def overlap_page(study: OverlapStudy, summaries: Sequence[RunSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and its figures."""
    helpers, libraries = helpers_of(summaries), Legend(libraries_of(summaries))
    overhead, compute = overhead_panels(summaries, helpers), compute_panels(summaries)
    interval = interval_panels(summaries, libraries)
    settings = [one.setting for one in study.launches]
    sides = (side_table(summaries),) if len(libraries.labels) > 1 else ()
    sections = (
        Section("warnings", "Warnings", clock_prose.WARNINGS, items=warnings_of(study, summaries)),
        Section("progress", "Progress", _PROGRESS, tables=(progress_table(summaries),)),
        Section("libraries", "Libraries side by side", _SIDES, tables=sides),
        Section("interval", "Test interval", _INTERVAL, legend=libraries.entries(), panels=interval),
        Section("overhead", "Overhead", _OVERHEAD, legend=helpers.entries(), panels=overhead),
        Section("compute", "Time and work", _COMPUTE, legend=COMPUTE.entries(), panels=compute),
        Section("phases", "Phases and overlap", _PHASES, tables=(overlap_table(summaries),)),
        setting_section(settings),
    )
    page = Page(
        title="How much of a nonblocking operation is hidden",
        where=f"{day(study.document.created)} · {settings[0].hosts[0]}",
        reproduce_command=again,
        ictus=study.document.ictus,
        lead=" ".join(progress_sentences(summaries)),
        pairs=(),
        facts=tuple(_facts(study)),
        sections=tuple(one for one in sections if one.items or one.tables or one.panels or one.groups),
    )
    return render_page(page), (*overhead, *compute, *interval)


_NAMES = {
    "op": "operations",
    "size": "sizes",
    "compute": "compute",
    "intervals": "tests every",
    "threads": "progress threads",
    "compute-factor": "computation, in T_b",
    "procsync": "procsync",
    "nrep": "repetitions in a launch",
    "datatype": "datatype",
    "operator": "operator",
    "seed": "seed",
}
"""The request, in words; libraries and processes follow from the measurements."""


def _facts(study: OverlapStudy) -> Iterator[Fact]:
    plan: Mapping[str, Any] = study.document.plan
    yield Fact("ran on", setting_text([one.setting for one in study.launches]))
    yield Fact("launches", f"{len(study.launches)} of {len(study.document.slots)}")
    for key, name in _NAMES.items():
        if key in plan:
            yield Fact(name, _listed(plan[key]))
    own = plan.get("thread")
    if own and "own" in plan.get("threads", ()):
        pause = own.get("progress-pause", "0")
        asleep = "" if pause == "0" else f", asleep {pause} between calls"
        yield Fact("own thread", f"core {own.get('progress-place', 'any')}{asleep}")


def _listed(value: object) -> str:
    """`a, b`: lists and comma-separated words alike."""
    words = value if isinstance(value, (list, tuple)) else split_list(str(value))
    return ", ".join(map(str, words))
