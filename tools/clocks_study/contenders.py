"""The algorithms of the study and their settings: a grid of fit points and exchanges over the range of the papers'."""

import math
from dataclasses import dataclass

FITPOINTS = (10, 17, 30, 55, 100, 170, 300, 550, 1000)
EXCHANGES = (10, 30, 100)
OURS = "ictus"
#: A round trip of the study's platforms, to predict what a setting costs.
ROUND_TRIP_S = 2.8e-6


@dataclass(frozen=True)
class Contender:
    """An algorithm with one setting."""

    family: str  #: what it is called in tables: the paper's name
    spec: str  #: in the grammar of names
    exchanges: int  #: round trips one edge after the other makes until all is done, on the longest way

    def predicted_s(self) -> float:
        """About how long it takes."""
        return self.exchanges * ROUND_TRIP_S


def grid(size: int) -> tuple[Contender, ...]:
    """All settings for a number of ranks."""
    rounds = math.ceil(math.log2(size)) if size > 1 else 0
    slots = 1 if size == 2 else 3
    found: list[Contender] = []
    for exchanges in EXCHANGES:
        found += [
            Contender("SKaMPI", f"skampi(offset=skampi(exchanges={exchanges}))", exchanges * (size - 1)),
            Contender("HCA3O", f"hca3-offset(offset=skampi(exchanges={exchanges}))", exchanges * rounds),
            Contender("Netgauge", f"netgauge(offset=min-rtt(patience={exchanges}))", 2 * exchanges * rounds),
        ]
        for fitpoints in FITPOINTS:
            points = fitpoints * exchanges
            papers = f"fitpoints={fitpoints},span=0,slope_test=off"
            mean = f"offset=mean-rtt(exchanges={exchanges})"
            quick = f"offset=skampi(exchanges={exchanges})"
            hca2 = points * rounds
            found += [
                Contender("JK", f"jk({papers},reanchor=off,{mean})", points * (size - 1)),
                Contender("JK, SKaMPI offsets", f"jk({papers},reanchor=off,{quick})", points * (size - 1)),
                Contender("HCA", f"hca(drift=regression({papers},reanchor=off),{mean})", hca2 + 100 * size),
                Contender("HCA2", f"hca2(drift=regression({papers},reanchor=off),{mean})", hca2),
                Contender("HCA2, SKaMPI offsets", f"hca2(drift=regression({papers},reanchor=off),{quick})", hca2),
                Contender("HCA3", f"hca3(drift=regression({papers},reanchor=on),{quick})", hca2),
                Contender(
                    OURS,
                    f"ictus(fitpoints={fitpoints},exchanges={exchanges},arity=2,span=0,asymmetry=0)",
                    points * slots,
                ),
            ]
    return tuple(found)


#: Without a stated asymmetry: what is proven.
PROVEN = tuple(f"ictus(fitpoints={fitpoints},exchanges=10,arity=2,span=0)" for fitpoints in (10, 100, 300))


def within(size: int, shortest_s: float, longest_s: float) -> tuple[Contender, ...]:
    """The settings that take no longer than `longest_s`. Of those with a drift, the ones far below `shortest_s` are
    left out: their drifts are noise.
    """
    return tuple(
        one
        for one in grid(size)
        if one.predicted_s() <= longest_s
        and (one.family in ("SKaMPI", "HCA3O", "Netgauge") or one.predicted_s() >= shortest_s / 4)
    )
