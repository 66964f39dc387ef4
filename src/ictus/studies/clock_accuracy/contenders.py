"""Algorithms and settings that are held against each other at equal time: fit points and exchanges over the range of
the papers'.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

OURS = "ictus"
_ROUND_TRIP_S = 2.8e-6
"""Of the simulated networks, to predict what a setting takes."""


@dataclass(frozen=True)
class AlgorithmSetting:
    """An algorithm with one setting."""

    spec: str
    """In the grammar of names."""
    exchanges: int
    """Round trips that follow each other until all ranks are done."""
    has_drift: bool = True

    @property
    def predicted_s(self) -> float:
        """About how long it takes."""
        return self.exchanges * _ROUND_TRIP_S


def is_ours(spec: str) -> bool:
    """Whether it is the algorithm that is held against the papers'."""
    return spec.partition("(")[0] == OURS


def papers(fitpoints: int, exchanges: int) -> dict[str, str]:
    """The papers' algorithms that learn drifts, back to back as there, by family; JK and HCA2 with the estimator of
    their paper and with SKaMPI's.
    """
    parameters = f"fitpoints={fitpoints},span=0,slope_test=off"
    mean, quick = f"offset=mean-rtt(exchanges={exchanges})", f"offset=skampi(exchanges={exchanges})"
    return {
        "jk": f"jk({parameters},reanchor=off,{mean})",
        "jk-skampi": f"jk({parameters},reanchor=off,{quick})",
        "hca": f"hca(drift=regression({parameters},reanchor=off),{mean})",
        "hca2": f"hca2(drift=regression({parameters},reanchor=off),{mean})",
        "hca2-skampi": f"hca2(drift=regression({parameters},reanchor=off),{quick})",
        "hca3": f"hca3(drift=regression({parameters},reanchor=on),{quick})",
    }


def grid(n: int, fitpoints: Sequence[int], exchanges: Sequence[int]) -> tuple[AlgorithmSetting, ...]:
    """All settings for `n` hosts."""
    rounds = math.ceil(math.log2(n)) if n > 1 else 0
    slots = 1 if n == 2 else 3
    settings: list[AlgorithmSetting] = []
    for each in exchanges:
        settings += [
            AlgorithmSetting(f"skampi(offset=skampi(exchanges={each}))", each * (n - 1), has_drift=False),
            AlgorithmSetting(f"hca3-offset(offset=skampi(exchanges={each}))", each * rounds, has_drift=False),
            AlgorithmSetting(f"netgauge(offset=min-rtt(patience={each}))", 2 * each * rounds, has_drift=False),
        ]
        for points in fitpoints:
            taken = {"jk": n - 1, "jk-skampi": n - 1}
            settings += [
                AlgorithmSetting(spec, points * each * taken.get(family, rounds) + (100 * n if family == "hca" else 0))
                for family, spec in papers(points, each).items()
            ]
            ours = f"{OURS}(fitpoints={points},exchanges={each},arity=2,span=0,asymmetry=0)"
            settings.append(AlgorithmSetting(ours, points * each * slots))
    return tuple(settings)


def within(n: int, fitpoints: Sequence[int], exchanges: Sequence[int], budgets_s: Sequence[float]) -> tuple[str, ...]:
    """The settings that take no longer than the longest budget. Of those with a drift, the ones that take less than a
    quarter of the shortest are left out: their drifts are noise.
    """
    return tuple(
        setting.spec
        for setting in grid(n, fitpoints, exchanges)
        if setting.predicted_s <= max(budgets_s)
        and not (setting.has_drift and setting.predicted_s < min(budgets_s) / 4)
    )
