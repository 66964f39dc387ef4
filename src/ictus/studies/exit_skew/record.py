"""skew.json (file-format.md): one launch of `ictus-bench barriers skew`, or `launches`, the list of such objects
that `ictus barriers skew` writes. Times are in seconds.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from ictus.model.document import DocumentPart, Numbers, check_length
from ictus.studies.clocks.document import CoreAnswer, StudyDocument, StudySetting

NAME = "skew.json"


class ExitProfile(DocumentPart):
    """One event (entering, leaving) on all ranks over all valid repetitions of a launch."""

    mean_s: Numbers
    """For each rank: how much later than the first rank of the same repetition; NaN without a repetition."""
    sd_s: Numbers
    """For each rank: the standard deviation of the same; NaN for fewer than two repetitions."""
    skew_s: Numbers
    """For each repetition: last rank minus first."""


class Account(DocumentPart):
    """Entering and leaving, by one account of time."""

    entry: ExitProfile
    exit: ExitProfile
    duration_s: Numbers
    """For each repetition: first entry to last exit."""

    def check_shape(self, where: str, valid: int, n_ranks: int) -> None:
        """ValueError that names the first list of another length; `where` leads to it."""
        check_length(valid, "valid repetition", {f"{where}.duration_s": self.duration_s})
        for name, profile in (("entry", self.entry), ("exit", self.exit)):
            path = f"{where}.{name}"
            check_length(n_ranks, "rank", {f"{path}.mean_s": profile.mean_s, f"{path}.sd_s": profile.sd_s})
            check_length(valid, "valid repetition", {f"{path}.skew_s": profile.skew_s})


class StartRun(DocumentPart):
    """One start in one launch."""

    start: str = Field(alias="spec")
    """The process synchronisation's spec in full form."""
    wait_s: float = 0.0
    """Since the clocks were synchronised, as asked for; documents of earlier versions have no other."""
    attempted: int
    late_entry: int
    """Attempts in which the ranks did not enter together; not counted."""
    missed: int
    """Attempts of which the start itself says that a rank missed its instant; not counted."""
    valid: int
    clock_bound_s: float | None
    """Proven bound on the error of any rank's global clock; None where there is none."""
    measured: Account
    """On the global clock."""
    truth: Account | None = Field(alias="true")
    """On the counter that all ranks read; None where they do not read one."""


class SkewAnswer(CoreAnswer):
    """The answer of one launch."""

    study: Literal["skew"]
    entry: str
    """What brought the ranks to the common instant, in full form."""
    left_alone: bool = False
    """Whether clocks ran on as they were synchronised."""
    starts: tuple[StartRun, ...]

    @model_validator(mode="after")
    def _of_valid_repetitions(self) -> "SkewAnswer":
        for number, run in enumerate(self.starts):
            for name, account in (("measured", run.measured), ("true", run.truth)):
                if account is not None and run.valid:
                    account.check_shape(f"starts.{number}.{name}", run.valid, self.n_ranks)
        return self


class SkewDocument(StudyDocument):
    """skew.json."""

    FILE: ClassVar = NAME

    launches: tuple[SkewAnswer, ...]


@dataclass(frozen=True)
class SkewLaunch:
    """One launch: all starts, in the order in which they were measured."""

    setting: StudySetting
    entry: str
    """What brought the ranks to the common instant, in full form."""
    runs: tuple[StartRun, ...]
    left_alone: bool = False
    """Whether clocks ran on as they were synchronised."""

    @property
    def library(self) -> str:
        """The library's name; the first word of its version where the core was started by hand."""
        return self.setting.label or self.setting.library.split()[0].lower()


@dataclass(frozen=True)
class SkewStudy:
    """All launches of a skew.json."""

    launches: tuple[SkewLaunch, ...]
    document: SkewDocument

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.launches)


def study_of(document: SkewDocument) -> SkewStudy:
    """The results of a document's launches."""
    return SkewStudy(
        tuple(
            SkewLaunch(launch.setting, launch.entry, launch.starts, launch.left_alone) for launch in document.launches
        ),
        document,
    )
