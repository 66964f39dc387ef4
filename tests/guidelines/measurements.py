"""Measured series for tests: times written down, or drawn from a seed."""

from collections.abc import Mapping, Sequence

import numpy as np

from ictus.guidelines.measured import GuidelineMedians, MeasuredCell, SizeSeries
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration
from ictus.model.spec import Spec, parse_spec

HERE = Configuration("mpich", "default", 4)
GL1 = Rule("GL1", Kind.MONOTONY, Source.PAPER, Spec("bcast"), Spec("bcast"))
GL2 = Rule("GL2", Kind.SPLIT, Source.PAPER, Spec("bcast"), Spec("bcast"))
GL3 = Rule("GL3", Kind.PATTERN, Source.PAPER, Spec("gather"), Spec("gather_as_allgather"))


def series(size: int, times: Sequence[float], moved: int | None = None, step: int = 1) -> SizeSeries:
    """Launches are numbered from 0."""
    return SizeSeries(size, size if moved is None else moved, step, dict(enumerate(times)))


def measured(operations: Mapping[str | Spec, Sequence[SizeSeries]], place: Configuration = HERE) -> GuidelineMedians:
    """All in one place, in the basic layout."""
    return GuidelineMedians(
        {MeasuredCell(place, parse_spec(str(name))): tuple(sizes) for name, sizes in operations.items()}
    )


def joined(*parts: GuidelineMedians) -> GuidelineMedians:
    """Of several places."""
    return GuidelineMedians({cell: found for part in parts for cell, found in part.series.items()})


def drawn(middle: float, launches: int, seed: int, spread: float = 0.02) -> list[float]:
    """Launch medians around `middle`."""
    return list(middle * np.exp(spread * np.random.default_rng(seed).standard_normal(launches)))
