"""What a complete launch says about its cases to the planner of the next launches: median, scatter, and times."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from pathlib import Path

import numpy as np

from ictus.model.design import Slot
from ictus.stats.variance import Within, within_launch
from ictus.store.arrival import SUMMARISED
from ictus.store.checksums import UNCHECKED, Checksums
from ictus.store.columns import summary_frame
from ictus.store.launch_files import COMMAND, CommandDocument
from ictus.store.launch_record import MeasuredCase, read_launch
from ictus.store.samples import Columns, read_samples


@dataclass(frozen=True)
class CaseLaunch:
    """One case in one launch. Times in seconds."""

    median_s: float | None
    """As in the launch's summary; None without a valid sample."""
    kept: int
    """Samples that the median is of."""
    within: Within
    launch_s: float
    """The time without repetitions: validation, warm-up."""
    repetition_s: float
    """What each wanted sample took, invalid ones and waiting included: where hardly any is valid, the attempts of
    which there are three for each.
    """
    slot: int
    """The launch: cases of one are pairs."""


@dataclass(frozen=True)
class LaunchTimes:
    """One launch."""

    slot: Slot
    overhead_s: float
    """From its start to its end, less its cases."""
    cases: Mapping[int, CaseLaunch]
    mode_values: tuple[float, float]
    """What decides the mode of the machine in it; NaN without probes."""
    nodes: tuple[str, ...] = ()
    """That it ran on, in an allocation; empty outside of one."""


def read_launch_times(folder: Path, slot: Slot, checksums: Checksums = UNCHECKED) -> LaunchTimes:
    """Read a complete launch. Raises MeasurementError for a damaged one."""
    record = read_launch(folder, checksums)
    samples = read_samples(folder / "samples.npy", (*SUMMARISED, "start"), checksums)
    frame = summary_frame(record, samples, slot)
    medians = dict(zip(frame["case_id"], frame["median"], strict=True))
    kept = dict(zip(frame["case_id"], frame["kept"], strict=True))
    cases = {
        case.case_id: _case(case, samples, medians[case.case_id], kept[case.case_id], slot) for case in record.cases
    }
    measuring_s = sum(case.elapsed_s or 0.0 for case in record.cases)
    whole_s = CommandDocument.read(folder / COMMAND).elapsed_s
    machine = record.head.machine
    values = (nan, nan) if machine is None else machine.mode_values
    return LaunchTimes(slot, max(whole_s - measuring_s, 0.0), cases, values, record.head.allocation_nodes)


def _case(case: MeasuredCase, samples: Columns, median_s: float | None, kept: int, slot: Slot) -> CaseLaunch:
    of_case = samples["case_id"] == case.case_id
    flags, starts, times = samples["flags"][of_case], samples["start"][of_case], samples[case.headline][of_case]
    valid = times[(flags == 0) & np.isfinite(times) & (times > 0)]
    within = within_launch(valid) if valid.size else Within(0.0, 0)
    elapsed_s = case.elapsed_s or 0.0
    each_s = float(starts[-1] - starts[0]) / (starts.size - 1) if starts.size > 1 else 0.0
    each_s = min(max(each_s, 0.0), elapsed_s / max(starts.size, 1))
    usable = median_s if median_s is not None and median_s > 0 else None
    rest_s = max(elapsed_s - each_s * starts.size, 0.0)
    n_wanted = max(valid.size, starts.size / _ATTEMPTS, 1)
    return CaseLaunch(usable, kept, within, rest_s, each_s * starts.size / n_wanted, slot.slot)


_ATTEMPTS = 3
"""For each valid sample that is asked for, at most; then the core gives up (max_attempts of a repetition)."""
