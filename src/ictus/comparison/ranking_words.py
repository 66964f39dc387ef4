"""What a ranking and shares of variance say, in sentences."""

from collections.abc import Sequence
from math import isnan

from ictus.comparison.case_titles import factor_title
from ictus.comparison.ranking import CaseRanking
from ictus.stats.variance import FactorShare, VarianceShares

_TESTS = {"kruskal-wallis": "Kruskal-Wallis", "friedman": "Friedman, launch by launch"}
NOTHING_VARIES = "All launch medians of a case are equal: there is no variance to share."


def ranking_note(rows: Sequence[CaseRanking], by: str) -> str:
    """How to read the ranking."""
    return (
        f"{_TESTS[rows[0].test]} over all values of {factor_title(by)}; p is adjusted for all cases. Those that share "
        f"a letter are not proven different (pairs, adjusted for all pairs and cases). The fastest have an a."
    )


def first_places(rows: Sequence[CaseRanking]) -> str:
    """`Nothing is proven faster than mpich in 8 of 8 cases, openmpi in 2 and mvapich in none.`, the most first."""
    count = {ranked.name: 0 for row in rows for ranked in row.standings}
    for row in rows:
        for ranked in row.standings:
            count[ranked.name] += ranked.place == 1
    ordered = sorted(count.items(), key=lambda item: -item[1])
    total = f" of {len(rows)} case{'' if len(rows) == 1 else 's'}"
    parts = [f"{name} in {number or 'none'}{'' if index else total}" for index, (name, number) in enumerate(ordered)]
    return f"Nothing is proven faster than {', '.join(parts[:-1])} and {parts[-1]}."


def share_sentence(shares: VarianceShares) -> tuple[str, ...]:
    """Which factor explains most of what differs between launches, in plain words; empty where nothing varies."""
    with_share = [factor for factor in shares.factors if not isnan(factor.alike)]
    if not with_share:
        return ()
    most = max(with_share, key=_explained)
    between_launches = shares.launches_shared + shares.launches_own
    left = (
        ""
        if isnan(between_launches)
        else f" {_part(between_launches)} differs from launch to launch, whatever the factors are."
    )
    return (
        f"The {factor_title(most.factor)} matters most: it explains {_part(_explained(most))} of what differs.{left}",
    )


def _explained(share: FactorShare) -> float:
    """In all cases alike, and from case to case."""
    return share.alike + (0.0 if share.by_case is None or isnan(share.by_case) else share.by_case)


def _part(share: float) -> str:
    return "nearly all" if share > 0.995 else "next to nothing" if share < 0.005 else f"{100 * share:.0f} %"


def share_note(shares: VarianceShares) -> str:
    """The total of the shares, and how they were computed."""
    if any(isnan(factor.alike) for factor in shares.factors):
        return NOTHING_VARIES
    what = (
        f"Shares of the variance of the logarithms of {shares.n_values:,} launch medians, around the mean of their "
        f"operation, size and number of processes ({shares.n_blocks} "
        f"{'combination' if shares.n_blocks == 1 else 'combinations'})"
    )
    if shares.balanced:
        return f"{what}: sums of squares of a crossed, balanced design. They sum to 100 %."
    return (
        f"{what}. The factors are not crossed and balanced. A factor's share is what it explains beyond all others "
        f"(least squares, type II), and the shares may not sum to 100 %."
    )
