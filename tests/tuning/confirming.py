"""What the tests of confirmations share: a call that breaks a guideline, and launches that confirm a remedy."""

from collections.abc import Mapping

import numpy as np

from ictus.guidelines.measured import GuidelineMedians, MeasuredCell, SizeSeries
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.spec import Spec, parse_spec
from ictus.tuning.candidates import Candidate, TuningCell, Way
from ictus.tuning.outcome import FreshLaunches, Remedy

PLACE = Configuration("mpich", "default", 4)
CELL = TuningCell(PLACE, Spec("bcast"), 64)
RULE = Rule("GL10", Kind.PATTERN, Source.PAPER, Spec("bcast"), Spec("bcast_as_scatter_and_allgather"))
BROKEN = GuidelineVerdict(
    RULE, PLACE, 64, 64, 1, 3e-6, 2e-6, 1.5, 1.4, 1.6, 20, 1e-5, 1e-4, "***", State.VIOLATED
)  # fmt: skip
OWN = Candidate(Way.ALGORITHM, "bcast=binomial", Spec("bcast"), 64, "bcast=binomial")
OTHER = Candidate(Way.MOCKUP, str(RULE.right), RULE.right, 64)


def launches(
    generator: np.random.Generator, time_s: float, n: int = 20, noise: float = 0.1, first: int = 0
) -> dict[int, float]:
    """Medians of launches that are numbered from `first` on."""
    return {first + i: time_s * float(np.exp(noise * generator.standard_normal())) for i in range(n)}


def fresh(times_s: Mapping[tuple[Configuration, str | Spec, int], dict[int, float]], *others: Remedy) -> FreshLaunches:
    """Launches of both variants."""
    series: dict[MeasuredCell, list[SizeSeries]] = {}
    for (place, operation, size), medians in times_s.items():
        series.setdefault(MeasuredCell(place, parse_spec(str(operation))), []).append(
            SizeSeries(size, size, 1, medians)
        )
    return FreshLaunches(GuidelineMedians({cell: tuple(own) for cell, own in series.items()}), frozenset(others))
