"""Studies: launches of the core's study programs, in a folder that a later call continues, or a temporary one."""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from ictus.engine.attempt import LaunchFailure, LaunchInterruption, hung_in, judged
from ictus.engine.backend import find_library
from ictus.engine.building import MEASURING_PROGRAM, build_with_progress
from ictus.engine.document_loop import DocumentLoop, EndedLaunch
from ictus.engine.event import Observer, StudyLaunchStarted
from ictus.engine.launch_loop import launch_folder
from ictus.engine.obstacles import report_findings, try_launcher
from ictus.engine.study_options import HERE, StudyOptions, check_launcher, clock_of, platform_of
from ictus.engine.variables import check_variables
from ictus.launch.launchers import check_usable, with_hosts
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.document import Document
from ictus.model.errors import UsageError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.placement import misplaced
from ictus.model.platform import SimulatedPlatform
from ictus.model.quantity import format_span
from ictus.model.spec import parse_spec
from ictus.mpi.build import build_core
from ictus.mpi.command import launch, on_one_host
from ictus.mpi.flavours import flavour
from ictus.mpi.placed_job import placed_job, ranks_of_node
from ictus.mpi.preflight import preflight
from ictus.store.durable import make_folder
from ictus.store.placement import placement_request, places_in


@dataclass(frozen=True)
class StudyBackend:
    """A library, its core, and how ranks of a study are started with it."""

    installation: Installation
    program: Path
    launcher: str
    clock: str
    options: StudyOptions
    platform: SimulatedPlatform | None = None
    """Where simulated ranks run."""

    @property
    def one_counter(self) -> bool:
        """Whether all ranks can be expected to read one counter, so that errors are computed and not waited for."""
        return self.platform is not None or (self.options.platform == HERE and on_one_host(os.environ))

    @property
    def clocks(self) -> dict[str, str]:
        """The clocks of a launch, as the core's options."""
        return {"clock": self.clock, "clock-domain": self.options.clock_domain}


def prepare_study(options: StudyOptions, observer: Observer) -> StudyBackend:
    """Find the library, build its core, look for what stands in the way.

    Raises UsageError for an unknown place, library or launcher, MeasurementError where a core does not build or this
    machine cannot make such hosts.
    """
    backend = look_up_study(options)
    launcher = backend.launcher
    build = build_with_progress(build_core, backend.installation, MEASURING_PROGRAM, observer)
    if options.platform == HERE:
        ranks = max(ranks_of_node(size, launcher) for size in options.sizes)
        report_findings(preflight((build.installation,), ranks, repeated=False), observer)
    try_launcher(build.installation, launcher, observer)
    return replace(backend, installation=build.installation, program=build.program)


def look_up_study(options: StudyOptions) -> StudyBackend:
    """The library and the launcher of a study, of which nothing is built yet: it has no program. Raises UsageError."""
    platform = platform_of(options.platform)
    check_launcher(options)
    _ = options.sizes  # refuses processes that cannot be spread
    clock = clock_of(options)
    named = Namespaces.name if options.platform == Namespaces.name else options.launcher
    launcher = with_hosts(named, options.hosts)
    check_usable(launcher, parse_spec(clock))
    installation = _installation(options, simulated=platform is not None)
    check_variables(options.environment, (), (installation,))
    return StudyBackend(installation, Path(), launcher, clock, options, platform)


def _installation(options: StudyOptions, *, simulated: bool) -> Installation:
    """The library that was named, else the first one found that fits the place."""
    installation = find_library("simgrid" if simulated and options.mpi is None else options.mpi)
    if flavour(installation.flavour).simulated != simulated:
        need = (
            "a simulated library, such as -m simgrid" if simulated else "a simulated platform, such as --platform flat"
        )
        raise UsageError(f"-m '{installation.label}' with --platform '{options.platform}': that takes {need}")
    return installation


def _any_answer(answer: Mapping[str, Any]) -> None:
    """Every answer of a launch that ended well counts."""


class StudyFile(Document):
    """A file that the core wrote in a launch; the study knows its content."""

    FILE: ClassVar = "study.json"
    SCHEMA: ClassVar = 2


@dataclass(frozen=True)
class StudyLaunch:
    """One launch of a study's program with one library."""

    backend: StudyBackend
    study: tuple[str, ...]
    """The words of ictus-bench, such as `clocks`, `accuracy`."""
    n: int
    """Number of processes."""
    options: Mapping[str, str]
    """The core's options, without dashes."""
    about: str
    """What is measured, in a few words, for an observer."""
    folder_name: str = ""
    """Where it is kept, under launches/: one of its own for each; left out, by number, library and processes."""
    slot: int = 0
    """Its number in the order of launches; set when they are made."""
    answer: str = StudyFile.FILE
    """The document that the core writes."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Additional variables of its ranks."""
    refuse: Callable[[Mapping[str, Any]], str | None] = _any_answer
    """Why an answer does not count; None where it does."""

    @property
    def text(self) -> str:
        """The text before it starts."""
        where = self.backend.options.platform
        platform_text = "" if where == HERE else f" on {where}"
        return f"{self.about}, {self.n} process{'' if self.n == 1 else 'es'}{platform_text}"


def run_study(
    launches: Sequence[StudyLaunch], observer: Observer, folder: Path | None = None, *, retries: int = 0
) -> list[Mapping[str, Any]]:
    """Run all launches in this order, and read their documents.

    With `folder` each launch is kept under launches/, and existing ones are not repeated. `retries` are further tries
    of a launch that failed. Raises UsageError for what the core refuses, MeasurementError where the last try of a
    launch fails or the user ends it.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="ictus-study-") as name:
            return _run_in(Path(name), launches, observer, kept=False, retries=retries)
    return _run_in(folder.absolute(), launches, observer, kept=True, retries=retries)


def study_preview(launches: Sequence[StudyLaunch], folder: Path | None) -> Iterator[str]:
    """What `run_study` would do, in lines. How long a launch takes only the core knows, which is not asked."""
    backends = dict.fromkeys(
        (study_launch.backend.installation.label, study_launch.backend.installation.version)
        for study_launch in launches
    )
    labels = ", ".join(f"{label} {version}" for label, version in backends)
    yield f"{'nothing is kept without -o' if folder is None else folder}: with {labels}"
    numbers = Counter(planned.text for planned in launches)
    for text, count in list(numbers.items())[:_SHOWN]:
        yield f"  {text}{'' if count == 1 else f', {count} times'}"
    if len(numbers) > _SHOWN:
        yield f"  and {len(numbers) - _SHOWN} more"
    limit = format_span(launches[0].backend.options.timeout_s)
    yield f"Launches: {len(launches)} in all"
    yield f"Time: known after the first launch; one that takes longer than {limit} is ended (--timeout)"
    yield "Disk: a document of each launch, mostly below 1 MB"


_SHOWN = 6
"""Launches that a preview names."""


def _run_in(
    folder: Path, launches: Sequence[StudyLaunch], observer: Observer, *, kept: bool, retries: int
) -> list[Mapping[str, Any]]:
    named = [
        replace(
            study_launch,
            slot=slot,
            folder_name=study_launch.folder_name
            or f"{slot:04}-{study_launch.backend.installation.label}-n{study_launch.n}",
        )
        for slot, study_launch in enumerate(launches)
    ]
    answer = named[0].answer if named else ""
    with launch_folder(folder) as journal:
        _StudyRun(folder, named, journal, observer, StudyFile, file=answer, retries=retries, kept=kept).to_the_end()
    return [StudyFile.read(folder / "launches" / planned.folder_name / planned.answer).raw for planned in named]


class _StudyRun(DocumentLoop[StudyLaunch]):
    def tell_begun(self, slot: StudyLaunch, attempt: int) -> None:
        self.observer(StudyLaunchStarted(slot.text, attempt, self.progress()))

    def attempt(self, slot: StudyLaunch, partial: Path) -> EndedLaunch | LaunchFailure | LaunchInterruption:
        make_folder(partial, within=partial.parent)
        backend, options = slot.backend, slot.backend.options
        core_words = {"ranks": str(slot.n), "output": slot.answer}
        words = [f"--{key}={value}" for key, value in {**slot.options, **core_words}.items()]
        job = Job(
            n_ranks=slot.n,
            program=(str(backend.program), *slot.study, *words),
            folder=partial,
            timeout_s=options.timeout_s,
            environment={**options.environment, **slot.environment},
            pin=options.pin,
            platform=backend.platform,
            is_written=(partial / slot.answer).is_file,
        )
        size = options.size_of(slot.n)
        try:
            placed = placed_job(job, backend.installation, backend.launcher, size, options.map_by)
            outcome = launch(backend.installation, placed, backend.launcher)
        except KeyboardInterrupt:
            return LaunchInterruption()
        ended = judged(outcome, partial, options.timeout_s)
        if isinstance(ended, LaunchFailure):
            return replace(ended, reason=_refusal(partial) or ended.reason) if ended.final else ended
        if ended is not None:
            return ended
        answer = StudyFile.read(partial / slot.answer).raw
        elsewhere = misplaced(placement_request(answer.get("launcher"), size, options.map_by), places_in(answer))
        reason = elsewhere or slot.refuse(answer)
        if reason is not None:
            return LaunchFailure(reason, final=True, ran=True)
        return EndedLaunch(outcome.elapsed_s, hung_in(outcome, partial))


def _refusal(folder: Path) -> str:
    """The core's own complaint about its options; empty where it has none."""
    text = (folder / "stderr.txt").read_text("utf-8", "replace")
    complaints = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("ictus-bench:")]
    return complaints[0] if complaints else ""
