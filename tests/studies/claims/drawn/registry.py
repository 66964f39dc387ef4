"""All that is drawn, one line a file."""

from tests.studies.claims.drawn import guidelines
from tests.studies.claims.drawn.sets import DrawnSets

DRAWN: tuple[DrawnSets, ...] = guidelines.DRAWN
