"""The two samples of one case made fit for a test: missing launches dropped with a remark, impossible times refused
for that case.
"""

from dataclasses import dataclass

import numpy as np

from ictus.stats.arrays import FloatArray, Sample


@dataclass(frozen=True)
class SamplePair:
    """Launch medians of one case, free of NaN. Where they cannot be compared both are empty and `reason` says why."""

    a: FloatArray
    b: FloatArray
    remarks: tuple[str, ...] = ()
    reason: str | None = None


def sample_pair(a: Sample, b: Sample, *, paired: bool, labels: tuple[str, str] = ("a", "b")) -> SamplePair:
    """The samples of one case, shape (launches,) each; None and NaN stand for a launch without a valid sample.

    Such launches are dropped (in pairs, if `paired`) and counted in a remark. A side without any launch, or with a
    time that is not positive and finite, leaves nothing to compare. `ValueError` when samples are not
    one-dimensional, or pairs of unequal number.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    for label, sample in zip(labels, (first, second), strict=True):
        if sample.ndim != 1:
            raise ValueError(f"{label} has {sample.ndim} dimensions; a sample has one")
    if paired and first.size != second.size:
        raise ValueError(
            f"pairs need equal sizes, but {labels[0]} has {first.size} values and {labels[1]} has {second.size}"
        )
    there_a, there_b = ~np.isnan(first), ~np.isnan(second)
    remarks = tuple(
        f"{int((~there).sum())} of {there.size} launches of {label} without a valid sample"
        for label, there in zip(labels, (there_a, there_b), strict=True)
        if not there.all()
    )
    if paired:
        there_a = there_b = there_a & there_b
    return _judged(first[there_a], second[there_b], remarks, paired, labels)


def _judged(
    a: FloatArray, b: FloatArray, remarks: tuple[str, ...], paired: bool, labels: tuple[str, str]
) -> SamplePair:
    nothing = np.empty(0)
    lacking = [label for label, sample in zip(labels, (a, b), strict=True) if sample.size == 0]
    if lacking:
        missing = "pair of launches" if paired else "launch of " + " and of ".join(lacking)
        return SamplePair(nothing, nothing, remarks, f"no {missing} with a valid sample")
    for label, sample in zip(labels, (a, b), strict=True):
        impossible = sample[~(np.isfinite(sample) & (sample > 0))]
        if impossible.size:
            return SamplePair(
                nothing, nothing, remarks, f"{label} has a time of {impossible[0]:g}, of which there is no ratio"
            )
    return SamplePair(a, b, remarks)
