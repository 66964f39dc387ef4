"""clocks.json (file-format.md): the answer of one launch of `ictus-bench clocks`, and a study of several."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from ictus.model.document import DocumentPart, Numbers, OptionalNumbers, check_length
from ictus.model.written_rows import rows_of
from ictus.studies.clocks.accuracy import AccuracyAnswer, AccuracyLaunches, SynchronisationRun, together
from ictus.studies.clocks.document import CoreAnswer, StudyDocument, StudySetting

NAME = "clocks.json"


class OffsetSeries(DocumentPart):
    """The offsets of one rank from the root."""

    rank: int
    first_offset_s: float
    at_s: Numbers
    offset_s: Numbers
    bound_s: OptionalNumbers | None

    @model_validator(mode="after")
    def _of_one_length(self) -> "OffsetSeries":
        if not self.at_s:
            raise ValueError("at_s is empty")
        check_length(len(self.at_s), "instant", {"offset_s": self.offset_s, "bound_s": self.bound_s})
        return self


class StraightLines(DocumentPart):
    """Straight lines through the windows of one length of one rank."""

    rank: int
    window_s: float
    slope: Numbers
    slope_error: Numbers
    residual_max_s: Numbers

    @model_validator(mode="after")
    def _of_one_length(self) -> "StraightLines":
        lists = {"slope_error": self.slope_error, "residual_max_s": self.residual_max_s}
        check_length(len(self.slope), "window", lists)
        return self


class DriftAnswer(CoreAnswer):
    """A launch of study drift."""

    study: Literal["drift"]
    interval_s: float
    duration_s: float
    offset: str
    longest_pass_s: float | None = None
    series: tuple[OffsetSeries, ...]
    fits: tuple[StraightLines, ...]

    @field_validator("series", "fits", mode="before")
    @classmethod
    def _lists_of_columns(cls, value: Any) -> Any:
        return rows_of(value)

    @model_validator(mode="after")
    def _of_known_ranks(self) -> "DriftAnswer":
        ranks = {"series": [series.rank for series in self.series], "fits": [fit.rank for fit in self.fits]}
        for name, row_ranks in ranks.items():
            for index, rank in enumerate(row_ranks):
                if not 0 <= rank < self.n_ranks:
                    raise ValueError(f"{name}.{index}.rank is {rank}, expected 0 to {self.n_ranks - 1}")
        return self


class MeasuredFrequency(DocumentPart):
    """One way to a frequency over one duration: `hz` by rank, then by repeat."""

    source: str
    duration_s: float
    elapsed_s: float
    hz: tuple[Numbers, ...]


class FrequencyAnswer(CoreAnswer):
    """A launch of study frequency."""

    study: Literal["frequency"]
    stated_hz: OptionalNumbers
    stated_source: tuple[str | None, ...]
    model_name_hz: OptionalNumbers
    calibrations: tuple[MeasuredFrequency, ...]

    @model_validator(mode="after")
    def _of_all_ranks(self) -> "FrequencyAnswer":
        names = ("stated_hz", "stated_source", "model_name_hz")
        lists = {name: getattr(self, name) for name in names}
        lists |= {f"calibrations.{index}.hz": frequency.hz for index, frequency in enumerate(self.calibrations)}
        check_length(self.n_ranks, "rank", lists)
        return self


Answer = Annotated[AccuracyAnswer | DriftAnswer | FrequencyAnswer, Field(discriminator="study")]


class ClocksStudy(StudyDocument):
    """clocks.json."""

    FILE: ClassVar = NAME

    launches: tuple[Answer, ...]
    budget_s: float | None = None
    """The budget of a study `pareto`."""
    left_out: tuple[dict[str, Any], ...] = ()
    """What was predicted to take longer."""

    @cached_property
    def accuracy(self) -> tuple[AccuracyLaunches, ...]:
        """The launches of study accuracy."""
        return together([launch for launch in self.launches if isinstance(launch, AccuracyAnswer)])

    @property
    def drift(self) -> tuple[DriftAnswer, ...]:
        """Those of study drift."""
        return tuple(launch for launch in self.launches if isinstance(launch, DriftAnswer))

    @property
    def frequency(self) -> tuple[FrequencyAnswer, ...]:
        """Those of study frequency."""
        return tuple(launch for launch in self.launches if isinstance(launch, FrequencyAnswer))

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.launches)

    @property
    def runs(self) -> tuple[SynchronisationRun, ...]:
        """All synchronisations of all launches."""
        return tuple(run for launch in self.accuracy for run in launch.runs)


def load_clocks(path: Path | str) -> ClocksStudy:
    """A study of clocks that `ictus clocks` kept in a folder, or a clocks.json itself.

    Raises UsageError for a format of a later version, MeasurementError where it is missing or damaged.
    """
    file = Path(path)
    return ClocksStudy.read(file / NAME if file.is_dir() else file)
