"""All that is drawn, one line a file."""

from tests.studies.claims.drawn import arrivals, clocks, goals, guidelines, launches, trials, worlds
from tests.studies.claims.drawn.sets import DrawnSets

DRAWN: tuple[DrawnSets, ...] = tuple(
    one for kind in (launches, arrivals, clocks, guidelines, goals, trials, worlds) for one in kind.DRAWN
)
