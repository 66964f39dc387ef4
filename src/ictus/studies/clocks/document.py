"""clocks.json (file-format.md): the answer of one launch of `ictus-bench clocks`, and a study of several.

The other studies of the core describe their conditions with the same keys (`StudyAnswer`). Times are in seconds.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from ictus.model.document import Document, DocumentPart, Numbers, OptionalNumbers, check_length

NAME = "clocks.json"


class Places(DocumentPart):
    """For each rank: equal numbers mean the same place."""

    host: tuple[int, ...]


class RankFacts(DocumentPart):
    """One rank."""

    rank: int
    host: str
    node: str = ""
    cpus_allowed: str = ""


class HostFacts(DocumentPart):
    """One host."""

    host: str
    n_cpus: int | None = None


class StudyClock(DocumentPart):
    """The clock of all ranks."""

    spec: str
    frequency_source: str = "unknown"


class StudyMpi(DocumentPart):
    """The library, as it speaks of itself."""

    library_version: str = "unknown"
    thread_level: str = "unknown"


class Disturbance(DocumentPart):
    """Disturbances of the ranks' cores by other processes."""

    contended: bool | None = None
    share: float | None = None


class LaunchedLibrary(DocumentPart):
    """The library, as it was called when it was launched."""

    label: str = ""


class LauncherFacts(DocumentPart):
    """Who started the core."""

    library: LaunchedLibrary | None = None


class StudyAnswer(Document):
    """The part of a launch's answer that all studies of the core share."""

    FILE: ClassVar = "study.json"

    study: str
    n_ranks: int
    seed: int
    simulated: bool
    started: str = "unknown"
    places: Places
    clock: StudyClock
    mpi: StudyMpi
    ranks: tuple[RankFacts, ...] | None = None
    hosts: tuple[HostFacts, ...] | None = None
    contention: Disturbance | None = None
    launcher: LauncherFacts | None = None
    warnings: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _a_place_for_each(self) -> "StudyAnswer":
        if len(self.places.host) < self.n_ranks:
            raise ValueError(f"{self.n_ranks} ranks, but places.host has {len(self.places.host)}")
        return self


class BarrierTime(DocumentPart):
    """MPI_Barrier."""

    mean_s: float | None


class StudyAlgorithm(DocumentPart):
    """An algorithm as typed, and in full form."""

    name: str
    spec: str
    synchronises: bool


class ErrorMatrices(DocumentPart):
    """Errors of all ranks, by wait, then by rank; None where a rank was not checked."""

    error_s: tuple[OptionalNumbers, ...]
    bound_s: tuple[OptionalNumbers | None, ...] | None
    half_width_s: tuple[OptionalNumbers, ...] | None = None
    waited_s: tuple[OptionalNumbers, ...] | None = None

    def check_shape(self, where: str, n_waits: int, n_ranks: int) -> None:
        """ValueError that names the matrix, and in it the row, of another shape; `where` leads to it."""
        for name in ("error_s", "bound_s", "half_width_s", "waited_s"):
            matrix, place = getattr(self, name), f"{where}.{name}"
            check_length(n_waits, "wait", {place: matrix})
            check_length(n_ranks, "rank", {f"{place}.{number}": row for number, row in enumerate(matrix or ())})


class Synchronisation(DocumentPart):
    """One synchronisation."""

    repeat: int
    algorithm: int
    """Its place in `algorithms`."""
    elapsed_s: float
    messages: int
    known: ErrorMatrices | None
    """By the truth that the ranks computed ..."""
    ping_pong: ErrorMatrices | None
    """... and by ping-pongs."""


class AccuracyAnswer(StudyAnswer):
    """A launch of study accuracy."""

    study: Literal["accuracy"]
    truth: str
    barrier: BarrierTime | None = None
    waits_s: Numbers
    algorithms: tuple[StudyAlgorithm, ...]
    synchronisations: tuple[Synchronisation, ...]

    @model_validator(mode="after")
    def _matrices_of_known_algorithms(self) -> "AccuracyAnswer":
        for place, one in enumerate(self.synchronisations):
            where = f"synchronisations.{place}"
            if not 0 <= one.algorithm < len(self.algorithms):
                raise ValueError(
                    f"{where}.algorithm is {one.algorithm}, expected a place in algorithms, which has "
                    f"{len(self.algorithms)}"
                )
            for name, matrices in (("known", one.known), ("ping_pong", one.ping_pong)):
                if matrices is not None:
                    matrices.check_shape(f"{where}.{name}", len(self.waits_s), self.n_ranks)
        return self


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


class DriftAnswer(StudyAnswer):
    """A launch of study drift."""

    study: Literal["drift"]
    interval_s: float
    duration_s: float
    offset: str
    longest_pass_s: float | None = None
    series: tuple[OffsetSeries, ...]
    fits: tuple[StraightLines, ...]

    @model_validator(mode="after")
    def _of_known_ranks(self) -> "DriftAnswer":
        ranks = {"series": [one.rank for one in self.series], "fits": [one.rank for one in self.fits]}
        for name, own in ranks.items():
            for place, rank in enumerate(own):
                if not 0 <= rank < self.n_ranks:
                    raise ValueError(f"{name}.{place}.rank is {rank}, expected 0 to {self.n_ranks - 1}")
        return self


class MeasuredFrequency(DocumentPart):
    """One way to a frequency over one duration: `hz` by rank, then by repeat."""

    source: str
    duration_s: float
    elapsed_s: float
    hz: tuple[Numbers, ...]


class FrequencyAnswer(StudyAnswer):
    """A launch of study frequency."""

    study: Literal["frequency"]
    stated_hz: OptionalNumbers
    stated_source: tuple[str | None, ...]
    model_name_hz: OptionalNumbers
    calibrations: tuple[MeasuredFrequency, ...]

    @model_validator(mode="after")
    def _of_all_ranks(self) -> "FrequencyAnswer":
        own = ("stated_hz", "stated_source", "model_name_hz")
        lists = {name: getattr(self, name) for name in own}
        lists |= {f"calibrations.{place}.hz": one.hz for place, one in enumerate(self.calibrations)}
        check_length(self.n_ranks, "rank", lists)
        return self


Answer = Annotated[AccuracyAnswer | DriftAnswer | FrequencyAnswer, Field(discriminator="study")]


class StudyDocument(Document):
    """A study as its folder keeps it. A file may also be what one launch wrote: then it is the only one."""

    study: str = "unknown"
    """The requested study: one of the core, or `pareto`."""
    created: str | None = None
    on: str = ""

    @model_validator(mode="before")
    @classmethod
    def _of_one_launch(cls, values: Any) -> Any:
        alone = isinstance(values, Mapping) and "launches" not in values
        return {**values, "launches": [values]} if alone else values

    @property
    def began(self) -> str:
        """The start of the study, or of its first launch."""
        launches = getattr(self, "launches", ())
        return self.created or (launches[0].started if launches else "unknown")


class ClocksDocument(StudyDocument):
    """clocks.json."""

    FILE: ClassVar = NAME

    launches: tuple[Answer, ...]
    budget_s: float | None = None
    """The budget of a study `pareto`."""
    left_out: tuple[dict[str, Any], ...] = ()
    """What was predicted to take longer."""
