"""The launches of `ictus overlap`: drawn first, made in that order, each kept in a folder of its own, gone on with."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.engine.place import Place, check_outcome
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Job
from ictus.model.random import shuffled
from ictus.mpi.command import launch
from ictus.mpi.cores import usable_cores
from ictus.mpi.inquiry import inquire
from ictus.mpi.progress_thread import ProgressThread, progress_thread, shows_thread
from ictus.store.document import read_document, write_document
from ictus.store.samples import mapped_records
from ictus.studies.keeping import measuring
from ictus.studies.overlap.reading import parse_launch
from ictus.studies.overlap.record import PHASE, OverlapLaunch, OverlapStudy

STUDY = "overlap.json"
"""The study as it was asked for: its launches in their order."""
LAUNCHES = "launches"
_ANSWER, _PHASES = "overlap.json", "phases.npy"


@dataclass(frozen=True)
class Slot:
    """One launch: of which library, with how many ranks, with which progress thread, the how manieth."""

    number: int
    library: str
    n: int
    thread: str
    launch: int

    @property
    def folder(self) -> str:
        """Its folder's name."""
        return f"{self.number:04}-{self.library}-n{self.n}-{self.thread}"


def schedule(
    places: Mapping[str, Place], threads: Mapping[str, Sequence[str]], n: Sequence[int], launches: int, seed: int
) -> list[Slot]:
    """Every library, number of processes and thread once in each block of launches, shuffled inside."""
    slots: list[Slot] = []
    for launch_number in range(launches):
        block = [(label, count, thread) for label in places for count in n for thread in threads[label]]
        for label, count, thread in shuffled(block, seed + launch_number):
            slots.append(Slot(len(slots), label, count, thread, launch_number))
    return slots


def offers(places: Mapping[str, Place]) -> dict[str, ProgressThread]:
    """The libraries' own progress threads, by what they say themselves."""
    return {
        label: progress_thread(place.installation.flavour, inquire(place.installation, place.program).cvars)
        for label, place in places.items()
    }


@dataclass(frozen=True)
class Making:
    """What launches are made with, by library and by progress thread."""

    places: Mapping[str, Place]
    own: Mapping[str, ProgressThread]
    """The libraries' own progress threads."""
    words: Mapping[str, str]
    """The core's options, of all launches ..."""
    thread_words: Mapping[str, Mapping[str, str]]
    """... and of those with a progress thread, which win."""


def measure(folder: Path, slots: Sequence[Slot], making: Making) -> None:
    """Make the launches that are not there yet. Raises UsageError, MeasurementError."""
    for slot in slots:
        place, target = making.places[slot.library], folder / LAUNCHES / slot.folder
        if (target / _ANSWER).is_file():
            continue
        what = f"{slot.library}, progress thread {slot.thread}, launch {slot.number + 1} of {len(slots)}"
        measuring("overlap", slot.n, "here", what)
        thread = making.own[slot.library] if slot.thread == "library" else ProgressThread()
        options = {**place.clocks, **making.words, **making.thread_words.get(slot.thread, {})}
        _launched(place, target, slot.n, {**options, "seed": str(place.asked.seed + slot.launch)}, thread)


def _launched(place: Place, target: Path, n: int, options: Mapping[str, str], thread: ProgressThread) -> None:
    """One launch into its folder, whole or not at all."""
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    words = [f"--{key}={value}" for key, value in {**options, "phases": _PHASES, "output": _ANSWER}.items()]
    job = Job(
        n_ranks=n,
        program=(str(place.program), "overlap", "phases", *words),
        folder=partial,
        timeout_s=place.asked.timeout_s,
        environment={**place.asked.environment, **thread.environment},
        pin=place.asked.pin,
        n_cores=usable_cores().n,
        platform=place.platform,
    )
    outcome = launch(place.installation, job, place.launcher)
    check_outcome(outcome, partial, place.asked.timeout_s)
    document = read_document(partial / _ANSWER)
    if not shows_thread(thread, document.get("control_variables", {})):
        is_set = ", ".join(f"{name}={value}" for name, value in thread.environment.items())
        raise MeasurementError(f"{target.name}: {is_set} is set, and yet the library does not say so")
    partial.rename(target)


def check_launcher(place: Place) -> None:
    """UsageError for a place of which launches are not kept."""
    if place.launcher == Namespaces.name or place.platform is not None:
        raise UsageError(
            f"launcher '{place.launcher}': overlap is measured on the hosts of the launcher mpiexec or srun"
        )


def read(folder: Path) -> OverlapStudy:
    """All launches that are complete. Raises UsageError where there is no study, MeasurementError for a damaged one."""
    if not (folder / STUDY).is_file():
        raise UsageError(f"'{folder}' is no study: there is no {folder / STUDY}")
    document = read_document(folder / STUDY)
    launches: list[OverlapLaunch] = []
    for slot in (Slot(**values) for values in document["slots"]):
        path = folder / LAUNCHES / slot.folder
        if (path / _ANSWER).is_file():
            records = mapped_records(path / _PHASES, PHASE)
            answer = read_document(path / _ANSWER)
            launches.append(parse_launch(answer, records, slot.thread, str(path), slot.launch))
    return OverlapStudy(tuple(launches), document, tuple(document["unavailable"]))


def begin(
    folder: Path, plan: Mapping[str, Any], slots: Sequence[Slot], unavailable: Sequence[str], about: Mapping[str, Any]
) -> None:
    """Write down the study, or find that it is the one that was begun. Raises UsageError where it is another."""
    asked = {**about, "plan": dict(plan), "slots": [vars(slot) for slot in slots], "unavailable": list(unavailable)}
    if not (folder / STUDY).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write_document(folder / STUDY, asked)
        return
    begun = read_document(folder / STUDY)["plan"]
    differing = [key for key in plan if begun.get(key) != plan[key]]
    if differing:
        key = differing[0]
        raise UsageError(
            f"-o '{folder}' holds a study with {key} {begun.get(key)!r}, not {plan[key]!r}: name another folder"
        )
