"""The reduction of a launch to one number per case: a metric over the processes of each sample, then a summary over the
samples.

A tail is estimated from few samples: 1 % of 500 are five. A launch gives p90, p95 or p99 only where at least ten of its
samples are expected beyond it (100, 200, 1,000 samples). Ten beyond keep the rank of the estimate within a third of its
distance from the end (one standard deviation of a binomial count of mean 10), so that p99 is p98.7 to p99.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf
from typing import Literal, cast

from ictus.model.errors import OptionError

Metric = Literal["auto", "makespan", "max", "mean", "min", "root"]
Summary = Literal["median", "mean", "min", "p90", "p95", "p99"]
FIELDS: Mapping[str, str] = {
    "makespan": "makespan",
    "max": "local_max",
    "mean": "local_mean",
    "min": "local_min",
    "root": "root",
}
"""The field of a sample that has each metric (file-format.md)."""
METRICS: tuple[Metric, ...] = ("auto", "makespan", "max", "mean", "min", "root")
"""`auto`: the makespan where clocks are synchronised, else max."""
SUMMARIES: tuple[Summary, ...] = ("median", "mean", "min", "p90", "p95", "p99")
QUANTILES: Mapping[str, float] = {"p90": 0.9, "p95": 0.95, "p99": 0.99}
BEYOND = 10
"""Samples that are expected beyond a quantile where it is estimated."""
USUAL_FACTOR = 1.5
"""Tukey's."""
_EXPECTED = "expected 'off' or a factor of Tukey's fences of 0 or more, such as 1.5"
_WORDS = {"max": "longest", "mean": "mean", "min": "shortest"}


@dataclass(frozen=True)
class Reduction:
    """The number of a launch: `summary` of its valid samples inside Tukey's fences, each of which is the `metric` of
    one repetition.
    """

    metric: Metric = "auto"
    summary: Summary = "median"
    outliers: float | Literal["auto"] | None = "auto"
    """Factor of the fences; None keeps every valid sample; `auto`: 1.5 for median and mean, None for the others, which
    are about the ends that fences cut off.
    """

    def __post_init__(self) -> None:
        """UsageError for an unknown name, and for a factor that is negative or no number."""
        for key, choices in (("metric", METRICS), ("summary", SUMMARIES)):
            if getattr(self, key) not in choices:
                raise OptionError((key, getattr(self, key), f"unknown {key}; known: {', '.join(choices)}"))
        if not (self.outliers is None or self.outliers == "auto" or 0 <= self.outliers < inf):
            raise OptionError(("outliers", self.outliers, _EXPECTED))

    @property
    def factor(self) -> float | None:
        """Factor of the fences; None keeps every valid sample."""
        if self.outliers == "auto":
            return USUAL_FACTOR if self.summary in ("median", "mean") else None
        return self.outliers

    @property
    def quantile(self) -> float | None:
        """The share of samples below the summary; None where it is no tail."""
        return QUANTILES.get(self.summary)

    @property
    def least_samples(self) -> int:
        """Kept samples of a launch below which it has no such summary."""
        return 1 if self.quantile is None else ceil(BEYOND / (1 - self.quantile) - 1e-6)

    @property
    def caption(self) -> str:
        """What tables say of it; nothing of the default."""
        return "" if self == USUAL else f"Each launch stands for {self}."

    def __str__(self) -> str:
        kept = "all its valid samples" if self.factor is None else "its valid samples inside Tukey's fences"
        width = "" if self.factor in (None, USUAL_FACTOR) else f" of factor {self.factor:g}"
        return f"the {self.summary} of {kept}{width}{_of_each(self.metric)}"

    @property
    def code(self) -> str:
        """Its name in files: `auto-median-1.5`, `max-p99-off`."""
        return f"{self.metric}-{self.summary}-{'off' if self.factor is None else f'{self.factor:g}'}"

    def as_object(self) -> dict[str, object]:
        """For scripts: `metric` as asked for, `summary`, and the factor of the fences as `outliers`."""
        return {"metric": self.metric, "summary": self.summary, "outliers": self.factor}


def _of_each(metric: str) -> str:
    if metric == "auto":
        return ""
    if metric in _WORDS:
        return f", each the {_WORDS[metric]} of its processes' own durations"
    return ", each the root's own duration" if metric == "root" else ", each a makespan"


USUAL = Reduction()
"""The default."""


def parse_reduction(metric: str | None, summary: str | None, outliers: str | None) -> Reduction:
    """By the texts of the options; None: not given. UsageError names the option."""
    factor: float | Literal["auto"] | None = "auto"
    try:
        if outliers is not None and outliers != "auto":
            factor = None if outliers == "off" else float(outliers)
    except ValueError as error:
        raise OptionError(("outliers", outliers, _EXPECTED)) from error
    return Reduction(cast(Metric, metric or "auto"), cast(Summary, summary or "median"), factor)
