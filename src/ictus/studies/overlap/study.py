"""The launches of `ictus overlap`: ordered before the first one, each kept in its own folder, continued by a later
call.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.event import Observer
from ictus.engine.folder import check_same_values
from ictus.engine.study import StudyBackend, StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions, check_real
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.random import shuffled
from ictus.model.registries import Registries
from ictus.model.unknown import unknown
from ictus.mpi.inquiry import inquire
from ictus.mpi.progress_thread import ProgressThread, progress_thread, shows_thread
from ictus.store.campaign import JOURNAL
from ictus.store.document import now, version, write_document
from ictus.store.journal import campaign_state, read_journal
from ictus.store.samples import mapped_records
from ictus.studies.core_defaults import OVERLAP
from ictus.studies.overlap.options import (
    THREADS,
    clocks_for,
    operations,
    test_intervals,
    thread_core,
    words_of,
)
from ictus.studies.overlap.reading import launch_of
from ictus.studies.overlap.record import PHASE, OverlapAnswer, OverlapDocument, OverlapLaunch, OverlapSlot, OverlapStudy

STUDY = "overlap.json"
"""The request of the study: its launches in their order."""
LAUNCHES = "launches"
_ANSWER, _PHASES = "overlap.json", "phases.npy"


@dataclass(frozen=True)
class OverlapRequest:
    """What to measure."""

    words: Mapping[str, str]
    """The core's options, of all launches."""
    kinds: Sequence[str]
    """The additional progress: `none`, `library`, `own`."""
    ours: Mapping[str, str]
    """The core's options for a thread of ours."""
    launches: int
    """Launches of each library and thread."""


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    libraries: Sequence[str | None] = (None,),
    op: str = OVERLAP.text("op"),
    sizes: str = OVERLAP.text("size"),
    datatype: str | None = None,
    operator: str | None = None,
    compute: str = OVERLAP.text("compute"),
    intervals: str = OVERLAP.text("intervals"),
    threads: str = ",".join(THREADS),
    core: str = OVERLAP.text("progress-place"),
    pause_s: float = OVERLAP.seconds("progress-pause"),
    compute_factor: float = OVERLAP.number("compute-factor"),
    procsync: str = OVERLAP.text("procsync"),
    launches: int = 6,
    nrep: int = OVERLAP.count("nrep"),
) -> OverlapStudy:
    """Measure a study in the folder `common.output` (None: overlap-DATE), or the missing rest of it.

    Texts are those of the command: `op` operations, `sizes` of messages, `compute` of `time` and `work`, `intervals`
    bytes from one test to the next, `threads` what makes additional progress, `core` where our thread runs. `pause_s`
    is its sleep between two calls, `compute_factor` the computation in units of the blocking time.

    Raises UsageError where the folder holds another study, MeasurementError, StoppedByUser.
    """
    folder = common.output or Path(f"overlap-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    Plan.from_values({"sizes": sizes})  # an error where it is none
    check_payload(datatype, operator)
    words = {
        "op": ",".join(operations(op)),
        "size": sizes,
        "compute": ",".join(words_of("--compute", compute, ("time", "work"))),
        "intervals": test_intervals(intervals),
        "compute-factor": f"{compute_factor:g}",
        "procsync": str(Registries.load().check("procsync", procsync)),
        "nrep": str(nrep),
        **clocks_for(procsync),
        **({} if datatype is None else {"datatype": datatype}),
        **({} if operator is None else {"operator": operator}),
    }
    kinds = words_of("--threads", threads, THREADS)
    ours = {
        "progress-thread": "own",
        "progress-place": thread_core(core, max(common.processes) if "own" in kinds else 0, common),
        "progress-pause": f"{pause_s:.9g}s" if pause_s else "0",
    }
    _measure(folder, common, libraries, OverlapRequest(words, kinds, ours, launches), observer)
    return read(folder)


def check_payload(datatype: str | None, operator: str | None) -> None:
    """UsageError, before a library is built, for an unknown datatype, or an operator that it has not."""
    registries = Registries.load()
    of = registries.datatype("double" if datatype is None else datatype)
    if operator is not None and operator not in of.operators:
        raise unknown(f"operator '{operator}' of {of.name} (--operator)", operator, of.operators)


def _measure(
    folder: Path,
    common: StudyOptions,
    libraries: Sequence[str | None],
    request: OverlapRequest,
    observer: Observer,
) -> None:
    check_real(common, "simulated ranks compute in no time and have no threads")
    found = [prepare_study(replace(common, mpi=name), observer) for name in libraries]
    backends = {backend.installation.label: backend for backend in found}
    for backend in found:
        _check_launcher(backend)
    own = _own_threads(backends) if "library" in request.kinds else {}
    without = {label: one.reason for label, one in own.items() if not one.available}
    unavailable = [f"{label}: progress thread of the library {reason}" for label, reason in without.items()]
    by_library = {
        label: [kind for kind in request.kinds if kind != "library" or label not in without] for label in backends
    }
    slots = schedule(by_library, common.processes, request.launches, common.seed)
    plan: dict[str, Any] = {**request.words, "thread": dict(request.ours), "threads": list(request.kinds)}
    plan |= {"launches": request.launches, "n": list(common.processes), "mpi": list(backends), "seed": common.seed}
    _begin(folder, plan, slots, unavailable)
    launches = []
    for slot in slots:
        thread = own[slot.library] if slot.thread == "library" else ProgressThread()
        launches.append(_launch(slot, len(slots), backends[slot.library], thread, request))
    run_study(launches, observer, folder)


def schedule(threads: Mapping[str, Sequence[str]], n: Sequence[int], launches: int, seed: int) -> list[OverlapSlot]:
    """Every library, number of processes and thread once in each block of launches, shuffled inside; `threads` has the
    libraries by label.
    """
    slots: list[OverlapSlot] = []
    for launch_number in range(launches):
        block = [(label, count, thread) for label in threads for count in n for thread in threads[label]]
        for label, count, thread in shuffled(block, seed + launch_number):
            slots.append(OverlapSlot(number=len(slots), library=label, n=count, thread=thread, launch=launch_number))
    return slots


def _launch(
    slot: OverlapSlot, n_slots: int, backend: StudyBackend, thread: ProgressThread, request: OverlapRequest
) -> StudyLaunch:
    """With a progress thread no progress calls are measured: it exists so that none are needed."""
    words = dict(request.words)
    words |= {"none": {}, "library": {"intervals": "none"}, "own": {"intervals": "none", **request.ours}}[slot.thread]

    def refuse(answer: Mapping[str, Any]) -> str | None:
        if shows_thread(thread, answer.get("control_variables", {})):
            return None
        is_set = ", ".join(f"{name}={value}" for name, value in thread.environment.items())
        return f"{is_set} is set, and yet the library does not say so"

    seed = str(backend.options.seed + slot.launch)
    return StudyLaunch(
        backend,
        ("overlap", "phases"),
        slot.n,
        {**backend.clocks, **words, "seed": seed, "phases": _PHASES},
        f"overlap: {slot.library}, progress thread {slot.thread}, launch {slot.number + 1} of {n_slots}",
        folder_name=slot.folder,
        answer=_ANSWER,
        environment=thread.environment,
        refuse=refuse,
    )


def _own_threads(backends: Mapping[str, StudyBackend]) -> dict[str, ProgressThread]:
    """The libraries' own progress threads, by their own answers."""
    return {
        label: progress_thread(one.installation.flavour, inquire(one.installation, one.program).cvars)
        for label, one in backends.items()
    }


def _check_launcher(backend: StudyBackend) -> None:
    """UsageError for a place of which launches are not kept."""
    if backend.launcher == Namespaces.name or backend.platform is not None:
        raise UsageError(
            f"launcher '{backend.launcher}': overlap is measured on the hosts of the launcher mpiexec or srun"
        )


def _begin(folder: Path, plan: Mapping[str, Any], slots: Sequence[OverlapSlot], unavailable: Sequence[str]) -> None:
    """Write the study, or check that the folder holds the same one. Raises UsageError where it is another."""
    if (folder / STUDY).is_file():
        check_same_values(folder, "study", OverlapDocument.read(folder / STUDY).plan, plan)
        return
    folder.mkdir(parents=True, exist_ok=True)
    document = OverlapDocument(
        ictus=version(), created=now(), plan=dict(plan), slots=tuple(slots), unavailable=tuple(unavailable)
    )
    write_document(folder / STUDY, document)


def read(folder: Path) -> OverlapStudy:
    """All launches that are complete. Raises UsageError where there is none, MeasurementError for a damaged one."""
    if not (folder / STUDY).is_file():
        raise UsageError(f"'{folder}' is not a study: there is no {folder / STUDY}")
    document = OverlapDocument.read(folder / STUDY)
    launches: list[OverlapLaunch] = []
    state = campaign_state(read_journal(folder / JOURNAL).entries)
    for slot in document.slots:
        path = folder / LAUNCHES / slot.folder
        if (path / _ANSWER).is_file():
            for name in (_PHASES, _ANSWER):
                state.checksums_of(f"{LAUNCHES}/{slot.folder}").check_file(path / name)
            records = mapped_records(path / _PHASES, PHASE)
            answer = OverlapAnswer.read(path / _ANSWER)
            launches.append(launch_of(answer, records, slot.thread, str(path), slot.launch))
    return OverlapStudy(tuple(launches), document)
