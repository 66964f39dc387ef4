"""All that is drawn, one line a file."""

from tests.studies.claims.drawn import arrivals, goals, launches, trials
from tests.studies.claims.drawn.sets import DrawnSets

DRAWN: tuple[DrawnSets, ...] = tuple(one for kind in (launches, arrivals, goals, trials) for one in kind.DRAWN)
