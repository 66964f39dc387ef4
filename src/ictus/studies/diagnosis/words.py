"""What a diagnosis comes to, in sentences, and in a word or two for a table."""

from collections.abc import Iterator, Sequence

import numpy as np

from ictus.stats.adjust import holm
from ictus.studies.diagnosis.analysis import CaseDiagnosis

NORMALITY_LEVEL = 0.05
FEWEST_FOR_NORMALITY = 10
"""Launches below which a test of normality finds next to nothing."""


def findings(rows: Sequence[CaseDiagnosis]) -> Iterator[str]:
    """One sentence for each question that the diagnosis asks, with what follows from it."""
    known = [row for row in rows if row.launches]
    if not known:
        yield "No launch has a kept sample: there is nothing to diagnose."
        return
    yield _correlation(known)
    yield _drift(known)
    yield _normality(known)


def not_normal(rows: Sequence[CaseDiagnosis]) -> list[bool]:
    """Whether each case's launch medians are shown not to be normal: Shapiro-Wilk at 5 %, after Holm over all cases."""
    adjusted = holm([row.shapiro_p for row in rows]) if rows else np.empty(0)
    return [bool(p_value <= NORMALITY_LEVEL) for p_value in adjusted]


def _correlation(rows: Sequence[CaseDiagnosis]) -> str:
    marked = [row for row in rows if 2 * row.n_correlated > len(row.launches)]
    alike = [row for row in marked if row.neighbours >= 0]
    turns = _turns(len(marked) - len(alike), len(rows))
    if not alike:
        return (
            "Repetitions: in no case do most launches show that they resemble their neighbours. The launch stays the "
            f"sample all the same: launches differ by more than their repetitions tell.{turns}"
        )
    worst = min(alike, key=lambda row: row.effective / row.n_samples)
    return (
        f"Repetitions resemble their neighbours in {_of(len(alike), len(rows))}: at worst {worst.n_samples:,.0f} kept "
        f"samples of {worst.row.mpi} tell as much as {_number(worst.effective)} independent ones would. An interval "
        f"computed from the repetitions of one launch as if they were independent is too narrow.{turns}"
    )


def _turns(number: int, total: int) -> str:
    """A sentence more where neighbours differ: a negative correlation does not narrow an interval."""
    return f" Short and long ones take turns in {_of(number, total)}: lag 1 is negative there." if number else ""


def _drift(rows: Sequence[CaseDiagnosis]) -> str:
    marked = [row for row in rows if 2 * row.n_drifting > len(row.launches)]
    if not marked:
        return "Drift: in no case do latencies creep by 1 % or more in most launches."
    worst = max(marked, key=lambda row: abs(row.drift))
    return (
        f"Drift: latencies creep in most launches in {_of(len(marked), len(rows))}, at worst by "
        f"{signed_percent(worst.drift)}. A clock that runs away, a warm-up that is not over or a processor that heats "
        f"up looks like this: see when it begins, try a larger --warmup and another --clocksync."
    )


def _normality(rows: Sequence[CaseDiagnosis]) -> str:
    number = sum(not_normal(rows))
    fewest = min(len(row.launches) for row in rows)
    if number:
        return (
            f"Launch medians are not normal in {_of(number, len(rows))} (Shapiro-Wilk, Holm over all cases). Rank-sum, "
            f"the default test, does not ask for it; Welch's t-test does."
        )
    few = f", but {fewest} launches tell little" if fewest < FEWEST_FOR_NORMALITY else ""
    return f"Launch medians: no case is shown not to be normal{few}."


def signed_percent(share: float) -> str:
    """`+3.2 %`, `-0.4 %`, NA where nothing is known."""
    return "NA" if np.isnan(share) else f"{100 * share:+.1f} %"


def _number(value: float) -> str:
    return f"about {value:.0f}" if value >= 10 else f"about {value:.2g}"


def _of(number: int, total: int) -> str:
    if number == total:
        return "the one case" if total == 1 else f"all {total} cases"
    return f"{number} of {total} cases"
