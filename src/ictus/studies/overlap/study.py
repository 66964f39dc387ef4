"""Overlap: how much of a nonblocking operation a computation hides, and what makes it progress."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ictus.model.narrower_options import NREP
from ictus.model.plan import Plan
from ictus.model.plan_options import BY_KEY
from ictus.model.registries import Registries
from ictus.model.spec import split_list
from ictus.model.unknown import unknown
from ictus.render.page import Fact, Legend, Section, paragraphs
from ictus.render.table import records
from ictus.studies.core_options import core_option
from ictus.studies.material import StudyAnswer
from ictus.studies.overlap.analysis import RunSummary, summarise
from ictus.studies.overlap.claims import CLAIMS
from ictus.studies.overlap.figures import COMPUTE, compute_panels, helpers_of, interval_panels, overhead_panels
from ictus.studies.overlap.material import OverlapMaterial
from ictus.studies.overlap.options import THREADS, operations, test_intervals
from ictus.studies.overlap.record import OverlapStudy
from ictus.studies.overlap.tables import COLUMNS, libraries_of, overlap_table, progress_table, side_table
from ictus.studies.overlap.words import progress_rows, progress_sentences, warnings_of
from ictus.studies.study import Study, own_option

_OVERHEAD = paragraphs("""
    What the operation adds to the run-time of a program that has something to compute meanwhile. The blocking line is
    the operation begun and at once completed. Points are medians over launches, bars their 95 % intervals; what is not
    above 0 has no place on a logarithmic axis.
""")
_COMPUTE = paragraphs("""
    Computing by time ends when the clock says so: time that others took on the core does not show. Computing by work is
    a fixed amount: time that others took is added. If nothing else uses the core, both agree. If a progress thread
    shares the core, they differ.
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
    A library makes progress by itself where half or more of the blocking time is hidden without a single progress
    call; only with tests where that takes MPI_Test at some interval. Less than half is not nothing: the share is beside
    it.

    Best is what leaves the smallest overhead. The smallest of several noisy numbers is a little too good: others may
    be as good.
""")
_SIDES = paragraphs("""
    The libraries beside each other, without a thread: the blocking time, the overlap without tests, and the interval
    that leaves the least overhead with its overlap.
""")


def check(*, op: str, sizes: str, intervals: str, datatype: str | None, operator: str | None, **_: object) -> None:
    """UsageError for operations that cannot overlap, an unknown datatype, or an operator that it has not."""
    operations(op)
    test_intervals(intervals)
    Plan.from_values({"sizes": sizes})  # an error where it is none
    check_payload(datatype, operator)


def check_payload(datatype: str | None, operator: str | None) -> None:
    """UsageError, before a library is built, for an unknown datatype, or an operator that it has not."""
    registries = Registries.load()
    of = registries.datatype("double" if datatype is None else datatype)
    if operator is not None and operator not in of.operators:
        raise unknown(f"operator '{operator}' of {of.name} (--operator)", operator, of.operators)


def analyse(study: OverlapStudy, *, reduce: str) -> Sequence[RunSummary]:
    """A row a run, over launches."""
    return summarise(study.launches, "mean" if reduce == "mean" else "median")


def answer(study: OverlapStudy, summaries: Sequence[RunSummary], *, reduce: str) -> StudyAnswer:
    """What hides how much, and whether a library makes progress by itself."""
    beside = side_table(summaries)
    return StudyAnswer(
        sentences=progress_sentences(summaries),
        rows=records(summaries, COLUMNS),
        tables=(overlap_table(summaries), *((beside,) if beside.blocks else ())),
        sections=lambda: _sections(summaries),
        warnings=warnings_of(study, summaries),
        facts=tuple(_facts(study)),
        extra_keys={"progress": progress_rows(summaries), "reduce": reduce},
    )


def _sections(summaries: Sequence[RunSummary]) -> list[Section]:
    helpers, libraries = helpers_of(summaries), Legend(libraries_of(summaries))
    overhead, compute = overhead_panels(summaries, helpers), compute_panels(summaries)
    interval = interval_panels(summaries, libraries)
    sides = (side_table(summaries),) if len(libraries.labels) > 1 else ()
    return [
        Section("progress", "Progress", _PROGRESS, tables=(progress_table(summaries),)),
        Section("libraries", "Libraries side by side", _SIDES, tables=sides),
        Section("interval", "Test interval", _INTERVAL, legend=libraries.entries(), panels=interval),
        Section("overhead", "Overhead", _OVERHEAD, legend=helpers.entries(), panels=overhead),
        Section("compute", "Time and work", _COMPUTE, legend=COMPUTE.entries(), panels=compute),
        Section("phases", "Phases and overlap", _PHASES, tables=(overlap_table(summaries),)),
    ]


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
}
"""The request, in words; libraries and processes follow from the measurements."""


def _facts(study: OverlapStudy) -> Iterator[Fact]:
    plan: Mapping[str, Any] = study.document.plan
    yield Fact("launches", f"{len(study.launches)} of {len(study.document.slots)}")
    for key, name in _NAMES.items():
        if key in plan:
            yield Fact(name, _listed(plan[key]))
    thread = plan.get("thread")
    if thread and "own" in plan.get("threads", ()):
        pause = thread.get("progress-pause", "0")
        asleep = "" if pause == "0" else f", asleep {pause} between calls"
        yield Fact("own thread", f"core {thread.get('progress-place', 'any')}{asleep}")


def _listed(value: object) -> str:
    """`a, b`: lists and comma-separated words alike."""
    words = value if isinstance(value, (list, tuple)) else split_list(str(value))
    return ", ".join(map(str, words))


_PHASES_OF = "overlap phases"
STUDY = Study(
    name="overlap",
    about="""
    Init, tests, computation and wait of nonblocking and persistent operations, launch by launch: how much of the
    blocking time a computation hides, without tests, with tests at several intervals, with progress threads; whether
    the library makes progress by itself; and what OSU and IMB would report about the same data. With -o, a folder that
    holds the same study is continued.
    """,
    title="How much of a nonblocking operation is hidden",
    schema="ictus.overlap/2",
    material=OverlapMaterial(
        core=_PHASES_OF,
        several_libraries=True,
        unsimulated="simulated ranks compute in no time and have no threads",
    ),
    options=(
        replace(
            BY_KEY["op"],
            help="Nonblocking and persistent operations; all are all of them.",
            default_text=core_option(_PHASES_OF, "op").default_text,
        ),
        replace(BY_KEY["sizes"], default_text=core_option(_PHASES_OF, "size").default_text),
        BY_KEY["datatype"],
        BY_KEY["operator"],
        core_option(
            _PHASES_OF,
            "compute",
            metavar="time,work",
            help="The computation: for a fixed time, or a fixed amount of work.",
        ),
        core_option(
            _PHASES_OF,
            "intervals",
            kind="text",
            metavar="SIZE,...",
            help="Bytes of the message from one MPI_Test to the next; none: no tests.",
        ),
        own_option(
            "threads",
            "choices",
            "none,library,own",
            "Additional progress: none, the library's progress thread, or one of Ictus.",
            default_text=",".join(THREADS),
            choices=THREADS,
        ),
        core_option(
            _PHASES_OF,
            "progress-place",
            key="core",
            names=("--core",),
            metavar="same|any|CPU,...",
            help="Where our thread runs: on its rank's CPU, anywhere, or on these CPUs, one for each rank of a host.",
        ),
        core_option(
            _PHASES_OF,
            "progress-pause",
            key="pause",
            names=("--pause",),
            help="Sleep of our thread between two calls.",
        ),
        core_option(_PHASES_OF, "compute-factor", help="Computation in units of T_b."),
        core_option(_PHASES_OF, "procsync", help="How ranks begin together (ictus list procsync)."),
        replace(BY_KEY["launches"], help="Launches of each library and thread.", default_text="6"),
        replace(NREP, default_text=core_option(_PHASES_OF, "nrep").default_text),
        own_option(
            "reduce",
            "choice",
            "median|mean",
            "How a launch's repetitions become one number; the mean includes rare stalls.",
            default_text="median",
            choices=("median", "mean"),
            of_showing=True,
        ),
    ),
    check=check,
    claims=CLAIMS,
    analyse=analyse,
    answer=answer,
)
