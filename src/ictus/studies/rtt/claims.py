"""The claim that round-trip times are skewed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ictus.model.quantity import format_duration
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling, sign_rule, together
from ictus.studies.claim import MASSIVE_SCALE, REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.rtt.analysis import summarise
from ictus.studies.rtt.figures import trip_panels
from ictus.studies.rtt.record import RoundTripStudy
from ictus.studies.rtt.tables import round_trip_table

BLOCK = 25
"""Exchanges in a row of which the mean is held against the median."""


def longer_means(rtt_s: FloatArray) -> tuple[int, int]:
    """Blocks whose mean is above the median, and below."""
    blocks = rtt_s[: rtt_s.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    means, medians = blocks.mean(axis=1), np.median(blocks, axis=1)
    return int((means > medians).sum()), int((means < medians).sum())


def _rtt(study: RoundTripStudy) -> ClaimResult:
    pairs = [summarise(pair) for pair in study.pairs]
    rulings: list[Ruling] = [sign_rule(*longer_means(trips.rtt_s)) for trips in study.pairs]
    skewest = max(pairs, key=lambda pair_summary: np.nan_to_num(pair_summary.skewness))
    last = skewest.quality[-1]
    because = (
        f"of ranks {skewest.reference} and {skewest.client} half the round trips take "
        f"{format_duration(skewest.median_s)} or less, one in a hundred {format_duration(skewest.p99_s)} or more "
        f"(skewness {skewest.skewness:.3g}); "
        f"{last.n} exchanges prove their offset to {format_duration(last.bound_s)} in {format_duration(last.cost_s)}"
    )
    rows = tuple({**vars(summary), "quality": [vars(each) for each in summary.quality]} for summary in pairs)
    return ClaimResult(together(rulings), because, (round_trip_table(pairs),), rows, trip_panels(study, pairs))


def _partners(n_processes: int) -> Mapping[str, Any]:
    """Those of rank 0 in a binomial tree, with each other: all pairs of 64 ranks are 2,016, and alike at one switch."""
    return {"ranks": (0, *(1 << power for power in range((n_processes - 1).bit_length())))}


CLAIMS = (
    Claim(
        "rtt",
        "Round-trip times are skewed: a few take much longer than most.",
        f"{REVISITED}, Fig. 30, 31; {MASSIVE_SCALE}, Fig. 4, 6",
        f"sign test over blocks of {BLOCK} exchanges: is the mean above the median (pairs by Holm, 5 %)",
        quick_or({"exchanges": 1000}, {"exchanges": 10000}, n=2),
        _rtt,
        simulated="64",
        when_simulated=_partners,
    ),
)
