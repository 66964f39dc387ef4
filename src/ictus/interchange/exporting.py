"""The launches of a campaign as files of another suite, with that suite's own statistics.

Mean, smallest and largest are over processes, of each one's mean over its valid repetitions, as both suites print them:
on the processes' own clocks, so that no error of a global clock is in them. How the repetitions began is not what these
suites do; no table of theirs can say it.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ictus.interchange.operations import WHOLE_IS_PRINTED
from ictus.interchange.registry import SUITES, find_suite
from ictus.interchange.suite import UNKNOWN_CALLS, ExportedCase, ExportedLaunch
from ictus.model.call import BASIC, EQUAL_COUNTS, WORLD
from ictus.model.errors import IctusError, MeasurementError, UsageError
from ictus.model.launch_arrays import Array
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.launch_record import MeasuredCase
from ictus.store.samples import Columns, read_samples

_FIELDS = {"mean_s": "local_mean", "min_s": "local_min", "max_s": "local_max"}
WRITABLE = tuple(suite.name for suite in SUITES if suite.write is not None)


@dataclass(frozen=True)
class ExportedFiles:
    """What was written, and the cases that the suite has no table for."""

    files: tuple[Path, ...]
    warnings: tuple[str, ...]


def export_results(campaign: Campaign, suite: str, folder: Path | str) -> ExportedFiles:
    """Write each launch as a file that the suite could have printed: `osu` or `imb`.

    Cases that it has no table for are left out, with a warning. Raises UsageError for a suite that cannot be written,
    for a folder that is not empty, for a campaign that measured a case in several ways, and where nothing is left.
    """
    chosen, out = find_suite(suite), Path(folder)
    if chosen.write is None:
        raise UsageError(f"--format '{suite}': cannot be written; known: {', '.join(WRITABLE)}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"-o '{out}' is there already: name a new folder, each launch becomes a file in it")
    written, left_out = dict[Path, str](), Counter[str]()
    for launch in campaign.launches:
        exported, strange = exported_launch(launch)
        output = chosen.write(exported)
        left_out.update((*strange, *output.left_out))
        if output.text:
            written[out / f"{launch.folder.name}.txt"] = output.text
    if not written:
        raise UsageError(f"'{campaign.folder}' has no case that {chosen.title} has a table for")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path, text in written.items():
            path.write_text(text, "utf-8")
    except OSError as error:
        raise MeasurementError(f"'{out}' cannot be written: {error.strerror or error}") from error
    warnings = tuple(
        f"{chosen.title} has no table for {name}: left out in {launches} launches"
        for name, launches in left_out.items()
    )
    return ExportedFiles(tuple(written), warnings)


def exported_launch(launch: Launch) -> tuple[ExportedLaunch, tuple[str, ...]]:
    """The launch in the suites' statistics, by operation and size; and the operations that are called in a way that no
    suite has.
    """
    samples = read_samples(launch.folder / "samples.npy", checksums=launch.checksums)
    record = launch.record
    cases, strange = dict[tuple[str, int, str], ExportedCase](), list[str]()
    for case, ranks in zip(record.cases, record.case_ranks, strict=True):
        name = _plain_name(case)
        if name is None:
            strange.append(case.operation)
        elif (name, case.size_bytes, case.datatype) in cases:
            raise UsageError(
                f"launch {launch.folder.name} has {name} of {case.size_bytes} B measured in several ways (procsync, "
                "cache, ...): a table of another suite has one row for it"
            )
        elif case.valid:
            cases[name, case.size_bytes, case.datatype] = _case(case, name, ranks, samples)
    exported = ExportedLaunch(launch.mpi, launch.n, launch.started, tuple(cases[key] for key in sorted(cases)))
    return exported, tuple(dict.fromkeys(strange))


def _plain_name(case: MeasuredCase) -> str | None:
    """The operation by its name alone; None where it is called in a way that suites do not have."""
    plain_call = (str(WORLD), str(BASIC), False)
    if (case.comm, case.layout, case.in_place) != plain_call or case.counts not in (None, "unknown", str(EQUAL_COUNTS)):
        return None
    if case.root not in (None, 0):
        return None
    try:
        return Registries.load().short("operation", case.operation)
    except IctusError:  # an operation of another suite
        return case.operation


def _case(case: MeasuredCase, name: str, ranks: Array, samples: Columns) -> ExportedCase:
    """By the means of the processes, where the launch has them; else by its samples."""
    together = ranks[ranks["n"] > 0]["mean_s"]
    if together.size:
        times = {"mean_s": float(together.mean()), "min_s": float(together.min()), "max_s": float(together.max())}
        return ExportedCase(name, _printed_size(case, name), case.datatype, case.valid * case.calls, **times)
    of_case = (samples["case_id"] == case.case_id) & (samples["flags"] == 0)
    means = {key: float(np.mean(samples[field][of_case])) for key, field in _FIELDS.items()}
    calls = UNKNOWN_CALLS if case.calls == UNKNOWN_CALLS else case.valid * case.calls
    values = {key: None if np.isnan(value) else value for key, value in means.items()}
    return ExportedCase(name, _printed_size(case, name), case.datatype, calls, **values)


def _printed_size(case: MeasuredCase, name: str) -> int:
    """As suites count it."""
    blocks = case.block_bytes != case.size_bytes and name not in WHOLE_IS_PRINTED
    return case.block_bytes if blocks else case.size_bytes
