"""The launches of a study of overlap: ordered before the first one, each kept in its own folder, continued by a later
call.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.event import Observer
from ictus.engine.folder import check_same_values
from ictus.engine.study import StudyBackend, StudyLaunch, look_up_study, prepare_study, run_study, study_preview
from ictus.engine.study_options import StudyOptions
from ictus.launch.launchers.namespaces import Namespaces
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.random import shuffled
from ictus.model.registries import Registries
from ictus.mpi.inquiry import inquire
from ictus.mpi.progress_thread import ProgressThread, progress_thread, shows_thread
from ictus.render.output import print_note
from ictus.store.campaign import JOURNAL
from ictus.store.document import now, version, write_document
from ictus.store.journal import campaign_state, read_journal
from ictus.store.samples import mapped_records
from ictus.studies.core_material import RanksMaterial
from ictus.studies.keeping import PAGE, write_report
from ictus.studies.material import StudyAnswer, StudyRequest
from ictus.studies.overlap.options import clocks_for, operations, test_intervals, thread_core
from ictus.studies.overlap.reading import launch_of
from ictus.studies.overlap.record import PHASE, OverlapAnswer, OverlapDocument, OverlapLaunch, OverlapSlot, OverlapStudy

REQUEST = "overlap.json"
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


@dataclass(frozen=True, kw_only=True)
class OverlapMaterial(RanksMaterial[OverlapStudy]):
    """Launches in a folder: with the page, and with all repetitions."""

    output_help: str = "The folder, continued after an interruption. [default: overlap-DATE]"

    def measure(self, request: StudyRequest, observer: Observer) -> OverlapStudy:
        """All launches, or the missing rest of them. Raises UsageError where the folder holds another study."""
        common, libraries = self.common_options(request)
        folder = common.output or Path(f"overlap-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
        _measure(folder, common, libraries, overlap_request(common, **request.values), observer)
        return self.read(folder)

    def preview(self, request: StudyRequest) -> Iterator[str]:
        """The launches, as if every library had a progress thread of its own where one is asked for."""
        common, libraries = self.common_options(request)
        core_request = overlap_request(common, **request.values)
        backends = {backend.installation.label: backend for backend in _looked_up(common, libraries)}
        slots = schedule(
            dict.fromkeys(backends, core_request.kinds), common.processes, core_request.launches, common.seed
        )
        planned = [_launch(slot, len(slots), backends[slot.library], ProgressThread(), core_request) for slot in slots]
        yield from study_preview(planned, common.output or Path("overlap-DATE"))

    def read(self, folder: Path, **_: Any) -> OverlapStudy:
        """All launches that are complete."""
        study = read(folder)
        if not study.launches:
            raise MeasurementError(f"no launch of '{folder}' is complete")
        return study

    def keep(
        self,
        record: OverlapStudy,
        folder: Path | None,
        title: str,
        answer: StudyAnswer,
        again: str,
    ) -> None:
        """Page and figures in the folder of the launches."""
        del folder
        write_report(record.folder, *self.drawn(record, title, answer, again))
        print_note(f"page: {record.folder / PAGE}")


def overlap_request(
    common: StudyOptions,
    *,
    op: str,
    sizes: str,
    datatype: str | None,
    operator: str | None,
    compute: Sequence[str],
    intervals: str,
    threads: Sequence[str],
    core: str,
    pause_s: float,
    compute_factor: float,
    procsync: str,
    launches: int,
    nrep: int,
    **_: object,
) -> OverlapRequest:
    """What the options ask for: `op` operations, `sizes` of messages, `compute` of `time` and `work`, `intervals` bytes
    from one test to the next, `threads` what makes additional progress, `core` where our thread runs. `pause_s` is its
    sleep between two calls, `compute_factor` the computation in units of the blocking time.
    """
    words = {
        "op": ",".join(operations(op)),
        "size": sizes,
        "compute": ",".join(compute),
        "intervals": test_intervals(intervals),
        "compute-factor": f"{compute_factor:g}",
        "procsync": str(Registries.load().check("procsync", procsync)),
        "nrep": str(nrep),
        **clocks_for(procsync),
        **({} if datatype is None else {"datatype": datatype}),
        **({} if operator is None else {"operator": operator}),
    }
    ours = {
        "progress-thread": "own",
        "progress-place": thread_core(core, max(common.processes) if "own" in threads else 0, common),
        "progress-pause": f"{pause_s:.9g}s" if pause_s else "0",
    }
    return OverlapRequest(words, threads, ours, launches)


def _measure(
    folder: Path,
    common: StudyOptions,
    libraries: Sequence[str | None],
    request: OverlapRequest,
    observer: Observer,
) -> None:
    all_backends = [prepare_study(replace(common, mpi=name), observer) for name in libraries]
    backends = {backend.installation.label: backend for backend in all_backends}
    for backend in all_backends:
        _check_launcher(backend)
    own_threads = _own_threads(backends) if "library" in request.kinds else {}
    without = {label: own_thread.reason for label, own_thread in own_threads.items() if not own_thread.available}
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
        thread = own_threads[slot.library] if slot.thread == "library" else ProgressThread()
        launches.append(_launch(slot, len(slots), backends[slot.library], thread, request))
    run_study(launches, observer, folder)


def _looked_up(common: StudyOptions, libraries: Sequence[str | None]) -> list[StudyBackend]:
    """The libraries, of which nothing is built."""
    backends = [look_up_study(replace(common, mpi=name)) for name in libraries]
    for backend in backends:
        _check_launcher(backend)
    return backends


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
        label: progress_thread(backend.installation.flavour, inquire(backend.installation, backend.program).cvars)
        for label, backend in backends.items()
    }


def _check_launcher(backend: StudyBackend) -> None:
    """UsageError for a place of which launches are not kept."""
    if backend.launcher == Namespaces.name or backend.platform is not None:
        raise UsageError(
            f"launcher '{backend.launcher}': overlap is measured on the hosts of the launcher mpiexec or srun"
        )


def _begin(folder: Path, plan: Mapping[str, Any], slots: Sequence[OverlapSlot], unavailable: Sequence[str]) -> None:
    """Write the study, or check that the folder holds the same one. Raises UsageError where it is another."""
    if (folder / REQUEST).is_file():
        check_same_values(folder, "study", OverlapDocument.read(folder / REQUEST).plan, plan)
        return
    folder.mkdir(parents=True, exist_ok=True)
    document = OverlapDocument(
        ictus=version(), created=now(), plan=dict(plan), slots=tuple(slots), unavailable=tuple(unavailable)
    )
    write_document(folder / REQUEST, document)


def read(folder: Path) -> OverlapStudy:
    """All launches that are complete. Raises UsageError where there is none, MeasurementError for a damaged one."""
    if not (folder / REQUEST).is_file():
        raise UsageError(f"'{folder}' is not a study: there is no {folder / REQUEST}")
    document = OverlapDocument.read(folder / REQUEST)
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
    return OverlapStudy(tuple(launches), document, folder)
