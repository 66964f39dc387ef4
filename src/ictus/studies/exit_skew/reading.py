"""skew.json, read as docs/file-format.md lays it down: one launch of `ictus-bench barriers skew`, or `launches`, a list
of such objects, which is how `ictus barriers skew` keeps a study.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ictus.model.errors import MeasurementError
from ictus.studies.clocks.reading import setting_of
from ictus.studies.exit_skew.record import Account, Profile, SkewLaunch, SkewStudy, StartRun

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


def _profile(values: Mapping[str, Any]) -> Profile:
    return Profile(*(_numbers(values[key]) for key in ("mean_s", "sd_s", "skew_s")))


def _numbers(values: Sequence[Any]) -> tuple[float, ...]:
    """Numbers, null as NaN."""
    return tuple(float("nan") if value is None else float(value) for value in values)
