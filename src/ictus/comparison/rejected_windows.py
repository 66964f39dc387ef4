"""Windows that were tried, and rejected: how many samples were taken in them, and how long that took.

Such samples count nothing (docs/decisions/0051-tried-windows.md), but launches took their time. A stretch of them lasts
from its first sample to the sample that follows; at the end of a case to its own last.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ictus.model.quantity import format_span
from ictus.model.sample import REJECTED
from ictus.stats.arrays import FloatArray, IntArray
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.samples import read_samples


@dataclass(frozen=True)
class RejectedWindows:
    """What a campaign's rejected windows cost."""

    cases: int
    """Cases of a launch that have some, of all launches that count."""
    of_cases: int
    samples: int
    elapsed_s: float | None
    """None where the start of a sample is not known."""
    of_elapsed_s: float
    """Of these launches, whole."""


def rejected_s(case_ids: IntArray, starts_s: FloatArray, flags: NDArray[np.unsignedinteger]) -> float:
    """Seconds in rejected stretches of samples, in the order measured; NaN where a start is unknown."""
    rejected = (flags & REJECTED) != 0
    if not rejected.any():
        return 0.0
    same = np.append(case_ids[1:] == case_ids[:-1], [False])  # as the next sample
    begins = rejected & ~np.insert((rejected & same)[:-1], 0, False)
    ends = rejected & ~np.append(rejected[1:] & same[:-1], [False])
    last = np.flatnonzero(ends)
    return float(np.sum(starts_s[last + same[last]] - starts_s[begins]))


def rejected_windows(campaign: Campaign) -> RejectedWindows | None:
    """None where no window was rejected, mostly; an import's rejected samples are wrong results of a suite."""
    if campaign.imported is not None:
        return None
    launches = [launch for launch in campaign.launches if launch.accepted]
    counts = [case.rejected for launch in launches for case in launch.record.cases]
    if not any(counts):
        return None
    elapsed_s = sum(_elapsed_s(launch) for launch in launches)
    return RejectedWindows(
        cases=sum(map(bool, counts)),
        of_cases=len(counts),
        samples=sum(counts),
        elapsed_s=None if np.isnan(elapsed_s) else elapsed_s,
        of_elapsed_s=sum(launch.elapsed_s or 0.0 for launch in launches),
    )


def _elapsed_s(launch: Launch) -> float:
    if not any(case.rejected for case in launch.record.cases):
        return 0.0
    columns = read_samples(launch.folder / "samples.npy", ("case_id", "start", "flags"), launch.checksums)
    return rejected_s(columns["case_id"], columns["start"], columns["flags"])


def rejected_sentences(windows: RejectedWindows | None) -> Sequence[str]:
    """What was tried in vain, and its cost; nothing where nothing was."""
    if windows is None:
        return ()
    cost = ""
    if windows.elapsed_s is not None and windows.of_elapsed_s:
        share = 100 * windows.elapsed_s / windows.of_elapsed_s
        cost = f", {format_span(windows.elapsed_s)} of {format_span(windows.of_elapsed_s)} in launches ({share:.2g} %)"
    where = f"in {windows.cases} of {windows.of_cases} cases of launches"
    samples = f"{windows.samples:,} sample{'' if windows.samples == 1 else 's'}"
    return (f"Windows were tried {where}, and their samples taken again: {samples}{cost}.",)
