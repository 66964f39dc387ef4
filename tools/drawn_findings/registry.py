"""All that is drawn, one line a file."""

from tools.drawn_findings import arrivals, clocks, comparisons, goals, guidelines, launches, trials, worlds
from tools.drawn_findings.sets import DrawnSets

DRAWN: tuple[DrawnSets, ...] = tuple(
    one for kind in (launches, comparisons, arrivals, clocks, guidelines, goals, trials, worlds) for one in kind.DRAWN
)
