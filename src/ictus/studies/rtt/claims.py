"""The claim that round-trip times are skewed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ictus.model.quantity import format_duration
from ictus.stats.claim_rules import Ruling, sign_rule, together
from ictus.studies.claim import MASSIVE_SCALE, REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.rtt.analysis import summarise
from ictus.studies.rtt.figures import trip_panels
from ictus.studies.rtt.record import RoundTrips, RoundTripStudy
from ictus.studies.rtt.tables import round_trip_table


def longer_means(launches: Sequence[RoundTrips]) -> tuple[int, int]:
    """Launches whose mean round trip is above their median, and below: exchanges of one launch are no sample, because
    neighbours are alike.
    """
    differences = [float(trips.rtt_s.mean() - np.median(trips.rtt_s)) for trips in launches]
    return sum(difference > 0 for difference in differences), sum(difference < 0 for difference in differences)


def _rtt(study: RoundTripStudy) -> ClaimResult:
    pairs = [summarise(launches) for launches in study.pairs]
    rulings: list[Ruling] = [sign_rule(*longer_means(launches)) for launches in study.pairs]
    skewest = max(pairs, key=lambda pair_summary: np.nan_to_num(pair_summary.skewness))
    longer, _ = longer_means(study.pairs[pairs.index(skewest)])
    last = skewest.quality[-1]
    because = (
        f"between ranks {skewest.reference} and {skewest.client} the mean is above the median in {longer} of "
        f"{skewest.launches} launches; half the round trips take {format_duration(skewest.median_s)} or less, one in a "
        f"hundred {format_duration(skewest.p99_s)} or more (skewness {skewest.skewness:.3g}); "
        f"{last.n} exchanges prove their offset to {format_duration(last.bound_s)} in {format_duration(last.cost_s)}"
    )
    rows = tuple({**vars(summary), "quality": [vars(each) for each in summary.quality]} for summary in pairs)
    return ClaimResult(together(rulings), because, (round_trip_table(pairs),), rows, trip_panels(study, pairs))


def _partners(n_processes: int) -> Mapping[str, Any]:
    """The first and the last partner of rank 0 in a binomial tree, with each other: all pairs of 64 ranks are 2,016,
    and alike at one switch. Of many pairs none could be shown by so few launches.
    """
    return {"of": ",".join(map(str, dict.fromkeys((0, 1, 1 << (n_processes - 1).bit_length() - 1))))}


CLAIMS = (
    Claim(
        "rtt",
        "Round-trip times are skewed: a few take much longer than most.",
        f"{REVISITED}, Fig. 30, 31; {MASSIVE_SCALE}, Fig. 4, 6",
        "sign test over launches: is the mean above the median (pairs by Holm, 5 %)",
        quick_or({"launches": 8, "exchanges": 1000}, {"launches": 30, "exchanges": 10000}, n=2),
        _rtt,
        simulated="64",
        when_simulated=_partners,
    ),
)
