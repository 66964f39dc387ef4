"""What a study of exit skew found, typed. Times are seconds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ictus.studies.clocks.record import Setting


@dataclass(frozen=True)
class Profile:
    """One event (entering, leaving) on all ranks over all valid repetitions of a launch."""

    mean_s: tuple[float, ...]
    """Of each rank: how much later than the first rank of the same repetition; NaN without a repetition."""
    sd_s: tuple[float, ...]
    """Of each rank: the standard deviation of the same; NaN for fewer than two repetitions."""
    skew_s: tuple[float, ...]
    """Of each repetition: last rank minus first."""


@dataclass(frozen=True)
class Account:
    """Entering and leaving, by one account of time."""

    entry: Profile
    exit: Profile
    duration_s: tuple[float, ...]
    """Of each repetition: first entry to last exit."""


@dataclass(frozen=True)
class StartRun:
    """One start in one launch."""

    start: str
    """The process synchronisation's spec in full form."""
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
    truth: Account | None
    """On the counter that all ranks read; None where they do not read one."""


@dataclass(frozen=True)
class SkewLaunch:
    """One launch: all starts, in the order in which they were measured."""

    setting: Setting
    entry: str
    """What brought the ranks to the common instant, in full form."""
    runs: tuple[StartRun, ...]

    @property
    def library(self) -> str:
        """What the library is called; the first word of its own account where the core was started by hand."""
        return self.setting.label or self.setting.library.split()[0].lower()


@dataclass(frozen=True)
class SkewStudy:
    """All launches of a skew.json; `document` has the file's own words."""

    launches: tuple[SkewLaunch, ...]
    document: Mapping[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.launches)
