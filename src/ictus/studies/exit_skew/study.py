"""Exit skew: several launches for each library and number of processes, in random order."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyBackend, StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import OptionError
from ictus.model.random import shuffled
from ictus.model.registries import Registries
from ictus.render.option_values import check_member, members
from ictus.studies.core_defaults import SKEW
from ictus.studies.exit_skew.record import NAME, STUDY, SkewDocument, SkewStudy, study_of
from ictus.studies.keeping import document_of, read_kept

ALL = "barrier(all)"
"""Every barrier of the registry."""

_ATTEMPTS = 10
"""Largest number of attempts for each valid entry: a start that has to find its window first needs several."""

_UNASKED = ("none", "barrier", "arrival")
"""Starts that do not synchronise, or that keep ranks apart on purpose; `barrier` needs the name of an algorithm."""


def barriers() -> tuple[str, ...]:
    """Every barrier, as a start."""
    return tuple(f"barrier({member.name})" for member in Registries.load().family("barrier").members)


def every_start() -> tuple[str, ...]:
    """Every barrier, and every other start that synchronises."""
    others = (one.name for one in Registries.load().family("procsync").members if one.name not in _UNASKED)
    return (*barriers(), *others)


def parse_starts(text: str | None) -> tuple[str, ...]:
    """The requested starts, each once. Raises UsageError for an unknown name or parameter."""
    if text is None:
        return every_start()
    spelt = text.replace(" ", "").replace(ALL, ",".join(barriers()))
    return members("--procsync", "procsync", spelt)


def entering(entry: str, tolerance_s: float, clocksync: str, nrep: int) -> dict[str, str]:
    """How starts are entered, as the core's options. Raises UsageError."""
    check_member("--entry", "procsync", entry)
    check_member("--clocksync", "clocksync", clocksync)
    return {
        "entry": entry,
        "entry-tolerance": f"{tolerance_s:.9g}s",
        "clocksync": clocksync,
        "repetition": f"fixed(nrep={nrep},max_attempts={_ATTEMPTS * nrep})",
    }


def check_processes(processes: Sequence[int]) -> None:
    """UsageError where a number of processes has no skew."""
    if min(processes) < 2:
        raise OptionError(("n", tuple(processes), "one process has no skew; 2 or more are allowed"))


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    libraries: Sequence[str | None] = (None,),
    starts: Sequence[str] | None = None,
    launches: int = 3,
    nrep: int = SKEW.nrep("repetition"),
    entry: str = SKEW.text("entry"),
    entry_tolerance_s: float = SKEW.seconds("entry-tolerance"),
    clocksync: str = SKEW.text("clocksync"),
) -> SkewStudy:
    """A new study of these libraries (None: the first that is found) and starts (None: all that synchronise). Ranks
    enter by the start `entry`; an attempt counts where they entered within `entry_tolerance_s`.

    Raises UsageError, MeasurementError.
    """
    check_processes(common.processes)
    names = every_start() if starts is None else tuple(starts)
    given = {"procsync": ",".join(names), **entering(entry, entry_tolerance_s, clocksync, nrep)}
    check_free(common.output, NAME)
    backends = [prepare_study(replace(common, mpi=library), observer) for library in libraries]
    slots = [(backend, n, launch) for backend in backends for n in common.processes for launch in range(launches)]
    planned = [
        StudyLaunch(
            _seeded(backend, launch),
            ("barriers", "skew"),
            n_ranks,
            {**backend.clocks, **given, "seed": str(common.seed + launch)},
            f"exit skew: {backend.installation.label}, launch {number} of {len(slots)}",
        )
        for number, (backend, n_ranks, launch) in enumerate(shuffled(slots, common.seed), 1)
    ]
    answers = run_study(planned, observer)
    return study_of(document_of(SkewDocument, STUDY, answers, {"on": common.platform}))


def kept_skew(folder: Path) -> SkewStudy:
    """The study that a folder holds. Raises UsageError where there is none, MeasurementError where it is damaged."""
    return study_of(read_kept(SkewDocument, folder))


def _seeded(backend: StudyBackend, launch: int) -> StudyBackend:
    """Each launch on a simulated platform draws its own messages."""
    if backend.platform is None:
        return backend
    return replace(backend, platform=replace(backend.platform, seed=backend.platform.seed + launch))
