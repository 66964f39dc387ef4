"""What a study of exit skew found, typed. Times are seconds.

skew.json, read as docs/file-format.md lays it down: one launch of `ictus-bench barriers skew`, or `launches`, a list
of such objects, which is how `ictus barriers skew` keeps a study.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ictus.model.errors import MeasurementError
from ictus.studies.clocks.reading import setting_of
from ictus.studies.clocks.record import StudySetting


@dataclass(frozen=True)
class ExitProfile:
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

    entry: ExitProfile
    exit: ExitProfile
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

    setting: StudySetting
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
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.launches)


STUDY = "skew"


def parse_skew(document: Mapping[str, Any], source: str) -> SkewStudy:
    """The study of a skew.json, `source` naming the file in the MeasurementError of one that is not as documented."""
    launches = document.get("launches", [document])
    try:
        foreign = [one["study"] for one in launches if one["study"] != STUDY]
        if foreign:
            raise MeasurementError(f"{source}: study {foreign[0]!r} is not {STUDY!r}")
        return SkewStudy(tuple(_launch(one) for one in launches), document)
    except KeyError as error:
        raise MeasurementError(f"{source}: key {error} is missing") from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise MeasurementError(f"{source} is not as documented: {error}") from error


def _launch(values: Mapping[str, Any]) -> SkewLaunch:
    return SkewLaunch(setting_of(values), str(values["entry"]), tuple(_run(one) for one in values["starts"]))


def _run(values: Mapping[str, Any]) -> StartRun:
    bound, truth = values["clock_bound_s"], values["true"]
    return StartRun(
        start=str(values["spec"]),
        attempted=int(values["attempted"]),
        late_entry=int(values["late_entry"]),
        missed=int(values["missed"]),
        valid=int(values["valid"]),
        clock_bound_s=None if bound is None else float(bound),
        measured=_account(values["measured"]),
        truth=None if truth is None else _account(truth),
    )


def _account(values: Mapping[str, Any]) -> Account:
    return Account(_profile(values["entry"]), _profile(values["exit"]), _numbers(values["duration_s"]))


def _profile(values: Mapping[str, Any]) -> ExitProfile:
    return ExitProfile(*(_numbers(values[key]) for key in ("mean_s", "sd_s", "skew_s")))


def _numbers(values: Sequence[Any]) -> tuple[float, ...]:
    """Numbers, null as NaN."""
    return tuple(float("nan") if value is None else float(value) for value in values)
