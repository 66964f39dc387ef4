"""Counts the page faults of calls before a campaign's first launch: two short launches of each library, one with freed
memory kept and one with it returned. Nothing is timed, and nothing of it is among the campaign's launches.

Both states are counted in the same way: pages of shared memory that a library touches for the first time look like
those of a temporary buffer, and only the difference tells them apart.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ictus.engine.attempt import Execute, LaunchFailure, judged, record_command
from ictus.engine.event import Observer, PreparationStep, WarningNote
from ictus.model.arguments import arguments_text
from ictus.model.case import Case
from ictus.model.design import Design, Slot
from ictus.model.errors import IctusError
from ictus.model.heap import KEPT, RETURNED
from ictus.model.launch_factor import without_heap
from ictus.store.document import now, version, write_document
from ictus.store.durable import make_folder, rename
from ictus.store.page_faults import CaseFaults, CoreFaults, HeapDocument, LaunchFaults

CALLS = 11
"""Calls of each case whose faults are counted, after five that are not."""
FOLDER = "faults"


def count_page_faults(folder: Path, design: Design, execute: Execute, observer: Observer) -> None:
    """Write heap.json, unless it is there. A library that cannot be counted is reported, and stops nothing.

    Raises KeyboardInterrupt where the user ended it: complete launches are kept, and the next call counts the rest.
    """
    if (folder / HeapDocument.FILE).exists():
        return
    counts = []
    for slot in _slots(design):
        observer(PreparationStep(f"counting page faults of {slot.mpi}", f"{slot.n} processes, heap {slot.heap}"))
        try:
            counts.append(_counted(folder, design, slot, execute))
        except IctusError as error:
            observer(WarningNote(f"{slot.mpi}: which cases depend on the heap is unknown: {error}"))
            return
    document = HeapDocument(
        format=HeapDocument.SCHEMA, ictus=version(), created=now(), calls=CALLS, launches=tuple(counts)
    )
    write_document(folder / HeapDocument.FILE, document)


def _slots(design: Design) -> Iterator[Slot]:
    """A launch for each library, variant without its heap, number of processes and state."""
    number = 0
    for library in design.libraries:
        for variant in {
            without_heap(each_variant.name): each_variant.name for each_variant in design.of(library.label)
        }.values():
            for size in {size.n: size for size in design.plan.job_sizes}.values():
                cases = tuple(_distinct(design, size.n))
                for heap in (KEPT, RETURNED):
                    yield Slot(
                        number, 0, library.label, size.n, design.seed, cases, variant, heap, (), size.nodes, size.ppn
                    )
                number += 1


def _distinct(design: Design, n: int) -> dict[int, tuple[int, ...]]:
    """Cases that make different calls: the first of each, with all that make the same one."""
    same: dict[Case, list[int]] = {}
    for case in design.cases:
        if case.n == n:
            same.setdefault(_call(case, design.cases[0]), []).append(case.case_id)
    return {ids[0]: tuple(ids) for ids in same.values()}


def _call(case: Case, first: Case) -> Case:
    """The case without what says how it is timed."""
    how = {
        name: getattr(first, name)
        for name in ("procsync", "scheme", "repetition", "clock", "clocksync", "warmup", "nodes", "ppn")
    }
    return replace(case, case_id=0, **how)


def _counted(campaign: Path, design: Design, slot: Slot, execute: Execute) -> LaunchFaults:
    """The faults in one launch, which is made where its folder is not there. Raises IctusError, KeyboardInterrupt."""
    folder = campaign / FOLDER / slot.heap / slot.folder_name
    if not folder.is_dir():
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)  # nothing that was measured is in it
        make_folder(partial, within=campaign)
        text = arguments_text(design.plan, slot, {case.case_id: case for case in design.cases}, page_faults=CALLS)
        (partial / "arguments.txt").write_text(text, "utf-8")
        outcome = execute(slot, partial)
        record_command(partial, outcome, None)
        ended = judged(outcome, partial, design.plan.timeout_s)
        if isinstance(ended, LaunchFailure):
            raise ended.error()
        if ended is not None:
            raise KeyboardInterrupt
        CoreFaults.read(partial / CoreFaults.FILE)
        rename(partial, folder)
    counted, alike = CoreFaults.read(folder / CoreFaults.FILE), _distinct(design, slot.n)
    cases = tuple(
        CaseFaults(case_id=case_id, page_faults=faults.page_faults)
        for faults in counted.cases
        for case_id in alike.get(faults.case_id, ())
    )
    return LaunchFaults(
        mpi=slot.mpi,
        algorithm=without_heap(slot.algorithm),
        n=slot.n,
        heap=slot.heap,
        block_faults=counted.block_faults,
        cases=cases,
    )
