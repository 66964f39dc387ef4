"""Two values of a factor in one case: which takes less time, by what matters and not by however little."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_titles import operation_title
from ictus.comparison.compared_factor import chosen_factor
from ictus.comparison.comparison import BETWEEN_LAUNCHES
from ictus.comparison.matching import MatchedCase, match
from ictus.comparison.sides import sides
from ictus.model.launch_factor import is_launch_factor
from ictus.model.quantity import format_size
from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import LEVEL, Ruling, each_holds, no_longer_rule, together
from ictus.store.campaign import Campaign

LEAST_PERCENT = 5.0
"""By so much two values of a factor differ where it is worth telling: launches of one state of a machine scatter by
some per cent.
"""
Shows = Callable[[str, str], bool]
"""Whether the paper means that the side of the first name takes less time than that of the second."""


@dataclass(frozen=True)
class FactorContrast:
    """One value of the factor against another in one case: the claim is that it takes less time."""

    case: Mapping[str, Any]
    faster: str
    slower: str
    ratio: float
    """How many times as long the slower side takes, in the median; NaN where that is unknown."""
    ruling: Ruling
    """That it takes less by the least effect or more."""


def contrasts(campaign: Campaign, by: str, least_percent: float) -> tuple[FactorContrast, ...]:
    """Every value against every other one, both ways round, in every case that both have. Values that change inside a
    launch are compared launch by launch.
    """
    factor = chosen_factor(campaign, None, by)
    paired = factor not in BETWEEN_LAUNCHES and not is_launch_factor(factor)
    return tuple(
        both_way
        for a, b in sides(campaign, None, factor)
        for case in match(a, b, factor, paired=paired)
        for both_way in _both_ways(case, (a.name, b.name), least_percent, paired=paired)
    )


def _both_ways(
    case: MatchedCase, names: tuple[str, str], least_percent: float, *, paired: bool
) -> Iterator[FactorContrast]:
    most = 1 / (1 + least_percent / 100)
    a, b = (np.array(side, dtype=np.float64) for side in (case.a, case.b))
    for (faster, quick), (slower, slow) in (((names[0], a), (names[1], b)), ((names[1], b), (names[0], a))):
        ratio = _median(slow) / _median(quick)
        yield FactorContrast(case.case, faster, slower, ratio, no_longer_rule(quick, slow, most, paired=paired))


def _median(values: FloatArray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if finite.size else float("nan")


def any_difference(_faster: str, _slower: str) -> bool:
    """Whichever side is faster."""
    return True


def is_faster(value: str) -> Shows:
    """That the side of this value is the faster one."""
    return lambda faster, _: faster.partition("(")[0] == value


def judge_contrasts(all_contrasts: Sequence[FactorContrast], shows: Sequence[Shows]) -> Ruling:
    """It holds where each of `shows` is proven in some case (Holm over those that it means); it does not where one of
    them is shown to be less than what matters in every case.
    """
    return each_holds([together([contrast.ruling for contrast in _meant(all_contrasts, show)]) for show in shows])


def because_of(all_contrasts: Sequence[FactorContrast], shows: Shows, least_percent: float) -> str:
    """In how many comparisons it is proven, and where most; else in how many it is refuted."""
    meant = _meant(all_contrasts, shows)
    proven = _proven(meant)
    number = len({_comparison(contrast) for contrast in meant})
    total = f"{number} comparison{'' if number == 1 else 's'}"
    if not proven:
        open_ones = {_comparison(contrast) for contrast in meant if not contrast.ruling.refuted}
        none = f"{number - len(open_ones)} show that there is none"
        return f"none of {total} shows a difference of {least_percent:g} % or more, {none}"
    most = max(proven, key=lambda contrast: contrast.ratio)
    size = f" {format_size(int(most.case['size_bytes']))}" if most.case.get("size_bytes") else ""
    where = f"{operation_title(most.case)}{size}: {most.slower} takes {most.ratio:.3g} times as long as {most.faster}"
    return f"{len(proven)} of {total} differ by {least_percent:g} % or more, most {where}"


def _meant(all_contrasts: Sequence[FactorContrast], shows: Shows) -> list[FactorContrast]:
    return [contrast for contrast in all_contrasts if shows(contrast.faster, contrast.slower)]


def _proven(meant: Sequence[FactorContrast]) -> list[FactorContrast]:
    tested = [contrast for contrast in meant if contrast.ruling.p_value is not None]
    p_values = adjusted([contrast.ruling for contrast in tested])
    return [contrast for contrast, p_value in zip(tested, p_values, strict=True) if p_value <= LEVEL]


def adjusted(tested: Sequence[Ruling]) -> FloatArray:
    """p-values of rulings that have one, adjusted for all of them (Holm)."""
    return holm(np.array([ruling.p_value for ruling in tested], dtype=np.float64)) if tested else np.empty(0)


def _comparison(contrast: FactorContrast) -> tuple[object, ...]:
    """The same for both ways round."""
    return (*sorted((contrast.faster, contrast.slower)), *map(str, contrast.case.values()))
