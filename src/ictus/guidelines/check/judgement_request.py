"""How the guidelines of a check are to be judged."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.comparison.options import parse_share
from ictus.guidelines.check.analysis import options_of
from ictus.guidelines.judgement import Options, make_options
from ictus.stats.compare import STRATA
from ictus.store.check import read_check


@dataclass(frozen=True)
class JudgementRequest:
    """None: as the check recorded it."""

    test: str | None = None
    tolerance: float | str | None = None
    """A share, or a text such as `5 %`."""
    strata: str = STRATA[0]
    metric: str | None = None
    summary: str | None = None
    outliers: str | None = None
    adjust: str | None = None
    level: float | None = None

    @property
    def recorded(self) -> dict[str, Any]:
        """What a new check records of it."""
        return {name: getattr(self, name) for name in ("test", "tolerance", "metric", "summary", "outliers")}

    def check_names(self) -> None:
        """UsageError for an unknown name, before anything is measured."""
        make_options(strata=self.strata, adjust=self.adjust or Options.adjust)

    def options(self, folder: Path) -> Options:
        """The options for the check in the folder. UsageError for what is none."""
        tolerance = self.tolerance
        share = parse_share("--tolerance", tolerance, zero=True) if isinstance(tolerance, str) else tolerance
        return options_of(read_check(folder), **{**vars(self), "tolerance": share})
