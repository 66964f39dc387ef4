"""Several files of a suite become one campaign folder: each launch in them a launch, each number where it belongs.

The folder is made beside its place and moved there when it is whole, so that an import that fails leaves nothing.
"""

import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ictus.engine.folder import check_folder
from ictus.engine.journal import Journal
from ictus.engine.launch_loop import disk_errors
from ictus.interchange.alike import with_gaps, with_unlike
from ictus.interchange.cases import case_of
from ictus.interchange.documents import launch_document
from ictus.interchange.files import STANDARD_INPUT, FoundLaunch, found_launches, identity, in_turn, label_rules
from ictus.interchange.registry import find_suite
from ictus.interchange.suite import NEVER_PRINTED, ORDER, UNKNOWN_CALLS, ReadRequest, Suite
from ictus.launch.launchers.simulated_record import write_launch
from ictus.model.case import Case, case_table
from ictus.model.design import Design, Slot
from ictus.model.errors import OptionError, UsageError
from ictus.model.heap import ORDINARY
from ictus.model.imported import ImportedLaunch, ImportRecord
from ictus.model.instant import instant
from ictus.model.launch_factor import UNPINNED
from ictus.model.library import Library
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.unknown import unknown
from ictus.store.arrival import accept_launch
from ictus.store.campaign import Campaign, load
from ictus.store.durable import make_folder, rename, write_atomically
from ictus.store.manifest import CAMPAIGN, write_campaign

OUTPUT = "output.txt"
"""The lines of a launch, word for word, in its folder."""


def import_results(
    suite: str,
    files: Sequence[Path | str],
    folder: Path | str,
    *,
    labels: Sequence[str] = (),
    n: int | None = None,
    statistic: str | None = None,
    started: str | None = None,
    interleaved: bool = False,
) -> Campaign:
    """Read the output of another suite into a new campaign folder, and load it.

    `suite` is `osu`, `imb`, `reprompi` or `nccl`; each launch in `files` becomes a launch. `labels` name the library:
    `mpich` all files, `mpich=*mpich*` those whose name or path matches. `n` is the number of processes where the log
    leaves it open, `statistic` which of several printed numbers stands for a launch (`mean`, `median`, `p99`),
    `started` when it was measured (ISO 8601) where no file says it; else the time at which the first file was last
    changed counts. `interleaved` says that launches of several labels were in turn, in the order of the files of each:
    without it they are apart, and nothing is proven between them.

    Raises UsageError that names file and line for what is not an output of the suite, and for a folder that is not
    empty; DiskError where it cannot be written.
    """
    chosen, path = find_suite(suite), Path(folder)
    if statistic is not None and statistic not in chosen.statistics:
        raise unknown(f"--statistic '{statistic}'", statistic, chosen.statistics)
    check_folder(path)
    if path.is_dir() and any(path.iterdir()):
        holds = "holds a campaign already" if (path / CAMPAIGN).exists() else "is not empty"
        raise UsageError(f"-o '{path}' {holds}; name another folder")
    read = found_launches(chosen, [Path(file) for file in files], label_rules(labels), ReadRequest(n, statistic))
    read = in_turn(read) if interleaved else read
    launches = with_gaps(with_unlike(read, chosen))
    cases, case_ids = _cases(launches)
    design = _design(chosen, launches, cases, interleaved=interleaved)
    slots = _slots(launches, case_ids)
    with disk_errors(path):
        _write(path, design, slots, launches, _created(launches, started))
    return load(path)


def _cases(launches: Sequence[FoundLaunch]) -> tuple[tuple[Case, ...], tuple[tuple[int, ...], ...]]:
    """All cases, numbered as they first appear; and those of each launch in its order."""
    registries = Registries.load()
    numbers: dict[Case, int] = {}
    case_ids = tuple(
        tuple(
            numbers.setdefault(case_of(case, launch.printed, registries), len(numbers)) for case in launch.printed.cases
        )
        for launch in launches
    )
    return tuple(replace(case, case_id=number) for case, number in numbers.items()), case_ids


def _slots(launches: Sequence[FoundLaunch], case_ids: Sequence[tuple[int, ...]]) -> tuple[Slot, ...]:
    """In the order of the files, or in that of `in_turn`. A block holds a launch of each library."""
    blocks: Counter[tuple[str, tuple[int, ...]]] = Counter()
    slots = []
    for number, (launch, cases) in enumerate(zip(launches, case_ids, strict=True)):
        block = blocks[launch.label, cases]
        blocks[launch.label, cases] += 1
        slots.append(Slot(number, block, launch.label, launch.printed.n, launch.seed, cases, heap=ORDINARY))
    return tuple(slots)


def _design(suite: Suite, launches: Sequence[FoundLaunch], cases: Sequence[Case], *, interleaved: bool) -> Design:
    """A plan that says what the files say; what they do not say has the plan's default, and is listed as unknown."""
    labels = tuple(dict.fromkeys(launch.label for launch in launches))
    printed = [case for launch in launches for case in launch.printed.cases]

    def texts(name: str) -> list[str]:
        return list(dict.fromkeys(str(getattr(case, name)) for case in cases))

    values: Mapping[str, object] = {
        "mpi": [f"{label}={suite.name}" for label in labels],
        "op": texts("operation"),
        "sizes": sorted({case.size_bytes for case in cases}),
        "n": sorted({case.n for case in cases}),
        "launches": max(Counter(launch.label for launch in launches).values()),
        "comm": texts("comm"),
        "procsync": texts("procsync"),
        "clock": texts("clock"),
        "clocksync": texts("clocksync"),
        "validate": all(case.validated for case in printed),
        "heap": ORDINARY,
        "pin": UNPINNED,
        "page-faults": False,
        "seed": identity("".join(launch.printed.text for launch in launches)),
    }
    return Design(
        plan=Plan.from_values(values),
        cases=tuple(cases),
        notes=(),
        libraries=tuple(Library(label, *("unknown",) * 6) for label in labels),
        imported=_record(suite, launches, interleaved=interleaved),
    )


def _record(suite: Suite, launches: Sequence[FoundLaunch], *, interleaved: bool) -> ImportRecord:
    """What the numbers are. UsageError where files hold what cannot be compared."""
    printed = [(launch, case) for launch in launches for case in launch.printed.cases]
    statistics = {case.statistic: launch for launch, case in reversed(printed)}
    if len(statistics) > 1:
        (statistic, first), (differing, second) = list(statistics.items())[:2]
        raise UsageError(
            f"'{first.path}' has {statistic or 'every repetition'}, '{second.path}' has "
            f"{differing or 'every repetition'}: launches of one campaign have numbers of one kind; "
            "import them apart, or choose with --statistic"
        )
    calls: dict[str, set[int]] = {}
    for _, case in printed:
        calls.setdefault(case.number, set()).add(case.calls)
    versions = sorted({launch.printed.version for launch in launches} - {"unknown"})
    validated = all(case.validated for _, case in printed)
    return ImportRecord(
        suite=suite.name,
        title=" ".join((suite.title, " and ".join(versions))).strip(),
        summary=next(iter(statistics)),
        numbers=tuple(text.format(calls=_counted(counts)) for text, counts in calls.items()),
        unknown=(
            *(text for text in NEVER_PRINTED if not (interleaved and text == ORDER)),
            *suite.unknown,
            *(() if validated or "validation" in suite.unknown else ("validation",)),
        ),
        launches=tuple(
            ImportedLaunch(
                slot=slot,
                file=str(found_launch.path),
                line=found_launch.printed.line,
                program=found_launch.printed.program,
                incomplete=found_launch.printed.incomplete,
                started_with=found_launch.printed.started_with,
            )
            for slot, found_launch in enumerate(launches)
        ),
        interleaved=interleaved,
        version="" if suite.prints_library_version else " and ".join(versions),
        adapts_calls=suite.adapts_calls,
    )


def _counted(calls: set[int]) -> str:
    """`200`, `100 to 1,000`."""
    if UNKNOWN_CALLS in calls:
        return "an unknown number of"
    return f"{min(calls):,}" + (f" to {max(calls):,}" if len(calls) > 1 else "")


def _created(launches: Sequence[FoundLaunch], started: str | None) -> str:
    """When the first launch began, as far as that is known. Raises OptionError for a time that is none."""
    if started is not None:
        try:
            return datetime.fromisoformat(started).isoformat()
        except ValueError as error:
            raise OptionError(("started", started, "expected a time such as 2026-11-23T07:44")) from error
    printed = [launch.printed.started for launch in launches if launch.printed.started != "unknown"]
    if printed:
        return min(printed, key=instant)
    changed = min(time.time() if launch.path == STANDARD_INPUT else launch.path.stat().st_mtime for launch in launches)
    return datetime.fromtimestamp(changed, timezone.utc).isoformat(timespec="seconds")


def _write(path: Path, design: Design, slots: Sequence[Slot], launches: Sequence[FoundLaunch], created: str) -> None:
    """Write the whole folder beside its place, then move it there."""
    making = path.absolute().with_name(f"{path.absolute().name}.importing")
    shutil.rmtree(making, ignore_errors=True)  # of an import that was interrupted
    make_folder(making / "launches")
    cases = case_table(design.cases)
    with Journal(making) as journal:
        journal.start(resumed=False)
        for slot, launch in zip(slots, launches, strict=True):
            _add(making, journal, slot, launch, cases, validated=design.plan.validation)
        write_campaign(making, design, slots, created=created)
        journal.append("done", {})
    if path.is_dir():
        path.rmdir()
    rename(making, path.absolute())


def _add(
    folder: Path, journal: Journal, slot: Slot, launch: FoundLaunch, cases: Mapping[int, Case], *, validated: bool
) -> None:
    """Write a launch and accept it, as one that was measured."""
    name = f"launches/{slot.folder_name}"
    partial, final = folder / f"{name}.partial", folder / name
    make_folder(partial)
    journal.append("launch", {"slot": slot.slot, "try": 1, "folder": f"{name}.partial"})
    document: Mapping[str, Any] = launch_document(slot, launch.printed, cases)
    samples = []
    for case_id, case in zip(slot.cases, launch.printed.cases, strict=True):
        samples_of_case = case.samples.copy()
        samples_of_case["case_id"] = case_id
        samples.append(samples_of_case)
    write_launch(partial, document, samples)
    write_atomically(partial / OUTPUT, launch.printed.text.encode())
    checksums = accept_launch(partial, slot, cases, validated=validated).checksums
    rename(partial, final)
    journal.append(
        "accepted", {"slot": slot.slot, "folder": name, "elapsed_s": 0.0, "accepted": True, "checksums": checksums}
    )
