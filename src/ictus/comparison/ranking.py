"""More than two values of a factor: the test of each case over all values, the ranking with ties as groups, and the
share of variance of each factor.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from ictus.comparison.case_titles import ALGORITHM, IDENTITY, LIBRARY, Case
from ictus.comparison.matching import Side, case_key, launch_medians, medians, with_launch_factor
from ictus.comparison.rows import ComparisonRow
from ictus.model.launch_factor import is_launch_factor
from ictus.stats.adjust import find_adjustment
from ictus.stats.ranking import friedman, kruskal_wallis, letters, places
from ictus.stats.variance import VarianceShares, variance_shares
from ictus.stats.verdict import DIFFERENT
from ictus.store.campaign import Campaign

_PROVEN = tuple(kind.value for kind in DIFFERENT)
Medians = Mapping[int, float]
"""Launch medians in seconds, by launch."""


@dataclass(frozen=True)
class RankedValue:
    """One value of the compared factor in one case."""

    name: str
    n_launches: int
    median_s: float
    """Median of the launch medians."""
    place: int
    """1 where nothing is proven faster; else one after the last of those that are (stats/ranking.py)."""
    group: str
    """Letters: two members share one exactly where they are not told apart."""


@dataclass(frozen=True)
class CaseRanking:
    """One case. The test over all asks whether any value differs; the groups come of the adjusted pairs."""

    case: Case
    test: str
    """`kruskal-wallis`, or `friedman` where launches are shared."""
    n_launches: int
    """Launch medians in the test; for `friedman` launches that have all values."""
    statistic: float | None
    """None where fewer than three values, or no shared launch, or no difference at all leave nothing to test."""
    p_value: float | None
    p_adjusted: float | None
    """Adjusted over the cases."""
    standings: tuple[RankedValue, ...]
    """The smallest median first."""


def rankings(
    pairs: Sequence[tuple[Side, Side]],
    rows: Sequence[ComparisonRow],
    by: str,
    *,
    paired: bool,
    adjust: str,
    modes: Sequence[int] | None = None,
) -> tuple[CaseRanking, ...]:
    """The ranking of every case in which three values or more were compared.

    `pairs` are all pairs of values, `rows` their results, adjusted over all pairs and cases. `modes` has the mode of
    the machine of each launch, within which launches are compared; those that share a launch are always.
    """
    compared = {side.name: side for pair in pairs for side in pair}
    if len(compared) < 3:
        return ()
    samples = {name: launch_medians(side, by) for name, side in compared.items()}
    proven: dict[tuple[object, ...], set[tuple[str, str]]] = {}
    for row in rows:
        proven.setdefault(case_key(row.case, by), set()).update([(row.a, row.b)] if row.outcome in _PROVEN else [])
    case_rankings: list[CaseRanking] = []
    for key, case in {case_key(row.case, by): row.case for row in rows}.items():
        medians = {name: _known(of.get(key, {})) for name, of in samples.items()}
        measured = {name: values for name, values in medians.items() if values}
        if len(measured) >= 2:
            case_rankings.append(_ranking(case, measured, proven[key], modes, paired=paired))
    adjusted = find_adjustment(adjust).apply(
        [np.nan if ranking.p_value is None else ranking.p_value for ranking in case_rankings]
    )
    return tuple(
        replace(case_ranking, p_adjusted=None if np.isnan(p_value) else float(p_value))
        for case_ranking, p_value in zip(case_rankings, adjusted, strict=True)
    )


def _known(medians: Mapping[int, float | None]) -> dict[int, float]:
    return {launch: median for launch, median in medians.items() if median is not None}


def _ranking(
    case: Case,
    medians: Mapping[str, Medians],
    proven: set[tuple[str, str]],
    modes: Sequence[int] | None,
    *,
    paired: bool,
) -> CaseRanking:
    names = list(medians)
    centres = [float(np.median(list(values.values()))) for values in medians.values()]
    differ = [[(a, b) in proven or (b, a) in proven for b in names] for a in names]
    standings = [
        RankedValue(name, len(medians[name]), centre, place_number, group)
        for name, centre, place_number, group in zip(
            names, centres, places(centres, differ), letters(centres, differ), strict=True
        )
    ]
    test, n_launches, statistic, p_value = _over_all(list(medians.values()), modes, paired=paired)
    ordered = tuple(sorted(standings, key=lambda ranked: ranked.median_s))
    return CaseRanking(case, test, n_launches, statistic, p_value, None, ordered)


def _over_all(
    samples: Sequence[Medians], modes: Sequence[int] | None, *, paired: bool
) -> tuple[str, int, float | None, float | None]:
    """(name, launch medians used, statistic, p) of the test over all values."""
    strata = None if modes is None else [[modes[launch - 1] for launch in values] for values in samples]
    if not paired:
        used, name = [list(values.values()) for values in samples], "kruskal-wallis"
    else:
        shared = sorted(set.intersection(*(set(values) for values in samples)))
        used, name = [[values[launch] for launch in shared] for values in samples], "friedman"
    n_launches = len(used[0]) if paired else sum(map(len, used))
    if len(used) < 3 or not used[0]:
        return name, n_launches, None, None
    result = friedman(used) if paired else kruskal_wallis(used, strata)
    testable = not np.isnan(result.p_value)
    return name, n_launches, result.statistic if testable else None, result.p_value if testable else None


BLOCK = ("operation", "size_bytes", "n")
"""The factors that say what is measured; all other factors say how."""


MODE = "mode of the machine"
"""Stands among the factors where launches were in several modes."""


def factor_shares(campaign: Campaign, by: str = LIBRARY, modes: Sequence[int] | None = None) -> VarianceShares | None:
    """Shares of all factors that take more than one value, `by` among them where it is a factor of launches, and
    of the mode of the machine, where `modes` has that of each launch; None where there is no such factor.
    """
    frame = medians(campaign).filter(pl.col("value") > 0)
    launch_factors = list(campaign.settings[0])
    launch_factors += [by] if is_launch_factor(by) and by not in launch_factors else []
    forced = frame[ALGORITHM].replace(campaign.variants_without(*campaign.settings[0]))
    for factor in launch_factors:
        frame = with_launch_factor(frame, campaign, factor)
    frame = frame.with_columns(forced)
    names = (LIBRARY, *(name for name in IDENTITY if name not in BLOCK), *launch_factors)
    varying = [name for name in names if frame[name].n_unique() > 1]
    if not varying:
        return None
    launches = frame["launch"].to_list()
    factors: dict[str, list[Hashable]] = {name: frame[name].to_list() for name in varying}
    if modes is not None:
        factors[MODE] = [modes[launch - 1] for launch in launches]
    return variance_shares(frame["value"].to_numpy(), frame.select(BLOCK).rows(), launches, factors)
